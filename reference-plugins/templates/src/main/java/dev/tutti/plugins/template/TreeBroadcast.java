package dev.tutti.plugins.template;

import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.Link;
import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.resource.SubCommInfo;
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.sdk.template.AlgTemplate;
import dev.tutti.sdk.template.TemplateParam;
import dev.tutti.sdk.topology.CommPlane;

/**
 * Binomial broadcast: the root writes its input into the outputs of its children, the largest
 * subtree first, and so on down the tree. The root's own output is not written.
 *
 * <p>Cost for p ranks and n bytes: {@code ⌈log2(p)⌉(α + nβ)}.
 *
 * @param root the sub-communicator rank that has the data
 */
public record TreeBroadcast(int root) implements AlgTemplate {

  /** Only outputs have to be registered: peers write them, and access nothing else. */
  @Override
  public void requestLinks(
      OpCommTransport.Builder links,
      CommPlane plane,
      TransportMemType inputMemType,
      TransportMemType outputMemType) {
    links.tree(plane, outputMemType, outputMemType, root);
  }

  @Override
  public void run(SubCommInfo comm, TemplateParam param) {
    BinomialTree tree = BinomialTree.of(comm, root);
    Push push = new Push(param.stream());
    if (!tree.isRoot()) {
      push.open(comm.link(tree.parent()));
      push.receive(comm.link(tree.parent()));
    }
    DeviceMem data = tree.isRoot() ? param.input() : param.output();
    for (int child : tree.children().reversed()) {
      Link link = comm.link(child);
      push.send(link, link.remote(param.output()), data);
    }
  }
}
