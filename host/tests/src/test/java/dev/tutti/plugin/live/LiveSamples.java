package dev.tutti.plugin.live;

import dev.tutti.sdk.CollAlgorithm;
import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.Protocol;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.Support;
import dev.tutti.sdk.WorkflowMode;
import dev.tutti.sdk.param.AllReduceParam;
import dev.tutti.sdk.resource.AlgResourceRequest;
import dev.tutti.sdk.resource.AlgResourceResponse;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.Link;
import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.resource.Stream;
import dev.tutti.sdk.resource.SubCommInfo;
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.sdk.topology.CommPlane;
import dev.tutti.sdk.topology.Topology;
import java.util.ArrayList;
import java.util.List;

/** All-reduce plugins that are right, or wrong in one way each. */
public final class LiveSamples {

  /** The size in bytes from which some samples misbehave; admission does not try such sizes. */
  private static final long LARGE = 100_000;

  private LiveSamples() {}

  /** Every rank pulls all inputs between two barriers. */
  @CollAlgorithm(name = "pull", summary = "Every rank reduces the inputs of all.")
  public static class Right extends CollExecutorBase<AllReduceParam> {

    @Override
    public Support supports(AllReduceParam param) {
      if (param.comm().protocol() != Protocol.DIRECT) {
        return Support.no("peers must be able to read each other's memory");
      }
      return param.comm().mode() == WorkflowMode.GRAPH
          ? Support.yes()
          : Support.no("it knows no staging buffers");
    }

    @Override
    public AlgResourceRequest calcResRequest(AllReduceParam param) {
      OpCommTransport mesh =
          OpCommTransport.mesh(
              param.comm(),
              CommPlane.COMBINED,
              TransportMemType.PARAM_INPUT,
              TransportMemType.PARAM_OUTPUT);
      return AlgResourceRequest.of(mesh).withScratchMemSize(param.outputBytes());
    }

    @Override
    public void orchestrate(AllReduceParam param, AlgResourceResponse resources) {
      SubCommInfo comm = resources.subComm(CommPlane.COMBINED);
      Stream stream = resources.mainStream();
      DeviceMem scratch = resources.scratchMem();
      barrier(comm, stream, Link.READY);
      List<DeviceMem> sources = new ArrayList<>();
      for (int rank = 0; rank < ranks(param, comm); rank++) {
        DeviceMem input =
            rank == comm.localRank()
                ? resources.paramInputMem()
                : comm.link(rank).remote(TransportMemType.PARAM_INPUT);
        sources.add(input.slice(0, scratch.size()));
      }
      if (sources.size() == 1) {
        stream.copy(scratch, sources.getFirst());
      } else {
        stream.reduceFrom(scratch, sources, param.dataType(), param.reduceOp());
      }
      barrier(comm, stream, Link.FIN);
      stream.copy(resources.paramOutputMem(), scratch);
    }

    /** The number of ranks whose inputs are reduced. */
    int ranks(AllReduceParam param, SubCommInfo comm) {
      return comm.localRankSize();
    }

    private static void barrier(SubCommInfo comm, Stream stream, int notify) {
      for (int peer = 0; peer < comm.localRankSize(); peer++) {
        if (peer != comm.localRank()) {
          comm.link(peer).post(stream, notify);
        }
      }
      for (int peer = 0; peer < comm.localRankSize(); peer++) {
        if (peer != comm.localRank()) {
          comm.link(peer).await(stream, notify);
        }
      }
    }
  }

  /** Forgets the last rank. */
  @CollAlgorithm(name = "pull", summary = "Forgets the last rank.")
  public static final class Wrong extends Right {
    @Override
    int ranks(AllReduceParam param, SubCommInfo comm) {
      return comm.localRankSize() - (comm.localRankSize() > 2 ? 1 : 0);
    }
  }

  /** Forgets the last rank when there is much data. */
  @CollAlgorithm(name = "pull", summary = "Forgets the last rank when there is much data.")
  public static final class WrongWhenLarge extends Right {
    @Override
    int ranks(AllReduceParam param, SubCommInfo comm) {
      return comm.localRankSize() - (param.outputBytes() >= LARGE ? 1 : 0);
    }
  }

