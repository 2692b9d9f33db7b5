package dev.tutti.plugins.custom;

import dev.tutti.plugins.template.Mesh;
import dev.tutti.sdk.AlgParameter;
import dev.tutti.sdk.CollAlgorithm;
import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.Cost;
import dev.tutti.sdk.Determinism;
import dev.tutti.sdk.Support;
import dev.tutti.sdk.param.AllReduceParam;
import dev.tutti.sdk.resource.AlgResourceRequest;
import dev.tutti.sdk.resource.AlgResourceResponse;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.Link;
import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.resource.Slice;
import dev.tutti.sdk.topology.CommPlane;
import java.util.List;
import java.util.Optional;

/**
 * The custom all-reduce of vLLM for 2, 4, 6 or 8 ranks of one node, which load one another's
 * memory: float32, float16 and bfloat16 vectors of whole 16-byte packs, below a maximum size.
 *
 * <p>In one stage, every rank reduces all inputs into its output: {@code α + (p-1)n(β + γ)} for p
 * ranks and n bytes. In two stages, every rank reduces one part of all inputs and gathers the other
 * parts: {@code pα + 2(p-1)/p·nβ + (p-1)/p·nγ}. Either way an element is accumulated in float32, in
 * the order of the ranks, and rounded once: its bits depend neither on the size nor on the stages.
 *
 * <p>In OP_BASE mode each rank first copies its input into staging memory: scratch in one stage,
 * AIV memory in two. In GRAPH mode peers load the callers' buffers and nothing is staged: inputs
 * are reduced where they are, and the reduced parts are gathered from the outputs.
 */
@CollAlgorithm(
    name = "custom",
    summary = "Few ranks of one node load one another's registered memory, in one or two stages",
    source = "vLLM custom all-reduce (PRs 2192, 2760, 8558, 14125)",
    formula = "α + (p-1)n(β + γ) in one stage, pα + 2(p-1)/p·nβ + (p-1)/p·nγ in two")
public class CustomAllReduce extends CollExecutorBase<AllReduceParam> {

  /*
   * Each barrier tells every peer something that it must know before it goes on, and no two barriers
   * of a call share a notify.
   *
   * READY: my operand is in its place. Peers load it from here on.
   *
   * FIN, in two stages: my part is reduced. Peers gather it from here on.
   *
   * FIN_ACK: I load nothing of yours any more. Before this rank returns it has this word of every
   * peer, so the caller, or the next call, may overwrite what they have loaded. One stage needs it in
   * both modes, and two stages need it in GRAPH mode, where parts are the caller's outputs. In
   * OP_BASE mode two stages could leave it to READY of the next call, as vLLM does: FIN says that
   * operands have been loaded, and parts are overwritten after READY only. That holds among calls of
   * this algorithm alone. Another one may use AIV memory at once, or begin with a FIN, which would be
   * lost on a peer that has not yet taken the last one; so every call is closed.
   *
   * No signal is lost. A rank posts READY again in its next call, so after every peer has posted
   * FIN_ACK, and thus taken READY and FIN of this call. It posts FIN_ACK again after every peer has
   * posted READY of the next call, and thus returned from this one.
   */

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
    if (param.count() == 0) {
      return AlgResourceRequest.none();
    }
    PeerMemory memory = memory(param);
    AlgResourceRequest request =
        AlgResourceRequest.of(
            OpCommTransport.mesh(
                param.comm(), CommPlane.LEVEL0, memory.operands(), memory.parts()));
    return switch (memory.operands()) {
      case PARAM_INPUT -> request;
      case SCRATCH -> request.withScratchMemSize(param.inputBytes());
      default -> request.withAivBufferSize(param.inputBytes());
    };
  }

  @Override
  public void orchestrate(AllReduceParam param, AlgResourceResponse resources) {
    if (param.count() == 0) {
      return;
    }
    Mesh mesh = new Mesh(resources.subComm(CommPlane.LEVEL0), resources.mainStream());
    PeerMemory memory = memory(param);
    DeviceMem operand = resources.mem(memory.operands());
    DeviceMem output = resources.paramOutputMem();
    if (memory.isStaged()) {
      mesh.stream().copy(operand, resources.paramInputMem());
    }
    mesh.barrier(Link.READY);
    if (StageChoice.isOneStage(param)) {
      reduce(param, mesh, output, operand);
    } else {
      DeviceMem parts = resources.mem(memory.parts());
      reducePart(param, mesh, operand, parts, output);
      mesh.barrier(Link.FIN);
      gatherParts(param, mesh, parts, output);
    }
    close(mesh);
  }

  private static void reduce(AllReduceParam param, Mesh mesh, DeviceMem result, DeviceMem operand) {
    mesh.stream().reduceFrom(result, mesh.atAll(operand), param.dataType(), param.reduceOp());
  }

  private static void reducePart(
      AllReduceParam param, Mesh mesh, DeviceMem operand, DeviceMem parts, DeviceMem output) {
    Slice own = part(param, mesh.comm().localRank());
    reduce(param, mesh, parts.slice(own), operand.slice(own));
    if (!parts.equals(output)) {
      mesh.stream().copy(output.slice(own), parts.slice(own));
    }
  }

  private static void gatherParts(
      AllReduceParam param, Mesh mesh, DeviceMem parts, DeviceMem output) {
    for (int peer : mesh.peers()) {
      Slice part = part(param, peer);
      Link link = mesh.comm().link(peer);
      link.read(mesh.stream(), output.slice(part), link.remote(parts.slice(part)));
    }
  }

  private static Slice part(AllReduceParam param, int rank) {
    return Packs.part(param.inputBytes(), param.comm().rankSize(), rank);
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
    double largest = part(param, ranks - 1).size();
    double steps = largest == bytes ? 2 : ranks;
    return Optional.of(new Cost(steps, 2 * others * largest, others * largest));
  }

  // Tests show what happens without these two.

  /** Where peers load from. */
  PeerMemory memory(AllReduceParam param) {
    return PeerMemory.of(param);
  }

  /** Waits until all peers have loaded what they load from this rank. */
  void close(Mesh mesh) {
    mesh.barrier(Link.FIN_ACK);
  }
}
