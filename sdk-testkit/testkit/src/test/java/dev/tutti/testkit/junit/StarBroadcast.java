package dev.tutti.testkit.junit;

import dev.tutti.sdk.CollAlgorithm;
import dev.tutti.sdk.ExecMem;
import dev.tutti.sdk.NativeExecutorBase;
import dev.tutti.sdk.Support;
import dev.tutti.sdk.param.BroadcastParam;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.Link;
import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.resource.Stream;
import dev.tutti.sdk.resource.SubCommInfo;
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.sdk.topology.CommPlane;

/** The root writes to every rank, one after another: right in every case. */
@CollAlgorithm(name = "star", summary = "The root writes to every rank")
public class StarBroadcast extends NativeExecutorBase<BroadcastParam> {

  /** Does not signal the root when the output may be written. */
  @CollAlgorithm(name = "hasty", summary = "Does not wait for the receivers")
  public static class Hasty extends StarBroadcast {
    @Override
    boolean waits() {
      return false;
    }
  }

  /** Leaves the root's own output as it is. */
  @CollAlgorithm(name = "forgetful", summary = "Forgets the root")
  public static final class Forgetful extends StarBroadcast {
    @Override
    boolean forgetsItself() {
      return true;
    }
  }

  /** Accepts powers of two only. */
  @CollAlgorithm(name = "narrow", summary = "Takes powers of two")
  public static class Narrow extends StarBroadcast {
    @Override
    public Support supports(BroadcastParam param) {
      int ranks = param.comm().rankSize();
      return Support.when(
          Integer.bitCount(ranks) == 1, "needs a power of two ranks. Actual: " + ranks);
    }
  }

  /** Refuses everything. */
  @CollAlgorithm(name = "stubborn", summary = "Takes nothing")
  public static final class Stubborn extends StarBroadcast {
    @Override
    public Support supports(BroadcastParam param) {
      return Support.no("not today");
    }
  }

  /** Reads a clock. */
  @CollAlgorithm(name = "timely", summary = "Looks at a clock")
  public static final class Timely extends StarBroadcast {
    @Override
    boolean waits() {
      return System.nanoTime() != 0 || super.waits();
    }
  }

  /** Plans until it is stopped. */
  @CollAlgorithm(name = "endless", summary = "Never ends to plan")
  public static final class Endless extends StarBroadcast {
    @Override
    boolean waits() {
      while (!Thread.currentThread().isInterrupted()) {
        Thread.onSpinWait();
      }
      return true;
    }
  }

  boolean waits() {
    return true;
  }

  boolean forgetsItself() {
    return false;
  }

  @Override
  protected OpCommTransport calcCommInfo(BroadcastParam param) {
    TransportMemType output = outputMemType(param);
    return param.comm().rank() == param.root()
        ? OpCommTransport.mesh(param.comm(), CommPlane.COMBINED, output, output)
        : OpCommTransport.pairs(param.comm(), CommPlane.COMBINED, output, output, param.root());
  }

  @Override
  protected void kernelRun(BroadcastParam param, ExecMem mem) {
    Stream stream = mem.resources().mainStream();
    SubCommInfo comm = mem.resources().subComm(CommPlane.COMBINED);
    if (comm.localRank() != param.root()) {
      Link root = comm.link(param.root());
      if (waits()) {
        root.post(stream, Link.READY);
      }
      root.await(stream, Link.FIN);
      return;
    }
    DeviceMem content = forgetsItself() ? mem.input() : mem.output();
    if (!mem.inPlace() && !forgetsItself()) {
      stream.copy(mem.output(), mem.input());
    }
    for (int rank = 0; rank < comm.localRankSize(); rank++) {
      if (rank != param.root()) {
        Link link = comm.link(rank);
        if (waits()) {
          link.await(stream, Link.READY);
        }
        link.write(stream, link.remote(mem.output()), content);
        link.post(stream, Link.FIN);
      }
    }
  }
}
