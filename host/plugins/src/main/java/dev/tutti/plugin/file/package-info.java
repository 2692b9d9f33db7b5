/**
 * What a host must know of files before it uses them: what they are, how large, whose, and why one
 * cannot be written.
 */
@NullMarked
package dev.tutti.plugin.file;

import org.jspecify.annotations.NullMarked;
