package dev.tutti.host.soak;

import static dev.tutti.host.soak.Calls.expect;
import static dev.tutti.host.soak.Calls.require;

import dev.tutti.host.Context;
import dev.tutti.host.Group;
import dev.tutti.host.Request;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.TuttiException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;

/** Buffers whose arena another thread closes at any moment of a run. */
final class Arenas implements Soak.Actor {

  private final Context context;

  Arenas(Context context) {
    this.context = context;
  }

  @Override
  public void turn(Random random) throws InterruptedException {
    int ranks = 2 + random.nextInt(2);
    long bytes = 8L << random.nextInt(20);
    long nanos = random.nextInt(2_000_000);
    Arena arena = Arena.ofShared();
    CountDownLatch isRunning = new CountDownLatch(1);
    Thread closer = Thread.ofPlatform().daemon().start(() -> close(arena, isRunning, nanos));
    try (Group group = context.createGroup(ranks)) {
      MemorySegment[] inputs = new MemorySegment[ranks];
      MemorySegment[] outputs = new MemorySegment[ranks];
      for (int rank = 0; rank < ranks; rank++) {
        inputs[rank] = arena.allocate(bytes, 64);
        outputs[rank] = arena.allocate(bytes, 64);
      }
      run(group, inputs, outputs, isRunning);
    } finally {
      isRunning.countDown();
      closer.join();
    }
    require(!arena.scope().isAlive(), "the arena was not closed");
  }

  private static void run(
      Group group, MemorySegment[] inputs, MemorySegment[] outputs, CountDownLatch isRunning) {
    try (Request request = group.allReduce(inputs, outputs, DataType.INT64, ReduceOp.SUM).build()) {
      isRunning.countDown();
      // Ends by the arena alone, so every turn meets a close.
      while (true) {
        request.run();
      }
    } catch (TuttiException e) {
      expect(
          e,
          ErrorCode.RUN_FAILED,
          ErrorCode.BUFFER_UNAVAILABLE,
          ErrorCode.GROUP_POISONED,
          ErrorCode.INVALID_STATE);
    }
  }

  /** A run that holds the memory may refuse the close for that moment. */
  private static void close(Arena arena, CountDownLatch isRunning, long nanos) {
    try {
      isRunning.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    LockSupport.parkNanos(nanos);
    while (arena.scope().isAlive()) {
      try {
        arena.close();
      } catch (IllegalStateException e) {
        LockSupport.parkNanos(1_000);
      }
    }
  }
}
