package dev.tutti.verifier.order;

import dev.tutti.plan.PlanRecorder;
import dev.tutti.samples.Sketch;
import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.Determinism;
import dev.tutti.sdk.Protocol;
import dev.tutti.sdk.WorkflowMode;
import dev.tutti.sdk.param.BroadcastParam;
import dev.tutti.sdk.resource.AlgResourceResponse;
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.sdk.topology.Topology;
import dev.tutti.simulator.flow.FlatPlan;
import dev.tutti.verifier.rule.Finding;
import dev.tutti.verifier.rule.Findings;
import java.util.List;
import java.util.function.BiConsumer;

/** One operation of a test, with the findings about it. */
final class Case {

  /** Scratch memory of each rank, in bytes. */
  static final long SCRATCH = 1 << 16;

  final FlatPlan plan;
  final OrderSummary summary;
  final Findings findings = new Findings();

  private Case(FlatPlan plan, boolean atomicReductions) {
    this.plan = plan;
    this.summary = OrderCheck.check(plan, atomicReductions, findings);
  }

  static CommInfo comm(int ranks) {
    return new CommInfo(
        0,
        Topology.flat(ranks),
        WorkflowMode.GRAPH,
        Protocol.DIRECT,
        Determinism.NONE,
        CommInfo.DEFAULT_CCL_BUFFER_SIZE);
  }

  /** Ranks that run an executor as a broadcast of 32 bytes. */
  static Case of(int ranks, int root, CollExecutorBase<BroadcastParam> executor) {
    return new Case(plan(ranks, root, executor), false);
  }

  /** Ranks with links to all others and with scratch memory, which run the given code. */
  static Case of(int ranks, BiConsumer<Integer, AlgResourceResponse> program) {
    return of(ranks, 0, executor(0, program));
  }

  /** The same with slave streams. */
  static Case of(int ranks, int slaves, BiConsumer<Integer, AlgResourceResponse> program) {
    return of(ranks, 0, executor(slaves, program));
  }

  /** The same with atomic reductions. */
  static Case ofAtomic(int ranks, BiConsumer<Integer, AlgResourceResponse> program) {
    return new Case(plan(ranks, 0, executor(0, program)), true);
  }

  private static FlatPlan plan(int ranks, int root, CollExecutorBase<BroadcastParam> executor) {
    return FlatPlan.of(
        new PlanRecorder()
            .record("case", executor, new BroadcastParam(comm(ranks), DataType.INT64, 4, root)));
  }

  static CollExecutorBase<BroadcastParam> executor(
      int slaves, BiConsumer<Integer, AlgResourceResponse> program) {
    return new Sketch<>(
        param ->
            Sketch.mesh(param, TransportMemType.SCRATCH, TransportMemType.PARAM_OUTPUT)
                .withScratchMemSize(SCRATCH)
                .withStreamNum(slaves),
        (param, res) -> program.accept(param.comm().rank(), res));
  }

  /** The ids of the broken rules. */
  List<String> rules() {
    return ids(findings);
  }

  /** The ids of the rules that this operation breaks together with the next one. */
  List<String> rulesBefore(Case next) {
    return ids(findingsBefore(next));
  }

  Findings findingsBefore(Case next) {
    Findings found = new Findings();
    SequenceCheck.check(plan, summary, next.plan, next.summary, found);
    return found;
  }

  private static List<String> ids(Findings findings) {
    return findings.toList().stream().map(f -> f.rule().id()).distinct().sorted().toList();
  }

  /** The only finding. */
  Finding finding() {
    return findings.toList().getFirst();
  }
}
