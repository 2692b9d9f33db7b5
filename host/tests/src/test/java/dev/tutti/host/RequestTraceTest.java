package dev.tutti.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.engine.trace.RunTrace;
import dev.tutti.host.status.AlgorithmUse;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.topology.Topology;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Requested traces, and those of a profile. */
@Timeout(600)
final class RequestTraceTest {

  private static final int RANKS = 3;
  private static final int COUNT = 1 << 10;

  private final List<RunTrace> heard = new ArrayList<>();
  private final Arena arena = Arena.ofShared();
  private final MemorySegment[] inputs = Floats.filled(arena, RANKS, COUNT);
  private final MemorySegment[] outputs = Floats.zeros(arena, RANKS, COUNT);
  private final List<Context> contexts = new ArrayList<>();

  @AfterEach
  void close() {
    contexts.forEach(Context::close);
    arena.close();
  }

  private static ContextBuilder builder() {
    return SampleAlgorithms.addTo(Context.builder().workers(2));
  }

  private Group open(ContextBuilder builder) {
    Context context = builder.open();
    contexts.add(context);
    return context.createGroup(RANKS);
  }

  private Request allReduce(Group group) {
    return group.allReduce(inputs, outputs, DataType.FLOAT32, ReduceOp.SUM).build();
  }

  private void assertSums() {
    for (MemorySegment output : outputs) {
      assertThat(Floats.values(output)).isEqualTo(Floats.sums(RANKS, COUNT));
      output.fill((byte) 0);
    }
  }

  private static void assertEachRankDoesSomething(RunTrace trace) {
    assertThat(trace.actions())
        .extracting(action -> action.ref().rank())
        .containsOnly(0, 1, 2)
        .contains(0, 1, 2);
    assertThat(trace.actions())
        .allSatisfy(
            action -> assertThat(action.toNanos()).isBetween(action.fromNanos(), trace.nanos()));
  }

  @Test
  void aTracedRunIsARun() {
    Group group = open(builder());
    Request request = allReduce(group);
    request.run();
    assertSums();
    RunTrace trace = request.trace();
    assertSums();
    request.run();
    assertSums();

    assertEachRankDoesSomething(trace);
    assertThat(trace.actions())
        .allSatisfy(action -> assertThat(action.ref().source()).contains("SampleAlgorithms.java"));
    assertThat(trace.waits()).isNotEmpty();
    request.close();
    assertThat(contexts.getFirst().algorithmUse())
        .extracting(AlgorithmUse::calls)
        .containsExactly(3L);
  }

  @Test
  void resultsOfStagedBuffersAreBroughtBack() {
    Group group = open(builder());
    MemorySegment[] arrays = Floats.heap(RANKS, COUNT);
    try (Request request =
        group.allReduce(arrays, arrays, DataType.FLOAT32, ReduceOp.SUM).build()) {
      assertThat(request.isStaged()).isTrue();
      assertEachRankDoesSomething(request.trace());
      assertThat(Floats.values(arrays[1])).isEqualTo(Floats.sums(RANKS, COUNT));
    }
  }

  @Test
  void insideACaptureNothingRunsThatCouldBeTraced() {
    Group group = open(builder());
    try (Request request = allReduce(group)) {
      List<String> messages = new ArrayList<>();
      Captured captured =
          group.capture(
              () -> {
                messages.add(Errors.message(ErrorCode.INVALID_STATE, request::trace));
                request.run();
              });
      assertThat(messages)
          .singleElement()
          .asString()
          .contains("cannot trace the request (allreduce", "inside a capture");
      captured.run();
      assertSums();
      captured.close();
      assertEachRankDoesSomething(request.trace());
    }
  }

  @Test
  void aTracedRunFailsAsAnyOtherDoes() {
    Group group = open(builder());
    Arena shortLived = Arena.ofShared();
    MemorySegment[] gone = Floats.filled(shortLived, RANKS, COUNT);
    Request request = group.allReduce(gone, outputs, DataType.FLOAT32, ReduceOp.SUM).build();
    shortLived.close();
    assertThat(Errors.message(ErrorCode.BUFFER_UNAVAILABLE, request::trace)).isNotEmpty();
    assertThat(request.isRunning()).isFalse();
    request.close();
    assertThat(Errors.message(ErrorCode.INVALID_STATE, request::trace)).contains("it is closed");
    assertThat(Errors.message(ErrorCode.INVALID_STATE, request::expectedTrace))
        .contains("it is closed");
  }

