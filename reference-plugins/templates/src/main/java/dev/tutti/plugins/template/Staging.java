package dev.tutti.plugins.template;

import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.Protocol;
import dev.tutti.sdk.WorkflowMode;
import dev.tutti.sdk.resource.AlgResourceResponse;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.resource.Stream;
import dev.tutti.sdk.resource.SubCommInfo;
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.sdk.topology.CommPlane;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Exchanges messages when neither side knows the place of a message in the other's memory. Each
 * chunk passes through a slot that is at the same place on all ranks: the sender's slot over direct
 * links, the receiver's over RDMA links. In OP_BASE mode, the CCL buffers hold the slots; RDMA
 * needs the slots of both sides, because the caller's memory is private. In GRAPH mode, scratch
 * memory holds the slots.
 *
 * @param comm the group
 * @param chunkBytes the most bytes in a slot, equal on all ranks
 * @param hasSlotForEachPeer whether a rank has one slot for each other rank, in rank order, instead
 *     of one slot for all
 */
public record Staging(CommInfo comm, long chunkBytes, boolean hasSlotForEachPeer) {

  /**
   * One slot for messages of whole elements.
   *
   * @param limit the most bytes in a slot; in OP_BASE mode a CCL buffer may hold less
   */
  public static Staging of(CommInfo comm, long limit, int elementSize) {
    return new Staging(comm, wholeElements(limitPerSlot(comm, limit, 1), elementSize), false);
  }

  /**
   * A slot for each other rank, so that messages to and from all of them may be in progress at
   * once.
   *
   * @param limit the most bytes in a slot; in OP_BASE mode the part of a CCL buffer may hold less
   */
  public static Staging forEachPeer(CommInfo comm, long limit, int elementSize) {
    int slots = Math.max(1, comm.rankSize() - 1);
    return new Staging(comm, wholeElements(limitPerSlot(comm, limit, slots), elementSize), true);
  }

  private static long limitPerSlot(CommInfo comm, long limit, int slots) {
    return isStaged(comm) ? Math.min(limit, comm.cclBufferSize() / slots) : limit;
  }

  private static long wholeElements(long bytes, int elementSize) {
    return bytes - bytes % elementSize;
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
   * @param longestSent bytes of the longest message to each rank, in rank order
   * @param longestReceived bytes of the longest message from each rank, in rank order
   */
  public long scratchMemSize(List<Long> longestSent, List<Long> longestReceived) {
    if (isStaged(comm)) {
      return 0;
    }
    List<Long> longest = isPulled() ? longestSent : longestReceived;
    long end = 0;
    for (int peer = 0; peer < longest.size(); peer++) {
      if (peer != comm.rank() && longest.get(peer) > 0) {
        end = Math.max(end, slot(comm.rank(), peer) + Math.min(chunkBytes, longest.get(peer)));
      }
    }
    return end;
  }

  /** The offset of the slot for a peer in a rank's memory. */
  private long slot(int owner, int peer) {
    return hasSlotForEachPeer ? (peer < owner ? peer : peer - 1) * chunkBytes : 0;
  }

  /**
   * Emits all messages to the rank some places behind this one, and from the rank as many places
   * before it. All ranks must call this with ascending distances.
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
    int size = comm.rankSize();
    for (int i = 0; i < Math.max(out.size(), in.size()); i++) {
      if (distance == 0) {
        stream.copy(in.get(i), out.get(i));
      } else {
        exchangeChunks(
            resources,
            chunk((comm.rank() + distance) % size, out, i),
            chunk((comm.rank() + size - distance) % size, in, i));
      }
    }
  }

  /**
   * Emits one message to each other rank, and one from each, all at the same time. Needs a slot for
   * each peer.
   *
   * @param sent the messages in rank order; this rank's message to itself is left out
   * @param received the messages in rank order; this rank's message to itself is left out
   */
  public void exchangeAll(
      AlgResourceResponse resources, List<DeviceMem> sent, List<DeviceMem> received) {
    int size = comm.rankSize();
    List<List<DeviceMem>> out = sent.stream().map(message -> chunks(List.of(message))).toList();
    List<List<DeviceMem>> in = received.stream().map(message -> chunks(List.of(message))).toList();
    for (int i = 0; i < mostChunks(out, in); i++) {
      List<Chunk> outgoing = new ArrayList<>();
      List<Chunk> incoming = new ArrayList<>();
      for (int distance = 1; distance < size; distance++) {
        int behind = (comm.rank() + distance) % size;
        int before = (comm.rank() + size - distance) % size;
        outgoing.addAll(chunk(behind, out.get(behind), i));
        incoming.addAll(chunk(before, in.get(before), i));
      }
      exchangeChunks(resources, outgoing, incoming);
    }
  }

  /** The chunks of the longest message to or from another rank. */
  private int mostChunks(List<List<DeviceMem>> sent, List<List<DeviceMem>> received) {
    return IntStream.range(0, comm.rankSize())
        .filter(peer -> peer != comm.rank())
        .map(peer -> Math.max(sent.get(peer).size(), received.get(peer).size()))
        .max()
        .orElse(0);
  }

  /** Part of a message to or from a peer. */
  private record Chunk(int peer, DeviceMem mem) {}

  private static List<Chunk> chunk(int peer, List<DeviceMem> chunks, int index) {
    return index < chunks.size() ? List.of(new Chunk(peer, chunks.get(index))) : List.of();
  }

  private void exchangeChunks(
      AlgResourceResponse resources, List<Chunk> sent, List<Chunk> received) {
    SubCommInfo links = resources.subComm(CommPlane.COMBINED);
    List<Outgoing> outgoing = new ArrayList<>();
    for (Chunk chunk : sent) {
      outgoing.add(
          new Outgoing(
              links.link(chunk.peer),
              staged(resources, chunk),
              receiveType(),
              slot(chunk.peer, comm.rank())));
    }
    List<Incoming> incoming = new ArrayList<>();
    for (Chunk chunk : received) {
      incoming.add(
          new Incoming(
              links.link(chunk.peer),
              isPulled() ? chunk.mem : landing(resources, chunk),
              sendType(),
              slot(chunk.peer, comm.rank())));
    }
    Stream stream = resources.mainStream();
    new Exchange(outgoing, incoming).run(stream);
    if (!isPulled()) {
      received.forEach(chunk -> stream.copy(chunk.mem, landing(resources, chunk)));
    }
  }

  /**
   * The memory from which a chunk is sent: its slot, unless it is pushed out of registered memory.
   */
  private DeviceMem staged(AlgResourceResponse resources, Chunk chunk) {
    if (!isPulled() && !isStaged(comm)) {
      return chunk.mem;
    }
    DeviceMem slot = slotOf(resources, sendType(), chunk);
    resources.mainStream().copy(slot, chunk.mem);
    return slot;
  }

  /** The slot that the sender of a chunk writes. */
  private DeviceMem landing(AlgResourceResponse resources, Chunk chunk) {
    return slotOf(resources, receiveType(), chunk);
  }

  private DeviceMem slotOf(AlgResourceResponse resources, TransportMemType type, Chunk chunk) {
    return resources.mem(type).slice(slot(comm.rank(), chunk.peer), chunk.mem.size());
  }

  /** Cuts messages into chunks; empty messages give none. */
  private List<DeviceMem> chunks(List<DeviceMem> messages) {
    List<DeviceMem> chunks = new ArrayList<>();
    for (DeviceMem message : messages) {
      for (long offset = 0; offset < message.size(); offset += chunkBytes) {
        chunks.add(message.slice(offset, Math.min(chunkBytes, message.size() - offset)));
      }
    }
    return chunks;
  }
}
