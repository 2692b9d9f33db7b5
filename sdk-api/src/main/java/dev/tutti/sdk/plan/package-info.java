/**
 * The plan: what a group does, as data. Plugins produce it through {@link
 * dev.tutti.sdk.plan.PlanRecorder}; verifiers, simulators, engines and exporters consume it.
 */
@NullMarked
package dev.tutti.sdk.plan;

import org.jspecify.annotations.NullMarked;
