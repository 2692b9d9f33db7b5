/**
 * Plans: the actions of a group, as data. {@link dev.tutti.plan.PlanRecorder} records them from
 * executors; verifiers, simulators, engines and exporters consume them.
 */
@NullMarked
package dev.tutti.plan;

import org.jspecify.annotations.NullMarked;
