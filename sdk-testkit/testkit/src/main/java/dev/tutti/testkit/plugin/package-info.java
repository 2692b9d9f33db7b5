/** Makes plugin jars inside tests. Copies under new names need Byte Buddy. */
@NullMarked
package dev.tutti.testkit.plugin;

import org.jspecify.annotations.NullMarked;
