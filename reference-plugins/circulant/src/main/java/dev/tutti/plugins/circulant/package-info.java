/**
 * Circulant graphs: rank r talks to the ranks r + s and r - s for logarithmically many distances s,
 * so all ranks send and receive a block in each round.
 */
@NullMarked
package dev.tutti.plugins.circulant;

import org.jspecify.annotations.NullMarked;
