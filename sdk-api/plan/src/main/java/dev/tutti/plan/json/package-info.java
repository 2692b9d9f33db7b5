/** A JSON reader and writer for plans and the testkit, without a library. */
@NullMarked
package dev.tutti.plan.json;

import org.jspecify.annotations.NullMarked;
