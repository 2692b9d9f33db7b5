package dev.tutti.plugins.tree;

import dev.tutti.plugins.template.BinomialTree;
import dev.tutti.plugins.template.TreeBroadcast;
import dev.tutti.sdk.CollAlgorithm;
import dev.tutti.sdk.Cost;
import dev.tutti.sdk.Determinism;
import dev.tutti.sdk.ExecMem;
import dev.tutti.sdk.NativeExecutorBase;
import dev.tutti.sdk.param.BroadcastParam;
import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.resource.Slice;
import dev.tutti.sdk.resource.Stream;
import dev.tutti.sdk.template.TemplateParam;
import dev.tutti.sdk.topology.CommPlane;
import java.util.List;
import java.util.Optional;

/**
 * Binomial broadcast: in each step, every rank that has the data sends it to a rank that does not
 * have it yet.
 *
 * <p>Source: R. Thakur, R. Rabenseifner, W. Gropp, "Optimization of collective communication
 * operations in MPICH", Int. J. High Perform. Comput. Appl. 19(1), 2005. Cost for p ranks and n
 * bytes: {@code ⌈log2(p)⌉(α + nβ)}.
 */
@CollAlgorithm(
    name = "binomial",
    summary = "Down a binomial tree: the fewest steps, for short vectors",
    source = "Thakur, Rabenseifner, Gropp: Collective operations in MPICH, IJHPCA 19(1), 2005",
    formula = "⌈log2(p)⌉(α + nβ)")
public final class BinomialBroadcast extends NativeExecutorBase<BroadcastParam> {

  @Override
  protected OpCommTransport calcCommInfo(BroadcastParam param) {
    OpCommTransport.Builder links = OpCommTransport.builder(param.comm());
    new TreeBroadcast(param.root())
        .requestLinks(links, CommPlane.COMBINED, inputMemType(param), outputMemType(param));
    return links.build();
  }

  @Override
  protected void kernelRun(BroadcastParam param, ExecMem mem) {
    Stream stream = mem.resources().mainStream();
    List<Slice> whole = List.of(new Slice(0, mem.output().size()));
    new TreeBroadcast(param.root())
        .run(
            mem.resources().subComm(CommPlane.COMBINED),
            new TemplateParam(stream, mem.input(), mem.output(), whole, param.dataType(), null));
    if (param.comm().rank() == param.root() && !mem.inPlace()) {
      stream.copy(mem.output(), mem.input());
    }
  }

  @Override
  public Optional<Cost> cost(BroadcastParam param) {
    double steps = BinomialTree.degree(param.comm().rankSize());
    return Optional.of(new Cost(steps * rounds(param), steps * param.messageBytes(), 0));
  }

  /** Elements are only copied. */
  @Override
  public Determinism determinism() {
    return Determinism.SAME_SIZES;
  }
}
