package ${package};

import dev.tutti.plugins.template.RingAllGather;
import dev.tutti.sdk.CollAlgorithm;
import dev.tutti.sdk.Determinism;
import dev.tutti.sdk.ExecMem;
import dev.tutti.sdk.NativeExecutorBase;
import dev.tutti.sdk.param.AllGatherParam;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.resource.Stream;
import dev.tutti.sdk.resource.SubCommInfo;
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.sdk.template.AlgTemplate;
import dev.tutti.sdk.template.TemplateParam;
import dev.tutti.sdk.topology.CommPlane;

/**
 * Ring all-gather from a template: each rank copies its own block to its output, and the template
 * fetches the blocks of the other ranks.
 *
 * <p>Correct for every number of ranks, in both workflow modes and over both protocols. Cost for p
 * ranks and n bytes of output: {@code (p-1)α + (p-1)/p·nβ}.
 */
@CollAlgorithm(
    name = "${algorithmId}",
    summary = "Passes blocks around a ring: the fewest bytes, for long messages",
    formula = "(p-1)α + (p-1)/p·nβ")
public final class ${algorithmName} extends NativeExecutorBase<AllGatherParam> {

  // For another all-gather, put another template here.
  private final AlgTemplate allGather = new RingAllGather();

  /** The template requests its links. */
  @Override
  protected OpCommTransport calcCommInfo(AllGatherParam param) {
    OpCommTransport.Builder links = OpCommTransport.builder(param.comm());
    // The caller's output in GRAPH mode, the staging buffer in OP_BASE mode: all that peers access.
    TransportMemType output = outputMemType(param);
    allGather.requestLinks(links, CommPlane.COMBINED, output, output);
    return links.build();
  }

  /**
   * Lets the template emit the actions of this rank in one round. Nothing runs here: the actions
   * become part of the plan, which the host checks once and then replays on data.
   */
  @Override
  protected void kernelRun(AllGatherParam param, ExecMem mem) {
    Stream stream = mem.resources().mainStream();
    SubCommInfo comm = mem.resources().subComm(CommPlane.COMBINED);
    stream.copy(mem.outputBlock(comm.localRank()), mem.input());
    // The template works in place on the output, whose slices are the blocks of the ranks.
    DeviceMem output = mem.output();
    allGather.run(
        comm,
        new TemplateParam(stream, output, output, mem.outputSlices(), param.dataType(), null));
  }

  /** The algorithm only moves data, so it never changes the bits. */
  @Override
  public Determinism determinism() {
    return Determinism.SAME_SIZES;
  }
}
