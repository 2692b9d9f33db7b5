/** Requests with their own buffers, and the check of their results. */
@NullMarked
package dev.tutti.cli.request;

import org.jspecify.annotations.NullMarked;
