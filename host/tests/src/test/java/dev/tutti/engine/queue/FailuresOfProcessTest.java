package dev.tutti.engine.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class FailuresOfProcessTest {

  private final List<Long> told = new ArrayList<>();
  private final FailuresOfProcess failures =
      new FailuresOfProcess((number, failure) -> told.add(number));

  private static TuttiException failure(String text) {
    return new TuttiException(ErrorCode.CANCELLED, "%s", text);
  }

  @Test
  void theOthersAreToldOnceAndNotWhatTheyKnow() {
    assertThat(failures.add(3, failure("third"))).isTrue();
    assertThat(failures.add(3, failure("another"))).isFalse();
    assertThat(failures.hear(4, failure("fourth"))).isTrue();
    assertThat(failures.of(3)).hasMessageContaining("third");
    assertThat(failures.of(4)).hasMessageContaining("fourth");
    assertThat(told).containsExactly(3L);
  }

  @Test
  void whatEndsAllIsTheFailureOfWhatHasNotFailed() {
    failures.add(3, failure("third"));
    failures.addAll(failure("all"));
    failures.addAll(failure("too late"));
    assertThat(failures.add(5, failure("fifth"))).isFalse();
    assertThat(failures.of(3)).hasMessageContaining("third");
    assertThat(failures.of(5)).hasMessageContaining("all");
    assertThat(failures.mayHold(1L << 40)).isTrue();
    assertThat(told).containsExactly(3L, 0L);
  }

  @Test
  void whatAllHaveLeftIsForgotten() {
    failures.add(3, failure("third"));
    failures.add(4, failure("fourth"));
    assertThat(failures.ahead(2)).isEqualTo(2);
    assertThat(failures.ahead(3)).isEqualTo(1);
    assertThat(failures.of(3)).isNull();
    assertThat(failures.mayHold(4)).isTrue();
    failures.forgetBefore(5);
    assertThat(failures.areThereAny()).isFalse();
    assertThat(failures.mayHold(4)).isFalse();
  }
}
