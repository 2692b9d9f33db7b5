/**
 * What a context was configured with: settings, where its plugins come from, which rules and
 * machine models count here.
 */
@NullMarked
package dev.tutti.host.config;

import org.jspecify.annotations.NullMarked;
