package dev.tutti.host.planning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tutti.host.SampleAlgorithms;
import dev.tutti.host.call.CallOptions;
import dev.tutti.host.call.CollectiveCall;
import dev.tutti.host.config.HostSettings;
import dev.tutti.host.planning.PlanningOutcome.Failed;
import dev.tutti.host.planning.PlanningOutcome.Refused;
import dev.tutti.plugin.Algorithm;
import dev.tutti.plugin.PluginSet;
import dev.tutti.plugin.live.Catalogues;
import dev.tutti.plugin.live.Generation;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.TuttiException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** The outcome of a call, for each phase in which an algorithm can fail. */
final class PlanningFailurePolicyTest {

  private final PluginSet plugins =
      PluginSet.builder().algorithm("tree", new SampleAlgorithms.TreeAllReduce()).load();
  private final Catalogues catalogues = Catalogues.fixed(plugins);
  private final Algorithm tree = plugins.algorithms().getFirst();
  private final PlanKey key =
      PlanKey.of(
          HostSettings.DEFAULTS,
          CollectiveCall.allReduce(DataType.INT8, ReduceOp.MAX, 100),
          CallOptions.defaults(),
          false);

  private PlanningFailurePolicy policy(boolean isStrict) {
    return new PlanningFailurePolicy(catalogues, key, isStrict);
  }

  private Failed<Object> failed(PlanningPhase phase, ErrorCode code) {
    TuttiException cause = new TuttiException(code, "in vain");
    return new Failed<>(new AlgorithmFailure(tree, Generation.PERMANENT, phase, cause), List.of());
  }

  @Test
  void aDefectOfAPlanThatIsComparedIsPassedOverAndToldOnce() {
    Failed<Object> failed = failed(PlanningPhase.COMPARING, ErrorCode.INVALID_ARGUMENT);
    PlanningFailurePolicy policy = policy(false);
    policy.retryOrThrow(failed);
    assertThat(policy.passedOver()).containsExactly(entryOf(failed));
    assertThat(catalogues.passedOver()).singleElement().asString().endsWith("in vain");
    assertThatThrownBy(() -> policy.retryOrThrow(failed)).isSameAs(failed.failure().cause());
    policy(false).retryOrThrow(failed);
    assertThat(catalogues.passedOver()).hasSize(1);
  }

  private static Map.Entry<Algorithm, TuttiException> entryOf(Failed<Object> failed) {
    return Map.entry(failed.failure().algorithm(), failed.failure().cause());
  }

  @ParameterizedTest
  @EnumSource(
      value = PlanningPhase.class,
      names = {"ANSWERING"},
      mode = Mode.EXCLUDE)
  void whatIsUnsupportedIsPassedOverAndNotTold(PlanningPhase phase) {
    Failed<Object> failed = failed(phase, ErrorCode.UNSUPPORTED);
    PlanningFailurePolicy policy = policy(false);
    policy.retryOrThrow(failed);
    assertThat(policy.passedOver()).containsExactly(entryOf(failed));
    assertThat(catalogues.passedOver()).isEmpty();
    assertThatThrownBy(() -> policy(true).retryOrThrow(failed)).isSameAs(failed.failure().cause());
  }

  @Test
  void aPlanThatBreaksARuleIsPassedOverUnlessItsAlgorithmWasNamed() {
    Failed<Object> failed = failed(PlanningPhase.JUDGING, ErrorCode.PLUGIN_REJECTED);
    assertThatCode(() -> policy(false).retryOrThrow(failed)).doesNotThrowAnyException();
    assertThat(catalogues.passedOver()).hasSize(1);
    assertThatThrownBy(() -> policy(true).retryOrThrow(failed)).isSameAs(failed.failure().cause());
  }

  @ParameterizedTest
  @EnumSource(
      value = ErrorCode.class,
      names = {"UNSUPPORTED", "PLUGIN_REJECTED"},
      mode = Mode.EXCLUDE)
  void whatElseGoesWrongWithTheChosenOneIsToldToTheCaller(ErrorCode code) {
    Failed<Object> failed = failed(PlanningPhase.PLANNING, code);
    for (boolean isStrict : new boolean[] {true, false}) {
      assertThatThrownBy(() -> policy(isStrict).retryOrThrow(failed))
          .isSameAs(failed.failure().cause());
    }
    assertThat(catalogues.passedOver()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(
      value = ErrorCode.class,
      names = {"OUT_OF_MEMORY", "INVALID_STATE"})
  void whatTheMachineOrTheCallerLacksIsNobodysDefect(ErrorCode code) {
    Failed<Object> failed = failed(PlanningPhase.COMPARING, code);
    assertThatThrownBy(() -> policy(false).retryOrThrow(failed)).isSameAs(failed.failure().cause());
    policy(false).tell(List.of(failed(PlanningPhase.ANSWERING, code).failure()));
    assertThat(catalogues.passedOver()).isEmpty();
  }

  @Test
  void anAlgorithmThatCannotAnswerIsTold() {
    policy(false)
        .tell(List.of(failed(PlanningPhase.ANSWERING, ErrorCode.EXECUTOR_FAILED).failure()));
    assertThat(catalogues.passedOver()).hasSize(1);
  }

  @Test
  void ifNothingIsLeftTheFirstFailureThatSaysMoreIsTold() {
    Failed<Object> unsupported = failed(PlanningPhase.PLANNING, ErrorCode.UNSUPPORTED);
    Failed<Object> deadlock = failed(PlanningPhase.COMPARING, ErrorCode.DEADLOCK);
    TuttiException last = new TuttiException(ErrorCode.UNSUPPORTED, "nothing is left");
    Refused<Object> refused = new Refused<>(last, List.of());

    PlanningFailurePolicy policy = policy(false);
    policy.retryOrThrow(unsupported);
    assertThat(policy.giveUp(refused)).isSameAs(last);
    PlanningFailurePolicy other = policy(false);
    other.retryOrThrow(deadlock);
    assertThat(other.giveUp(refused)).isSameAs(deadlock.failure().cause());
    TuttiException unknown = new TuttiException(ErrorCode.UNKNOWN_NAME, "no such name");
    assertThat(other.giveUp(new Refused<>(unknown, List.of()))).isSameAs(unknown);
  }
}
