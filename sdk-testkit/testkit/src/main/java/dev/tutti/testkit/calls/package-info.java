/**
 * Finds calls that plugin code must not make: a list of them, and a report of those that an
 * executor really makes while it plans. Needs Byte Buddy.
 */
@NullMarked
package dev.tutti.testkit.calls;

import org.jspecify.annotations.NullMarked;
