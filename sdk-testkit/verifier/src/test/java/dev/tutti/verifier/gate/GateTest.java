package dev.tutti.verifier.gate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(600)
class GateTest {

  private static final GateLimits SHORT = GateLimits.of(Duration.ofMillis(100), 256 << 20);

  private final Gate gate = Gate.reusingThreads(SHORT);

  private static Outcome.Stopped<?> stopped(Outcome<?> outcome) {
    assertThat(outcome).isInstanceOf(Outcome.Stopped.class);
    return (Outcome.Stopped<?>) outcome;
  }

  private static RuntimeException thrown(Outcome<?> outcome) {
    assertThat(outcome).isInstanceOf(Outcome.Threw.class);
    return ((Outcome.Threw<?>) outcome).copy();
  }

  @Test
  void aCallGivesWhatItsBodyReturns() {
    assertThat(gate.runUninterrupted(() -> "value")).isEqualTo(new Outcome.Returned<>("value"));
    assertThat(gate.runUninterrupted(() -> null)).isEqualTo(new Outcome.Returned<>(null));
  }

  // ------------------------------------------------------------------ code that never ends

  @ParameterizedTest
  @ValueSource(
      classes = {
        GateSamples.Loop.class,
        GateSamples.LoopThatCatchesEverything.class,
        GateSamples.Recursion.class,
        GateSamples.Synchronized.class,
        GateSamples.Lambdas.class,
        GateSamples.References.class,
        GateSamples.Switches.class,
        GateSamples.Threads.class,
        GateSamples.StaticInitialiser.class
      })
  void codeWithStopPointsEndsOnceItsTimeIsOver(Class<?> endless) {
    Callable<?> woven = Woven.instance(endless, Callable.class);

    Outcome.Stopped<?> stopped = stopped(gate.runUninterrupted(woven::call));

    assertThat(stopped.breach().kind()).isEqualTo(Breach.Kind.TIME);
    assertThat(stopped.breach().text()).isEqualTo("did not finish in 100 ms of processor time");
    assertThat(stopped.isLeftRunning()).isFalse();
  }

  @Test
  void codeWithoutStopPointsIsLeftRunning() {
    AtomicBoolean isReleased = new AtomicBoolean();
    try {
      Outcome.Stopped<?> stopped =
          stopped(
              gate.runUninterrupted(
                  () -> {
                    while (!isReleased.get()) {
                      Thread.onSpinWait();
                    }
                    return "";
                  }));
      assertThat(stopped.isLeftRunning()).isTrue();
    } finally {
      isReleased.set(true);
    }
  }

  @Test
  void anotherCallIntoTheSameClassesGoesOnWhenOneIsEnded() throws InterruptedException {
    Gate patient = Gate.of(GateLimits.of(Duration.ofSeconds(100), 1L << 40));
    Callable<?> woven = Woven.instance(GateSamples.Waiting.class, Callable.class);
    List<Outcome<?>> outcomes = new ArrayList<>();
    Thread other =
        Thread.ofPlatform().start(() -> outcomes.add(patient.runUninterrupted(woven::call)));

    assertThat(stopped(gate.runUninterrupted(woven::call)).isLeftRunning()).isFalse();

    GateSamples.IS_RELEASED.set(true);
    other.join();
    assertThat(outcomes).containsExactly(new Outcome.Returned<>("released"));
  }

  @Test
  void aWaitEndsByTheWallClockWhichIsSaid() {
    Gate impatient =
        Gate.of(new GateLimits(Duration.ofSeconds(100), Duration.ofMillis(50), 1 << 30));

    Outcome.Stopped<?> stopped =
        stopped(
            impatient.runUninterrupted(
                () -> {
                  new CountDownLatch(1).await();
                  return "";
                }));

    assertThat(stopped.breach().text())
        .startsWith("did not finish in 50 ms and used the processor for only ")
        .endsWith(" ms; it seems to wait for something");
    assertThat(stopped.isLeftRunning()).isFalse();
  }

  @Test
  void withoutProcessorTimesTheWallClockCountsWhichIsSaid() {
    Gate blind = new Gate(SHORT, CallMeter.blind(), 0);
    Callable<?> woven = Woven.instance(GateSamples.Loop.class, Callable.class);

    assertThat(stopped(blind.runUninterrupted(woven::call)).breach().text())
        .isEqualTo(
            "did not finish in 100 ms (this platform does not count the processor time of"
                + " threads)");
  }

