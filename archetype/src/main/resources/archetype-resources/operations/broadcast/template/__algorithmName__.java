package ${package};

import dev.tutti.plugins.template.TreeBroadcast;
import dev.tutti.sdk.CollAlgorithm;
import dev.tutti.sdk.Determinism;
import dev.tutti.sdk.ExecMem;
import dev.tutti.sdk.NativeExecutorBase;
import dev.tutti.sdk.param.BroadcastParam;
import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.resource.Slice;
import dev.tutti.sdk.resource.Stream;
import dev.tutti.sdk.resource.SubCommInfo;
import dev.tutti.sdk.template.AlgTemplate;
import dev.tutti.sdk.template.TemplateParam;
import dev.tutti.sdk.topology.CommPlane;
import java.util.List;

/**
 * Binomial broadcast from a template: in each step, every rank that has the data sends it to a rank
 * that does not.
 *
 * <p>Correct for every number of ranks and every root, in both workflow modes and over both
 * protocols. Cost for p ranks and n bytes: {@code ⌈log2(p)⌉(α + nβ)}.
 */
@CollAlgorithm(
    name = "${algorithmId}",
    summary = "Sends down a binomial tree: the fewest steps, for short vectors",
    formula = "⌈log2(p)⌉(α + nβ)")
public final class ${algorithmName} extends NativeExecutorBase<BroadcastParam> {

  /** For another broadcast, return another template. */
  private static AlgTemplate template(BroadcastParam param) {
    return new TreeBroadcast(param.root());
  }

  /** The template requests its links. */
  @Override
  protected OpCommTransport calcCommInfo(BroadcastParam param) {
    OpCommTransport.Builder links = OpCommTransport.builder(param.comm());
    // The caller's memory in GRAPH mode, the staging buffers in OP_BASE mode.
    template(param)
        .requestLinks(links, CommPlane.COMBINED, inputMemType(param), outputMemType(param));
    return links.build();
  }

  /**
   * Lets the template emit the actions of this rank in one round. Nothing runs here: the actions
   * become part of the plan, which the host checks once and then replays on data.
   */
  @Override
  protected void kernelRun(BroadcastParam param, ExecMem mem) {
    Stream stream = mem.resources().mainStream();
    SubCommInfo comm = mem.resources().subComm(CommPlane.COMBINED);
    List<Slice> whole = List.of(new Slice(0, mem.output().size()));
    template(param)
        .run(
            comm,
            new TemplateParam(stream, mem.input(), mem.output(), whole, param.dataType(), null));
    // The template does not write the root's own output.
    if (comm.localRank() == param.root() && !mem.inPlace()) {
      stream.copy(mem.output(), mem.input());
    }
  }

  /** The algorithm only moves data, so it never changes the bits. */
  @Override
  public Determinism determinism() {
    return Determinism.SAME_SIZES;
  }
}