  @Test
  void theExpectedTraceIsThatOfTheMachineOrOfTheNetwork() {
    Group group = open(builder());
    Group nodes = contexts.getFirst().createGroup(Topology.nodes(2, 1));
    try (Request request = allReduce(group);
        Request across = allReduce(nodes)) {
      RunTrace here = request.expectedTrace();
      RunTrace there = across.expectedTrace();

      assertEachRankDoesSomething(here);
      assertEachRankDoesSomething(there);
      assertThat(there.waits())
          .allSatisfy(wait -> assertThat(wait.toNanos()).isGreaterThan(wait.fromNanos()));
      assertThat(there.nanos()).isGreaterThan(here.nanos());
      assertThat(outputs[0].get(ValueLayout.JAVA_FLOAT, 0)).isZero();
    }
  }

  @Test
  void eachNthRunOfAGroupIsProfiled() {
    Group group = open(builder().profile(3, heard::add));
    Group other = contexts.getFirst().createGroup(RANKS);
    try (Request request = allReduce(group);
        Request others = allReduce(other)) {
      for (int run = 1; run <= 7; run++) {
        request.run();
        assertSums();
        assertThat(heard).as("after run %d", run).hasSize(run / 3);
      }
      others.run();
      others.run();
      assertThat(heard).as("each group counts its own").hasSize(2);
      others.run();
      assertThat(heard).hasSize(3).allSatisfy(RequestTraceTest::assertEachRankDoesSomething);
    }
  }

  @Test
  void runsThatAreStartedAndCapturesCountToo() {
    Group group = open(builder().profile(1, heard::add));
    try (Request request = allReduce(group);
        Captured captured = group.capture(request::run)) {
      request.start();
      request.await();
      assertSums();
      assertThat(heard).hasSize(1);
      captured.run();
      assertSums();
      assertThat(heard).hasSize(2);
      RunTrace asked = request.trace();
      assertThat(heard).hasSize(3);
      assertThat(heard.getLast()).isSameAs(asked);
    }
  }

  @Test
  void aRunThatFailsIsNotToldOf() {
    Group group = open(builder().profile(1, heard::add));
    Arena shortLived = Arena.ofShared();
    MemorySegment[] gone = Floats.filled(shortLived, RANKS, COUNT);
    Request request = group.allReduce(gone, outputs, DataType.FLOAT32, ReduceOp.SUM).build();
    shortLived.close();
    assertThat(Errors.message(ErrorCode.BUFFER_UNAVAILABLE, request::run)).isNotEmpty();
    assertThat(heard).isEmpty();
  }

  @Test
  void aListenerMayRunTheNextOperation() {
    List<Request> next = new ArrayList<>();
    Group group =
        open(
            builder()
                .profile(
                    2,
                    trace -> {
                      heard.add(trace);
                      next.removeLast().run();
                    }));
    Request request = allReduce(group);
    next.add(allReduce(group));
    request.run();
    request.run();
    assertThat(heard).hasSize(1);
    assertThat(next).isEmpty();
    assertSums();
  }

  @Test
  void aListenerThatFailsHarmsNoRun() {
    IllegalStateException problem = new IllegalStateException("no room");
    Group group =
        open(
            builder()
                .profile(
                    1,
                    trace -> {
                      throw problem;
                    }));
    List<Throwable> noted = new ArrayList<>();
    Thread thread = Thread.currentThread();
    Thread.UncaughtExceptionHandler usual = thread.getUncaughtExceptionHandler();
    thread.setUncaughtExceptionHandler((where, thrown) -> noted.add(thrown));
    try (Request request = allReduce(group)) {
      request.run();
      assertSums();
      request.run();
      assertSums();
    } finally {
      thread.setUncaughtExceptionHandler(usual);
    }
    assertThat(noted).containsExactly(problem, problem);
    assertThat(group.isPoisoned()).isFalse();
  }

  @Test
  void aProfileOfNoRunIsRefused() {
    assertThat(Errors.message(ErrorCode.INVALID_ARGUMENT, () -> builder().profile(0, heard::add)))
        .isEqualTo("a profile traces every n-th run, and n must be 1 or more. Actual: 0");
  }
}
