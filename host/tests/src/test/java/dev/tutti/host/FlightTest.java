package dev.tutti.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.tutti.base.idle.TickingClock;
import dev.tutti.base.idle.Waiting;
import dev.tutti.host.call.CallOptions;
import dev.tutti.host.status.AlgorithmUse;
import dev.tutti.host.status.FlightEntry;
import dev.tutti.host.status.FlightEntry.State;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.TuttiException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The records of operations that are over, and of those that are not. */
@Timeout(600)
final class FlightTest {

  private static final int RANKS = 2;
  private static final int COUNT = 4;
  private static final String ALL_REDUCE = "allreduce of 4 float32, sum";

  /** Its time passes only while its threads wait. */
  private final Context context =
      SampleAlgorithms.addTo(Context.builder().workers(2))
          .waiting(new Waiting(new TickingClock(Duration.ofNanos(100)), 2))
          .flight(3)
          .open();

  private final Group group = context.createGroup(RANKS);
  private final Arena arena = Arena.ofShared();
  private final MemorySegment[] inputs = Floats.filled(arena, RANKS, COUNT);
  private final MemorySegment[] outputs = Floats.zeros(arena, RANKS, COUNT);

  @AfterEach
  void close() {
    context.close();
    arena.close();
  }

  private Request allReduce(Group of) {
    return of.allReduce(inputs, outputs, DataType.FLOAT32, ReduceOp.SUM).build();
  }

  private RankRequest allReduce(int rank) {
    return group
        .rank(rank)
        .requests()
        .allReduce(inputs[rank], outputs[rank], DataType.FLOAT32, ReduceOp.SUM);
  }

