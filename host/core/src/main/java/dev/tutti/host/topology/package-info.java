/** The names of a group's ranks, and the topology of sub-groups. */
@NullMarked
package dev.tutti.host.topology;

import org.jspecify.annotations.NullMarked;
