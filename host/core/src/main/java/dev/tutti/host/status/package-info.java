/** What groups and their ranks are doing, as values. */
@NullMarked
package dev.tutti.host.status;

import org.jspecify.annotations.NullMarked;
