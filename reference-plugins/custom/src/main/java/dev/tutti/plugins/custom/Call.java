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
 * @param memory where peers load from
 * @param resources what {@link PeerMemory#request} asked for
 */
record Call(AllReduceParam param, PeerMemory memory, AlgResourceResponse resources) {

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

  /** Emits everything but the last barrier. */
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

  /** Waits until all peers have loaded what they load from this rank. */
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
