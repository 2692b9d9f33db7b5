package dev.tutti.host.group;

import dev.tutti.engine.RankBinding;
import dev.tutti.host.planning.SelectedPlan;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A plan and checked buffers of ranks in several processes, before all of them bind the plan. */
public interface PreparedPlan {

  /** The plan. */
  SelectedPlan planned();

  /**
   * Binds the plan that all ranks have made.
   *
   * @param number the number that they have agreed on
   * @param present the memory of each rank, as {@link RankBindings#present} returns it; null for
   *     the rank of this process
   */
  RankBinding bind(long number, List<@Nullable MemorySegment @Nullable []> present);
}
