package dev.tutti.cli.tune.model;

import dev.tutti.engine.CompileOptions;
import dev.tutti.plan.GroupPlan;

/**
 * A plan that mainly repeats one kind of action, so that its time shows the cost of that action.
 *
 * @param name for tables, for example {@code "copy 4 KiB, 2 ranks"}
 * @param plan the plan, which touches only inputs and outputs
 * @param mode the mode in which it is compiled
 */
record Probe(String name, GroupPlan plan, CompileOptions.Mode mode) {}
