/** The parts of HTML reports about cases that break rules. */
@NullMarked
package dev.tutti.verifier.page;

import org.jspecify.annotations.NullMarked;
