/**
 * Checks of files before a host uses them: their kind, size and owner, and the reason why one
 * cannot be written.
 */
@NullMarked
package dev.tutti.plugin.file;

import org.jspecify.annotations.NullMarked;
