package dev.tutti.plugins.custom;

import dev.tutti.sdk.AlgParameter;
import dev.tutti.sdk.CollAlgorithm;
import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.Cost;
import dev.tutti.sdk.Determinism;
import dev.tutti.sdk.Support;
import dev.tutti.sdk.param.AllReduceParam;
import dev.tutti.sdk.resource.AlgResourceRequest;
import dev.tutti.sdk.resource.AlgResourceResponse;
import java.util.List;
import java.util.Optional;

/**
 * The custom all-reduce of vLLM, for 2, 4, 6 or 8 ranks of one node. The ranks load from each
 * other's memory. It accepts vectors of float32, float16 or bfloat16 below a maximum size; the size
 * must be a multiple of 16 bytes.
 *
 * <p>In one stage, every rank reduces all inputs into its output, which costs {@code α + (p-1)n(β +
 * γ)} for p ranks and n bytes. In two stages, every rank reduces one part of all inputs and gathers
 * the other parts, which costs {@code pα + 2(p-1)/p·nβ + (p-1)/p·nγ}. In both forms, a rank
 * accumulates each element in float32, in the order of the ranks, and rounds it once. So the bits
 * of an element do not depend on the size or the number of stages.
 *
 * <p>In OP_BASE mode each rank first copies its input into its AIV memory. In GRAPH mode there is
 * no such copy: peers load the inputs from the callers' buffers, and gather the reduced parts from
 * the outputs.
 */
@CollAlgorithm(
    name = "custom",
    summary = "Few ranks of one node load one another's registered memory, in one or two stages",
    source = "vLLM custom all-reduce (PRs 2192, 2760, 8558, 14125)",
    formula = "α + (p-1)n(β + γ) in one stage, pα + 2(p-1)/p·nβ + (p-1)/p·nγ in two")
public final class CustomAllReduce extends CollExecutorBase<AllReduceParam> {

  @Override
  public List<AlgParameter<?>> parameters() {
    return List.of(StageChoice.ALGORITHM, StageChoice.PROFILE, Admission.MAX_BYTES);
  }

  @Override
  public Support supports(AllReduceParam param) {
    return Admission.of(param);
  }

  /** Each element is combined in rank order in one pass and rounded once, in either form. */
  @Override
  public Determinism determinism() {
    return Determinism.SAME_SIZES;
  }

  @Override
  public AlgResourceRequest calcResRequest(AllReduceParam param) {
    return param.count() == 0 ? AlgResourceRequest.none() : PeerMemory.of(param).request(param);
  }

  @Override
  public void orchestrate(AllReduceParam param, AlgResourceResponse resources) {
    if (param.count() > 0) {
      Call call = new Call(param, PeerMemory.of(param), resources);
      call.run();
      call.close();
    }
  }

  @Override
  public Optional<Cost> cost(AllReduceParam param) {
    int ranks = param.comm().rankSize();
    double others = ranks - 1;
    double bytes = param.inputBytes();
    if (bytes == 0) {
      return Optional.of(new Cost(0, 0, 0));
    }
    if (StageChoice.isOneStage(param)) {
      return Optional.of(new Cost(1, others * bytes, others * bytes));
    }
    double largest = Packs.part(param.inputBytes(), ranks, ranks - 1).size();
    double steps = largest == bytes ? 2 : ranks;
    return Optional.of(new Cost(steps, 2 * others * largest, others * largest));
  }
}
