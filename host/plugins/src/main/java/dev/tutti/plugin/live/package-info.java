/**
 * Plugins that change while a host runs: generations, the current catalogue, and the way of a jar
 * from the plugins directory into service and out of it.
 */
@NullMarked
package dev.tutti.plugin.live;

import org.jspecify.annotations.NullMarked;
