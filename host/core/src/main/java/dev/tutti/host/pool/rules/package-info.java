/** Rules and measurements by which algorithms are chosen: what they say, and their files. */
@NullMarked
package dev.tutti.host.pool.rules;

import org.jspecify.annotations.NullMarked;
