package dev.tutti.plugins.direct;

import dev.tutti.plugins.template.Blocks;
import dev.tutti.plugins.template.Mesh;
import dev.tutti.sdk.Cost;
import dev.tutti.sdk.Determinism;
import dev.tutti.sdk.ExecMem;
import dev.tutti.sdk.NativeExecutorBase;
import dev.tutti.sdk.Support;
import dev.tutti.sdk.param.OpParam;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.Link;
import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.resource.Stream;
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.sdk.topology.CommPlane;
import java.util.Optional;

/**
 * The common implementation of both forms of the direct all-gather. Every rank stores its input
 * into the outputs of its peers. It starts with the next rank, so that in each step only one other
 * rank stores to each rank.
 */
abstract class DirectGather<P extends OpParam> extends NativeExecutorBase<P> {

  @Override
  public Support supports(P param) {
    return MeshSize.supports(param.comm());
  }

  @Override
  protected OpCommTransport calcCommInfo(P param) {
    TransportMemType output = outputMemType(param);
    return OpCommTransport.mesh(param.comm(), CommPlane.COMBINED, output, output);
  }

  @Override
  protected void kernelRun(P param, ExecMem mem) {
    Mesh mesh = new Mesh(mem.resources().subComm(CommPlane.COMBINED), mem.resources().mainStream());
    Stream stream = mesh.stream();
    DeviceMem block = mem.outputBlock(mesh.comm().localRank());
    mesh.peers().forEach(peer -> mesh.comm().link(peer).post(stream, Link.READY));
    for (int peer : mesh.peers()) {
      Link link = mesh.comm().link(peer);
      link.await(stream, Link.READY);
      link.write(stream, link.remote(block), mem.input());
      link.post(stream, Link.FIN);
    }
    stream.copy(block, mem.input());
    mesh.peers().forEach(peer -> mesh.comm().link(peer).await(stream, Link.FIN));
  }

  /** The owner of the largest block takes longest: it stores the block at all others. */
  @Override
  public Optional<Cost> cost(P param) {
    double peers = param.comm().rankSize() - 1;
    return Optional.of(new Cost(peers * rounds(param), peers * Blocks.of(param).maxBytes(), 0));
  }

  /** Data is only moved. */
  @Override
  public Determinism determinism() {
    return Determinism.SAME_SIZES;
  }
}
