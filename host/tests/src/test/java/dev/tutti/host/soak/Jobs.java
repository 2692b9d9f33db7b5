package dev.tutti.host.soak;

import dev.tutti.host.Captured;
import dev.tutti.host.Context;
import dev.tutti.host.Group;
import dev.tutti.host.RankHandle;
import dev.tutti.host.RankRequest;
import dev.tutti.host.RegisteredMemory;
import dev.tutti.host.call.CallOptions;
import dev.tutti.host.job.OneJvmJob;
import dev.tutti.host.job.OneJvmJob.Link;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.WorkflowMode;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import org.opentest4j.TestAbortedException;

/**
 * Short lives of jobs: ranks with contexts of their own meet over shared memory or messages, make a
 * few calls, free their buffers as soon as their own part has ended, and leave without waiting for
 * the others.
 */
final class Jobs implements Soak.Actor {

  private static final int MOST_STEPS = 6;
  private static final int RARELY = 6;
  private static final int NOBODY = -1;
  private static final int MOST_RANKS = 5;
  private static final int SOME_ELEMENTS = 3000;
  private static final int MANY_ELEMENTS = 100_000;
  private static final int MOST_IN_FLIGHT = 10;
  private static final int LONGEST_PAUSE_NANOS = 3_000_000;
  private static final CallOptions STAGED = CallOptions.defaults().withMode(WorkflowMode.OP_BASE);

  @Override
  public void turn(Random random) throws Exception {
    Link link = Link.values()[random.nextInt(Link.values().length)];
    int ranks = 1 + random.nextInt(MOST_RANKS);
    long seed = random.nextLong();
    try {
      OneJvmJob.inGroup(
          link,
          ranks,
          (context, rank) -> {
            new Life(context, rank, link, seed).live();
            return null;
          });
    } catch (TestAbortedException e) {
      // There is no such job.
    }
  }

  /** The life of one rank. All ranks make the same decisions, except their own ones. */
  private static final class Life {
    private final Context context;
    private final RankHandle rank;
    private final Link link;
    private final Random shared;
    private final Random own;

    /** Whether another rank has gone. */
    private boolean misses;

    Life(Context context, RankHandle rank, Link link, long seed) {
      this.context = context;
      this.rank = rank;
      this.link = link;
      this.shared = new Random(seed);
      this.own = new Random(seed + 1 + rank.rank());
    }

    void live() {
      pause();
      int steps = shared.nextInt(MOST_STEPS + 1);
      int gone = shared.nextInt(RARELY) == 0 ? shared.nextInt(rank.rankSize()) : NOBODY;
      int last = shared.nextInt(MOST_STEPS);
      for (int number = 0; number < steps; number++) {
        misses = number >= last && gone != NOBODY;
        if (!misses) {
          step();
        } else if (gone == rank.rank() || !canStep()) {
          return;
        }
        pause();
      }
    }

    /** Makes a step without the rank that has gone; returns false if the group is over. */
    private boolean canStep() {
      try {
        step();
        return true;
      } catch (TuttiException e) {
        Calls.expect(
            e,
            ErrorCode.INVALID_STATE,
            ErrorCode.GROUP_POISONED,
            ErrorCode.PEER_LOST,
            ErrorCode.CAPTURE_ABANDONED);
        return false;
      }
    }

    private void step() {
      int count = count();
      int odd = shared.nextInt(rank.rankSize());
      switch (shared.nextInt(14)) {
        case 0 -> transfer(count);
        case 1 -> split(count);
        case 2 -> scan(count);
        case 3 -> broadcast(count);
        case 4 -> capture(count);
        case 5 -> manyInFlight(count);
        case 6 -> err(() -> Ranks.mismatch(rank, Ranks.FEW + 1 + count, odd));
        case 7 -> err(() -> Ranks.mistake(rank, Ranks.FEW + 1 + count, odd));
        case 8 -> cancel(1 + count);
        case 9 -> anotherGroup(count);
        case 10, 11 -> again(1 + count % Ranks.FEW, shared.nextInt(Ranks.MOST_ROUNDS));
        default -> sum(shared.nextBoolean() ? rank : rank.with(STAGED), count);
      }
    }

    private int count() {
      return switch (shared.nextInt(10)) {
        case 0 -> 0;
        case 1 -> 1 + shared.nextInt(MANY_ELEMENTS);
        default -> 1 + shared.nextInt(SOME_ELEMENTS);
      };
    }

    private void pause() {
      if (own.nextInt(4) == 0) {
        LockSupport.parkNanos(own.nextInt(LONGEST_PAUSE_NANOS));
      }
    }

    /**
     * Alone, a rank differs from no other; and the absence of a rank is the only error then. Over
     * messages, the others begin a call that they have made before, and a mistake ends the group;
     * so the counts are others than those of {@link #again}.
     */
    private void err(Runnable mistake) {
      if (rank.rankSize() > 1 && !misses) {
        mistake.run();
      }
    }

    /** Messages that are under way cannot be taken back. */
    private void cancel(int count) {
      if (link == Link.MEMORY && !misses) {
        Ranks.cancel(rank, count, own);
      }
    }

    private void anotherGroup(int count) {
      if (link != Link.MIXED) {
        try (Group other = context.createGroup(rank.rankSize())) {
          pause();
          sum(other.rank(rank.rank()), count);
        }
      }
    }

