package dev.tutti.host.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.tutti.host.Captured;
import dev.tutti.host.Context;
import dev.tutti.host.Errors;
import dev.tutti.host.Floats;
import dev.tutti.host.Group;
import dev.tutti.host.HostAccess;
import dev.tutti.host.RegisteredMemory;
import dev.tutti.host.Request;
import dev.tutti.host.RequestBuilder;
import dev.tutti.host.SampleAlgorithms;
import dev.tutti.host.group.RecordedCall;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.param.AllReduceParam;
import dev.tutti.sdk.resource.AlgResourceResponse;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.Link;
import dev.tutti.sdk.resource.SubCommInfo;
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.sdk.topology.CommPlane;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class CaptureTest {

  private static final int PROGRAMS = 60;

  private static Context context(int workers) {
    return SampleAlgorithms.addTo(Context.builder())
        .algorithm("staged", new CaptureProgram.StagedAllReduce())
        .algorithm("unordered", new Unordered())
        .algorithm("unclosed", new Unclosed())
        .cclBufferSize(4096)
        .workers(workers)
        .open();
  }

  /** Reads its peers' inputs without asking. */
  static final class Unordered extends SampleAlgorithms.Pulling<AllReduceParam> {
    @Override
    public void orchestrate(AllReduceParam param, AlgResourceResponse resources) {
      SubCommInfo comm = resources.subComm(CommPlane.COMBINED);
      int right = (comm.localRank() + 1) % comm.localRankSize();
      DeviceMem output = resources.paramOutputMem();
      resources.mainStream().copy(output, resources.paramInputMem());
      copyFrom(
          resources, comm, right, output, comm.link(right).remote(TransportMemType.PARAM_OUTPUT));
    }

    @Override
    protected void pull(AllReduceParam param, AlgResourceResponse resources, SubCommInfo comm) {}
  }

  /** Returns without knowing whether its peers have read its input. */
  static final class Unclosed extends SampleAlgorithms.Pulling<AllReduceParam> {
    @Override
    public void orchestrate(AllReduceParam param, AlgResourceResponse resources) {
      SubCommInfo comm = resources.subComm(CommPlane.COMBINED);
      barrier(comm, resources.mainStream(), Link.READY);
      pull(param, resources, comm);
      scratchToOutput(resources);
    }

    @Override
    protected void pull(AllReduceParam param, AlgResourceResponse resources, SubCommInfo comm) {
      reduce(resources, comm, comm.localRankSize(), 0, param.dataType(), param.reduceOp());
    }
  }

  @Test
  void replayingGivesTheBitsOfRunningOneByOne() {
    for (int workers : new int[] {1, 3}) {
      try (Context context = context(workers)) {
        for (long seed = 0; seed < PROGRAMS; seed++) {
          CaptureProgram program = new CaptureProgram(seed);
          try (Group group = context.createGroup(program.ranks);
              Arena arena = Arena.ofShared()) {
            CaptureProgram.Memories eager = CaptureProgram.Memories.of(context, arena);
            CaptureProgram.Memories mine = CaptureProgram.Memories.of(context, arena);
            mine.fill(-1);
            eager.fill(-1);
            Captured captured = group.capture(() -> program.run(group, mine));
            assertThat(mine.hasBitsOf(eager)).as("nothing moves while recording").isTrue();
            compare(program, group, captured, eager, mine, "seed " + seed);
          }
        }
      }
    }
  }

  /** Replays three times, with an eager run in between. */
  private static void compare(
      CaptureProgram program,
      Group group,
      Captured captured,
      CaptureProgram.Memories eager,
      CaptureProgram.Memories mine,
      String name) {
    for (int round = 0; round < 4; round++) {
      eager.fill(round);
      mine.fill(round);
      program.run(group, eager);
      if (round == 1) {
        program.run(group, mine);
      } else {
        captured.run();
      }
      assertThat(mine.hasBitsOf(eager))
          .as("%s, round %d, %s%n%s", name, round, program, captured.explain())
          .isTrue();
    }
  }

  @Test
  void whatRankBodiesCallGivesTheSameBits() {
    try (Context context = context(2)) {
      for (long seed = 100; seed < 100 + PROGRAMS / 2; seed++) {
        CaptureProgram program = new CaptureProgram(seed);
        try (Group group = context.createGroup(program.ranks);
            Arena arena = Arena.ofShared()) {
          CaptureProgram.Memories eager = CaptureProgram.Memories.of(context, arena);
          CaptureProgram.Memories mine = CaptureProgram.Memories.of(context, arena);
          Captured captured = group.capture(rank -> program.run(rank, mine));
          compare(program, group, captured, eager, mine, "seed " + seed);
        }
      }
    }
  }

  /** Two all-reduces, the second of which takes the results of the first. */
  private static final class Chain implements AutoCloseable {
    final Context context = context(1);
    final Group group = context.createGroup(2);
    final Arena arena = Arena.ofShared();
    final MemorySegment[] a = Floats.filled(arena, 2, 8);
    final MemorySegment[] b = Floats.zeros(arena, 2, 8);
    final MemorySegment[] c = Floats.zeros(arena, 2, 8);

    RequestBuilder first() {
      return group.allReduce(a, b, DataType.FLOAT32, ReduceOp.SUM).algorithm("pull");
    }

    RequestBuilder second() {
      return group.allReduce(b, c, DataType.FLOAT32, ReduceOp.SUM).algorithm("pull");
    }

    void checkUsable() {
      first().run();
      assertThat(Floats.values(b[1])).isEqualTo(Floats.sums(2, 8));
    }

    float[] twice() {
      float[] sums = Floats.sums(2, 8);
      for (int i = 0; i < sums.length; i++) {
        sums[i] *= 2;
      }
      return sums;
    }

    @Override
    public void close() {
      group.close();
      context.close();
      arena.close();
    }
  }

  @Test
  void startedRequestsAreRecordedAndHaveNothingToWaitFor() {
    try (Chain chain = new Chain();
        Request first = chain.first().build();
        Request second = chain.second().build()) {
      Captured captured =
          chain.group.capture(
              () -> {
                first.start();
                assertThat(first.test()).isTrue();
                second.start();
                second.await();
              });
      assertThat(Floats.values(chain.b[0])).containsOnly(0);
      captured.start();
      captured.await();
      assertThat(Floats.values(chain.c[1])).isEqualTo(chain.twice());
      assertThat(captured.calls()).containsExactly(first.call(), second.call());
    }
  }

  /** The second operation overwrites what rank 2, which takes no part in it, reads in the first. */
  @Test
  void onlyWhatAnAlgorithmLeavesOpenIsOrdered() {
    try (Context context = context(1);
        Group group = context.createGroup(3);
        Arena arena = Arena.ofShared()) {
      MemorySegment[] inputs = Floats.filled(arena, 3, 8);
      MemorySegment[] outputs = Floats.zeros(arena, 3, 8);
      for (String algorithm : new String[] {"pull", "unclosed"}) {
        Captured captured =
            group.capture(
                () -> {
                  group
                      .allReduce(inputs, outputs, DataType.FLOAT32, ReduceOp.SUM)
                      .algorithm(algorithm)
                      .run();
                  group.sendReceive(outputs[0], inputs[1], DataType.FLOAT32, 0, 1).run();
                });
        assertThat(captured.explain())
            .contains(
                algorithm.equals("pull")
                    ? "order added between operations: 0"
                    : """
                    order added between operations: 1
                         rank 1 begins part 1 after rank 2 has ended part 0
                    """);
      }
    }
  }

  @Test
  void aBodyThatThrowsCapturesNothing() {
    try (Chain chain = new Chain()) {
      IllegalStateException failure = new IllegalStateException("no");
      assertThatThrownBy(
              () ->
                  chain.group.capture(
                      () -> {
                        chain.first().run();
                        throw failure;
                      }))
          .isSameAs(failure);
      chain.checkUsable();
    }
  }

  @Test
  void ifOneRanksBodyThrowsAllGetTheSameErrorAndTheGroupGoesOn() {
    try (Chain chain = new Chain()) {
      Map<Integer, Throwable> errors = new ConcurrentHashMap<>();
      for (int failing = 0; failing < 2; failing++) {
        int bad = failing;
        errors.clear();
        Throwable thrown =
            catchThrowable(
                () ->
                    chain.group.capture(
                        rank -> {
                          rank.allReduce(
                              chain.a[rank.rank()],
                              chain.b[rank.rank()],
                              DataType.FLOAT32,
                              ReduceOp.SUM);
                          if (rank.rank() == bad) {
                            throw new IllegalStateException("rank " + bad + " cannot");
                          }
                          try {
                            rank.barrier();
                          } catch (TuttiException e) {
                            errors.put(rank.rank(), e);
                            throw e;
                          }
                        }));
        assertThat(thrown)
            .isInstanceOfSatisfying(
                TuttiException.class,
                e -> assertThat(e.code()).isEqualTo(ErrorCode.CAPTURE_ABANDONED))
            .hasMessageContaining("rank " + bad + " cannot");
        assertThat(errors.get(1 - bad))
            .isInstanceOfSatisfying(
                TuttiException.class,
                e -> assertThat(e.code()).isEqualTo(ErrorCode.CAPTURE_ABANDONED))
            .hasMessageContaining("rank " + bad + " cannot");
        chain.checkUsable();
      }
    }
  }

  @Test
  void anotherThreadIsRefusedWhileOneCaptures() throws InterruptedException {
    try (Chain chain = new Chain()) {
      AtomicReference<@Nullable Throwable> refused = new AtomicReference<>();
      Captured captured =
          chain.group.capture(
              () -> {
                chain.first().run();
                Thread other = new Thread(() -> refused.set(catchThrowable(chain.second()::run)));
                other.start();
                join(other);
              });
      assertThat(refused.get())
          .hasMessageContaining("the group is recording what thread '")
          .isInstanceOfSatisfying(
              TuttiException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_STATE));
      assertThat(captured.calls()).hasSize(1);
    }
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aWarmUpNeitherRunsNorIsCaptured() {
    try (Chain chain = new Chain()) {
      chain.group.warmUp(() -> chain.first().run());
      Captured captured =
          chain.group.capture(
              () -> {
                chain.group.warmUp(() -> chain.first().run());
                chain.second().run();
              });
      assertThat(Floats.values(chain.b[0])).containsOnly(0);
      assertThat(captured.calls()).hasSize(1);
      assertThat(chain.group.planCache().hits()).isPositive();
      chain.checkUsable();
    }
  }

  @Test
  void aCaptureCanBeAPartOfAnother() {
    try (Chain chain = new Chain()) {
      Captured inner = chain.group.capture(() -> chain.first().run());
      Captured outer =
          chain.group.capture(
              () -> {
                inner.run();
                chain.second().run();
              });
      outer.run();
      assertThat(Floats.values(chain.c[0])).isEqualTo(chain.twice());
      assertThat(outer.calls()).hasSize(2);
      assertThat(Errors.message(ErrorCode.INVALID_STATE, () -> chain.group.capture(() -> {})))
          .isEqualTo("nothing was captured: the body must run an operation of this group");
      assertThat(
              Errors.message(
                  ErrorCode.INVALID_STATE,
                  () -> chain.group.capture(() -> chain.group.capture(() -> {}))))
          .startsWith("this group is already capturing on this thread");
    }
  }

  @Test
  void signalsThatAreImpliedAreDroppedAndBuffersAreRegisteredOnce() {
    try (Chain chain = new Chain();
        RegisteredMemory memory = chain.context.allocate(4096)) {
      MemorySegment[] slices = {memory.segment().asSlice(0, 64), memory.segment().asSlice(64, 64)};
      Captured captured =
          chain.group.capture(
              () -> {
                for (int i = 0; i < 3; i++) {
                  chain
                      .group
                      .allReduce(slices, slices, DataType.FLOAT32, ReduceOp.MAX)
                      .algorithm("pull")
                      .run();
                }
              });
      assertThat(captured.explain())
          .contains("signals: 12 of 12 dropped as implied")
          .contains("order added between operations: 0")
          .contains("staging and scratch memory: 1 at a time")
          .contains("buffers: 2 memories in 1 allocations");
      memory.close();
      assertThat(Errors.message(ErrorCode.BUFFER_UNAVAILABLE, captured::run))
          .startsWith("the memory of a captured buffer was freed");
      chain.checkUsable();
    }
  }

  private static MemorySegment[] slices(MemorySegment[] whole, long offset) {
    return new MemorySegment[] {whole[0].asSlice(offset, 24), whole[1].asSlice(offset, 24)};
  }

  /** Captures all-reduces of parts of the same memory, from offsets to offsets. */
  private static Captured captureSums(
      Chain chain, MemorySegment[] whole, Map<Integer, Integer> parts) {
    return chain.group.capture(
        () ->
            parts.forEach(
                (from, to) ->
                    chain
                        .group
                        .allReduce(
                            slices(whole, from), slices(whole, to), DataType.FLOAT32, ReduceOp.SUM)
                        .algorithm("pull")
                        .run()));
  }

  @Test
  void allBuffersOfAMemoryAreReplacedWhereverTheyLieInIt() {
    try (Chain chain = new Chain()) {
      MemorySegment[] whole = Floats.filled(chain.arena, 2, 32);
      Captured captured = captureSums(chain, whole, Map.of(8, 32, 56, 80));
      float[] before = Floats.values(whole[0]);
      MemorySegment replacement = MemorySegment.ofArray(before.clone());
      captured.rebind(whole[0].asReadOnly(), replacement);
      captured.run();
      assertThat(Floats.values(whole[0])).isEqualTo(before);
      float[] sums = Floats.sums(2, 32);
      System.arraycopy(sums, 2, before, 8, 6);
      System.arraycopy(sums, 14, before, 20, 6);
      assertThat(Floats.values(replacement)).isEqualTo(before);
      MemorySegment small = chain.arena.allocate(96);
      assertThat(
              Errors.message(ErrorCode.BUFFER_TOO_SMALL, () -> captured.rebind(replacement, small)))
          .isEqualTo(
              "the replacement of a buffer of 128 bytes must have at least that size. Actual: 96"
                  + " bytes");
    }
  }

  @Test
  void buffersNoneOfWhichCoversTheOthersAreReplacedByAnArrayAndBack() {
    try (Chain chain = new Chain()) {
      MemorySegment[] whole = Floats.filled(chain.arena, 2, 32);
      Captured captured = captureSums(chain, whole, Map.of(0, 64, 8, 96));
      float[] before = Floats.values(whole[0]);
      float[] after = before.clone();
      float[] sums = Floats.sums(2, 32);
      System.arraycopy(sums, 0, after, 16, 6);
      System.arraycopy(sums, 2, after, 24, 6);
      MemorySegment array = MemorySegment.ofArray(before.clone());
      captured.rebind(whole[0], array);
      captured.run();
      assertThat(Floats.values(array)).isEqualTo(after);
      MemorySegment reachable =
          chain.arena.allocate(128, 64).copyFrom(MemorySegment.ofArray(before));
      captured.rebind(array, reachable);
      captured.run();
      assertThat(Floats.values(reachable)).isEqualTo(after);
      assertThat(Floats.values(whole[0])).isEqualTo(before);
    }
  }

  @Test
  void aBufferIsReplacedWhereverItIsUsed() {
    try (Chain chain = new Chain()) {
      Captured captured =
          chain.group.capture(
              () -> {
                chain.first().run();
                chain.second().run();
              });
      MemorySegment[] other = Floats.zeros(chain.arena, 2, 8);
      captured.rebind(chain.c[0], other[0]);
      captured.run();
      assertThat(Floats.values(other[0])).isEqualTo(chain.twice());
      assertThat(Floats.values(chain.c[0])).containsOnly(0);

      MemorySegment array = MemorySegment.ofArray(new float[8]);
      captured.rebind(other[0], array);
      captured.run();
      assertThat(Floats.values(array)).isEqualTo(chain.twice());

      MemorySegment reduced = MemorySegment.ofArray(Floats.values(chain.a[0]));
      captured.rebind(chain.a[0], reduced);
      captured.run();
      assertThat(captured.isStaged()).isTrue();
      assertThat(Floats.values(array)).isEqualTo(chain.twice());

      assertThat(Errors.message(ErrorCode.INVALID_ARGUMENT, () -> captured.rebind(array, reduced)))
          .startsWith("the new buffer overlaps other buffers differently");
      assertThat(
              Errors.message(
                  ErrorCode.INVALID_ARGUMENT, () -> captured.rebind(chain.c[0], other[1])))
          .startsWith("no captured operation uses that buffer");
      captured.run();
      captured.close();
      captured.close();
      assertThat(Errors.message(ErrorCode.INVALID_STATE, captured::run))
          .isEqualTo("cannot start the capture of 2 operations: it is closed; capture again");
    }
  }

  @Test
  void algorithmsThatRaceAreNotCaptured() {
    try (Chain chain = new Chain()) {
      assertThat(
              Errors.message(
                  ErrorCode.INVALID_PLAN,
                  () -> chain.group.capture(() -> chain.first().algorithm("unordered").run())))
          .startsWith("the capture of 1 breaks 2 rules, and is not run")
          .contains("MEM-1");
      chain.checkUsable();
    }
  }

  @Test
  void tooManyBuffersAreCounted() {
    try (Chain chain = new Chain();
        Request first = chain.first().build();
        Request second = chain.second().build()) {
      List<RecordedCall> calls =
          List.of(HostAccess.operation(first).recorded(), HostAccess.operation(second).recorded());
      assertThat(Regions.of(calls, 6).all()).hasSize(6);
      assertThat(Errors.message(ErrorCode.INVALID_ARGUMENT, () -> Regions.of(calls, 4)))
          .endsWith("Actual: 6, 2 too many");
    }
  }

  @Test
  void aReadOnlyViewOfAnArrayHidesTooMuch() {
    try (Chain chain = new Chain()) {
      MemorySegment[] hidden = {
        MemorySegment.ofArray(new float[8]).asReadOnly(),
        MemorySegment.ofArray(new float[8]).asReadOnly()
      };
      assertThat(
              Errors.message(
                  ErrorCode.BUFFER_UNAVAILABLE,
                  () ->
                      chain.group.capture(
                          () ->
                              chain
                                  .group
                                  .allReduce(hidden, chain.b, DataType.FLOAT32, ReduceOp.SUM)
                                  .run())))
          .startsWith("a read-only view hides its array");
    }
  }
}
