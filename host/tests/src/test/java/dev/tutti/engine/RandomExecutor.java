package dev.tutti.engine;

import dev.tutti.sdk.param.AllReduceParam;
import dev.tutti.sdk.resource.AlgResourceResponse;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.Link;
import dev.tutti.sdk.resource.Stream;
import dev.tutti.sdk.resource.SubCommInfo;
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.sdk.topology.CommPlane;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Emits random actions that are free of races: memory is divided into cells. Between two barriers,
 * each cell is either written by one rank, which alone may read it, too, or only read. The script
 * follows from the seed, so every rank knows the actions of the others.
 */
public final class RandomExecutor extends TestExecutors.MeshExecutor {

  public static final int CELLS = 4;

  private final long seed;

  public RandomExecutor(long seed) {
    super(0);
    this.seed = seed;
  }

  @Override
  public void orchestrate(AllReduceParam param, AlgResourceResponse resources) {
    Script script = new Script(param, resources, new Random(seed));
    int phases = 2 + script.random.nextInt(4);
    for (int phase = 0; phase < phases; phase++) {
      script.barrier(Link.READY);
      script.phase();
      script.barrier(Link.FIN);
    }
  }

  /** One rank's way through the script; draws what concerns other ranks too, and passes it over. */
  private static final class Script {
    private final AllReduceParam param;
    private final SubCommInfo comm;
    private final AlgResourceResponse resources;
    private final Stream stream;
    private final Random random;
    private final int ranks;

    /** The writer of each output cell of each rank in this phase. */
    private final int[][] writer;

    /** Whether a cell has been written in this phase, by its writer. */
    private final boolean[][] isWritten;

    Script(AllReduceParam param, AlgResourceResponse resources, Random random) {
      this.param = param;
      this.resources = resources;
      this.comm = resources.subComm(CommPlane.COMBINED);
      this.stream = resources.mainStream();
      this.random = random;
      this.ranks = comm.localRankSize();
      this.writer = new int[ranks][CELLS];
      this.isWritten = new boolean[ranks][CELLS];
    }

    void barrier(int notify) {
      TestExecutors.MeshExecutor.postAll(comm, stream, notify);
      TestExecutors.MeshExecutor.awaitAll(comm, stream, notify);
    }

    void phase() {
      for (int rank = 0; rank < ranks; rank++) {
        for (int cell = 0; cell < CELLS; cell++) {
          writer[rank][cell] = random.nextInt(3) == 0 ? -1 : random.nextInt(ranks);
          isWritten[rank][cell] = false;
        }
      }
      int actions = ranks * (2 + random.nextInt(5));
      for (int action = 0; action < actions; action++) {
        action();
      }
    }

    private void action() {
      int dstRank = random.nextInt(ranks);
      int dstCell = random.nextInt(CELLS);
      int actor = writer[dstRank][dstCell];
      if (actor < 0) {
        return;
      }
      int count = 1 + random.nextInt(3);
      List<int[]> sources = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        int[] source = source(actor, dstRank, dstCell);
        sources.add(source);
      }
      boolean isFanOut = random.nextBoolean();
      emit(actor, dstRank, dstCell, sources);
      isWritten[dstRank][dstCell] = true;
      for (int rank = 0; rank < ranks && isFanOut; rank++) {
        for (int cell = 0; cell < CELLS; cell++) {
          boolean isOther = rank != dstRank || cell != dstCell;
          if (isOther && writer[rank][cell] == actor && random.nextInt(2) == 0) {
            emit(actor, rank, cell, List.of(new int[] {1, dstRank, dstCell}));
            isWritten[rank][cell] = true;
          }
        }
      }
    }

    /**
     * An input cell, a cell that no rank writes in this phase, or one that the actor has written.
     */
    private int[] source(int actor, int dstRank, int dstCell) {
      int rank = random.nextInt(ranks);
      int cell = random.nextInt(CELLS);
      boolean mayRead =
          writer[rank][cell] < 0 || (writer[rank][cell] == actor && isWritten[rank][cell]);
      boolean isItself = rank == dstRank && cell == dstCell;
      return new int[] {mayRead && !isItself && random.nextBoolean() ? 1 : 0, rank, cell};
    }

    /** Makes the actor write a cell, with the verb that fits the owners of the cells. */
    private void emit(int actor, int dstRank, int dstCell, List<int[]> sources) {
      if (actor != comm.localRank()) {
        return;
      }
      DeviceMem dst = cell(TransportMemType.PARAM_OUTPUT, dstRank, dstCell);
      if (dstRank == actor) {
        stream.reduceFrom(
            dst, sources.stream().map(this::cell).toList(), param.dataType(), param.reduceOp());
        return;
      }
      for (int[] source : sources) {
        // A peer's cell is written from local memory: what lies elsewhere is taken from the input.
        DeviceMem local =
            source[1] == actor ? cell(source) : cell(TransportMemType.PARAM_INPUT, actor, dstCell);
        comm.link(dstRank).write(stream, dst, local);
      }
    }

    private DeviceMem cell(int[] place) {
      return cell(
          place[0] == 1 ? TransportMemType.PARAM_OUTPUT : TransportMemType.PARAM_INPUT,
          place[1],
          place[2]);
    }

    private DeviceMem cell(TransportMemType type, int rank, int number) {
      DeviceMem all = rank == comm.localRank() ? resources.mem(type) : comm.link(rank).remote(type);
      long size = all.size() / CELLS;
      return all.slice(number * size, size);
    }
  }
}
