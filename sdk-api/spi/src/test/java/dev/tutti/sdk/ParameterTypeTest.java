package dev.tutti.sdk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.sdk.param.AllGatherVParam;
import dev.tutti.sdk.param.BatchSendRecvParam;
import dev.tutti.sdk.param.OpParam;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

final class ParameterTypeTest {

  abstract static class Direct extends CollExecutorBase<AllGatherVParam> {}

  abstract static class Swapped<T, P extends OpParam> extends CollExecutorBase<P> {}

  abstract static class Middle<Q extends OpParam> extends Swapped<List<Q>, Q> {}

  abstract static class Indirect extends Middle<BatchSendRecvParam> {}

  abstract static class Further extends Indirect {}

  abstract static class Open<P extends OpParam> extends CollExecutorBase<P> {}

  abstract static class Wide extends CollExecutorBase<OpParam> {}

  @SuppressWarnings("rawtypes")
  abstract static class Raw extends CollExecutorBase {}

  @Test
  void isFoundThroughAnyChainOfSuperclasses() {
    assertThat(Operation.ofExecutor(Direct.class)).isEqualTo(Operation.ALL_GATHER_V);
    assertThat(Operation.ofExecutor(Indirect.class)).isEqualTo(Operation.BATCH_SEND_RECV);
    assertThat(Operation.ofExecutor(Further.class)).isEqualTo(Operation.BATCH_SEND_RECV);
  }

  @Test
  void mustBeOneRecord() {
    for (Class<?> each : List.of(Open.class, Wide.class, Raw.class)) {
      TuttiException refusal = Refusal.refusalOf(() -> Operation.ofExecutor(each));
      assertThat(refusal.code()).isEqualTo(ErrorCode.PLUGIN_PROVIDER);
      assertThat(refusal).hasMessageContaining("does not say which operation it is for");
    }
  }

  @Test
  void everyParameterRecordIsNamedLikeItsOperation() {
    assertThat(OpParam.class.getPermittedSubclasses())
        .extracting(each -> each.getSimpleName().toLowerCase(Locale.ROOT))
        .containsExactlyInAnyOrderElementsOf(
            Arrays.stream(Operation.values()).map(o -> o.label() + "param").toList());
  }
}
