/** Reusable pieces of algorithms over one sub-communicator, from which executors are composed. */
@NullMarked
package dev.tutti.sdk.template;

import org.jspecify.annotations.NullMarked;