    private Buffer buffer(int count) {
      int kind = own.nextInt(Buffer.KINDS);
      // Messages of a call that fails may still be on their way.
      return new Buffer(context, count, misses && kind == Buffer.PRIVATE ? Buffer.SHARED : kind);
    }

    private void again(int count, int rounds) {
      try (Buffer in = buffer(count);
          Buffer out = buffer(count)) {
        boolean mayCancel = link == Link.MEMORY && !misses;
        Ranks.again(rank, in.segment, out.segment, rounds, mayCancel, own);
      }
    }

    private void sum(RankHandle caller, int count) {
      try (Buffer in = buffer(count);
          Buffer out = buffer(count)) {
        in.fill(caller.rank() + count);
        caller.allReduce(in.segment, out.segment, DataType.INT32, ReduceOp.SUM);
        out.require(sum(caller.rankSize(), count));
      }
    }

    private static int sum(int ranks, int count) {
      return ranks * count + ranks * (ranks - 1) / 2;
    }

    private void transfer(int count) {
      int from = shared.nextInt(rank.rankSize());
      int to = shared.nextInt(rank.rankSize());
      if (from == to) {
        return;
      }
      try (Buffer data = buffer(count)) {
        if (rank.rank() == from) {
          data.fill(count);
          rank.send(data.segment, DataType.INT32, to);
        } else if (rank.rank() == to) {
          rank.receive(data.segment, DataType.INT32, from);
          data.require(count);
        }
      }
    }

    private void split(int count) {
      int colours = 1 + shared.nextInt(2);
      RankHandle part = rank.split(rank.rank() % colours, -rank.rank()).orElseThrow();
      pause();
      sum(part, count);
      if (shared.nextBoolean() && link != Link.MIXED) {
        // Ranks of one process share the group.
        part.group().close();
      }
    }

    /** The first rank needs nothing from others. */
    private void scan(int count) {
      try (Buffer in = buffer(count);
          Buffer out = buffer(count)) {
        in.fill(1);
        out.fill(0);
        rank.exclusiveScan(in.segment, out.segment, DataType.INT32, ReduceOp.SUM);
        if (rank.rank() > 0) {
          out.require(rank.rank());
        }
      }
    }

    private void broadcast(int count) {
      int root = shared.nextInt(rank.rankSize());
      try (Buffer data = buffer(count)) {
        data.fill(rank.rank() == root ? count : -1);
        rank.broadcast(data.segment, DataType.INT32, root);
        data.require(count);
      }
    }

    private void capture(int count) {
      int replays = shared.nextInt(3);
      boolean isRebound = shared.nextBoolean();
      if (link == Link.MIXED) {
        // A rank that shares its process with others cannot capture on its own.
        return;
      }
      Buffer in = buffer(1 + count);
      try (Buffer out = buffer(1 + count)) {
        in.fill(rank.rank() + count);
        Buffer first = in;
        try (Captured captured =
            rank.group()
                .capture(
                    same -> {
                      same.allReduce(first.segment, out.segment, DataType.INT32, ReduceOp.SUM);
                      same.allReduce(out.segment, out.segment, DataType.INT32, ReduceOp.MAX);
                    })) {
          for (int left = replays; left > 0; left--) {
            pause();
            captured.run();
            out.require(sum(rank.rankSize(), count));
            if (isRebound) {
              Buffer other = new Buffer(context, 1 + count, in.kind);
              other.fill(rank.rank() + count);
              captured.rebind(in.segment, other.segment);
              in.close();
              in = other;
            }
          }
        }
      } finally {
        in.close();
      }
    }

    private void manyInFlight(int count) {
      List<Buffer> sums = new ArrayList<>();
      List<RankRequest> started = new ArrayList<>();
      for (int left = 1 + shared.nextInt(MOST_IN_FLIGHT); left > 0; left--) {
        Buffer data = buffer(count);
        data.fill(rank.rank() + count);
        sums.add(data);
        started.add(
            rank.requests()
                .allReduce(data.segment, data.segment, DataType.INT32, ReduceOp.SUM)
                .start());
        pause();
      }
      for (int i = 0; i < started.size(); i++) {
        started.get(i).await();
        sums.get(i).require(sum(rank.rankSize(), count));
        sums.get(i).close();
      }
    }
  }

  /** Integers that are freed as soon as their rank does not need them any more. */
  private static final class Buffer implements AutoCloseable {
    static final int KINDS = 3;
    static final int SHARED = 0;
    static final int PRIVATE = 1;

    private final int kind;
    private final MemorySegment segment;
    private final Runnable free;

    Buffer(Context context, int count, int kind) {
      this.kind = kind;
      long bytes = 4L * count;
      switch (kind) {
        case SHARED -> {
          RegisteredMemory memory = context.allocate(bytes);
          segment = memory.segment();
          free = memory::close;
        }
        case PRIVATE -> {
          Arena arena = Arena.ofShared();
          segment = arena.allocate(bytes, 4);
          free = arena::close;
        }
        default -> {
          segment = MemorySegment.ofArray(new int[count]);
          free = () -> {};
        }
      }
    }

    void fill(int value) {
      for (long at = 0; at < segment.byteSize(); at += 4) {
        segment.set(ValueLayout.JAVA_INT, at, value);
      }
    }

    void require(int value) {
      for (long at = 0; at < segment.byteSize(); at += 4) {
        int found = segment.get(ValueLayout.JAVA_INT, at);
        Calls.require(found == value, "a wrong element " + found);
      }
    }

    @Override
    public void close() {
      free.run();
    }
  }
}
