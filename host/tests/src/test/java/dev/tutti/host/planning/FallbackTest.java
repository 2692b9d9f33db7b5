package dev.tutti.host.planning;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.host.Context;
import dev.tutti.host.Errors;
import dev.tutti.host.Floats;
import dev.tutti.host.Group;
import dev.tutti.host.Request;
import dev.tutti.host.SampleAlgorithms;
import dev.tutti.host.call.CollectiveCall;
import dev.tutti.host.pool.Choice;
import dev.tutti.host.pool.rules.Rules;
import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.Cost;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.Support;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.param.AllReduceParam;
import dev.tutti.sdk.resource.AlgResourceRequest;
import dev.tutti.sdk.resource.AlgResourceResponse;
import dev.tutti.sdk.topology.Topology;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The behaviour if the best algorithm cannot make its plan after all. */
final class FallbackTest {

  private static final CollectiveCall CALL =
      CollectiveCall.allReduce(DataType.FLOAT32, ReduceOp.SUM, 4);

  /** Declares to be the cheapest, and fails on one rank when it is asked for its plan. */
  private static final class Failing extends CollExecutorBase<AllReduceParam> {
    private final ErrorCode code;
    private final boolean failsEarly;

    Failing(ErrorCode code, boolean failsEarly) {
      this.code = code;
      this.failsEarly = failsEarly;
    }

    @Override
    public AlgResourceRequest calcResRequest(AllReduceParam param) {
      fail(param, failsEarly);
      return AlgResourceRequest.none();
    }

    @Override
    public void orchestrate(AllReduceParam param, AlgResourceResponse resources) {
      fail(param, true);
    }

    private void fail(AllReduceParam param, boolean fails) {
      if (fails && param.comm().rank() == 1) {
        throw new TuttiException(code, "not with %d ranks", param.comm().rankSize());
      }
    }

    @Override
    public Optional<Cost> cost(AllReduceParam param) {
      return Optional.of(new Cost(0, 0, 0));
    }
  }

