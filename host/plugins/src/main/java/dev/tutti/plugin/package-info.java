/** The way from jars to algorithms: manifests, version ranges, class loaders and providers. */
@NullMarked
package dev.tutti.plugin;

import org.jspecify.annotations.NullMarked;
