package dev.tutti.host.group;

import dev.tutti.engine.RankBinding;
import dev.tutti.host.planning.SelectedPlan;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A plan and checked buffers, as ranks in several processes have them before they all bind it. */
public interface PreparedPlan {

  /** The plan. */
  SelectedPlan planned();

  /**
   * Binds what all ranks have planned.
   *
   * @param number what they have agreed to call it
   * @param present the memories of each rank, as {@link RankBindings#present} gives them; null for
   *     the rank of this process
   */
  RankBinding bind(long number, List<@Nullable MemorySegment @Nullable []> present);
}
