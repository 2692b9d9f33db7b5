/** The signers of jars, and the trusted keys. */
@NullMarked
package dev.tutti.plugin.signature;

import org.jspecify.annotations.NullMarked;
