/** What the ranks of a group are called, and where those of a sub-group are. */
@NullMarked
package dev.tutti.host.topology;

import org.jspecify.annotations.NullMarked;
