package dev.tutti.plugins.template;

import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.Link;
import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.resource.Slice;
import dev.tutti.sdk.resource.SubCommInfo;
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.sdk.template.AlgTemplate;
import dev.tutti.sdk.template.TemplateParam;
import dev.tutti.sdk.topology.CommPlane;
import java.util.List;

/**
 * Binomial gather: every rank collects the blocks of its subtree and writes them to its parent in
 * one piece.
 *
 * <p>The input of each rank is its block; the slices give the places of all ranks' blocks in the
 * output of the root. The output of every other rank with children is scratch memory of {@link
 * #scratchBytes}; leaves need none. Cost for p ranks and n bytes in all, p a power of two: {@code
 * log2(p)·α + (p-1)/p·nβ}.
 *
 * @param root the sub-communicator rank that gets the result
 * @param resultType the kind of memory of the root's output
 */
public record TreeGather(int root, TransportMemType resultType) implements AlgTemplate {

  /** Peers write only partial results and the result. */
  @Override
  public void requestLinks(
      OpCommTransport.Builder links,
      CommPlane plane,
      TransportMemType inputMemType,
      TransportMemType outputMemType) {
    links.tree(plane, TransportMemType.SCRATCH, resultType, root);
  }

  /** The bytes of scratch memory that this rank needs. */
  public static long scratchBytes(BinomialTree tree, List<Slice> slices) {
    return TreeBlocks.scratchBytes(tree, slices);
  }

  @Override
  public void run(SubCommInfo comm, TemplateParam param) {
    BinomialTree tree = BinomialTree.of(comm, root);
    Push push = new Push(param.stream());
    tree.children().forEach(child -> push.open(comm.link(child)));
    if (tree.isRoot()) {
      param.stream().copy(param.outputSlice(root), param.input());
    } else if (!tree.isLeaf()) {
      param.stream().copy(param.output().slice(0, param.input().size()), param.input());
    }
    tree.children().forEach(child -> push.receive(comm.link(child)));
    if (!tree.isRoot()) {
      send(tree, push, comm.link(tree.parent()), param);
    }
  }

  private void send(BinomialTree tree, Push push, Link link, TemplateParam param) {
    TreeBlocks blocks = new TreeBlocks(param.slices(), root);
    DeviceMem packed =
        tree.isLeaf()
            ? param.input()
            : param.output().slice(0, blocks.bytes(tree.place(), tree.end()));
    BinomialTree parent = tree.at(tree.parent());
    if (parent.isRoot()) {
      push.send(link, blocks.atRoot(link.remote(resultType), tree), blocks.packed(packed, tree));
    } else {
      DeviceMem scratch = link.remote(TransportMemType.SCRATCH);
      push.send(link, blocks.within(scratch, parent, tree), packed);
    }
  }
}
