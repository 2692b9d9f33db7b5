/**
 * The configuration of a context: its settings, the source of its plugins, and the rules and
 * machine models that apply on this machine.
 */
@NullMarked
package dev.tutti.host.config;

import org.jspecify.annotations.NullMarked;
