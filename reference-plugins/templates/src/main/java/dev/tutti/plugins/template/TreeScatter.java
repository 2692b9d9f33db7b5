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
 * Binomial scatter: every rank gets the blocks of its subtree in one piece from its parent, keeps
 * its own and writes the others to its children, the largest subtree first.
 *
 * <p>The output of each rank is its block; the slices give the places of all ranks' blocks in the
 * input of the root. The input of every other rank with children is scratch memory of {@link
 * #scratchBytes}; leaves need none. Cost for p ranks and n bytes in all: {@code ⌈log2(p)⌉α +
 * (p-1)/p·nβ}.
 *
 * @param root the sub-communicator rank that has the data
 */
public record TreeScatter(int root) implements AlgTemplate {

  /** Peers write only packed blocks and outputs. */
  @Override
  public void requestLinks(
      OpCommTransport.Builder links,
      CommPlane plane,
      TransportMemType inputMemType,
      TransportMemType outputMemType) {
    links.tree(plane, TransportMemType.SCRATCH, outputMemType, root);
  }

  /** The bytes of scratch memory that this rank needs. */
  public static long scratchBytes(BinomialTree tree, List<Slice> slices) {
    return TreeBlocks.scratchBytes(tree, slices);
  }

  @Override
  public void run(SubCommInfo comm, TemplateParam param) {
    BinomialTree tree = BinomialTree.of(comm, root);
    Push push = new Push(param.stream());
    if (!tree.isRoot()) {
      push.open(comm.link(tree.parent()));
      push.receive(comm.link(tree.parent()));
    }
    for (int child : tree.children().reversed()) {
      send(tree, tree.at(child), push, comm.link(child), param);
    }
    if (tree.isRoot()) {
      param.stream().copy(param.output(), param.inputSlice(root));
    } else if (!tree.isLeaf()) {
      param.stream().copy(param.output(), param.input().slice(0, param.output().size()));
    }
  }

  private void send(
      BinomialTree tree, BinomialTree child, Push push, Link link, TemplateParam param) {
    TreeBlocks blocks = new TreeBlocks(param.slices(), root);
    DeviceMem remote =
        link.remote(child.isLeaf() ? param.output().type() : TransportMemType.SCRATCH)
            .slice(0, blocks.bytes(child.place(), child.end()));
    if (tree.isRoot()) {
      push.send(link, blocks.packed(remote, child), blocks.atRoot(param.input(), child));
    } else {
      push.send(link, remote, blocks.within(param.input(), tree, child));
    }
  }
}