  private static Context context(ErrorCode code, boolean failsEarly) {
    return SampleAlgorithms.addTo(Context.builder())
        .algorithm("failing", new Failing(code, failsEarly))
        .open();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void theWholeGroupTakesTheNextOneIfTheBestIsUnsupported(boolean failsEarly) {
    try (Context context = context(ErrorCode.UNSUPPORTED, failsEarly);
        Group compared = context.createGroup(4);
        Group nodes = context.createGroup(Topology.nodes(2, 2))) {
      for (Group group : new Group[] {compared, nodes}) {
        MemorySegment[] data = Floats.heap(4, 4);
        Set<String> names = ConcurrentHashMap.newKeySet();
        try (Request request =
            group.allReduce(data, data, DataType.FLOAT32, ReduceOp.SUM).build()) {
          assertThat(request.algorithm().name()).isEqualTo("pull");
          request.run();
        }
        assertThat(Floats.values(data[3])).isEqualTo(Floats.sums(4, 4));
        group.run(
            rank -> {
              float[] own = {rank.rank()};
              rank.allReduce(own, own, ReduceOp.SUM);
              names.add("sum " + own[0]);
            });
        assertThat(names).containsExactly("sum 6.0");
      }
      Choice choice = compared.request(CALL).explain();
      assertThat(choice.chosen().name()).isEqualTo("pull");
      assertThat(choice.toString()).contains("embedded:failing").contains("not with 4 ranks");
    }
  }

  @Test
  void anAlgorithmThatWasAskedForByNameHasNoSubstitute() {
    try (Context context = context(ErrorCode.UNSUPPORTED, false);
        Group group = context.createGroup(3)) {
      assertThat(
              Errors.message(
                  ErrorCode.UNSUPPORTED, () -> group.request(CALL).algorithm("failing").plan()))
          .contains("not with 3 ranks");
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = ErrorCode.class,
      names = {"EXECUTOR_FAILED", "INVALID_ARGUMENT", "RESOURCE_MISMATCH", "DEADLOCK"})
  void nothingElseThatGoesWrongWithTheChosenOneIsHidden(ErrorCode code) {
    // Algorithms that a rule prefers are not compared.
    try (Context context =
            SampleAlgorithms.addTo(Context.builder())
                .algorithm("failing", new Failing(code, false))
                .rules(Rules.parse("prefer=failing", "test"))
                .open();
        Group group = context.createGroup(4)) {
      assertThat(Errors.message(code, () -> group.request(CALL).plan()))
          .contains("not with 4 ranks");
      assertThat(group.isPoisoned()).isFalse();
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = ErrorCode.class,
      names = {"EXECUTOR_FAILED", "INVALID_ARGUMENT", "RESOURCE_MISMATCH", "DEADLOCK"})
  void whatFailsWhileItIsComparedIsToldOnceAndHoldsNobodyUp(ErrorCode code) {
    try (Context context = context(code, false);
        Group group = context.createGroup(4)) {
      assertThat(context.passedOver()).isEmpty();
      Choice choice = group.request(CALL).explain();
      assertThat(choice.chosen().name()).isEqualTo("pull");
      assertThat(choice.candidates().getLast().reason())
          .startsWith("its plan cannot be made: ")
          .endsWith("not with 4 ranks");
      for (int count = 4; count < 7; count++) {
        CollectiveCall call = CollectiveCall.allReduce(DataType.FLOAT32, ReduceOp.SUM, count);
        assertThat(group.request(call).plan().actionCount()).isPositive();
      }
      assertThat(context.passedOver())
          .singleElement()
          .asString()
          .startsWith("allreduce embedded:failing of version ")
          .contains(" failed while it was compared with others, which are used instead: [")
          .contains("[" + code.id() + "] ")
          .endsWith("not with 4 ranks");
    }
  }

  /** Asks for nothing and does nothing. */
  private abstract static class Idle extends CollExecutorBase<AllReduceParam> {
    @Override
    public AlgResourceRequest calcResRequest(AllReduceParam param) {
      return AlgResourceRequest.none();
    }

    @Override
    public void orchestrate(AllReduceParam param, AlgResourceResponse resources) {}
  }

  /** Fails when asked whether it accepts a call, or for its cost. */
  private static final class Speechless extends Idle {
    private final ErrorCode code;
    private final boolean knowsSupport;

    Speechless(ErrorCode code, boolean knowsSupport) {
      this.code = code;
      this.knowsSupport = knowsSupport;
    }

    @Override
    public Support supports(AllReduceParam param) {
      return knowsSupport ? Support.yes() : Support.no(String.valueOf(cost(param)));
    }

    @Override
    public Optional<Cost> cost(AllReduceParam param) {
      throw new TuttiException(code, "cannot say");
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void whoFailsWhenAskedIsToldOnce(boolean knowsSupport) {
    try (Context context =
            SampleAlgorithms.addTo(Context.builder())
                .algorithm("speechless", new Speechless(ErrorCode.EXECUTOR_FAILED, knowsSupport))
                .algorithm("refusing", new Speechless(ErrorCode.UNSUPPORTED, knowsSupport))
                .algorithm("hungry", new Speechless(ErrorCode.OUT_OF_MEMORY, knowsSupport))
                .open();
        Group group = context.createGroup(4)) {
      assertThat(group.request(CALL).explain().toString())
          .contains("embedded:speechless: cannot say");
      assertThat(group.request(CALL).plan().actionCount()).isPositive();
      assertThat(context.passedOver())
          .singleElement()
          .asString()
          .startsWith("allreduce embedded:speechless of version ")
          .endsWith(
              " failed while it was compared with others, which are used instead: [TUTTI-204]"
                  + " cannot say");
    }
  }

  /** Never says whether it takes a call. */
  private static final class Endless extends Idle {
    @Override
    public Support supports(AllReduceParam param) {
      while (!Thread.currentThread().isInterrupted()) {
        Thread.onSpinWait();
      }
      throw new IllegalStateException("interrupted");
    }
  }

  @Test
  void aLimitTooShortForAnyAnswerIsToldAsTheReason() {
    // Long enough to load by on a busy machine.
    try (Context context =
            Context.builder()
                .algorithm("first", new Endless())
                .algorithm("second", new Endless())
                .planningLimit(Duration.ofSeconds(2))
                .open();
        Group group = context.createGroup(2)) {
      assertThat(Errors.message(ErrorCode.EXECUTOR_FAILED, () -> group.request(CALL).plan()))
          .startsWith("the planning limit ended the choice for allreduce")
          .contains("before any algorithm was planned: 2 did not answer in time")
          .contains(
              "give a longer limit",
              "--planning-limit",
              " did not finish in 2 s of processor time");
    }
  }

  @Test
  void whatIsUnsupportedIsNoDefect() {
    try (Context context = context(ErrorCode.UNSUPPORTED, false);
        Group group = context.createGroup(4)) {
      assertThat(group.request(CALL).plan().actionCount()).isPositive();
      assertThat(context.passedOver()).isEmpty();
    }
  }

  @Test
  void memoryThatIsMissingIsNobodysDefect() {
    try (Context context = context(ErrorCode.OUT_OF_MEMORY, false);
        Group group = context.createGroup(4)) {
      Errors.message(ErrorCode.OUT_OF_MEMORY, () -> group.request(CALL).plan());
      assertThat(context.passedOver()).isEmpty();
    }
  }

  @Test
  void theReasonsOfAllAreToldIfNobodyIsLeft() {
    try (Context context =
            Context.builder()
                .algorithm("first", new Failing(ErrorCode.UNSUPPORTED, true))
                .algorithm("second", new Failing(ErrorCode.UNSUPPORTED, false))
                .open();
        Group group = context.createGroup(2)) {
      assertThat(Errors.message(ErrorCode.UNSUPPORTED, () -> group.request(CALL).plan()))
          .startsWith("no algorithm supports allreduce")
          .contains("embedded:first: its plan cannot be made")
          .contains("embedded:second: its plan cannot be made");
    }
  }
}
