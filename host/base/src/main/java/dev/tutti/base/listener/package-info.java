/** The failures of an application's listeners. */
@NullMarked
package dev.tutti.base.listener;

import org.jspecify.annotations.NullMarked;
