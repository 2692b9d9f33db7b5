/** Shows how long algorithms would take on a network. */
@NullMarked
package dev.tutti.cli.simulate;

import org.jspecify.annotations.NullMarked;
