package dev.tutti.plugins.tree;

import dev.tutti.sdk.AlgParameter;
import dev.tutti.sdk.CollAlgorithm;
import dev.tutti.sdk.Cost;
import dev.tutti.sdk.Determinism;
import dev.tutti.sdk.ExecMem;
import dev.tutti.sdk.NativeExecutorBase;
import dev.tutti.sdk.param.BarrierParam;
import dev.tutti.sdk.resource.Link;
import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.resource.Stream;
import dev.tutti.sdk.resource.SubCommInfo;
import dev.tutti.sdk.topology.CommPlane;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Dissemination barrier: in round j, every rank sends a signal to the ranks at distances k^j, 2k^j
 * … (k-1)k^j on its right. The signal means that the sender has entered, and so have all ranks
 * whose signals it has received. After ⌈log_k(p)⌉ rounds, each rank knows that all have entered.
 *
 * <p>Source: D. Hensgen, R. Finkel, U. Manber, "Two algorithms for barrier synchronization", Int.
 * J. Parallel Program. 17(1), 1988, for a radix of k = 2. Cost for p ranks: {@code ⌈log_k(p)⌉ + 1}
 * signals in a row; no messages.
 */
@CollAlgorithm(
    name = "dissemination",
    summary = "Signals at growing distances: no rank waits for a root, half the steps of a tree",
    source =
        "Hensgen, Finkel, Manber: Two algorithms for barrier synchronization, IJPP 17(1), 1988",
    formula = "⌈log_k(p)⌉ + 1 signals in a row for a radix of k; no messages")
public final class DisseminationBarrier extends NativeExecutorBase<BarrierParam> {

  static final AlgParameter<Long> RADIX =
      AlgParameter.integer(
          "radix", "factor by which the number of known ranks grows in each round", 2, 2, 1 << 16);

  @Override
  public List<AlgParameter<?>> parameters() {
    return List.of(RADIX);
  }

  @Override
  protected OpCommTransport calcCommInfo(BarrierParam param) {
    int rank = param.comm().rank();
    int size = param.comm().rankSize();
    int[] peers =
        rounds(param, size).stream()
            .flatMap(List::stream)
            .flatMapToInt(d -> IntStream.of((rank + d) % size, (rank + size - d) % size))
            .distinct()
            .toArray();
    return OpCommTransport.pairs(
        param.comm(), CommPlane.COMBINED, inputMemType(param), outputMemType(param), peers);
  }

  /** The distances of the signals of each round. */
  private static List<List<Integer>> rounds(BarrierParam param, int size) {
    long radix = RADIX.in(param.options());
    List<List<Integer>> rounds = new ArrayList<>();
    for (long step = 1; step < size; step *= radix) {
      long distance = step;
      rounds.add(
          IntStream.iterate(
                  (int) step, d -> d < Math.min(size, radix * distance), d -> (int) (d + distance))
              .boxed()
              .toList());
    }
    return rounds;
  }

  /**
   * A rank could leave before its peers have consumed its signals, and the signal of the next
   * barrier could find that of this barrier still in its notify. So each peer acknowledges.
   */
  @Override
  protected void kernelRun(BarrierParam param, ExecMem mem) {
    Stream stream = mem.resources().mainStream();
    SubCommInfo comm = mem.resources().subComm(CommPlane.COMBINED);
    List<List<Integer>> rounds = rounds(param, comm.localRankSize());
    for (List<Integer> distances : rounds) {
      distances.forEach(d -> at(comm, d).post(stream, Link.READY));
      for (int distance : distances) {
        at(comm, -distance).await(stream, Link.READY);
        at(comm, -distance).post(stream, Link.FIN_ACK);
      }
    }
    rounds.forEach(distances -> distances.forEach(d -> at(comm, d).await(stream, Link.FIN_ACK)));
  }

  private static Link at(SubCommInfo comm, int distance) {
    return comm.link(Math.floorMod(comm.localRank() + distance, comm.localRankSize()));
  }

  @Override
  public Optional<Cost> cost(BarrierParam param) {
    return Optional.of(new Cost(0, 0, 0));
  }

  /** There is no data. */
  @Override
  public Determinism determinism() {
    return Determinism.SAME_SIZES;
  }
}