  /** Forgets the last rank of four when bytes are multiplied in place, in plans of any size. */
  @CollAlgorithm(name = "pull", summary = "Forgets the last rank in one rare case.")
  public static final class RarelyWrong extends Right {
    @Override
    int ranks(AllReduceParam param, SubCommInfo comm) {
      boolean isRare =
          comm.localRankSize() == 4
              && param.dataType() == DataType.UINT8
              && param.reduceOp() == ReduceOp.PROD
              && param.count() > LARGE;
      return comm.localRankSize() - (isRare ? 1 : 0);
    }

    /** So many actions that a verdict would take too long, however fast each is judged. */
    @Override
    public void orchestrate(AllReduceParam param, AlgResourceResponse resources) {
      for (int i = 0; i < 20_000 && param.count() > 2 * LARGE; i++) {
        resources
            .mainStream()
            .copy(resources.scratchMem().slice(0, 8), resources.paramInputMem().slice(0, 8));
      }
      super.orchestrate(param, resources);
    }
  }

  /** For ten ranks and more. */
  @CollAlgorithm(name = "pull", summary = "For ten ranks and more.")
  public static final class ForMany extends Right {
    @Override
    public Support supports(AllReduceParam param) {
      return param.comm().rankSize() < 10 ? Support.no("too few ranks") : super.supports(param);
    }
  }

  /** For one group, which it names. */
  @CollAlgorithm(name = "pull", summary = "For one group.", shapes = "6+6|7")
  public static final class ForOneGroup extends Right {
    @Override
    public Support supports(AllReduceParam param) {
      return param.comm().topology().equals(Topology.parse("6+6|7"))
          ? super.supports(param)
          : Support.no("another group");
    }
  }

  /** Accepts only one group, which no check uses. */
  @CollAlgorithm(name = "pull", summary = "For a group that nobody knows.")
  public static final class ForNobody extends Right {
    @Override
    public Support supports(AllReduceParam param) {
      return param.comm().rankSize() == 997 ? Support.yes() : Support.no("not 997 ranks");
    }
  }

  /** For long vectors of one type. */
  @CollAlgorithm(name = "pull", summary = "For long vectors.")
  public static final class ForLongVectors extends Right {
    @Override
    public Support supports(AllReduceParam param) {
      return param.count() < 60_000 || param.dataType() != DataType.BFLOAT16
          ? Support.no("short, or of another type")
          : super.supports(param);
    }
  }

  /** For many ranks, and wrong. */
  @CollAlgorithm(name = "pull", summary = "Wrong for twelve ranks and more.")
  public static final class WrongForMany extends Right {
    @Override
    public Support supports(AllReduceParam param) {
      return param.comm().rankSize() < 12 ? Support.no("too few ranks") : super.supports(param);
    }

    @Override
    int ranks(AllReduceParam param, SubCommInfo comm) {
      return comm.localRankSize() - 1;
    }
  }

  /**
   * Takes a quarter of the result from one element too early, for one count. All actions are those
   * of other counts, and all spans are in the same order.
   */
  @CollAlgorithm(name = "pull", summary = "Shifts a part of the result in one rare case.")
  public static final class RarelyShifted extends Right {
    static final long SHIFTED = 777;

    @Override
    public void orchestrate(AllReduceParam param, AlgResourceResponse resources) {
      super.orchestrate(param, resources);
      DeviceMem output = resources.paramOutputMem();
      DeviceMem scratch = resources.scratchMem();
      long size = param.dataType().size();
      long bytes = param.count() / 4 * size;
      long start = 2 * bytes;
      resources.mainStream().copy(scratch.slice(0, output.size()), output);
      long from = param.count() == SHIFTED ? start - size : start;
      resources.mainStream().copy(output.slice(start, bytes), scratch.slice(from, bytes));
    }
  }

  /** Throws when there is much data. */
  @CollAlgorithm(name = "pull", summary = "Throws when there is much data.")
  public static final class ThrowsWhenLarge extends Right {
    @Override
    public AlgResourceRequest calcResRequest(AllReduceParam param) {
      if (param.outputBytes() >= LARGE) {
        throw new OutOfItException("too large for me");
      }
      return super.calcResRequest(param);
    }
  }

  /** An exception that only the plugin knows. */
  static final class OutOfItException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    OutOfItException(String message) {
      super(message);
    }
  }

  /** Never answers. */
  @CollAlgorithm(name = "pull", summary = "Never answers.")
  public static final class Endless extends Right {
    @Override
    public void orchestrate(AllReduceParam param, AlgResourceResponse resources) {
      for (int turn = 0; turn >= 0; turn = (turn + 1) & 0xff) {
        // Loops without forbidden calls; the host ends it.
      }
    }
  }
}
