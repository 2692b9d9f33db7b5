package ${package};

import dev.tutti.plugins.template.RingReduceScatter;
import dev.tutti.sdk.CollAlgorithm;
import dev.tutti.sdk.Determinism;
import dev.tutti.sdk.ExecMem;
import dev.tutti.sdk.NativeExecutorBase;
import dev.tutti.sdk.param.ReduceScatterParam;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.resource.Stream;
import dev.tutti.sdk.resource.SubCommInfo;
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.sdk.template.AlgTemplate;
import dev.tutti.sdk.template.TemplateParam;
import dev.tutti.sdk.topology.CommPlane;

/**
 * Ring reduce-scatter from a template: the partial result of each block moves around the ring to
 * the rank that owns the block.
 *
 * <p>Correct for every number of ranks, in both workflow modes and over both protocols. Cost for p
 * ranks and n bytes of input: {@code (p-1)α + (p-1)/p·n(β + γ)}.
 */
@CollAlgorithm(
    name = "${algorithmId}",
    summary = "Passes partial results around a ring: neighbours only, the fewest bytes",
    formula = "(p-1)α + (p-1)/p·n(β + γ)")
public final class ${algorithmName} extends NativeExecutorBase<ReduceScatterParam> {

  // For another reduce-scatter, put another template here.
  private final AlgTemplate reduceScatter = new RingReduceScatter();

  /**
   * The template keeps partial results in memory as large as the input; the output is too small.
   */
  @Override
  protected long calcScratchMemSize(ReduceScatterParam param) {
    int ranks = param.comm().rankSize();
    return ranks == 1 ? 0 : ranks * maxCountPerRound(param) * param.dataType().size();
  }

  /** The template requests its links. */
  @Override
  protected OpCommTransport calcCommInfo(ReduceScatterParam param) {
    OpCommTransport.Builder links = OpCommTransport.builder(param.comm());
    // The caller's input in GRAPH mode, the staging buffer in OP_BASE mode.
    reduceScatter.requestLinks(
        links, CommPlane.COMBINED, inputMemType(param), TransportMemType.SCRATCH);
    return links.build();
  }

  /**
   * Lets the template emit the actions of this rank in one round. Nothing runs here: the actions
   * become part of the plan, which the host checks once and then replays on data.
   */
  @Override
  protected void kernelRun(ReduceScatterParam param, ExecMem mem) {
    Stream stream = mem.resources().mainStream();
    SubCommInfo comm = mem.resources().subComm(CommPlane.COMBINED);
    DeviceMem sum = mem.inputBlock(comm.localRank());
    if (comm.localRankSize() > 1) {
      DeviceMem partial = mem.scratch().slice(0, mem.input().size());
      TemplateParam work =
          new TemplateParam(
              stream, mem.input(), partial, mem.inputSlices(), param.dataType(), param.reduceOp());
      reduceScatter.run(comm, work);
      sum = work.outputSlice(comm.localRank());
    }
    stream.copy(mem.output(), sum);
  }

  /** The operands are combined in ring order, which differs from block to block. */
  @Override
  public Determinism determinism() {
    return Determinism.SAME_RANKS;
  }
}
