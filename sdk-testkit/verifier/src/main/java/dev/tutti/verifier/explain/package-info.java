/** Explanations of findings: tables and diagrams of what the ranks did. */
@NullMarked
package dev.tutti.verifier.explain;

import org.jspecify.annotations.NullMarked;
