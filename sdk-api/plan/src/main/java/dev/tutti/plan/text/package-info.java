/** Words and numbers of messages. */
@NullMarked
package dev.tutti.plan.text;

import org.jspecify.annotations.NullMarked;
