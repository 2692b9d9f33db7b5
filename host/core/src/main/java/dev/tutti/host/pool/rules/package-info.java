/** Rules and measurements that choose algorithms, and their files. */
@NullMarked
package dev.tutti.host.pool.rules;

import org.jspecify.annotations.NullMarked;
