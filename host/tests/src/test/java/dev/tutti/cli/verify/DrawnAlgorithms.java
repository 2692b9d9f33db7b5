package dev.tutti.cli.verify;

import dev.tutti.sdk.CollAlgorithm;
import dev.tutti.sdk.ExecMem;
import dev.tutti.sdk.NativeExecutorBase;
import dev.tutti.sdk.param.AllReduceParam;
import dev.tutti.sdk.param.BarrierParam;
import dev.tutti.sdk.param.OpParam;
import dev.tutti.sdk.resource.Link;
import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.resource.Stream;
import dev.tutti.sdk.resource.SubCommInfo;
import dev.tutti.sdk.topology.CommPlane;

/** Wrong algorithms whose pictures are known. */
final class DrawnAlgorithms {

  private DrawnAlgorithms() {}

  private abstract static class Meshed<P extends OpParam> extends NativeExecutorBase<P> {

    @Override
    protected OpCommTransport calcCommInfo(P param) {
      return OpCommTransport.mesh(
          param.comm(), CommPlane.COMBINED, inputMemType(param), outputMemType(param));
    }

    static void barrier(SubCommInfo comm, Stream stream, int notify) {
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

  /** Every rank writes into the output of rank 0 at once. */
  @CollAlgorithm(name = "racing", summary = "All write to one place")
  static final class Racing extends Meshed<AllReduceParam> {

    @Override
    protected void kernelRun(AllReduceParam param, ExecMem mem) {
      SubCommInfo comm = mem.resources().subComm(CommPlane.COMBINED);
      Stream stream = mem.resources().mainStream();
      barrier(comm, stream, Link.READY);
      if (comm.localRank() != 0) {
        Link first = comm.link(0);
        first.write(stream, first.remote(mem.output()), mem.input());
      }
      barrier(comm, stream, Link.FIN);
    }
  }

  /** Every rank waits for the one before it, and tells the one behind it only then. */
  @CollAlgorithm(name = "circular", summary = "A cycle of waits")
  static final class Circular extends Meshed<BarrierParam> {

    @Override
    protected void kernelRun(BarrierParam param, ExecMem mem) {
      SubCommInfo comm = mem.resources().subComm(CommPlane.COMBINED);
      Stream stream = mem.resources().mainStream();
      int ranks = comm.localRankSize();
      if (ranks > 1) {
        comm.link((comm.localRank() + ranks - 1) % ranks).await(stream, Link.READY);
        comm.link((comm.localRank() + 1) % ranks).post(stream, Link.READY);
      }
    }
  }

  /** Says what a browser should not take for markup. */
  @CollAlgorithm(name = "hostile", summary = "Throws markup")
  static final class Hostile extends Meshed<AllReduceParam> {

    static final String MARKUP = "</script><script>document.title = 'hit'</script>&amp;\"'\u0001";

    @Override
    protected void kernelRun(AllReduceParam param, ExecMem mem) {
      throw new IllegalStateException(MARKUP);
    }
  }

  /** Goes round a ring many times; in groups of a thousand ranks and more, two ranks get stuck. */
  @CollAlgorithm(name = "late", summary = "Gets stuck in large groups")
  static final class Late extends NativeExecutorBase<BarrierParam> {

    static final int ROUNDS = 4000;

    @Override
    protected OpCommTransport calcCommInfo(BarrierParam param) {
      return OpCommTransport.ring(
          param.comm(), CommPlane.COMBINED, inputMemType(param), outputMemType(param));
    }

    @Override
    protected void kernelRun(BarrierParam param, ExecMem mem) {
      SubCommInfo comm = mem.resources().subComm(CommPlane.COMBINED);
      Stream stream = mem.resources().mainStream();
      int rank = comm.localRank();
      int ranks = comm.localRankSize();
      if (ranks == 1) {
        return;
      }
      Link next = comm.link((rank + 1) % ranks);
      Link previous = comm.link((rank + ranks - 1) % ranks);
      for (int round = 0; round < ROUNDS; round++) {
        boolean isStuck = round == ROUNDS / 2 && ranks >= 1000 && (rank == 5 || rank == 6);
        if (isStuck) {
          (rank == 5 ? next : previous).await(stream, Link.FIN_ACK);
          (rank == 5 ? next : previous).post(stream, Link.FIN_ACK);
        }
        next.post(stream, Link.READY);
        previous.await(stream, Link.READY);
        previous.post(stream, Link.FIN);
        next.await(stream, Link.FIN);
      }
    }
  }
}
