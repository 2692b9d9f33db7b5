package dev.tutti.plugins.direct;

import dev.tutti.plugins.template.Blocks;
import dev.tutti.plugins.template.Mesh;
import dev.tutti.sdk.Determinism;
import dev.tutti.sdk.ExecMem;
import dev.tutti.sdk.NativeExecutorBase;
import dev.tutti.sdk.Protocol;
import dev.tutti.sdk.Support;
import dev.tutti.sdk.param.OpParam;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.Link;
import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.sdk.topology.CommPlane;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The common part of both forms of the direct reduce-scatter. Over direct links, every rank loads
 * its block of all inputs and combines them in one pass. Over RDMA links, the peers first store
 * these blocks in its scratch memory.
 */
abstract class DirectScatter<P extends OpParam> extends NativeExecutorBase<P> {

  @Override
  public Support supports(P param) {
    return MeshSize.supports(param.comm());
  }

  @Override
  protected OpCommTransport calcCommInfo(P param) {
    TransportMemType shared = pulls(param) ? inputMemType(param) : TransportMemType.SCRATCH;
    return OpCommTransport.mesh(param.comm(), CommPlane.COMBINED, shared, shared);
  }

  /** Whether ranks load from each other. */
  static boolean pulls(OpParam param) {
    return param.comm().protocol(CommPlane.COMBINED) == Protocol.DIRECT;
  }

  /** A slot for the block of each peer. */
  @Override
  protected long calcScratchMemSize(P param) {
    int peers = param.comm().rankSize() - 1;
    return pulls(param) ? 0 : peers * slotBytes(param);
  }

  private static long slotBytes(OpParam param) {
    Blocks blocks = Blocks.of(param);
    long count = Math.min(blocks.counts().get(param.comm().rank()), maxCountPerRound(param));
    return count * blocks.dataType().size();
  }

  @Override
  protected void kernelRun(P param, ExecMem mem) {
    Mesh mesh = new Mesh(mem.resources().subComm(CommPlane.COMBINED), mem.resources().mainStream());
    Blocks blocks = Blocks.of(param);
    DeviceMem own = mem.inputBlock(mesh.comm().localRank());
    if (pulls(param)) {
      mesh.barrier(Link.READY);
      mesh.stream().reduceFrom(mem.output(), mesh.atAll(own), blocks.dataType(), blocks.reduceOp());
      mesh.barrier(Link.FIN);
    } else {
      pushAll(mesh, mem);
      mesh.stream()
          .reduceFrom(mem.output(), pushed(mesh, mem, own), blocks.dataType(), blocks.reduceOp());
    }
  }

  private static void pushAll(Mesh mesh, ExecMem mem) {
    mesh.peers().forEach(peer -> mesh.comm().link(peer).post(mesh.stream(), Link.READY));
    for (int peer : mesh.peers()) {
      Link link = mesh.comm().link(peer);
      DeviceMem block = mem.inputBlock(peer);
      long offset = slot(mesh.comm().localRank(), peer) * block.size();
      link.await(mesh.stream(), Link.READY);
      link.write(
          mesh.stream(), link.remote(TransportMemType.SCRATCH).slice(offset, block.size()), block);
      link.post(mesh.stream(), Link.FIN);
    }
    mesh.peers().forEach(peer -> mesh.comm().link(peer).await(mesh.stream(), Link.FIN));
  }

  /** The operands of a rank in rank order: the blocks that the peers have pushed, and its own. */
  private static List<DeviceMem> pushed(Mesh mesh, ExecMem mem, DeviceMem own) {
    int rank = mesh.comm().localRank();
    return IntStream.range(0, mesh.comm().localRankSize())
        .mapToObj(
            src ->
                src == rank ? own : mem.scratch().slice(slot(src, rank) * own.size(), own.size()))
        .toList();
  }

  /** The slot for {@code src} at {@code dst}, which has none for itself. */
  private static long slot(int src, int dst) {
    return src < dst ? src : src - 1;
  }

  /** Each element is combined in rank order in one pass and rounded once. */
  @Override
  public Determinism determinism() {
    return Determinism.SAME_SIZES;
  }
}
