/** The activity of groups and their ranks, as values. */
@NullMarked
package dev.tutti.host.status;

import org.jspecify.annotations.NullMarked;
