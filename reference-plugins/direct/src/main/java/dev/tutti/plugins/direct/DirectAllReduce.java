package dev.tutti.plugins.direct;

import dev.tutti.plugins.template.Mesh;
import dev.tutti.sdk.AlgParameter;
import dev.tutti.sdk.CollAlgorithm;
import dev.tutti.sdk.Cost;
import dev.tutti.sdk.Determinism;
import dev.tutti.sdk.ExecMem;
import dev.tutti.sdk.NativeExecutorBase;
import dev.tutti.sdk.Support;
import dev.tutti.sdk.param.AllReduceParam;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.Link;
import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.resource.Slice;
import dev.tutti.sdk.topology.CommPlane;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * Direct all-reduce over a full mesh: ranks load each other's memory and combine it in rank order.
 *
 * <p>In one stage, every rank reduces all inputs into its own output, which costs {@code α +
 * (p-1)n(β + γ)} for p ranks and n bytes. In two stages, every rank reduces one slice of all inputs
 * and writes it into all outputs, which costs {@code pα + 2(p-1)/p·nβ + (p-1)/p·nγ}. Source: vLLM's
 * custom all-reduce (one-shot and two-shot) and HCCL's mesh.
 */
@CollAlgorithm(
    name = "direct",
    summary = "Reduces all peers' memory over direct links: few steps, same bits for any size",
    source = "vLLM custom all-reduce, HCCL mesh",
    formula = "α + (p-1)n(β + γ) in one stage, pα + 2(p-1)/p·nβ + (p-1)/p·nγ in two")
public final class DirectAllReduce extends NativeExecutorBase<AllReduceParam> {

  @Override
  public List<AlgParameter<?>> parameters() {
    return List.of(StageChoice.ALGORITHM, StageChoice.ONE_STAGE_BYTES);
  }

  @Override
  public Support supports(AllReduceParam param) {
    return MeshSize.supportsLoads(param.comm());
  }

  /** Each element is combined in rank order in one pass and rounded once, in either form. */
  @Override
  public Determinism determinism() {
    return Determinism.SAME_SIZES;
  }

  private static int stages(AllReduceParam param) {
    return StageChoice.stages(param, isKernelInPlace(param));
  }

  @Override
  protected OpCommTransport calcCommInfo(AllReduceParam param) {
    return OpCommTransport.mesh(
        param.comm(), CommPlane.COMBINED, inputMemType(param), outputMemType(param));
  }

  @Override
  protected long calcScratchMemSize(AllReduceParam param) {
    return isKernelInPlace(param) && stages(param) == 1 ? param.outputBytes() : 0;
  }

  @Override
  protected void kernelRun(AllReduceParam param, ExecMem mem) {
    Mesh mesh = new Mesh(mem.resources().subComm(CommPlane.COMBINED), mem.resources().mainStream());
    if (stages(param) == 1) {
      runOneStage(param, mem, mesh);
    } else {
      runTwoStages(param, mem, mesh);
    }
  }

  /**
   * In place, peers read the input until the last barrier, so the result waits in scratch memory.
   */
  private static void runOneStage(AllReduceParam param, ExecMem mem, Mesh mesh) {
    DeviceMem result = mem.inPlace() ? mem.scratch() : mem.output();
    mesh.barrier(Link.READY);
    mesh.stream().reduceFrom(result, mesh.atAll(mem.input()), param.dataType(), param.reduceOp());
    mesh.barrier(Link.FIN);
    if (mem.inPlace()) {
      mesh.stream().copy(mem.output(), result);
    }
  }

  /**
   * Free of races even in place: between the barriers, slice r of every rank's memory is accessed
   * by rank r alone, which reads all inputs before it writes any output.
   */
  private static void runTwoStages(AllReduceParam param, ExecMem mem, Mesh mesh) {
    Slice slice = MeshSlices.own(param.comm(), param.dataType(), mem.count());
    DeviceMem operand = mem.input().slice(slice);
    DeviceMem result = mem.output().slice(slice);
    mesh.barrier(Link.READY);
    mesh.stream().reduceFrom(result, mesh.atAll(operand), param.dataType(), param.reduceOp());
    for (int peer : mesh.peers()) {
      Link link = mesh.comm().link(peer);
      link.write(mesh.stream(), link.remote(result), result);
    }
    mesh.barrier(Link.FIN);
  }

  @Override
  public Optional<Cost> cost(AllReduceParam param) {
    double others = param.comm().rankSize() - 1;
    double bytes = param.inputBytes();
    if (others == 0 || bytes == 0) {
      return Optional.of(new Cost(0, 0, 0));
    }
    if (stages(param) == 1) {
      return Optional.of(new Cost(rounds(param), others * bytes, others * bytes));
    }
    return RoundCosts.sum(
        param.count(),
        maxCountPerRound(param),
        count -> {
          double slice = Collections.max(MeshSlices.bytes(param.comm(), param.dataType(), count));
          return Optional.of(new Cost(others + 1, 2 * others * slice, others * slice));
        });
  }
}
