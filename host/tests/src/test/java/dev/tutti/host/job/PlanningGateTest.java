package dev.tutti.host.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tutti.base.idle.Clock;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Each plan is made on one side of a change. */
final class PlanningGateTest {

  private final Queue<Runnable> jobThread = new ArrayDeque<>();
  private final PlanningGate gate = new PlanningGate(jobThread::add);
  private final List<String> done = new ArrayList<>();
  private final Consumer<RuntimeException> failed = e -> done.add("failed: " + e.getMessage());

  private void begin(String name) {
    gate.begin(() -> done.add(name), failed);
  }

  private void follow(String name, long epoch) {
    gate.follow(epoch, () -> done.add(name), failed);
  }

  private void runJobThread() {
    while (!jobThread.isEmpty()) {
      jobThread.remove().run();
    }
  }

  private static TuttiException error(String text) {
    return new TuttiException(ErrorCode.EXECUTOR_FAILED, "%s", text);
  }

  @Test
  void aHeldProcessBeginsNoPlanUntilItHasChanged() {
    begin("early");
    gate.hold();
    begin("late");
    assertThat(done).containsExactly("early");
    assertThat(gate.epoch()).isZero();

    gate.changed();

    assertThat(done).containsExactly("early", "late");
    assertThat(gate.epoch()).isOne();
  }

  @Test
  void aHeldProcessGoesOnWhenTheChangeIsGivenUp() {
    gate.hold();
    begin("late");

    gate.release();

    assertThat(done).containsExactly("late");
    assertThat(gate.epoch()).isZero();
  }

  @Test
  void aHeldProcessFollowsPlansOfItsOwnEpoch() {
    gate.hold();
    follow("now", 0);
    assertThat(done).containsExactly("now");
  }

  @Test
  void aPlanOfALaterEpochWaitsForTheChangeAndComesBeforeThePlansOfThisProcess() {
    gate.hold();
    begin("own");
    follow("of another", 1);
    assertThat(done).isEmpty();

    gate.changed();

    assertThat(done).containsExactly("of another", "own");
  }

  @Test
  void aPlanOfALaterEpochDoesNotComeWhenTheChangeIsGivenUp() {
    follow("of another", 1);
    gate.hold();
    gate.release();
    assertThat(done).isEmpty();
  }

  @Test
  void aPlanThatWaitedFailsItsOwnOperation() {
    gate.follow(
        1,
        () -> {
          throw error("no such plan");
        },
        failed);
    gate.changed();
    assertThat(done).containsExactly("failed: no such plan");
  }

  @Test
  void aPlanOfAnEarlierEpochIsRefused() {
    gate.changed();
    assertThatThrownBy(() -> follow("late", 0))
        .hasMessageContaining("(change 0, and this process has made 1)");
    assertThat(done).isEmpty();
  }

  @Test
  void aProcessIsQuietWhenItsPlansAreOver() throws Exception {
    AtomicBoolean isUnderWay = new AtomicBoolean(true);
    PlanningGate direct =
        new PlanningGate(
            step -> {
              step.run();
              return true;
            });
    direct.begun(isUnderWay::get);
    direct.begun(() -> false);

    assertThat(direct.awaitQuiet(Clock.system(), 0)).isFalse();
    isUnderWay.set(false);
    assertThat(direct.awaitQuiet(Clock.system(), 0)).isTrue();
  }

  @Test
  void aProcessThatIsLeavingIsQuiet() {
    assertThat(new PlanningGate(step -> false).awaitQuiet(Clock.system(), 0)).isTrue();
  }

  // Decisions.

  private void beginWithFailure() {
    gate.begin(
        () -> {
          if (gate.epoch() == 0) {
            throw error("bad version");
          }
          done.add("planned in " + gate.epoch());
        },
        failed);
  }

  @Test
  void aFailureThatNobodyDecidesAboutIsTold() {
    beginWithFailure();
    assertThat(done).containsExactly("failed: bad version");
  }

  @Test
  void aPlanThatFailedIsMadeAgainIfAnotherVersionServes() {
    gate.awaitsDecision();
    beginWithFailure();
    assertThat(done).isEmpty();

    gate.changed();
    gate.decided();
    runJobThread();

    assertThat(done).containsExactly("planned in 1");
  }

  @Test
  void aPlanThatFailedFailsIfTheVersionStays() {
    gate.awaitsDecision();
    beginWithFailure();
    gate.decided();
    runJobThread();
    assertThat(done).containsExactly("failed: bad version");
  }

  @Test
  void whatStartsLaterWaitsForAllDecisions() {
    gate.whenDecided(() -> done.add("at once"), failed);
    gate.awaitsDecision();
    gate.awaitsDecision();
    gate.whenDecided(() -> done.add("later"), failed);
    gate.decided();
    runJobThread();
    assertThat(done).containsExactly("at once");

    gate.decided();
    runJobThread();

    assertThat(done).containsExactly("at once", "later");
  }
}
