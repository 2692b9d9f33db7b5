/** Requests with buffers of their own, and the proof that their results are right. */
@NullMarked
package dev.tutti.cli.request;

import org.jspecify.annotations.NullMarked;
