package dev.tutti.simulator;

import dev.tutti.sdk.DataType;
import dev.tutti.sdk.param.AllGatherParam;
import dev.tutti.sdk.param.AllGatherVParam;
import dev.tutti.sdk.param.AllReduceParam;
import dev.tutti.sdk.param.AllToAllParam;
import dev.tutti.sdk.param.AllToAllVParam;
import dev.tutti.sdk.param.BarrierParam;
import dev.tutti.sdk.param.BatchSendRecvParam;
import dev.tutti.sdk.param.BroadcastParam;
import dev.tutti.sdk.param.ExclusiveScanParam;
import dev.tutti.sdk.param.GatherParam;
import dev.tutti.sdk.param.GatherVParam;
import dev.tutti.sdk.param.OpParam;
import dev.tutti.sdk.param.ReceiveParam;
import dev.tutti.sdk.param.ReduceParam;
import dev.tutti.sdk.param.ReduceScatterParam;
import dev.tutti.sdk.param.ReduceScatterVParam;
import dev.tutti.sdk.param.ScanParam;
import dev.tutti.sdk.param.ScatterParam;
import dev.tutti.sdk.param.ScatterVParam;
import dev.tutti.sdk.param.SendParam;
import java.util.Collections;
import java.util.List;

/** The least work of any algorithm for an operation; see {@link Workload} for the sources. */
final class LowerBound {

  private LowerBound() {}

  /** Bytes that some rank must send, or receive, as far as one rank's view of the request shows. */
  static long bytes(OpParam param) {
    long ranks = param.comm().rankSize();
    long others = ranks - 1;
    if (others == 0) {
      return 0;
    }
    return switch (param) {
      case AllReduceParam p -> Math.ceilDiv(2 * others * p.count(), ranks) * p.dataType().size();
      case ReduceParam p -> size(p.dataType(), p.count());
      case BroadcastParam p -> size(p.dataType(), p.count());
      case ScanParam p -> size(p.dataType(), p.count());
      case ExclusiveScanParam p -> size(p.dataType(), p.count());
      case AllGatherParam p -> size(p.dataType(), others * p.sendCount());
      case ReduceScatterParam p -> size(p.dataType(), others * p.recvCount());
      case GatherParam p -> size(p.dataType(), others * p.sendCount());
      case ScatterParam p -> size(p.dataType(), others * p.recvCount());
      case AllToAllParam p -> size(p.dataType(), others * p.countPerRank());
      case AllGatherVParam p -> size(p.dataType(), others(p.sendCounts(), least(p.sendCounts())));
      case ReduceScatterVParam p ->
          size(p.dataType(), others(p.recvCounts(), least(p.recvCounts())));
      case GatherVParam p -> size(p.dataType(), others(p.sendCounts(), p.root()));
      case ScatterVParam p -> size(p.dataType(), others(p.recvCounts(), p.root()));
      case AllToAllVParam p -> {
        int rank = p.comm().rank();
        long most = Math.max(others(p.sendCounts(), rank), others(p.recvCounts(), rank));
        yield size(p.dataType(), most);
      }
      case SendParam p -> size(p.dataType(), p.dstRank() == p.comm().rank() ? 0 : p.count());
      case ReceiveParam p -> size(p.dataType(), p.srcRank() == p.comm().rank() ? 0 : p.count());
      case BatchSendRecvParam p -> 0;
      case BarrierParam p -> 0;
    };
  }

  private static long size(DataType type, long count) {
    return count * type.size();
  }

  private static int least(List<Long> counts) {
    return counts.indexOf(Collections.min(counts));
  }

  private static long others(List<Long> counts, int own) {
    return counts.stream().mapToLong(Long::longValue).sum() - counts.get(own);
  }

  /**
   * Messages on the longest chain: each step can at most double the ranks that have the data, or
   * whose data has been received.
   */
  static int steps(OpParam param) {
    int ranks = param.comm().rankSize();
    return switch (param) {
      case SendParam p -> 1;
      case ReceiveParam p -> 1;
      case BatchSendRecvParam p -> 1;
      case BarrierParam p -> 0;
      default -> log2(ranks);
    };
  }