  private AlgorithmUse use(String operation) {
    return context.algorithmUse().stream()
        .filter(each -> each.operation().equals(operation))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void theLastOperationsOfAGroupAreKept() {
    try (Request request = allReduce(group)) {
      for (int i = 0; i < 4; i++) {
        request.run();
      }
      group.barrier().run();
      request.start();

      List<FlightEntry> flight = group.flight();

      assertThat(flight).extracting(FlightEntry::sequence).containsExactly(4L, 5L, 6L);
      assertThat(flight)
          .extracting(FlightEntry::state)
          .containsExactly(State.DONE, State.DONE, State.RUNNING);
      assertThat(flight.get(0).call()).isEqualTo(ALL_REDUCE);
      assertThat(flight.get(0).bytes()).isEqualTo(4 * COUNT);
      assertThat(flight.get(0).algorithm()).endsWith(":pull");
      assertThat(flight.get(0).nanos()).isPositive();
      assertThat(flight.get(1).call()).startsWith("barrier");
      assertThat(flight.get(2).start()).isAfterOrEqualTo(flight.get(0).start());
      request.await();
    }
  }

  @Test
  void aCapturedRunIsOneOperation() {
    try (Captured captured =
        group.capture(
            () -> {
              allReduce(group).run();
              group.barrier().run();
            })) {
      captured.run();
      assertThat(group.flight())
          .singleElement()
          .satisfies(
              entry -> {
                assertThat(entry.call()).isEqualTo("capture of 2 operations");
                assertThat(entry.bytes()).isEqualTo(4 * COUNT);
              });
      assertThat(use("allreduce").calls()).isEqualTo(1);
      assertThat(use("capture").calls()).isEqualTo(1);
      assertThat(use("capture").nanos()).isPositive();
    }
    assertThat(use("capture").calls()).isEqualTo(1);
  }

  @Test
  void theCallsOfARankAreKept() {
    RankRequest first = allReduce(0).start();
    assertThat(group.flight(0))
        .singleElement()
        .satisfies(
            entry -> {
              assertThat(entry.state()).isEqualTo(State.WAITING);
              assertThat(entry.call()).isEqualTo(ALL_REDUCE);
              assertThat(entry.algorithm()).isEmpty();
              assertThat(entry.bytes()).isEqualTo(FlightEntry.UNKNOWN);
            });
    assertThat(group.flight(1)).isEmpty();
    RankRequest second = allReduce(1).start();
    first.await();
    second.await();
    for (int rank = 0; rank < RANKS; rank++) {
      assertThat(group.flight(rank))
          .singleElement()
          .satisfies(
              entry -> {
                assertThat(entry.state()).isEqualTo(State.DONE);
                assertThat(entry.algorithm()).endsWith(":pull");
                assertThat(entry.bytes()).isEqualTo(4 * COUNT);
              });
    }
    assertThat(use("allreduce").waitedNanos()).isPositive();
  }

  @Test
  void whatWasCancelledAndWhatWasRefusedIsSaid() {
    RankRequest cancelled = allReduce(0).start();
    cancelled.cancel();
    Errors.message(ErrorCode.CANCELLED, cancelled::await);
    assertThat(group.flight(0).getLast().state()).isEqualTo(State.CANCELLED);

    Arena shortLived = Arena.ofShared();
    Request failing =
        allReduce(group)
            .copy(Floats.filled(shortLived, RANKS, COUNT), Floats.zeros(shortLived, RANKS, COUNT));
    failing.run();
    failing.start();
    shortLived.close();
    failing.await();
    assertThat(Errors.message(ErrorCode.BUFFER_UNAVAILABLE, failing::run)).isNotEmpty();
    assertThat(group.flight())
        .extracting(FlightEntry::state)
        .containsExactly(State.DONE, State.DONE);
  }

  @Test
  void aDeadlineSaysWhatTheMissingRankDidLast() {
    RankRequest first = allReduce(0).start();
    allReduce(1).start().await();
    first.await();
    CallOptions hurried = CallOptions.defaults().withDeadline(Duration.ofSeconds(5));

    TuttiException late =
        catchThrowableOfType(
            TuttiException.class,
            () ->
                group
                    .rank(0)
                    .with(hurried)
                    .allReduce(inputs[0], outputs[0], DataType.FLOAT32, ReduceOp.SUM));

    assertThat(late.code()).isEqualTo(ErrorCode.DEADLINE_EXCEEDED);
    assertThat(late.getMessage())
        .contains("rank 1 is in no call; its last call was number 1, " + ALL_REDUCE + ": done in ");
  }

  @Test
  void aRunThatIsLateSaysWhatTheGroupDidLast() {
    int count = 1 << 18;
    Group four = context.createGroup(4);
    MemorySegment[] from = Floats.filled(arena, 4, count);
    MemorySegment[] to = Floats.zeros(arena, 4, count);
    HeldHelper helper = new HeldHelper(Thread.currentThread());
    four.barrier().run();
    Request request =
        four.allReduce(from, to, DataType.FLOAT32, ReduceOp.SUM)
            .deadline(Duration.ofSeconds(5))
            .build();

    TuttiException late =
        catchThrowableOfType(TuttiException.class, () -> request.operation().run(helper));
    helper.release();

    assertThat(late.code()).isEqualTo(ErrorCode.DEADLINE_EXCEEDED);
    assertThat(late.getMessage())
        .contains("The last operations of the group:\n  number 1, barrier")
        .contains("number 2, allreduce of 262144 float32, sum: running for ")
        .contains(
            "\nWhen the time was up, the group was running allreduce of 262144 float32, sum:\n");
    assertThat(four.flight()).extracting(FlightEntry::state).endsWith(State.FAILED);
    assertThat(use("allreduce").failures()).isEqualTo(1);
  }

  @Test
  void nothingIsKeptUnlessSomebodyAsks() {
    try (Context plain = SampleAlgorithms.context();
        Group other = plain.createGroup(RANKS);
        Request request = allReduce(other)) {
      request.run();
      assertThat(other.flight()).isEmpty();
      assertThat(other.flight(0)).isEmpty();
      assertThat(plain.algorithmUse())
          .singleElement()
          .satisfies(
              use -> {
                assertThat(use.operation()).isEqualTo("allreduce");
                assertThat(use.calls()).isEqualTo(1);
                assertThat(use.bytes()).isEqualTo(4 * COUNT);
                assertThat(use.nanos()).isZero();
                assertThat(use.failures()).isZero();
              });
    }
  }

  @Test
  void theUseOfAlgorithmsOutlivesRequestsAndGroups() {
    try (Request request = allReduce(group)) {
      request.run();
      request.run();
      assertThat(use("allreduce").calls()).isEqualTo(2);
    }
    group.close();
    assertThat(use("allreduce").calls()).isEqualTo(2);
    assertThat(use("allreduce").bytes()).isEqualTo(2 * 4 * COUNT);
    assertThat(use("allreduce").nanos()).isPositive();
  }

  @Test
  void theEnvironmentAsksForARecord() {
    try (Context set = SampleAlgorithms.addTo(builder("2")).open();
        Group other = set.createGroup(RANKS);
        Request request = allReduce(other)) {
      for (int i = 0; i < 3; i++) {
        request.run();
      }
      assertThat(other.flight()).extracting(FlightEntry::sequence).containsExactly(2L, 3L);
    }
    for (String wrong : new String[] {"many", "-1", "65537"}) {
      assertThat(Errors.message(ErrorCode.INVALID_ARGUMENT, () -> builder(wrong).open()))
          .isEqualTo(
              "a flight record holds 0 to 65536 operations, set by flight(…), --flight or"
                  + " TUTTI_FLIGHT. Actual: "
                  + wrong);
    }
  }

  @Test
  void whatSomebodyAsksForComesBeforeTheEnvironmentAndThatBeforeADefault() {
    assertThat(kept(builder("2"), 5)).isEqualTo(2);
    assertThat(kept(builder("2").flight(3), 5)).isEqualTo(3);
    assertThat(kept(builder(" ").defaultFlight(4), 5)).isEqualTo(4);
    assertThat(kept(builder("2").defaultFlight(4), 5)).isEqualTo(2);
    assertThat(kept(builder("2").flight(0), 5)).isZero();
    assertThat(kept(builder("many").flight(3), 5)).isEqualTo(3);
    assertThat(kept(builder(""), 5)).isZero();
  }

  /** The number of runs in the flight record. */
  private int kept(ContextBuilder builder, int runs) {
    try (Context other = SampleAlgorithms.addTo(builder).open();
        Group of = other.createGroup(RANKS);
        Request request = allReduce(of)) {
      for (int i = 0; i < runs; i++) {
        request.run();
      }
      return of.flight().size();
    }
  }

  private static ContextBuilder builder(String flight) {
    return Context.builder()
        .environment(flight == null ? Map.of() : Map.of("TUTTI_FLIGHT", flight));
  }
}
