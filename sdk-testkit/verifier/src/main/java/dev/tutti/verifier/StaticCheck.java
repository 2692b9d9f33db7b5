package dev.tutti.verifier;

import dev.tutti.sdk.Cost;
import dev.tutti.sdk.Determinism;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.WorkflowMode;
import dev.tutti.sdk.param.BarrierParam;
import dev.tutti.sdk.param.OpParam;
import dev.tutti.simulator.PlanCost;
import dev.tutti.simulator.Workload;
import dev.tutti.simulator.flow.FlatPlan;
import dev.tutti.simulator.flow.Moves;
import dev.tutti.simulator.flow.Segments;
import dev.tutti.simulator.flow.Walk;
import dev.tutti.verifier.order.BarrierCheck;
import dev.tutti.verifier.order.OrderCheck;
import dev.tutti.verifier.order.OrderSummary;
import dev.tutti.verifier.order.SequenceCheck;
import dev.tutti.verifier.resource.OptimalityCheck;
import dev.tutti.verifier.resource.PrivateMemory;
import dev.tutti.verifier.resource.ResourceUse;
import dev.tutti.verifier.rule.Findings;
import dev.tutti.verifier.rule.Rule;
import dev.tutti.verifier.semantics.OperationSemantics;
import dev.tutti.verifier.symbol.SymbolCheck;
import dev.tutti.verifier.symbol.SymbolOptions;
import dev.tutti.verifier.symbol.SymbolResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;

/**
 * Judges one plan without running it: rules RES, LNK-2, SYN, MEM, SEQ, SEM, DET and OPT. With
 * several workers, it runs independent checks at the same time.
 */
final class StaticCheck {

  private final FlatPlan plan;
  private final List<@Nullable OpParam> params;
  private final Determinism declared;
  private final Optional<Cost> cost;
  private final boolean atomicReductions;

  /** The cost of the plan. The check of the meaning writes it; others read it after that check. */
  private @Nullable PlanCost costs;

  /**
   * A check.
   *
   * @param params each rank's request, null for a rank that takes no part
   * @param declared the determinism that the executor promises
   * @param cost the cost that the executor declares
   */
  StaticCheck(
      FlatPlan plan,
      List<? extends @Nullable OpParam> params,
      Determinism declared,
      Optional<Cost> cost,
      boolean atomicReductions) {
    this.plan = plan;
    this.params = new ArrayList<>(params);
    this.declared = declared;
    this.cost = cost;
    this.atomicReductions = atomicReductions;
  }

  /**
   * What a check learns about a plan besides its findings.
   *
   * @param order the order that its notifies enforce
   * @param symbols what its outputs are made of; null if it does not run to its end, or if the
   *     requests do not fit together
   */
  record Outcome(OrderSummary order, @Nullable SymbolResult symbols) {}

  /** Judges on the requested number of threads, and perhaps briefly on one more. */
  Outcome run(int workers, Findings findings) {
    Segments segments = Segments.ofWritten(plan, workers);
    Moves moves = Moves.of(plan, segments, workers);
    Findings resources = new Findings();
    Findings meaning = new Findings();
    // With atomic reductions the meaning depends on the order, so the order is checked first.
    boolean needsOrder = atomicReductions && declared.satisfies(Determinism.SAME_RUNS);
    OrderSummary[] known = new OrderSummary[1];
    FutureTask<@Nullable SymbolResult> symbols =
        new FutureTask<>(() -> judgeMeaning(segments, moves, known[0], resources, meaning));
    Thread other = null;
    if (workers > 1 && !needsOrder) {
      other = Thread.ofPlatform().daemon().name("tutti-verifier").start(symbols);
    }
    OrderSummary order =
        OrderCheck.check(plan, segments, moves, atomicReductions, workers, findings);
    SequenceCheck.check(plan, order, plan, order, workers, findings);
    known[0] = order;
    if (other == null) {
      symbols.run();
    }
    SymbolResult result = get(symbols);
    findings.addAll(resources);
    if (!order.isComplete()) {
      return new Outcome(order, null);
    }
    findings.addAll(meaning);
    if (params.stream().anyMatch(BarrierParam.class::isInstance)) {
      BarrierCheck.check(plan, findings);
    }
    PlanCost derived = costs;
    if (derived != null && endsInEverySchedule(findings)) {
      OptimalityCheck.judge(derived, Workload.of(present()), cost).forEach(findings::add);
    }
    return new Outcome(order, result);
  }

  private List<OpParam> present() {
    return params.stream().filter(Objects::nonNull).toList();
  }

  /** A plan that can lose a signal may get stuck in the one schedule that is simulated. */
  private static boolean endsInEverySchedule(Findings findings) {
    return findings.toList().stream()
        .noneMatch(finding -> finding.rule().family().equals(Rule.DEADLOCK.family()));
  }

  private static @Nullable SymbolResult get(FutureTask<@Nullable SymbolResult> symbols) {
    try {
      return symbols.get();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof RuntimeException cause
          ? cause
          : new IllegalStateException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while a plan was judged", e);
    }
  }

  /**
   * Judges the resources, the results and the cost of the plan. The findings about the results hold
   * only if the plan runs to its end; another check decides that.
   */
  private @Nullable SymbolResult judgeMeaning(
      Segments segments,
      Moves moves,
      @Nullable OrderSummary order,
      Findings resources,
      Findings meaning) {
    List<OpParam> present = present();
    if (present.isEmpty()) {
      return null;
    }
    if (present.getFirst().comm().mode() == WorkflowMode.OP_BASE) {
      PrivateMemory.check(plan, resources);
    }
    if (present.stream().allMatch(OperationSemantics::fillsEverySlice)) {
      new ResourceUse(plan, resources).check();
    }
    PlanCost costing = PlanCost.along(plan, moves);
    costs = costing;
    SymbolResult result = null;
    try {
      result =
          SymbolCheck.check(
              plan,
              segments,
              moves,
              params,
              new SymbolOptions(declared, atomicReductions, order == null ? null : order::isBefore),
              costing.visitor(),
              meaning);
    } catch (TuttiException e) {
      new Walk(plan, costing.visitor()).run();
      meaning.add(Rule.of(e.code()), "the requests do not fit together: " + e.getMessage());
    }
    return result;
  }
}
