package dev.tutti.plugins.custom;

import dev.tutti.plugins.template.Mesh;
import dev.tutti.sdk.param.AllReduceParam;
import dev.tutti.sdk.resource.AlgResourceResponse;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.Link;
import dev.tutti.sdk.resource.Slice;
import dev.tutti.sdk.topology.CommPlane;

/**
 * One call, as one rank emits it.
 *
 * @param param the request, with at least one pack
 * @param memory the memory that peers load from
 * @param resources the resources of {@link PeerMemory#request}
 */
record Call(AllReduceParam param, PeerMemory memory, AlgResourceResponse resources) {

  /*
   * Each barrier gives every peer a guarantee that it needs before it continues. No two barriers of
   * a call share a notify.
   *
   * READY: my operand is in its place. Peers load it from here on.
   *
   * FIN, in two stages: my part is reduced. Peers gather it from here on.
   *
   * FIN_ACK: I no longer load your memory. A rank awaits this signal from every peer before it
   * returns, so the caller or the next call may overwrite what the peers have loaded. One stage
   * needs it in both modes; two stages need it in GRAPH mode, where parts are the caller's outputs.
   * In OP_BASE mode, two stages could rely on READY of the next call instead, as vLLM does: FIN
   * means that operands have been loaded, and parts are overwritten only after READY. But this
   * holds only between calls of this algorithm. Another algorithm may use AIV memory at once. Or it
   * may begin with a FIN, which would be lost at a peer that has not yet consumed the last one. So
   * every call is closed.
   *
   * No signal is lost. A rank posts READY again in its next call. By then, every peer has posted
   * FIN_ACK, so it has consumed READY and FIN of this call. A rank posts FIN_ACK again after every
   * peer has posted READY of the next call, so every peer has returned from this one.
   */

  /** Emits everything except the last barrier. */
  void run() {
    Mesh mesh = mesh();
    DeviceMem operand = resources.mem(memory.operands());
    if (memory.isStaged()) {
      mesh.stream().copy(operand, resources.paramInputMem());
    }
    mesh.barrier(Link.READY);
    if (StageChoice.isOneStage(param)) {
      reduce(resources.paramOutputMem(), operand);
    } else {
      reducePart(operand);
      mesh.barrier(Link.FIN);
      gatherParts();
    }
  }

  /** Waits until no peer loads this rank's memory. */
  void close() {
    mesh().barrier(Link.FIN_ACK);
  }

  private Mesh mesh() {
    return new Mesh(resources.subComm(CommPlane.LEVEL0), resources.mainStream());
  }

  private void reduce(DeviceMem result, DeviceMem operand) {
    Mesh mesh = mesh();
    mesh.stream().reduceFrom(result, mesh.atAll(operand), param.dataType(), param.reduceOp());
  }

  private void reducePart(DeviceMem operand) {
    Slice own = part(param.comm().rank());
    DeviceMem result = resources.mem(memory.parts()).slice(own);
    DeviceMem output = resources.paramOutputMem().slice(own);
    reduce(result, operand.slice(own));
    if (!result.equals(output)) {
      resources.mainStream().copy(output, result);
    }
  }

  private void gatherParts() {
    Mesh mesh = mesh();
    DeviceMem parts = resources.mem(memory.parts());
    for (int peer : mesh.peers()) {
      Slice part = part(peer);
      Link link = mesh.comm().link(peer);
      link.read(
          mesh.stream(), resources.paramOutputMem().slice(part), link.remote(parts.slice(part)));
    }
  }

  private Slice part(int rank) {
    return Packs.part(param.inputBytes(), param.comm().rankSize(), rank);
  }
}
