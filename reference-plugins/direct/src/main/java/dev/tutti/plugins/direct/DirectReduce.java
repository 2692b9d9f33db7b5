package dev.tutti.plugins.direct;

import dev.tutti.plugins.template.Mesh;
import dev.tutti.sdk.CollAlgorithm;
import dev.tutti.sdk.Cost;
import dev.tutti.sdk.Determinism;
import dev.tutti.sdk.ExecMem;
import dev.tutti.sdk.NativeExecutorBase;
import dev.tutti.sdk.Support;
import dev.tutti.sdk.param.ReduceParam;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.Link;
import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.resource.Slice;
import dev.tutti.sdk.topology.CommPlane;
import java.util.List;
import java.util.Optional;

/**
 * Direct reduce over a full mesh: every rank loads one slice of all inputs, combines them in rank
 * order and writes the result into the root's output. No rank waits for the result of another.
 *
 * <p>Source: HCCL's mesh, and the first stage of vLLM's custom all-reduce (two-shot). Cost for p
 * ranks and n bytes: {@code 2α + 2(p-1)/p·nβ + (p-1)/p·nγ}.
 */
@CollAlgorithm(
    name = "direct",
    summary = "Each rank reduces one slice over direct links and writes it to the root",
    source = "HCCL mesh, vLLM custom all-reduce",
    formula = "2α + 2(p-1)/p·nβ + (p-1)/p·nγ")
public final class DirectReduce extends NativeExecutorBase<ReduceParam> {

  @Override
  public Support supports(ReduceParam param) {
    return MeshSize.supportsLoads(param.comm());
  }

  /** Each element is combined in rank order in one pass and rounded once. */
  @Override
  public Determinism determinism() {
    return Determinism.SAME_SIZES;
  }

  private static boolean isRoot(ReduceParam param) {
    return param.comm().rank() == param.root();
  }

  @Override
  protected OpCommTransport calcCommInfo(ReduceParam param) {
    return OpCommTransport.mesh(
        param.comm(), CommPlane.COMBINED, inputMemType(param), outputMemType(param));
  }

  /** Scratch memory for this rank's slice of the result, which it then writes to the root. */
  @Override
  protected long calcScratchMemSize(ReduceParam param) {
    return isRoot(param)
        ? 0
        : MeshSlices.mostBytes(
            param.comm(), param.dataType(), param.count(), maxCountPerRound(param));
  }

  /**
   * Free of races even in place: between the barriers, slice r of every rank's memory is accessed
   * by rank r alone, which reads all inputs before it writes the output.
   */
  @Override
  protected void kernelRun(ReduceParam param, ExecMem mem) {
    Mesh mesh = new Mesh(mem.resources().subComm(CommPlane.COMBINED), mem.resources().mainStream());
    Slice slice = MeshSlices.own(param.comm(), param.dataType(), mem.count());
    DeviceMem operand = mem.input().slice(slice);
    mesh.barrier(Link.READY);
    if (isRoot(param)) {
      reduce(param, mesh, mem.output().slice(slice), operand);
    } else {
      DeviceMem result = mem.scratch().slice(0, slice.size());
      Link root = mesh.comm().link(param.root());
      reduce(param, mesh, result, operand);
      root.write(mesh.stream(), root.remote(outputMemType(param)).slice(slice), result);
    }
    mesh.barrier(Link.FIN);
  }

  private static void reduce(ReduceParam param, Mesh mesh, DeviceMem result, DeviceMem operand) {
    mesh.stream().reduceFrom(result, mesh.atAll(operand), param.dataType(), param.reduceOp());
  }

  @Override
  public Optional<Cost> cost(ReduceParam param) {
    if (param.comm().rankSize() == 1 || param.count() == 0) {
      return Optional.of(new Cost(0, 0, 0));
    }
    return RoundCosts.sum(
        param.count(),
        maxCountPerRound(param),
        count -> cost(MeshSlices.bytes(param.comm(), param.dataType(), count)));
  }

  /**
   * A closed form for equal slices; otherwise ranks with smaller slices write to the root while
   * others still load.
   */
  private static Optional<Cost> cost(List<Long> slices) {
    double others = slices.size() - 1;
    double slice = slices.getFirst();
    return slices.stream().allMatch(slices.getFirst()::equals)
        ? Optional.of(new Cost(2, 2 * others * slice, others * slice))
        : Optional.empty();
  }
}
