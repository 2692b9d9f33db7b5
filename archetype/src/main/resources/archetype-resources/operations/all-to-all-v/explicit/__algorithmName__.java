package ${package};

import dev.tutti.sdk.CollAlgorithm;
import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.Determinism;
import dev.tutti.sdk.param.AllToAllVParam;
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
import java.util.stream.IntStream;

/**
 * Pairwise all-to-all of blocks of different sizes, including empty ones. A rank does not know
 * where the blocks of other ranks lie, so the blocks go through scratch memory in chunks. In round
 * d, every rank sends to the rank d places after it, and receives from the rank d places before it.
 *
 * <p>Correct for every number of ranks, in both workflow modes and over both protocols. Cost for p
 * ranks and blocks of m bytes that are one chunk: {@code (p-1)(α + mβ)}.
 */
@CollAlgorithm(
    name = "${algorithmId}",
    summary = "Every rank sends its blocks through scratch memory, chunk by chunk: simple",
    formula = "(p-1)(α + mβ) for blocks of m bytes that are one chunk")
public final class ${algorithmName} extends CollExecutorBase<AllToAllVParam> {

  /** The largest size of a chunk in bytes. Each rank has scratch memory for one chunk. */
  private static final long CHUNK = 1 << 18;

  /**
   * Requests links to all ranks with which this rank exchanges data, and the scratch memory that
   * they read.
   */
  @Override
  public AlgResourceRequest calcResRequest(AllToAllVParam param) {
    TransportMemType scratch = TransportMemType.SCRATCH;
    long largest = largestCount(param) * param.dataType().size();
    return AlgResourceRequest.of(
            OpCommTransport.pairs(param.comm(), CommPlane.COMBINED, scratch, scratch, peers(param)))
        .withScratchMemSize(Math.min(CHUNK, largest));
  }

  private static int[] peers(AllToAllVParam param) {
    return IntStream.range(0, param.comm().rankSize())
        .filter(rank -> rank != param.comm().rank())
        .filter(rank -> param.sendCounts().get(rank) + param.recvCounts().get(rank) > 0)
        .toArray();
  }

  /** The largest block for another rank. */
  private static long largestCount(AllToAllVParam param) {
    long largest = 0;
    for (int rank = 0; rank < param.comm().rankSize(); rank++) {
      if (rank != param.comm().rank()) {
        largest = Math.max(largest, param.sendCounts().get(rank));
      }
    }
    return largest;
  }

  /**
   * Emits the actions of this rank. Nothing runs here: the actions become part of the plan, which
   * the host checks once and then replays on data.
   */
  @Override
  public void orchestrate(AllToAllVParam param, AlgResourceResponse resources) {
    int rank = param.comm().rank();
    int ranks = param.comm().rankSize();
    List<DeviceMem> sent = blocks(param, param.sendCounts(), resources.paramInputMem());
    List<DeviceMem> received = blocks(param, param.recvCounts(), resources.paramOutputMem());
    resources.mainStream().copy(received.get(rank), sent.get(rank));
    for (int distance = 1; distance < ranks; distance++) {
      List<DeviceMem> out = new ArrayList<>();
      List<DeviceMem> in = new ArrayList<>();
      addChunks(out, sent.get((rank + distance) % ranks));
      addChunks(in, received.get((rank + ranks - distance) % ranks));
      exchange(resources, distance, out, in);
    }
  }

  /** The blocks of all ranks, which lie one after another in memory. */
  private static List<DeviceMem> blocks(AllToAllVParam param, List<Long> counts, DeviceMem mem) {
    List<DeviceMem> blocks = new ArrayList<>();
    long offset = 0;
    for (long count : counts) {
      long size = count * param.dataType().size();
      blocks.add(mem.slice(offset, size));
      offset += size;
    }
    return blocks;
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
