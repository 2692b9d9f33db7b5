/** Where the ranks of a group are: nodes, pods, levels and the planes that cut across them. */
@NullMarked
package dev.tutti.sdk.topology;

import org.jspecify.annotations.NullMarked;
