/** JSON as plans and the testkit read and write it, without a library. */
@NullMarked
package dev.tutti.plan.json;

import org.jspecify.annotations.NullMarked;
