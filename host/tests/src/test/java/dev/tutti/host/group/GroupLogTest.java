package dev.tutti.host.group;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.base.listener.KeptLog;
import dev.tutti.host.Context;
import dev.tutti.host.Errors;
import dev.tutti.host.Group;
import dev.tutti.host.RankRequest;
import dev.tutti.host.SampleAlgorithms;
import dev.tutti.host.call.CallOptions;
import dev.tutti.sdk.ErrorCode;
import java.time.Duration;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;

class GroupLogTest {

  private static final CallOptions SOON = CallOptions.defaults().withDeadline(Duration.ofNanos(1));

  @Test
  void theFailureThatEndsTheUseOfAGroupIsLoggedOnce() {
    try (KeptLog log = new KeptLog("dev.tutti.group");
        Context context = SampleAlgorithms.context();
        Group group = context.createGroup(3)) {
      RankRequest first = group.rank(0).with(SOON).requests().barrier().start();
      RankRequest second = group.rank(0).with(SOON).requests().barrier().start();
      String cause = Errors.message(ErrorCode.DEADLINE_EXCEEDED, first::await);
      Errors.message(ErrorCode.GROUP_POISONED, second::await);
      Errors.message(ErrorCode.DEADLINE_EXCEEDED, () -> group.rank(1).barrier());
      Errors.message(ErrorCode.GROUP_POISONED, () -> group.rank(1).barrier());

      assertThat(log.records())
          .singleElement()
          .satisfies(record -> assertThat(record.getLevel()).isEqualTo(Level.WARNING))
          .satisfies(
              record ->
                  assertThat(record.getMessage())
                      .isEqualTo("group 1 of 3 ranks has failed: " + cause));
    }
  }

  @Test
  void anOperationThatFailsWithoutTheGroupIsNotLogged() {
    try (KeptLog log = new KeptLog("dev.tutti.group");
        Context context = SampleAlgorithms.context();
        Group group = context.createGroup(2)) {
      RankRequest cancelled = group.rank(0).requests().barrier().start();
      assertThat(cancelled.cancel()).isTrue();
      Errors.message(ErrorCode.CANCELLED, cancelled::await);

      assertThat(log.records()).isEmpty();
    }
  }
}
