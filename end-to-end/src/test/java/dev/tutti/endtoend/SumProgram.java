package dev.tutti.endtoend;

import dev.tutti.host.Context;
import dev.tutti.host.Group;
import dev.tutti.host.RankHandle;
import dev.tutti.host.call.CallOptions;
import dev.tutti.host.status.AlgorithmUse;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.topology.Topology;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;

/**
 * A program of ranks that add vectors with one plugin. It does not know whether the ranks are
 * threads, processes or machines.
 */
final class SumProgram {

  /** No multiple of the ranks. Sums of random floats depend on the order of the additions. */
  private static final int COUNT = 10_007;

  private SumProgram() {}

  /**
   * Runs the ranks of this process.
   *
   * @param arguments the plugin's jar, the name of its algorithm, the number of ranks, and the
   *     directory that gets a file with the sums of each rank
   */
  public static void main(String[] arguments) {
    Path plugin = Path.of(arguments[0]);
    String algorithm = arguments[1];
    int ranks = Integer.parseInt(arguments[2]);
    Path directory = Path.of(arguments[3]);
    try (Context context = Context.builder().pluginsDirectory(plugin).open();
        Group group = context.createGroup(context.jobTopology().orElse(Topology.flat(ranks)))) {
      group.run(rank -> add(rank, algorithm, directory));
      for (AlgorithmUse use : context.algorithmUse()) {
        System.out.printf("ran %s as %s%n", use.algorithm(), context.rte().name());
      }
    }
  }

  private static void add(RankHandle rank, String algorithm, Path directory) {
    try (Arena arena = Arena.ofShared()) {
      MemorySegment input = arena.allocate(ValueLayout.JAVA_FLOAT, COUNT);
      SplittableRandom random = new SplittableRandom(rank.rank());
      for (int i = 0; i < COUNT; i++) {
        input.setAtIndex(ValueLayout.JAVA_FLOAT, i, (float) random.nextDouble(-1, 1));
      }
      MemorySegment byName = arena.allocate(ValueLayout.JAVA_FLOAT, COUNT);
      MemorySegment chosen = arena.allocate(ValueLayout.JAVA_FLOAT, COUNT);
      CallOptions named = CallOptions.defaults().withAlgorithm(algorithm);
      rank.with(named).allReduce(input, byName, DataType.FLOAT32, ReduceOp.SUM);
      rank.allReduce(input, chosen, DataType.FLOAT32, ReduceOp.SUM);
      if (byName.mismatch(chosen) >= 0) {
        throw new IllegalStateException("two runs of one algorithm differ in their bits");
      }
      Files.write(directory.resolve("rank-" + rank.rank()), byName.toArray(ValueLayout.JAVA_BYTE));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
