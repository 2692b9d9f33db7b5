/** The rules for algorithms, and the findings that report broken rules. */
@NullMarked
package dev.tutti.verifier.rule;

import org.jspecify.annotations.NullMarked;
