package dev.tutti.plugins.tree;

import dev.tutti.plugins.template.ReduceFlow;
import dev.tutti.sdk.CollAlgorithm;
import dev.tutti.sdk.Cost;
import dev.tutti.sdk.Determinism;
import dev.tutti.sdk.ExecMem;
import dev.tutti.sdk.NativeExecutorBase;
import dev.tutti.sdk.param.ReduceParam;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.Link;
import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.resource.SubCommInfo;
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.sdk.topology.CommPlane;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * Linear reduce: the root combines the operands of all other ranks with its own. Over direct links,
 * the root reads all operands in place, in one pass, so no rank reads what another has just
 * written. Over RDMA links, one rank after another combines its operand into the root's result.
 *
 * <p>Source: the linear reduce of Open MPI's basic collectives. Cost for p ranks and n bytes:
 * {@code α + (p-1)n(β + γ)} over direct links, {@code (p-1)(α + n(β + γ))} over RDMA links.
 */
@CollAlgorithm(
    name = "linear",
    summary = "The root combines all operands in one pass: one step, for few ranks",
    source = "Open MPI, basic linear reduce",
    formula = "α + (p-1)n(β + γ) over direct links, with (p-1)α over RDMA links")
public final class LinearReduce extends NativeExecutorBase<ReduceParam> {

  @Override
  protected OpCommTransport calcCommInfo(ReduceParam param) {
    TransportMemType accessed =
        Star.isPulled(param.comm()) ? inputMemType(param) : outputMemType(param);
    return Star.links(param.comm(), param.root(), accessed);
  }

  @Override
  protected void kernelRun(ReduceParam param, ExecMem mem) {
    SubCommInfo comm = mem.resources().subComm(CommPlane.COMBINED);
    ReduceFlow flow =
        new ReduceFlow(mem.resources().mainStream(), param.dataType(), param.reduceOp());
    if (comm.localRank() != param.root()) {
      Link root = comm.link(param.root());
      flow.offer(root, mem.input(), outputMemType(param));
      flow.awaitTaken(root);
      return;
    }
    DeviceMem operand = mem.inPlace() ? mem.output() : mem.input();
    List<Link> leaves = Star.leafLinks(comm);
    if (!leaves.isEmpty()) {
      flow.open(leaves.getFirst(), mem.output(), operand);
      flow.combine(
          leaves, Collections.nCopies(leaves.size(), inputMemType(param)), mem.output(), operand);
    } else if (!mem.inPlace()) {
      flow.stream().copy(mem.output(), operand);
    }
  }

  @Override
  public Optional<Cost> cost(ReduceParam param) {
    long others = param.comm().rankSize() - 1L;
    double bytes = others * param.messageBytes();
    long messages = Star.isPulled(param.comm()) ? Math.min(1, others) : others;
    return Optional.of(new Cost(messages * rounds(param), bytes, bytes));
  }

  /** The operands are combined in one order, the same for all elements. */
  @Override
  public Determinism determinism() {
    return Determinism.SAME_SIZES;
  }
}
