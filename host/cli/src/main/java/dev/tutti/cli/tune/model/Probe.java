package dev.tutti.cli.tune.model;

import dev.tutti.engine.CompileOptions;
import dev.tutti.plan.GroupPlan;

/**
 * A plan that does little but one thing, so that its time shows the cost of that.
 *
 * @param name for tables, for example {@code "copy 4 KiB, 2 ranks"}
 * @param plan touches inputs and outputs only
 * @param mode how it is compiled
 */
record Probe(String name, GroupPlan plan, CompileOptions.Mode mode) {}
