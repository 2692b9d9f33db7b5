package dev.tutti.endtoend;

import dev.tutti.host.Captured;
import dev.tutti.host.Context;
import dev.tutti.host.Group;
import dev.tutti.host.RankHandle;
import dev.tutti.host.Rte;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.topology.Topology;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/** A program of MPI ranks that capture several operations and replay them. */
final class ReplayProgram {

  private static final int COUNT = 5_003;
  private static final int REPLAYS = 200;

  private ReplayProgram() {}

  /**
   * Runs the ranks of this process.
   *
   * @param arguments the directory with the plugins, the number of ranks of a process, and the rank
   *     whose process ends in the middle of the replays; -1 for none
   */
  public static void main(String[] arguments) {
    int dying = Integer.parseInt(arguments[2]);
    try (Context context =
            Context.builder()
                .rte(Rte.mpi(null, Integer.parseInt(arguments[1])))
                .pluginsDirectory(Path.of(arguments[0]))
                .open();
        Group group =
            context.createGroup(
                context.jobTopology().orElse(Topology.flat(context.rte().ranks())))) {
      replay(context, group, dying);
    } catch (TuttiException e) {
      System.out.println("FAILED " + e.code() + " " + e.getMessage());
      Runtime.getRuntime().halt(1);
    }
  }

  private static void replay(Context context, Group group, int dying) {
    int ranks = group.rankSize();
    Map<Integer, MemorySegment> data = new TreeMap<>();
    Map<Integer, int[]> parts = new TreeMap<>();
    Map<Integer, int[]> received = new TreeMap<>();
    for (int rank : group.localRanks()) {
      data.put(rank, context.allocate(4L * COUNT).segment());
      parts.put(rank, new int[COUNT]);
      received.put(rank, new int[1]);
    }
    Captured captured =
        group.capture(
            rank -> {
              MemorySegment own = data.get(rank.rank());
              rank.allReduce(own, own, DataType.INT32, ReduceOp.SUM);
              passOn(rank, own.asSlice(0, 4), received.get(rank.rank()));
              MemorySegment part = MemorySegment.ofArray(parts.get(rank.rank()));
              rank.allReduce(own, part, DataType.INT32, ReduceOp.MAX);
            });
    for (int round = 0; round < REPLAYS; round++) {
      for (Map.Entry<Integer, MemorySegment> each : data.entrySet()) {
        each.getValue().fill((byte) 0);
        each.getValue().setAtIndex(ValueLayout.JAVA_INT, 0, round + each.getKey());
        each.getValue().setAtIndex(ValueLayout.JAVA_INT, COUNT - 1, round);
      }
      if (round == REPLAYS / 2 && data.containsKey(dying)) {
        Runtime.getRuntime().halt(3);
      }
      captured.run();
      int first = ranks * round + ranks * (ranks - 1) / 2;
      for (int rank : data.keySet()) {
        require(first, parts.get(rank)[0]);
        require(ranks * round, parts.get(rank)[COUNT - 1]);
        require(rank == 0 ? 0 : first, received.get(rank)[0]);
      }
    }
    System.out.println("REPLAYED " + REPLAYS + " times: " + captured);
    captured.close();
  }

  /** Each rank sends a number to the next one. */
  private static void passOn(RankHandle rank, MemorySegment number, int[] received) {
    if (rank.rank() > 0) {
      rank.receive(MemorySegment.ofArray(received), DataType.INT32, rank.rank() - 1);
    }
    if (rank.rank() + 1 < rank.rankSize()) {
      rank.send(number, DataType.INT32, rank.rank() + 1);
    }
  }

  private static void require(int expected, int actual) {
    if (expected != actual) {
      throw new IllegalStateException("expected " + expected + ", actual " + actual);
    }
  }
}
