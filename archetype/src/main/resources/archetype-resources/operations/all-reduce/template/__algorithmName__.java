package ${package};

import dev.tutti.plugins.template.RingAllGather;
import dev.tutti.plugins.template.RingReduceScatter;
import dev.tutti.sdk.CollAlgorithm;
import dev.tutti.sdk.Determinism;
import dev.tutti.sdk.ExecMem;
import dev.tutti.sdk.NativeExecutorBase;
import dev.tutti.sdk.param.AllReduceParam;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.resource.Slice;
import dev.tutti.sdk.resource.Stream;
import dev.tutti.sdk.resource.SubCommInfo;
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.sdk.template.AlgTemplate;
import dev.tutti.sdk.template.TemplateParam;
import dev.tutti.sdk.topology.CommPlane;
import java.util.List;

/**
 * Ring all-reduce from two templates: a reduce-scatter around the ring computes one slice of the
 * result on each rank, and an all-gather around the ring distributes all slices.
 *
 * <p>Correct for every number of ranks, in both workflow modes and over both protocols. Cost for p
 * ranks and n bytes: {@code 2(p-1)α + 2(p-1)/p·nβ + (p-1)/p·nγ}.
 */
@CollAlgorithm(
    name = "${algorithmId}",
    summary = "Reduce-scatter and all-gather around a ring: the fewest bytes, for long vectors",
    formula = "2(p-1)α + 2(p-1)/p·nβ + (p-1)/p·nγ")
public final class ${algorithmName} extends NativeExecutorBase<AllReduceParam> {

  // For another all-reduce, put another pair of templates here.
  private final AlgTemplate reduceScatter = new RingReduceScatter();
  private final AlgTemplate allGather = new RingAllGather();

  /** Each template requests its links. A link that both request is established once. */
  @Override
  protected OpCommTransport calcCommInfo(AllReduceParam param) {
    OpCommTransport.Builder links = OpCommTransport.builder(param.comm());
    // The caller's memory in GRAPH mode, the staging buffers in OP_BASE mode.
    TransportMemType output = outputMemType(param);
    TransportMemType input = isKernelInPlace(param) ? output : inputMemType(param);
    reduceScatter.requestLinks(links, CommPlane.COMBINED, input, output);
    allGather.requestLinks(links, CommPlane.COMBINED, input, output);
    return links.build();
  }

  /**
   * Lets the templates emit the actions of this rank in one round. Nothing runs here: the actions
   * become part of the plan, which the host checks once and then replays on data.
   */
  @Override
  protected void kernelRun(AllReduceParam param, ExecMem mem) {
    Stream stream = mem.resources().mainStream();
    SubCommInfo comm = mem.resources().subComm(CommPlane.COMBINED);
    if (comm.localRankSize() == 1 && !mem.inPlace()) {
      stream.copy(mem.output(), mem.input());
    }
    DeviceMem input = mem.inPlace() ? mem.output() : mem.input();
    // One slice for each rank, cut alike on all ranks, even if the count does not divide evenly.
    List<Slice> slices =
        Slice.partition(mem.count(), comm.localRankSize(), param.dataType().size());
    TemplateParam work =
        new TemplateParam(stream, input, mem.output(), slices, param.dataType(), param.reduceOp());
    reduceScatter.run(comm, work);
    allGather.run(comm, work);
  }

  /** The count decides where a slice begins, and so in which order its operands are combined. */
  @Override
  public Determinism determinism() {
    return Determinism.SAME_RANKS;
  }
}
