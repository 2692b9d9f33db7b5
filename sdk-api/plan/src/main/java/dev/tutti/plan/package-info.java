/**
 * The plan: what a group does, as data. Plugins produce it through {@link
 * dev.tutti.plan.PlanRecorder}; verifiers, simulators, engines and exporters consume it.
 */
@NullMarked
package dev.tutti.plan;

import org.jspecify.annotations.NullMarked;
