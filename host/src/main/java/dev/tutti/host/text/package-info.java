/** Words and numbers of messages. */
@NullMarked
package dev.tutti.host.text;

import org.jspecify.annotations.NullMarked;
