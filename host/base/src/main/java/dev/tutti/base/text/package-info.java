/** The text of messages. */
@NullMarked
package dev.tutti.base.text;

import org.jspecify.annotations.NullMarked;
