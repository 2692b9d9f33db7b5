package dev.tutti.host.soak;

import dev.tutti.host.Captured;
import dev.tutti.host.Context;
import dev.tutti.host.Group;
import dev.tutti.host.RegisteredMemory;
import dev.tutti.host.Request;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.TuttiException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** The life of a group that one caller drives: every result that is not refused must be right. */
final class Calls implements Soak.Actor {

  private static final int STEPS = 12;
  private static final int MOST = 40_000;

  private final Context context;

  Calls(Context context) {
    this.context = context;
  }

  @Override
  public void turn(Random random) {
    int ranks = 2 + random.nextInt(3);
    Group group = context.createGroup(ranks);
    try (Arena arena = Arena.ofShared()) {
      for (int step = 0; step < STEPS && !group.isPoisoned(); step++) {
        Vectors vectors = Vectors.of(context, arena, ranks, random);
        step(group, vectors, random);
        vectors.close();
      }
      group.close();
      require(!context.groups().contains(group), "a closed group is still listed");
    }
  }

  private static void step(Group group, Vectors vectors, Random random) {
    switch (random.nextInt(8)) {
      case 0, 1 -> runOnce(group, vectors);
      case 2 -> runAgain(group, vectors);
      case 3 -> cancel(group, vectors);
      case 4 -> tooLate(group, vectors);
      case 5 -> capture(group, vectors);
      case 6 -> subGroup(group, vectors);
      default -> refused(group, vectors);
    }
  }

  private static Request request(Group group, Vectors vectors) {
    return group
        .allReduce(vectors.inputs(), vectors.outputs(), DataType.INT32, ReduceOp.SUM)
        .build();
  }

  private static void runOnce(Group group, Vectors vectors) {
    try (Request request = request(group, vectors)) {
      request.run();
      vectors.check();
    }
  }

  private static void runAgain(Group group, Vectors vectors) {
    try (Request request = request(group, vectors)) {
      for (int i = 0; i < 3; i++) {
        vectors.fill();
        request.run();
        vectors.check();
      }
      try (Request copy = request.copy(vectors.inputs(), vectors.outputs())) {
        vectors.fill();
        copy.run();
        vectors.check();
      }
    }
  }

  private static void cancel(Group group, Vectors vectors) {
    try (Request request = request(group, vectors)) {
      request.start();
      boolean isCancelled = request.cancel();
      try {
        request.await();
        vectors.check();
      } catch (TuttiException e) {
        expect(e, ErrorCode.CANCELLED);
        require(isCancelled, "cancelled by nobody");
      }
      vectors.fill();
      request.run();
      vectors.check();
    }
  }

  private static void tooLate(Group group, Vectors vectors) {
    try (Request request = request(group, vectors)) {
      try {
        request.start();
        request.await(Duration.ofNanos(1));
        vectors.check();
      } catch (TuttiException e) {
        expect(e, ErrorCode.DEADLINE_EXCEEDED);
        require(group.isPoisoned(), "late, and the group goes on");
      }
    } catch (TuttiException e) {
      expect(e, ErrorCode.GROUP_POISONED, ErrorCode.INVALID_STATE);
    }
  }

  private static void capture(Group group, Vectors vectors) {
    Captured captured =
        group.capture(
            () -> {
              request(group, vectors).run();
              group.barrier().run();
            });
    try (captured) {
      for (int i = 0; i < 2; i++) {
        vectors.fill();
        captured.run();
        vectors.check();
      }
    }
  }

  private static void subGroup(Group group, Vectors vectors) {
    int[] all = new int[vectors.ranks()];
    for (int rank = 0; rank < all.length; rank++) {
      all[rank] = all.length - 1 - rank;
    }
    try (Group child = group.subGroup(all)) {
      runOnce(child, vectors);
    }
  }

  private static void refused(Group group, Vectors vectors) {
    try {
      group
          .allReduce(vectors.inputs(), vectors.outputs(), DataType.INT32, ReduceOp.SUM)
          .algorithm("there-is-none")
          .run();
      throw new AssertionError("an unknown algorithm ran");
    } catch (TuttiException e) {
      expect(e, ErrorCode.UNKNOWN_NAME);
    }
    vectors.fill();
    runOnce(group, vectors);
  }

  static void expect(TuttiException e, ErrorCode... codes) {
    if (!List.of(codes).contains(e.code())) {
      throw new AssertionError("expected one of " + List.of(codes), e);
    }
  }

  static void require(boolean isSo, String otherwise) {
    if (!isSo) {
      throw new AssertionError(otherwise);
    }
  }

  /** The inputs and outputs of all ranks, on one kind of memory. */
  private record Vectors(
      MemorySegment[] inputs, MemorySegment[] outputs, List<RegisteredMemory> owned, int[] number) {

    static Vectors of(Context context, Arena arena, int ranks, Random random) {
      long bytes = 4L * (1 + random.nextInt(random.nextInt(6) == 0 ? MOST : 600));
      MemorySegment[] inputs = new MemorySegment[ranks];
      MemorySegment[] outputs = new MemorySegment[ranks];
      List<RegisteredMemory> owned = new ArrayList<>();
      int kind = random.nextInt(3);
      for (int rank = 0; rank < ranks; rank++) {
        inputs[rank] = memory(context, arena, kind, bytes, owned);
        outputs[rank] = memory(context, arena, kind, bytes, owned);
      }
      Vectors vectors = new Vectors(inputs, outputs, owned, new int[] {random.nextInt(1000)});
      vectors.fill();
      return vectors;
    }

    private static MemorySegment memory(
        Context context, Arena arena, int kind, long bytes, List<RegisteredMemory> owned) {
      return switch (kind) {
        case 0 -> MemorySegment.ofArray(new int[(int) (bytes / 4)]);
        case 1 -> arena.allocate(bytes, 64);
        default -> {
          RegisteredMemory memory = context.allocate(bytes);
          owned.add(memory);
          yield memory.segment();
        }
      };
    }

    int ranks() {
      return inputs.length;
    }

    private long count() {
      return inputs[0].byteSize() / 4;
    }

    void fill() {
      number[0]++;
      for (int rank = 0; rank < ranks(); rank++) {
        for (long i = 0; i < count(); i++) {
          inputs[rank].setAtIndex(
              ValueLayout.JAVA_INT_UNALIGNED, i, (int) (number[0] * (rank + 1) + i));
        }
        outputs[rank].fill((byte) -1);
      }
    }

    void check() {
      int factor = ranks() * (ranks() + 1) / 2;
      for (int rank = 0; rank < ranks(); rank++) {
        for (long i = 0; i < count(); i++) {
          int sum = outputs[rank].getAtIndex(ValueLayout.JAVA_INT_UNALIGNED, i);
          int expected = (int) (number[0] * factor + ranks() * i);
          if (sum != expected) {
            throw new AssertionError(
                "element %d of rank %d of %d, count %d: %d instead of %d"
                    .formatted(i, rank, ranks(), count(), sum, expected));
          }
        }
      }
    }

    void close() {
      owned.forEach(RegisteredMemory::close);
    }
  }
}
