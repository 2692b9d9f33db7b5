/**
 * What a live host remembers: private copies of jars by content, a journal of what happened to
 * plugins, the state that follows from it, and the choice of the versions that serve.
 */
@NullMarked
package dev.tutti.plugin.store;

import org.jspecify.annotations.NullMarked;
