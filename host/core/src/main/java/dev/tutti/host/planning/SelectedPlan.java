package dev.tutti.host.planning;

import dev.tutti.engine.CompiledPlan;
import dev.tutti.engine.MemoryUse;
import dev.tutti.host.status.RunFacts;
import dev.tutti.host.watch.Counters;
import dev.tutti.plan.GroupPlan;
import dev.tutti.plugin.Algorithm;
import dev.tutti.plugin.live.Generation;
import dev.tutti.sdk.param.OpParam;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A call with its plan, ready to be bound to buffers.
 *
 * @param key the key of the plan
 * @param params the operation as each rank sees it; null for ranks that take no part
 * @param algorithm the algorithm; for a transfer, the sender's
 * @param plan the plan
 * @param compiled the plan for the engine
 * @param use the memory of the group that it touches
 * @param packing the copies between the plan and the buffers; null if all buffers are contiguous
 * @param cloned how it was made from another plan; null if it was planned from scratch
 * @param generation the generation of the plugin that made it
 * @param catalogue the number of the catalogue from which its algorithm was chosen
 * @param messageBytes the size of one rank's message, by which algorithms are chosen
 */
public record SelectedPlan(
    PlanKey key,
    List<@Nullable OpParam> params,
    Algorithm algorithm,
    GroupPlan plan,
    CompiledPlan compiled,
    MemoryUse use,
    @Nullable Packing packing,
    @Nullable ClonedPlan cloned,
    Generation generation,
    long catalogue,
    long messageBytes) {

  static long messageBytes(List<@Nullable OpParam> params) {
    long bytes = 0;
    for (OpParam param : params) {
      bytes = param == null ? bytes : Math.max(bytes, param.messageBytes());
    }
    return bytes;
  }

  /** The approximate heap size of the plan in bytes, without parts that it shares. */
  long heapBytes() {
    long perRank = 400;
    long perTask = cloned == null ? 100 : 32;
    long ofPlan = cloned == null ? 16 * plan.actionCount() : cloned.plan().heapBytes();
    return ofPlan + perRank * plan.rankSize() + perTask * compiled.taskCount();
  }

  /** Counts runs for the algorithm. */
  public void count(Counters into, long ended, long inNanos) {
    if (ended > 0) {
      into.ran(
          algorithm.operation().label(),
          algorithm.qualifiedName(),
          ended,
          ended * messageBytes,
          inNanos);
    }
  }

  public void countFailure(Counters into) {
    into.failed(algorithm.operation().label(), algorithm.qualifiedName());
  }

  /** The facts of a run, in words. */
  public RunFacts facts(long group) {
    return facts(group, key, params, algorithm);
  }

  /** The facts of a request with an algorithm, in words. */
  static RunFacts facts(
      long group, PlanKey key, List<@Nullable OpParam> params, Algorithm algorithm) {
    return new RunFacts(
        group,
        key.call().operation().label(),
        key.call().toString(),
        key.call().dataType().label(),
        messageBytes(params),
        params.size(),
        algorithm.qualifiedName(),
        algorithm.plugin(),
        algorithm.version());
  }

  /**
   * Whether a call with the same key would get this plan again: its plugin still serves, and if the
   * host chose the algorithm, the catalogue has not changed since.
   */
  boolean isCurrent(long currentCatalogue) {
    return catalogue == currentCatalogue || (key.algorithm() != null && !generation.isRetired());
  }
}
