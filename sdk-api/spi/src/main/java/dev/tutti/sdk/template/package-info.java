/** Reusable pieces of algorithms over one sub-communicator, which executors combine. */
@NullMarked
package dev.tutti.sdk.template;

import org.jspecify.annotations.NullMarked;
