/** Explanations of findings: what the ranks did, side by side. */
@NullMarked
package dev.tutti.verifier.explain;

import org.jspecify.annotations.NullMarked;
