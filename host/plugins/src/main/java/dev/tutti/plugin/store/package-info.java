/**
 * The state of a live host: private copies of jars by content, a journal of plugin events, the
 * facts that follow from it, and the selection of the versions that serve.
 */
@NullMarked
package dev.tutti.plugin.store;

import org.jspecify.annotations.NullMarked;
