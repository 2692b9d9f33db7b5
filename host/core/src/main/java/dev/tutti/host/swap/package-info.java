/**
 * Changes of plugins that the processes of a job make together: rank 0 decides, and the others
 * follow or refuse.
 */
@NullMarked
package dev.tutti.host.swap;

import org.jspecify.annotations.NullMarked;
