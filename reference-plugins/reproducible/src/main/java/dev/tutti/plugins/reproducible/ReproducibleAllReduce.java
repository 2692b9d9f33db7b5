package dev.tutti.plugins.reproducible;

import dev.tutti.plugins.template.Mesh;
import dev.tutti.plugins.template.MeshStages;
import dev.tutti.sdk.CollAlgorithm;
import dev.tutti.sdk.Cost;
import dev.tutti.sdk.Determinism;
import dev.tutti.sdk.ExecMem;
import dev.tutti.sdk.NativeExecutorBase;
import dev.tutti.sdk.Protocol;
import dev.tutti.sdk.Support;
import dev.tutti.sdk.param.AllReduceParam;
import dev.tutti.sdk.resource.Link;
import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.resource.Slice;
import dev.tutti.sdk.topology.CommPlane;
import java.util.List;
import java.util.Optional;

/**
 * All-reduce in one fixed order: every element is {@code ((x₀ ⊕ x₁) ⊕ x₂) ⊕ …}, with the operands
 * of ranks 0, 1, 2 … from left to right, as in a loop over the ranks. 16-bit floats are summed in
 * float32 and rounded once, at the end.
 *
 * <p>The bits of an element depend on nothing else: not on its place, the count, the slices, the
 * size of the CCL buffers, the mode, the protocol or the topology. One rank combines each slice in
 * one pass, and the result is copied, so all ranks get the same bits. With rings or trees, in
 * contrast, the order differs between slices or with the number of steps.
 *
 * <p>Source: HCCL's order-preserving all-reduce, and the two-stage form of vLLM's. Cost for p ranks
 * and n bytes: {@code pα + 2(p-1)/p·nβ + (p-1)/p·nγ} over direct links, {@code 2(p-1)α} over RDMA
 * links. No algorithm moves fewer bytes.
 */
@CollAlgorithm(
    name = "reproducible",
    summary = "Every element is summed in rank order: the same bits for any size and any network",
    source = "HCCL order-preserving all-reduce, vLLM custom all-reduce",
    formula = "pα + 2(p-1)/p·nβ + (p-1)/p·nγ")
public final class ReproducibleAllReduce extends NativeExecutorBase<AllReduceParam> {

  private static final int MAX_RANKS = 512;

  @Override
  public Support supports(AllReduceParam param) {
    int ranks = param.comm().rankSize();
    return Support.when(
        ranks <= MAX_RANKS,
        "takes up to %d ranks, for a full mesh has p² links. Actual: %d"
            .formatted(MAX_RANKS, ranks));
  }

  /** One order of operands for all elements, and one rounding for each. */
  @Override
  public Determinism determinism() {
    return Determinism.SAME_SIZES;
  }

  private static boolean isPulled(AllReduceParam param) {
    return param.comm().protocol(CommPlane.COMBINED) == Protocol.DIRECT;
  }

  private static List<Slice> slices(AllReduceParam param, long count) {
    return Slice.partition(count, param.comm().rankSize(), param.dataType().size());
  }

  @Override
  protected long calcScratchMemSize(AllReduceParam param) {
    Slice own = slices(param, maxCountPerRound(param)).get(param.comm().rank());
    return MeshStages.slotBytes(isPulled(param), param.comm().rankSize(), own.size());
  }

  @Override
  protected OpCommTransport calcCommInfo(AllReduceParam param) {
    return OpCommTransport.mesh(
        param.comm(),
        CommPlane.COMBINED,
        MeshStages.operandType(isPulled(param), inputMemType(param)),
        outputMemType(param));
  }

  @Override
  protected void kernelRun(AllReduceParam param, ExecMem mem) {
    Mesh mesh = new Mesh(mem.resources().subComm(CommPlane.COMBINED), mem.resources().mainStream());
    MeshStages stages =
        new MeshStages(
            mesh,
            isPulled(param),
            mem.input(),
            mem.output(),
            slices(param, mem.count()),
            mem.scratch());
    stages.reduceScatter(param.dataType(), param.reduceOp(), Link.READY);
    stages.allGather();
  }

  @Override
  public Optional<Cost> cost(AllReduceParam param) {
    if (param.count() == 0) {
      return Optional.of(new Cost(0, 0, 0));
    }
    long perRound = maxCountPerRound(param);
    long rounds = param.count() / perRound;
    double others = param.comm().rankSize() - 1;
    long fetched = rounds * largestSlice(param, perRound);
    long steps = rounds * steps(param, perRound);
    if (param.count() % perRound > 0) {
      fetched += largestSlice(param, param.count() % perRound);
      steps += steps(param, param.count() % perRound);
    }
    return Optional.of(new Cost(steps, 2 * others * fetched, others * fetched));
  }

  /** The first slice is never smaller than another one. */
  private static long largestSlice(AllReduceParam param, long count) {
    return slices(param, count).getFirst().size();
  }

  /**
   * The number of steps. If there are fewer elements than ranks, some own no slice, and the others
   * fetch fewer.
   */
  private static long steps(AllReduceParam param, long count) {
    long others = param.comm().rankSize() - 1L;
    long slicesOfOthers = Math.min(others, count);
    long firstStage = isPulled(param) ? Math.min(1, others) : slicesOfOthers;
    return firstStage + (isPulled(param) ? slicesOfOthers : others);
  }
}
