/**
 * The stable face that algorithm authors write against: executors, their traits, the vocabulary of
 * types and reductions, and the one exception family.
 */
@NullMarked
package dev.tutti.sdk;

import org.jspecify.annotations.NullMarked;