  @Test
  void aCallThatWaitsItsTurnOnABusyMachineBreaksNoLimit() throws InterruptedException {
    // Other threads use far more processor time, and so wall time, than the call may.
    CountDownLatch busy = new CountDownLatch(16);
    for (int i = 0; i < 16; i++) {
      Thread.ofPlatform().daemon().start(() -> use(SHORT.processorTime().dividedBy(2), busy));
    }

    Outcome<String> outcome =
        gate.runUninterrupted(
            () -> {
              busy.await();
              return "done";
            });

    assertThat(outcome).isEqualTo(new Outcome.Returned<>("done"));
  }

  private static void use(Duration processorTime, CountDownLatch done) {
    CallMeter meter = CallMeter.create();
    Thread self = Thread.currentThread();
    long start = meter.processorNanos(self);
    while (meter.processorNanos(self) - start < processorTime.toNanos()) {
      Thread.onSpinWait();
    }
    done.countDown();
  }

  @Test
  void anInterruptOfTheCallerEndsTheCallOrIsKept() {
    Callable<?> woven = Woven.instance(GateSamples.Loop.class, Callable.class);
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> gate.run(woven::call)).isInstanceOf(InterruptedException.class);

    Thread.currentThread().interrupt();
    assertThat(gate.runUninterrupted(() -> "value")).isEqualTo(new Outcome.Returned<>("value"));
    assertThat(Thread.interrupted()).isTrue();
  }

  // ------------------------------------------------------------------------------- memory

  @ParameterizedTest
  @ValueSource(
      classes = {
        GateSamples.Chunks.class,
        GateSamples.TooLarge.class,
        GateSamples.Doubling.class,
        GateSamples.ReferenceHog.class
      })
  void whatFillsTheMemoryIsEndedAndSaidToDoSo(Class<?> hog) {
    Gate roomy = Gate.of(GateLimits.of(Duration.ofSeconds(60), 64 << 20));
    Callable<?> woven = Woven.instance(hog, Callable.class);

    Outcome.Stopped<?> stopped = stopped(roomy.runUninterrupted(woven::call));

    assertThat(stopped.breach().kind()).isEqualTo(Breach.Kind.MEMORY);
    assertThat(stopped.isLeftRunning()).isFalse();
    assertThat(stopped.stacks()).isNotEmpty();
  }

  // ------------------------------------------------------------------------- what is thrown

  @Test
  void aMessageThatIsNeverReadyCountsAsTimeOfTheCall() {
    Callable<?> woven = Woven.instance(GateSamples.ThrowsEndless.class, Callable.class);

    assertThat(stopped(gate.runUninterrupted(woven::call)).isLeftRunning()).isFalse();
  }

  /** An endless chain of causes, each with a large message and a large stack. */
  private static final class Chain extends RuntimeException {
    private static final long serialVersionUID = 1L;

    @Override
    public String getMessage() {
      return "x".repeat(100_000_000);
    }

    @Override
    public synchronized Throwable getCause() {
      return new Chain();
    }

    @Override
    public StackTraceElement[] getStackTrace() {
      StackTraceElement[] stack = new StackTraceElement[100_000];
      Arrays.fill(stack, 1, stack.length, new StackTraceElement("C", "m", "C.java", 1));
      return stack;
    }
  }

  @Test
  void copiesOfWhatIsThrownAreBounded() {
    Gate roomy = Gate.of(GateLimits.of(Duration.ofSeconds(60), 1L << 40));

    RuntimeException copy =
        thrown(
            roomy.runUninterrupted(
                () -> {
                  throw new Chain();
                }));

    int depth = 0;
    for (Throwable at = copy; at != null; at = at.getCause()) {
      depth++;
      assertThat(at.getMessage())
          .hasSizeLessThan(5_000)
          .endsWith("(100,000,000 characters in all)");
      assertThat(at.getStackTrace()).hasSizeLessThan(300);
    }
    assertThat(depth).isEqualTo(PluginFailure.MAX_THROWABLES);
  }

  private static final class Unreadable extends Error {
    private static final long serialVersionUID = 1L;

    @Override
    public String getMessage() {
      throw new NoClassDefFoundError("org/example/Text");
    }

    @Override
    public synchronized Throwable getCause() {
      throw new StackOverflowError();
    }

    @Override
    public StackTraceElement[] getStackTrace() {
      return null;
    }
  }

  @Test
  void whatIsThrownMayBeUnreadable() {
    assertThat(
            thrown(
                gate.runUninterrupted(
                    () -> {
                      throw new Unreadable();
                    })))
        .hasToString(Unreadable.class.getName() + ": (its message cannot be read)");
  }

  @Test
  void codedErrorsKeepTheirCode() {
    assertThat(
            thrown(
                gate.runUninterrupted(
                    () -> {
                      throw new TuttiException(ErrorCode.OUT_OF_BOUNDS, "too far");
                    })))
        .isInstanceOfSatisfying(
            TuttiException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.OUT_OF_BOUNDS));
  }
}
