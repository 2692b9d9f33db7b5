/** Commands that show plans, topologies, choices and rules, and run no operation. */
@NullMarked
package dev.tutti.cli.show;

import org.jspecify.annotations.NullMarked;
