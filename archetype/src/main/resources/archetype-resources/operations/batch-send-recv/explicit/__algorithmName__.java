package ${package};

import dev.tutti.sdk.CollAlgorithm;
import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.Determinism;
import dev.tutti.sdk.param.BatchSendRecvParam;
import dev.tutti.sdk.resource.AlgResourceRequest;
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
 * Any number of sends and receives at once, in any order. A rank does not know where the messages
 * of other ranks lie, so messages go through scratch memory in chunks. In round d, every rank sends
 * to the rank d places after it, and receives from the rank d places before it. Messages between
 * two ranks keep their order.
 *
 * <p>Correct for every number of ranks, in both workflow modes and over both protocols. Cost for
 * messages of n bytes that are one chunk, over k distances: {@code k(α + nβ)}.
 */
@CollAlgorithm(
    name = "${algorithmId}",
    summary = "Messages go through scratch memory in chunks: no order of calls can deadlock",
    formula = "k(α + nβ) for messages of n bytes that are one chunk, over k distances")
public final class ${algorithmName} extends CollExecutorBase<BatchSendRecvParam> {

  /** The largest size of a chunk in bytes. Each rank has scratch memory for one chunk. */
  private static final long CHUNK = 1 << 18;

  /**
   * Requests links to all ranks with which this rank exchanges data, and the scratch memory that
   * they read.
   */
  @Override
  public AlgResourceRequest calcResRequest(BatchSendRecvParam param) {
    TransportMemType scratch = TransportMemType.SCRATCH;
    long largest = largestCount(param) * param.dataType().size();
    return AlgResourceRequest.of(
            OpCommTransport.pairs(param.comm(), CommPlane.COMBINED, scratch, scratch, peers(param)))
        .withScratchMemSize(Math.min(CHUNK, largest));
  }

  private static int[] peers(BatchSendRecvParam param) {
    return param.items().stream()
        .filter(item -> item.count() > 0)
        .mapToInt(BatchSendRecvParam.Item::peer)
        .filter(peer -> peer != param.comm().rank())
        .distinct()
        .toArray();
  }

  /** The longest message to another rank. */
  private static long largestCount(BatchSendRecvParam param) {
    return param.items().stream()
        .filter(item -> item.isSend() && item.peer() != param.comm().rank())
        .mapToLong(BatchSendRecvParam.Item::count)
        .max()
        .orElse(0);
  }

  /**
   * Emits the actions of this rank. Nothing runs here: the actions become part of the plan, which
   * the host checks once and then replays on data.
   */
  @Override
  public void orchestrate(BatchSendRecvParam param, AlgResourceResponse resources) {
    int rank = param.comm().rank();
    int ranks = param.comm().rankSize();
    List<DeviceMem> kept = messages(param, true, rank, resources.paramInputMem());
    List<DeviceMem> places = messages(param, false, rank, resources.paramOutputMem());
    for (int i = 0; i < kept.size(); i++) {
      resources.mainStream().copy(places.get(i), kept.get(i));
    }
    for (int distance = 1; distance < ranks; distance++) {
      int right = (rank + distance) % ranks;
      int left = (rank + ranks - distance) % ranks;
      List<DeviceMem> out = new ArrayList<>();
      List<DeviceMem> in = new ArrayList<>();
      messages(param, true, right, resources.paramInputMem()).forEach(each -> addChunks(out, each));
      messages(param, false, left, resources.paramOutputMem()).forEach(each -> addChunks(in, each));
      exchange(resources, distance, out, in);
    }
  }

  /**
   * The messages to or from a peer, in their order. All messages lie one after another in memory.
   */
  private static List<DeviceMem> messages(
      BatchSendRecvParam param, boolean isSend, int peer, DeviceMem mem) {
    List<DeviceMem> messages = new ArrayList<>();
    long offset = 0;
    for (BatchSendRecvParam.Item item : param.items()) {
      if (item.isSend() == isSend) {
        long size = item.count() * param.dataType().size();
        if (item.peer() == peer) {
          messages.add(mem.slice(offset, size));
        }
        offset += size;
      }
    }
    return messages;
  }

  /** Cuts a block into chunks, which go through scratch memory one by one. */
  private static void addChunks(List<DeviceMem> chunks, DeviceMem block) {
    for (long done = 0; done < block.size(); done += CHUNK) {
      chunks.add(block.slice(done, Math.min(CHUNK, block.size() - done)));
    }
  }

  /**
   * Sends to the right and receives from the left, chunk by chunk. Both ends know the number of
   * chunks, because one end expects what the other sends.
   */
  private static void exchange(
      AlgResourceResponse resources, int distance, List<DeviceMem> sent, List<DeviceMem> received) {
    SubCommInfo comm = resources.subComm(CommPlane.COMBINED);
    Stream stream = resources.mainStream();
    int ranks = comm.localRankSize();
    int right = (comm.localRank() + distance) % ranks;
    int left = (comm.localRank() + ranks - distance) % ranks;
    for (int i = 0; i < Math.max(sent.size(), received.size()); i++) {
      if (i < sent.size()) {
        stream.copy(resources.scratchMem().slice(0, sent.get(i).size()), sent.get(i));
        comm.link(right).post(stream, Link.READY); // my chunk may be read
      }
      if (i < received.size()) {
        Link link = comm.link(left);
        DeviceMem chunk = received.get(i);
        link.await(stream, Link.READY);
        link.read(stream, chunk, link.remote(TransportMemType.SCRATCH).slice(0, chunk.size()));
        link.post(stream, Link.FIN); // your chunk has been read
      }
      if (i < sent.size()) {
        comm.link(right).await(stream, Link.FIN);
      }
    }
  }

  /** The algorithm only moves data, so it never changes the bits. */
  @Override
  public Determinism determinism() {
    return Determinism.SAME_SIZES;
  }
}