  private static int log2(int ranks) {
    return 32 - Integer.numberOfLeadingZeros(ranks - 1);
  }

  /** Bytes that some rank must combine: all combinations, spread evenly. */
  static long reducedBytes(OpParam param) {
    long ranks = param.comm().rankSize();
    return switch (param) {
      case AllReduceParam p -> spread(ranks - 1, p.count(), ranks, p.dataType());
      case ReduceParam p -> spread(ranks - 1, p.count(), ranks, p.dataType());
      case ReduceScatterParam p -> size(p.dataType(), (ranks - 1) * p.recvCount());
      case ReduceScatterVParam p ->
          spread(
              ranks - 1,
              p.recvCounts().stream().mapToLong(Long::longValue).sum(),
              ranks,
              p.dataType());
      case ScanParam p -> spread(ranks - 1, p.count(), ranks, p.dataType());
      case ExclusiveScanParam p -> spread(Math.max(0, ranks - 2), p.count(), ranks, p.dataType());
      default -> 0;
    };
  }

  private static long spread(long combinations, long count, long ranks, DataType type) {
    return Math.ceilDiv(combinations * count, ranks) * type.size();
  }

  /** The factor from the algorithm's bandwidth to the bus bandwidth, as nccl-tests define it. */
  static double busFactor(OpParam param) {
    double ranks = param.comm().rankSize();
    return switch (param.operation()) {
      case ALL_REDUCE -> 2 * (ranks - 1) / ranks;
      case REDUCE_SCATTER,
          REDUCE_SCATTER_V,
          ALL_GATHER,
          ALL_GATHER_V,
          ALL_TO_ALL,
          ALL_TO_ALL_V,
          GATHER,
          GATHER_V,
          SCATTER,
          SCATTER_V ->
          (ranks - 1) / ranks;
      default -> 1;
    };
  }

  /*
   * Why this is a bound. Some rank sends or receives minBytes. Its ports together have at most the
   * sum of their bandwidths, each that of the widest level that the port serves. So the last of
   * these messages leaves its port no earlier than minBytes take at this bandwidth, and arrives a
   * latency later. Combining needs messages, too: at the start no two operands are on one rank, so
   * the first combination comes after a latency and an overhead. Some rank then combines
   * minReducedBytes, one after another. A plan in segments can send while it reduces, so only the
   * larger of the two times counts. Steps do not count, because messages can be in flight at the
   * same time.
   */
  static long time(Workload work, Network network) {
    if (work.minBytes() == 0) {
      return 0;
    }
    long latency = Long.MAX_VALUE;
    double[] widest = new double[network.portsPerRank()];
    for (int level = 0; level < NetworkModel.LEVELS.size(); level++) {
      if (network.isUsed(level)) {
        LinkTerms terms = network.terms(level);
        latency = Math.min(latency, TimeText.add(terms.latency(), terms.overhead()));
        int port = network.portOfLevel(level);
        widest[port] = Math.max(widest[port], terms.beta().bytesPerSecond());
      }
    }
    if (latency == Long.MAX_VALUE) {
      return 0;
    }
    double rate = 0;
    int ports = 0;
    PerByte only = PerByte.FREE;
    for (int level = 0; level < NetworkModel.LEVELS.size(); level++) {
      double beta = network.terms(level).beta().bytesPerSecond();
      int port = network.portOfLevel(level);
      if (network.isUsed(level) && beta == widest[port]) {
        rate += beta;
        ports++;
        only = network.terms(level).beta();
        widest[port] = -1;
      }
    }
    long moved =
        ports == 1
            ? only.time(work.minBytes())
            : Double.isInfinite(rate) ? 0 : (long) (work.minBytes() * (1e12 / rate));
    long combined = network.model().reduction().time(work.minReducedBytes());
    return TimeText.add(latency, Math.max(moved, combined));
  }
}
