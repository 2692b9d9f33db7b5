package dev.tutti.plugins.template;

import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.Protocol;
import dev.tutti.sdk.WorkflowMode;
import dev.tutti.sdk.resource.AlgResourceResponse;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.Link;
import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.resource.Stream;
import dev.tutti.sdk.resource.SubCommInfo;
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.sdk.topology.CommPlane;
import java.util.ArrayList;
import java.util.List;

/**
 * How ranks exchange messages when neither side knows where in the other's memory a message lies.
 * Each chunk passes through a slot that lies at one place on all ranks: over direct links the
 * sender's, over RDMA links the receiver's. In OP_BASE mode the CCL buffers are the slots, and RDMA
 * needs both, for the caller's memory is private. In GRAPH mode it is scratch memory.
 *
 * @param comm the group
 * @param chunkBytes the most bytes in a slot, equal on all ranks
 */
public record Staging(CommInfo comm, long chunkBytes) {

  /**
   * Slots for messages of whole elements.
   *
   * @param limit the most bytes in a slot; in OP_BASE mode a CCL buffer may hold less
   */
  public static Staging of(CommInfo comm, long limit, int elementSize) {
    long most = isStaged(comm) ? Math.min(limit, comm.cclBufferSize()) : limit;
    return new Staging(comm, most - most % elementSize);
  }

  private static boolean isStaged(CommInfo comm) {
    return comm.mode() == WorkflowMode.OP_BASE;
  }

  private boolean isPulled() {
    return comm.protocol(CommPlane.COMBINED) == Protocol.DIRECT;
  }

  private TransportMemType sendType() {
    return isStaged(comm) ? TransportMemType.CCL_INPUT : TransportMemType.SCRATCH;
  }

  private TransportMemType receiveType() {
    return isStaged(comm) ? TransportMemType.CCL_OUTPUT : TransportMemType.SCRATCH;
  }

  /** The links to some ranks. */
  public OpCommTransport links(int... peers) {
    return OpCommTransport.pairs(comm, CommPlane.COMBINED, sendType(), receiveType(), peers);
  }

  /**
   * The bytes of scratch memory that this rank needs.
   *
   * @param longestSent bytes of the longest message to another rank
   * @param longestReceived bytes of the longest message from another rank
   */
  public long scratchMemSize(long longestSent, long longestReceived) {
    if (isStaged(comm)) {
      return 0;
    }
    return Math.min(chunkBytes, isPulled() ? longestSent : longestReceived);
  }

  /**
   * Emits all messages between this rank and the one that lies some places behind it, and of the
   * one that lies as many before it. All ranks do so for ascending distances.
   *
   * @param distance 0 or more; 0 for this rank's messages to itself
   * @param sent the messages to the rank behind, in order
   * @param received the messages from the rank before, in order
   */
  public void exchange(
      AlgResourceResponse resources, int distance, List<DeviceMem> sent, List<DeviceMem> received) {
    List<DeviceMem> out = chunks(sent);
    List<DeviceMem> in = chunks(received);
    Stream stream = resources.mainStream();
    for (int i = 0; i < Math.max(out.size(), in.size()); i++) {
      if (distance == 0) {
        stream.copy(in.get(i), out.get(i));
      } else {
        exchangeChunks(resources, distance, at(out, i), at(in, i));
      }
    }
  }

  /** One chunk each way, or none. */
  private void exchangeChunks(
      AlgResourceResponse resources, int distance, List<DeviceMem> sent, List<DeviceMem> received) {
    Stream stream = resources.mainStream();
    SubCommInfo comm = resources.subComm(CommPlane.COMBINED);
    int size = comm.localRankSize();
    List<Outgoing> outgoing = new ArrayList<>();
    for (DeviceMem src : sent) {
      Link link = comm.link((comm.localRank() + distance) % size);
      outgoing.add(new Outgoing(link, staged(resources, src), receiveType(), 0));
    }
    List<Incoming> incoming = new ArrayList<>();
    for (DeviceMem dst : received) {
      Link link = comm.link((comm.localRank() + size - distance) % size);
      incoming.add(new Incoming(link, isPulled() ? dst : landing(resources, dst), sendType(), 0));
    }
    new Exchange(outgoing, incoming).run(stream);
    if (!isPulled()) {
      received.forEach(dst -> stream.copy(dst, landing(resources, dst)));
    }
  }

  /** Where a chunk is sent from: its slot, unless it is pushed out of registered memory. */
  private DeviceMem staged(AlgResourceResponse resources, DeviceMem src) {
    if (!isPulled() && !isStaged(comm)) {
      return src;
    }
    DeviceMem slot = resources.mem(sendType()).slice(0, src.size());
    resources.mainStream().copy(slot, src);
    return slot;
  }

  /** The slot that the sender of a chunk writes. */
  private DeviceMem landing(AlgResourceResponse resources, DeviceMem dst) {
    return resources.mem(receiveType()).slice(0, dst.size());
  }

  /** Cuts messages; empty ones vanish. */
  private List<DeviceMem> chunks(List<DeviceMem> messages) {
    List<DeviceMem> chunks = new ArrayList<>();
    for (DeviceMem message : messages) {
      for (long offset = 0; offset < message.size(); offset += chunkBytes) {
        chunks.add(message.slice(offset, Math.min(chunkBytes, message.size() - offset)));
      }
    }
    return chunks;
  }

  private static List<DeviceMem> at(List<DeviceMem> chunks, int index) {
    return index < chunks.size() ? List.of(chunks.get(index)) : List.of();
  }
}
