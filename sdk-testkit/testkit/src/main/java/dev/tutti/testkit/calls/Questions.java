package dev.tutti.testkit.calls;

import dev.tutti.plan.PlanRecorder;
import dev.tutti.plan.RankProgram;
import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.Operation;
import dev.tutti.sdk.param.OpParam;
import dev.tutti.verifier.gate.Gate;
import dev.tutti.verifier.gate.PluginFailure;
import dev.tutti.verifier.matrix.CollectiveCase;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Makes all calls of executors that a host makes, and ignores the results. */
final class Questions {

  private final List<CollectiveCase> cases;

  /** Written by the calling thread, read by the thread that waits for it. */
  private volatile String current = "its start";

  Questions(List<CollectiveCase> cases) {
    this.cases = cases;
  }

  /** The case in progress. */
  String current() {
    return current;
  }

  /**
   * Plans all cases, or until the gate ends the call.
   *
   * @param executors one for each operation that the cases need
   */
  void askAll(Map<Operation, CollExecutorBase<?>> executors) {
    for (CollectiveCase each : cases) {
      if (Gate.isEnding()) {
        return;
      }
      current = each.toString();
      try {
        ask(executors, each);
      } catch (RuntimeException | StackOverflowError e) {
        // The checks of other rules report cases that an executor refuses or fails to plan.
        if (!Gate.isEnding()) {
          current = each + ", which fails: " + PluginFailure.of(e);
        }
      }
    }
  }

  private static void ask(Map<Operation, CollExecutorBase<?>> executors, CollectiveCase asked) {
    List<RankProgram> programs = new ArrayList<>();
    boolean isSupported = true;
    List<@Nullable OpParam> params = asked.params();
    for (int rank = 0; rank < params.size(); rank++) {
      OpParam param = params.get(rank);
      CollExecutorBase<?> executor = param == null ? null : executors.get(param.operation());
      if (param == null || executor == null) {
        programs.add(RankProgram.idle(asked.comm().withRank(rank)));
        continue;
      }
      isSupported &= isSupported(executor, param);
      programs.add(program(executor, param));
    }
    if (isSupported) {
      new PlanRecorder().withSources(false).record(asked.toString(), programs);
    }
  }

  // The map holds for each operation an executor of its parameters.
  @SuppressWarnings("unchecked")
  private static <P extends OpParam> boolean isSupported(
      CollExecutorBase<P> executor, OpParam param) {
    executor.parameters();
    executor.determinism();
    boolean isSupported = executor.supports((P) param).isSupported();
    if (isSupported) {
      executor.cost((P) param);
    }
    return isSupported;
  }

  // As above.
  @SuppressWarnings("unchecked")
  private static <P extends OpParam> RankProgram program(
      CollExecutorBase<P> executor, OpParam param) {
    return RankProgram.of(executor, (P) param);
  }
}
