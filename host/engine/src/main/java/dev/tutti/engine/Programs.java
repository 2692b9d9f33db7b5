package dev.tutti.engine;

import dev.tutti.engine.CompiledPlan.SignalCount;
import dev.tutti.engine.kernel.ReduceKernel;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The programs that one plan can be run as. Not thread-safe. */
interface Programs {

  /**
   * One way to run a plan.
   *
   * @param lists static lists, or none
   * @param graph tasklets, or null
   * @param signals how many of the plan's signals are left
   */
  record Program(List<TaskArrays> lists, @Nullable TaskGraph graph, SignalCount signals) {}

  /**
   * How ranks that enter and leave on their own are dealt to lists.
   *
   * @param listOf the list of each rank
   * @param count how many lists there are; 0 if ranks start together
   * @param room the bytes of input that a list can show the others; see {@link ShortPlan}
   */
  record RankLists(int[] listOf, int count, int room) {
    static final RankLists NONE = new RankLists(new int[0], 0, 0);
  }

  /** A number of static lists; ranks are dealt to them in blocks. */
  Program lists(int count);

  /** A graph of tasklets. */
  Program graph();

  /** Static lists of ranks that enter and leave on their own. */
  Program forRanks();

  /** How ranks are dealt to lists in {@link #forRanks}. */
  RankLists rankLists();

  /** The memories that the programs touch; complete once one program has been made. */
  MemorySlots slots();

  /** The kernels that the programs use; complete once one program has been made. */
  ReduceKernel[] kernels();

  /** The frames of the plan, for diagnoses. */
  Frame.OfPlan frames();
}
