package dev.tutti.plugins.ring;

import dev.tutti.plugins.template.RingAllGather;
import dev.tutti.plugins.template.RingReduceScatter;
import dev.tutti.sdk.CollAlgorithm;
import dev.tutti.sdk.Cost;
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
import java.util.Optional;

/**
 * Ring all-reduce: a reduce-scatter from the input of each rank to its output ({@link
 * RingReduceScatter}), then an all-gather on the outputs ({@link RingAllGather}).
 *
 * <p>Source: P. Patarasuk, X. Yuan, "Bandwidth optimal all-reduce algorithms for clusters of
 * workstations", J. Parallel Distrib. Comput. 69(2), 2009. Cost for p ranks and n bytes: {@code
 * 2(p-1)α + 2(p-1)/p·nβ + (p-1)/p·nγ}.
 */
@CollAlgorithm(
    name = "ring",
    summary = "Reduce-scatter and all-gather around a ring: the fewest bytes, for long vectors",
    source = "Patarasuk, Yuan: Bandwidth optimal all-reduce algorithms, JPDC 69(2), 2009",
    formula = "2(p-1)α + 2(p-1)/p·nβ + (p-1)/p·nγ")
public final class RingAllReduce extends NativeExecutorBase<AllReduceParam> {

  private final AlgTemplate reduceScatter = new RingReduceScatter();
  private final AlgTemplate allGather = new RingAllGather();

  @Override
  protected OpCommTransport calcCommInfo(AllReduceParam param) {
    OpCommTransport.Builder links = OpCommTransport.builder(param.comm());
    TransportMemType output = outputMemType(param);
    TransportMemType input = isKernelInPlace(param) ? output : inputMemType(param);
    reduceScatter.requestLinks(links, CommPlane.COMBINED, input, output);
    allGather.requestLinks(links, CommPlane.COMBINED, input, output);
    return links.build();
  }

  @Override
  protected void kernelRun(AllReduceParam param, ExecMem mem) {
    Stream stream = mem.resources().mainStream();
    SubCommInfo comm = mem.resources().subComm(CommPlane.COMBINED);
    if (comm.localRankSize() == 1 && !mem.inPlace()) {
      stream.copy(mem.output(), mem.input());
    }
    DeviceMem input = mem.inPlace() ? mem.output() : mem.input();
    List<Slice> slices =
        Slice.partition(mem.count(), comm.localRankSize(), param.dataType().size());
    TemplateParam work =
        new TemplateParam(stream, input, mem.output(), slices, param.dataType(), param.reduceOp());
    reduceScatter.run(comm, work);
    allGather.run(comm, work);
  }

  @Override
  public Optional<Cost> cost(AllReduceParam param) {
    double ranks = param.comm().rankSize();
    double share = (ranks - 1) / ranks * param.inputBytes();
    return Optional.of(new Cost(2 * (ranks - 1) * rounds(param), 2 * share, share));
  }

  /** Each element is reduced once, in ring order from its slice's first rank, and then copied. */
  @Override
  public Determinism determinism() {
    return Determinism.SAME_RANKS;
  }
}
