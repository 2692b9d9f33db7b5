package dev.tutti.testkit.rules;

import dev.tutti.sdk.ExecMem;
import dev.tutti.sdk.NativeExecutorBase;
import dev.tutti.sdk.param.OpParam;
import dev.tutti.sdk.resource.Link;
import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.resource.Stream;
import dev.tutti.sdk.resource.SubCommInfo;
import dev.tutti.sdk.topology.CommPlane;
import java.util.List;
import java.util.stream.IntStream;

/** An executor that requests links to all other ranks. */
public abstract class MeshExecutor<P extends OpParam> extends NativeExecutorBase<P> {

  @Override
  protected OpCommTransport calcCommInfo(P param) {
    return OpCommTransport.mesh(
        param.comm(), CommPlane.COMBINED, inputMemType(param), outputMemType(param));
  }

  /** The links to all other ranks, in the order of the ranks. */
  protected static List<Link> peers(ExecMem mem) {
    SubCommInfo all = mem.resources().subComm(CommPlane.COMBINED);
    return IntStream.range(0, all.localRankSize())
        .filter(rank -> rank != all.localRank())
        .mapToObj(all::link)
        .toList();
  }

  /** Posts a notify to all other ranks, and then awaits it from each of them. */
  protected static void exchange(ExecMem mem, Stream stream, int notify) {
    for (Link peer : peers(mem)) {
      peer.post(stream, notify);
    }
    for (Link peer : peers(mem)) {
      peer.await(stream, notify);
    }
  }
}
