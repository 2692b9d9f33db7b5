package dev.tutti.plugins.template;

import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.Link;
import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.resource.SubCommInfo;
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.sdk.template.AlgTemplate;
import dev.tutti.sdk.template.TemplateParam;
import dev.tutti.sdk.topology.CommPlane;
import java.util.List;

/**
 * Binomial reduce: every rank combines the partial results of its children, the smallest subtree
 * first, and offers the sum to its parent.
 *
 * <p>The input of each rank is its operand; the root's may be its output. The output of the root
 * gets the result, and that of every other rank with children is scratch memory for a partial
 * result; leaves need none. Cost for p ranks and n bytes: {@code ⌈log2(p)⌉(α + n(β + γ))}.
 *
 * @param root the sub-communicator rank that gets the result
 * @param operandType the kind of memory of the operands of all other ranks
 * @param resultType the kind of memory of the root's output
 */
public record TreeReduce(int root, TransportMemType operandType, TransportMemType resultType)
    implements AlgTemplate {

  /** Parents read inputs and partial results, or children write partial results and the result. */
  @Override
  public void requestLinks(
      OpCommTransport.Builder links,
      CommPlane plane,
      TransportMemType inputMemType,
      TransportMemType outputMemType) {
    links.tree(plane, inputMemType, outputMemType, root);
  }

  @Override
  public void run(SubCommInfo comm, TemplateParam param) {
    BinomialTree tree = BinomialTree.of(comm, root);
    ReduceFlow flow = new ReduceFlow(param.stream(), param.dataType(), param.reduceOp());
    DeviceMem operand = param.input();
    for (int child : tree.children()) {
      Link link = comm.link(child);
      TransportMemType offered = tree.at(child).isLeaf() ? operandType : TransportMemType.SCRATCH;
      flow.open(link, param.output(), operand);
      flow.combine(List.of(link), List.of(offered), param.output(), operand);
      operand = param.output();
    }
    if (!tree.isRoot()) {
      Link parent = comm.link(tree.parent());
      boolean isAtRoot = tree.at(tree.parent()).isRoot();
      flow.offer(parent, operand, isAtRoot ? resultType : TransportMemType.SCRATCH);
      flow.awaitTaken(parent);
    } else if (tree.isLeaf() && !operand.equals(param.output())) {
      param.stream().copy(param.output(), operand);
    }
  }
}
