/** The progress of long work, for users who wait for it. */
@NullMarked
package dev.tutti.plan.work;

import org.jspecify.annotations.NullMarked;
