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
 * A plan from which plans for other counts can be made. Its structure and what is compiled from it
 * are found out when the first other count comes, so a plan that is used for one count costs no
 * more. Thread-safe.
 */
public final class KnownPlan {

  private static final long BYTES_PER_ACTION = 16;

  private final Engine engine;
  private final GroupPlan plan;
  private @Nullable PlanClone origin;
  private @Nullable CompiledTemplate template;
  private @Nullable MemoryUse use;

  /** The requests for which it was found right; null if it was not judged. */
  private @Nullable List<@Nullable OpParam> judgedAs;

  /** What follows from that; null until it is asked for, and if it is too much to compare. */
  private @Nullable JudgedStructure judged;

  private boolean isCompared;

  private final Map<OperationQueues, CompiledTemplate> forRanks = new WeakHashMap<>();

  /** The least and the most bytes of a message for which a plan was made from it. */
  private long least;

  private long most;

  /** When it was used last, counted in plans that were made. */
  private long turn;

  /**
   * A plan.
   *
   * @param bytes of one rank's message
   * @param turn greater than those before
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

  /** The memory of the group that it touches. */
  synchronized MemoryUse use() {
    MemoryUse known = use;
    if (known == null) {
      known = MemoryUse.of(plan);
      use = known;
    }
    return known;
  }

  /** Compiles a plan of the structure; empty if it cannot share what this one is compiled to. */
  synchronized Optional<CompiledPlan> compile(PlanClone clone) {
    CompiledTemplate known = template;
    if (known == null) {
      known = engine.template(origin());
      template = known;
    }
    return known.compile(clone);
  }

  /** The same for ranks that enter and leave on their own. */
  synchronized Optional<CompiledPlan> compile(PlanClone clone, OperationQueues queues) {
    return forRanks.computeIfAbsent(queues, each -> each.template(origin())).compile(clone);
  }

  /** Notes that the plan was judged and found right. */
  synchronized void judged(List<@Nullable OpParam> params) {
    judgedAs = params;
  }

  /** Whether the verdict on it holds for a plan that was made from it. */
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
   * Notes that a plan was made from it.
   *
   * @param newTurn greater than those before
   */
  synchronized void fits(long bytes, long newTurn) {
    turn = newTurn;
    least = Math.min(least, bytes);
    most = Math.max(most, bytes);
  }

  /** How far a size is from those that it is known to fit, as a ratio of 1 or more. */
  synchronized double distance(long bytes) {
    if (bytes < least) {
      return (least + 1.0) / (bytes + 1.0);
    }
    return bytes > most ? (bytes + 1.0) / (most + 1.0) : 1;
  }

  /** When it was used last. */
  synchronized long turn() {
    return turn;
  }

  /** About how many bytes of heap it takes. */
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

  /** The size that it was made for, in words. */
  synchronized String sizes() {
    return least == most ? least + " bytes" : least + " to " + most + " bytes";
  }
}
