package dev.tutti.host.planning;

import dev.tutti.engine.CompiledPlan;
import dev.tutti.engine.CompiledTemplate;
import dev.tutti.engine.Engine;
import dev.tutti.engine.MemoryUse;
import dev.tutti.engine.queue.OperationQueues;
import dev.tutti.plan.GroupPlan;
import dev.tutti.plan.PlanClone;
import dev.tutti.plan.PlanStructure;
import dev.tutti.sdk.param.OpParam;
import dev.tutti.verifier.JudgedStructure;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.WeakHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A plan from which plans for other counts can be made. Its structure and its compiled template are
 * computed when the first other count is requested, so a plan that is used for one count costs
 * nothing extra. Thread-safe.
 */
public final class KnownPlan {

  private static final long BYTES_PER_ACTION = 16;

  private final Engine engine;
  private final GroupPlan plan;
  private @Nullable PlanClone origin;
  private @Nullable CompiledTemplate template;
  private @Nullable MemoryUse use;

  /** The requests for which the plan was judged to be correct; null if it was not judged. */
  private @Nullable List<@Nullable OpParam> judgedAs;

  /**
   * The structure that follows from the verdict; null until it is needed, and if it is too large to
   * compare.
   */
  private @Nullable JudgedStructure judged;

  private boolean isCompared;

  private final Map<OperationQueues, CompiledTemplate> forRanks = new WeakHashMap<>();

  /** The smallest and the largest message, in bytes, for which a plan was made from it. */
  private long least;

  private long most;

  /** The number of its last use; uses of all plans are counted together. */
  private long turn;

  /**
   * Makes a known plan.
   *
   * @param bytes the size of one rank's message
   * @param turn the number of this use, greater than all earlier ones
   */
  KnownPlan(Engine engine, GroupPlan plan, long bytes, long turn) {
    this.engine = engine;
    this.plan = plan;
    this.least = bytes;
    this.most = bytes;
    this.turn = turn;
  }

  /** Its structure. */
  synchronized PlanStructure structure() {
    return origin().structure();
  }

  private PlanClone origin() {
    PlanClone known = origin;
    if (known == null) {
      known = PlanStructure.of(plan).origin();
      origin = known;
    }
    return known;
  }

  /** The memory of the group that the plan touches. */
  synchronized MemoryUse use() {
    MemoryUse known = use;
    if (known == null) {
      known = MemoryUse.of(plan);
      use = known;
    }
    return known;
  }

  /** Compiles a plan with this structure; empty if it cannot share the compiled form. */
  synchronized Optional<CompiledPlan> compile(PlanClone clone) {
    CompiledTemplate known = template;
    if (known == null) {
      known = engine.template(origin());
      template = known;
    }
    return known.compile(clone);
  }

  /** The same for ranks that run the plan with their own threads. */
  synchronized Optional<CompiledPlan> compile(PlanClone clone, OperationQueues queues) {
    return forRanks.computeIfAbsent(queues, each -> each.template(origin())).compile(clone);
  }

  /** Notes that the plan was judged to be correct. */
  synchronized void judged(List<@Nullable OpParam> params) {
    judgedAs = params;
  }

  /** Whether the verdict on this plan holds for a plan that was made from it. */
  synchronized boolean isJudgedFor(PlanClone clone, List<@Nullable OpParam> params) {
    List<@Nullable OpParam> own = judgedAs;
    if (own == null) {
      return false;
    }
    if (!isCompared) {
      judged = JudgedStructure.of(origin(), own).orElse(null);
      isCompared = true;
    }
    return judged != null && judged.holdsFor(clone, params);
  }

  /**
   * Notes that a plan was made from this one.
   *
   * @param newTurn the number of this use, greater than all earlier ones
   */
  synchronized void fits(long bytes, long newTurn) {
    turn = newTurn;
    least = Math.min(least, bytes);
    most = Math.max(most, bytes);
  }

  /** The distance of a size from the sizes that the plan fits, as a ratio of 1 or more. */
  synchronized double distance(long bytes) {
    if (bytes < least) {
      return (least + 1.0) / (bytes + 1.0);
    }
    return bytes > most ? (bytes + 1.0) / (most + 1.0) : 1;
  }

  /** The number of its last use. */
  synchronized long turn() {
    return turn;
  }

  /** Its approximate heap size in bytes. */
  synchronized long heapBytes() {
    long bytes = BYTES_PER_ACTION * plan.actionCount();
    bytes += origin == null ? 0 : origin.structure().heapBytes() + origin.heapBytes();
    bytes += template == null ? 0 : template.heapBytes();
    bytes += judged == null ? 0 : judged.heapBytes();
    for (CompiledTemplate each : forRanks.values()) {
      bytes += each.heapBytes();
    }
    return bytes;
  }

  /** The message sizes that it fits, in words. */
  synchronized String sizes() {
    return least == most ? least + " bytes" : least + " to " + most + " bytes";
  }
}
