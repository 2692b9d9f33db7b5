/**
 * Plans made in other processes, for a comparison with those made here: what a plan may not depend
 * on is different there.
 */
@NullMarked
package dev.tutti.verifier.purity;

import org.jspecify.annotations.NullMarked;
