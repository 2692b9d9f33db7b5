package dev.tutti.samples;

import static dev.tutti.sdk.resource.TransportMemType.PARAM_INPUT;
import static dev.tutti.sdk.resource.TransportMemType.PARAM_OUTPUT;
import static dev.tutti.sdk.resource.TransportMemType.SCRATCH;

import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.Support;
import dev.tutti.sdk.param.AllGatherParam;
import dev.tutti.sdk.param.AllReduceParam;
import dev.tutti.sdk.param.AllToAllParam;
import dev.tutti.sdk.param.BroadcastParam;
import dev.tutti.sdk.param.OpParam;
import dev.tutti.sdk.param.ReduceParam;
import dev.tutti.sdk.resource.AlgResourceRequest;
import dev.tutti.sdk.resource.AlgResourceResponse;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.Link;
import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.resource.Slice;
import dev.tutti.sdk.resource.Stream;
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.sdk.topology.CommPlane;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * The algorithms whose closed forms are known, in their plainest shape: one stream, GRAPH mode,
 * DIRECT links, each rank waiting for a message before it takes the next.
 */
public final class Collectives {

  private Collectives() {}

  /** An executor made of functions. */
  private static final class Made<P extends OpParam> extends CollExecutorBase<P> {
    private final Function<P, AlgResourceRequest> request;
    private final BiConsumer<P, AlgResourceResponse> orchestrate;

    Made(Function<P, AlgResourceRequest> request, BiConsumer<P, AlgResourceResponse> orchestrate) {
      this.request = request;
      this.orchestrate = orchestrate;
    }

    @Override
    public Support supports(P param) {
      return Support.when(!param.inPlace(), "out of place only");
    }

    @Override
    public AlgResourceRequest calcResRequest(P param) {
      return request.apply(param);
    }

    @Override
    public void orchestrate(P param, AlgResourceResponse resources) {
      orchestrate.accept(param, resources);
    }
  }

  private static AlgResourceRequest links(
      OpParam param, TransportMemType input, TransportMemType output, List<Integer> peers) {
    int[] others =
        peers.stream()
            .mapToInt(Integer::intValue)
            .filter(peer -> peer != param.comm().rank())
            .distinct()
            .toArray();
    return AlgResourceRequest.of(
        OpCommTransport.pairs(param.comm(), CommPlane.COMBINED, input, output, others));
  }

  private static Link link(AlgResourceResponse res, int peer) {
    return res.subComm(CommPlane.COMBINED, 0).link(peer);
  }

  private static List<Integer> powersBelow(int limit) {
    List<Integer> powers = new ArrayList<>();
    for (int power = 1; power < limit; power *= 2) {
      powers.add(power);
    }
    return powers;
  }

  /** Tells peers that they may go on, and waits for their word. */
  private static void exchange(AlgResourceResponse res, List<Integer> peers, int notify) {
    peers.forEach(peer -> link(res, peer).post(res.mainStream(), notify));
    peers.forEach(peer -> link(res, peer).await(res.mainStream(), notify));
  }

  // ---- all-reduce

  /** Ring reduce-scatter and all-gather. */
  public static CollExecutorBase<AllReduceParam> ring() {
    return new Made<>(
        param -> {
          int ranks = param.comm().rankSize();
          int rank = param.comm().rank();
          List<Integer> peers = List.of((rank + 1) % ranks, (rank + ranks - 1) % ranks);
          return links(param, PARAM_OUTPUT, PARAM_OUTPUT, peers);
        },
        Collectives::runRing);
  }

  private static void runRing(AllReduceParam param, AlgResourceResponse res) {
    int ranks = param.comm().rankSize();
    int rank = param.comm().rank();
    Stream main = res.mainStream();
    DeviceMem out = res.paramOutputMem();
    main.copy(out, res.paramInputMem());
    if (ranks == 1) {
      return;
    }
    List<Slice> slices = Slice.partition(param.count(), ranks, param.dataType().size());
    Link left = link(res, (rank + ranks - 1) % ranks);
    Link right = link(res, (rank + 1) % ranks);
    for (int step = 0; step < 2 * (ranks - 1); step++) {
      boolean gathers = step >= ranks - 1;
      DeviceMem taken = out.slice(slices.get(Math.floorMod(rank - 2 - step, ranks)));
      left.txAck(main);
      right.rxAck(main);
      right.post(main, Link.FIN);
      left.await(main, Link.FIN);
      if (gathers) {
        left.read(main, taken, left.remote(taken));
      } else {
        left.readReduce(main, taken, left.remote(taken), param.dataType(), param.reduceOp());
      }
    }
    left.rxWaitDone(main);
    right.txWaitDone(main);
  }

  /** The ranks that fold into a power of two: rank {@code core + i} hands its operand to rank i. */
  public static int core(int ranks) {
    return Integer.highestOneBit(ranks);
  }

  private static List<Integer> foldedPeers(OpParam param) {
    int core = core(param.comm().rankSize());
    int rank = param.comm().rank();
    List<Integer> peers = new ArrayList<>();
    if (rank >= core) {
      return List.of(rank - core);
    }
    powersBelow(core).forEach(bit -> peers.add(rank ^ bit));
    if (rank + core < param.comm().rankSize()) {
      peers.add(rank + core);
    }
    return peers;
  }

  /** What a rank beyond the power of two does: its operand is taken, then it takes the result. */
  private static void runFolded(
      AllReduceParam param, AlgResourceResponse res, TransportMemType resultType) {
    Link link = link(res, param.comm().rank() - core(param.comm().rankSize()));
    Stream main = res.mainStream();
    link.post(main, Link.READY);
    link.await(main, Link.FIN);
    link.read(main, res.paramOutputMem(), link.remote(resultType).slice(0, param.outputBytes()));
    link.post(main, Link.FIN_ACK);
  }

  /** The first step of a rank with a folded one: both operands, or only its own. */
  private static void takeFolded(AllReduceParam param, AlgResourceResponse res, DeviceMem dst) {
    int folded = param.comm().rank() + core(param.comm().rankSize());
    if (folded < param.comm().rankSize()) {
      Link link = link(res, folded);
      link.await(res.mainStream(), Link.READY);
      List<DeviceMem> both = List.of(res.paramInputMem(), link.remote(PARAM_INPUT));
      res.mainStream().reduceFrom(dst, both, param.dataType(), param.reduceOp());
    } else {
      res.mainStream().copy(dst, res.paramInputMem());
    }
  }

  /** The last step of a rank with a folded one. */
  private static void giveFolded(AllReduceParam param, AlgResourceResponse res) {
    int folded = param.comm().rank() + core(param.comm().rankSize());
    if (folded < param.comm().rankSize()) {
      link(res, folded).post(res.mainStream(), Link.FIN);
      link(res, folded).await(res.mainStream(), Link.FIN_ACK);
    }
  }

  /** Recursive doubling: partners exchange all they have; a buffer for each step. */
  public static CollExecutorBase<AllReduceParam> recursiveDoubling() {
    return new Made<>(
        param -> {
          AlgResourceRequest links = links(param, PARAM_INPUT, SCRATCH, foldedPeers(param));
          int core = core(param.comm().rankSize());
          int buffers = 1 + powersBelow(core).size();
          return param.comm().rank() >= core
              ? links
              : links.withScratchMemSize(buffers * param.inputBytes());
        },
        Collectives::runDoubling);
  }

  private static void runDoubling(AllReduceParam param, AlgResourceResponse res) {
    int rank = param.comm().rank();
    int core = core(param.comm().rankSize());
    long bytes = param.inputBytes();
    if (rank >= core) {
      runFolded(param, res, SCRATCH);
      return;
    }
    List<Integer> bits = powersBelow(core);
    // The result comes first, where a folded rank finds it.
    takeFolded(param, res, buffer(res.scratchMem(), bits.isEmpty() ? 0 : 1, bytes));
    for (int step = 0; step < bits.size(); step++) {
      int peer = rank ^ bits.get(step);
      Link link = link(res, peer);
      exchange(res, List.of(peer), Link.READY);
      DeviceMem own = buffer(res.scratchMem(), step + 1, bytes);
      DeviceMem other = buffer(link.remote(SCRATCH), step + 1, bytes);
      int target = step + 1 == bits.size() ? 0 : step + 2;
      res.mainStream()
          .reduceFrom(
              buffer(res.scratchMem(), target, bytes),
              rank < peer ? List.of(own, other) : List.of(other, own),
              param.dataType(),
              param.reduceOp());
    }
    exchange(res, bits.stream().map(bit -> rank ^ bit).toList(), Link.FIN);
    res.mainStream().copy(res.paramOutputMem(), buffer(res.scratchMem(), 0, bytes));
    giveFolded(param, res);
  }

  private static DeviceMem buffer(DeviceMem mem, int index, long bytes) {
    return mem.slice(index * bytes, bytes);
  }

  /** Rabenseifner: recursive halving reduce-scatter, recursive doubling all-gather. */
  public static CollExecutorBase<AllReduceParam> rabenseifner() {
    return new Made<>(
        param -> links(param, PARAM_INPUT, PARAM_OUTPUT, foldedPeers(param)),
        Collectives::runRabenseifner);
  }

  private static void runRabenseifner(AllReduceParam param, AlgResourceResponse res) {
    int rank = param.comm().rank();
    int core = core(param.comm().rankSize());
    if (rank >= core) {
      runFolded(param, res, PARAM_OUTPUT);
      return;
    }
    Stream main = res.mainStream();
    DeviceMem out = res.paramOutputMem();
    takeFolded(param, res, out);
    List<Slice> slices = Slice.partition(param.count(), core, param.dataType().size());
    List<Integer> bits = powersBelow(core);
    for (int bit : bits.reversed()) {
      Link link = link(res, rank ^ bit);
      exchange(res, List.of(rank ^ bit), Link.READY);
      DeviceMem kept = out.slice(range(slices, rank & -bit, bit));
      link.readReduce(main, kept, link.remote(kept), param.dataType(), param.reduceOp());
    }
    for (int bit : bits) {
      Link link = link(res, rank ^ bit);
      exchange(res, List.of(rank ^ bit), Link.FIN);
      DeviceMem others = out.slice(range(slices, (rank ^ bit) & -bit, bit));
      link.read(main, others, link.remote(others));
    }
    exchange(res, bits.stream().map(bit -> rank ^ bit).toList(), Link.FIN_ACK);
    giveFolded(param, res);
  }

  private static Slice range(List<Slice> slices, int first, int count) {
    long start = slices.get(first).offset();
    Slice last = slices.get(first + count - 1);
    return new Slice(start, last.offset() + last.size() - start);
  }

  // ---- trees with root 0

  private static int lowBit(int rank, int ranks) {
    return rank == 0 ? Integer.highestOneBit(2 * ranks - 1) : Integer.lowestOneBit(rank);
  }

  /** The children of a rank in a binomial tree, that of the smallest subtree first. */
  private static List<Integer> children(OpParam param) {
    int rank = param.comm().rank();
    int ranks = param.comm().rankSize();
    return powersBelow(lowBit(rank, ranks)).stream()
        .map(bit -> rank + bit)
        .filter(child -> child < ranks)
        .toList();
  }

  private static int parent(int rank) {
    return rank & rank - 1;
  }

  private static List<Integer> family(OpParam param) {
    List<Integer> peers = new ArrayList<>(children(param));
    peers.add(parent(param.comm().rank()));
    return peers;
  }

  /** A binomial tree; a parent writes to one child after another, to the largest subtree first. */
  public static CollExecutorBase<BroadcastParam> binomialBroadcast() {
    return new Made<>(
        param -> links(param, PARAM_OUTPUT, PARAM_OUTPUT, family(param)),
        (param, res) -> {
          Stream main = res.mainStream();
          int rank = param.comm().rank();
          DeviceMem out = res.paramOutputMem();
          if (rank == 0) {
            main.copy(out, res.paramInputMem());
          } else {
            link(res, parent(rank)).post(main, Link.READY);
            link(res, parent(rank)).await(main, Link.FIN);
          }
          for (int child : children(param).reversed()) {
            Link link = link(res, child);
            link.await(main, Link.READY);
            link.write(main, link.remote(out), out);
            link.post(main, Link.FIN);
          }
        });
  }

  /** A binomial tree; a parent takes the sum of one child after another. */
  public static CollExecutorBase<ReduceParam> binomialReduce() {
    return new Made<>(
        param ->
            links(param, SCRATCH, SCRATCH, family(param)).withScratchMemSize(param.inputBytes()),
        (param, res) -> {
          Stream main = res.mainStream();
          int rank = param.comm().rank();
          DeviceMem sum = res.scratchMem();
          main.copy(sum, res.paramInputMem());
          for (int child : children(param)) {
            Link link = link(res, child);
            link.await(main, Link.FIN);
            link.readReduce(main, sum, link.remote(sum), param.dataType(), param.reduceOp());
            link.post(main, Link.FIN_ACK);
          }
          if (rank == 0) {
            main.copy(res.paramOutputMem(), sum);
          } else {
            link(res, parent(rank)).post(main, Link.FIN);
            link(res, parent(rank)).await(main, Link.FIN_ACK);
          }
        });
  }

  /** The root combines the operands of all ranks in one pass. */
  public static CollExecutorBase<ReduceParam> flatReduce() {
    return new Made<>(
        param -> {
          boolean isRoot = param.comm().rank() == param.root();
          return links(
              param, PARAM_INPUT, PARAM_OUTPUT, isRoot ? others(param) : List.of(param.root()));
        },
        (param, res) -> {
          if (param.comm().rank() != param.root()) {
            exchange(res, List.of(param.root()), Link.READY);
            return;
          }
          List<DeviceMem> sources = new ArrayList<>(List.of(res.paramInputMem()));
          others(param).forEach(peer -> sources.add(link(res, peer).remote(PARAM_INPUT)));
          res.mainStream()
              .reduceFrom(res.paramOutputMem(), sources, param.dataType(), param.reduceOp());
          exchange(res, others(param), Link.READY);
        });
  }

  // ---- all-to-all and all-gather

  /** Pairwise exchange: in step i every rank reads from the rank i behind it. */
  public static CollExecutorBase<AllToAllParam> pairwise() {
    return new Made<>(
        param -> links(param, PARAM_INPUT, PARAM_INPUT, others(param)),
        (param, res) -> {
          int rank = param.comm().rank();
          long block = param.inputBytes() / param.comm().rankSize();
          exchange(res, others(param), Link.READY);
          res.mainStream()
              .copy(
                  buffer(res.paramOutputMem(), rank, block),
                  buffer(res.paramInputMem(), rank, block));
          for (int peer : others(param)) {
            DeviceMem dst = buffer(res.paramOutputMem(), peer, block);
            DeviceMem src = buffer(link(res, peer).remote(PARAM_INPUT), rank, block);
            link(res, peer).read(res.mainStream(), dst, src);
          }
          exchange(res, others(param), Link.FIN);
        });
  }

  /** The other ranks, from the next one on. */
  private static List<Integer> others(OpParam param) {
    int ranks = param.comm().rankSize();
    int rank = param.comm().rank();
    return IntStream.range(1, ranks).map(i -> (rank + i) % ranks).boxed().toList();
  }

  private static List<Integer> bruckPeers(OpParam param) {
    int ranks = param.comm().rankSize();
    int rank = param.comm().rank();
    List<Integer> peers = new ArrayList<>();
    for (int bit : powersBelow(ranks)) {
      peers.add((rank + bit) % ranks);
      peers.add((rank + ranks - bit) % ranks);
    }
    return peers;
  }

  /** Bruck all-gather: in each step a rank reads all that the rank 2^k behind it has. */
  public static CollExecutorBase<AllGatherParam> bruckAllGather() {
    return new Made<>(
        param ->
            links(param, SCRATCH, SCRATCH, bruckPeers(param))
                .withScratchMemSize(param.outputBytes()),
        (param, res) -> {
          Stream main = res.mainStream();
          int ranks = param.comm().rankSize();
          int rank = param.comm().rank();
          long block = param.inputBytes();
          main.copy(buffer(res.scratchMem(), 0, block), res.paramInputMem());
          for (int bit : powersBelow(ranks)) {
            Link from = link(res, (rank + bit) % ranks);
            link(res, (rank + ranks - bit) % ranks).post(main, Link.READY);
            from.await(main, Link.READY);
            long bytes = Math.min(bit, ranks - bit) * block;
            from.read(
                main,
                res.scratchMem().slice(bit * block, bytes),
                from.remote(SCRATCH).slice(0, bytes));
            from.post(main, Link.FIN);
          }
          for (int bit : powersBelow(ranks)) {
            link(res, (rank + ranks - bit) % ranks).await(main, Link.FIN);
          }
          for (int i = 0; i < ranks; i++) {
            main.copy(
                buffer(res.paramOutputMem(), (rank + i) % ranks, block),
                buffer(res.scratchMem(), i, block));
          }
        });
  }

  /** Bruck all-to-all: in each step the blocks whose distance has bit k travel 2^k ranks. */
  public static CollExecutorBase<AllToAllParam> bruckAllToAll() {
    return new Made<>(
        param -> {
          int ranks = param.comm().rankSize();
          long block = param.inputBytes() / ranks;
          return links(param, SCRATCH, SCRATCH, bruckPeers(param))
              .withScratchMemSize((ranks + 2L * packed(ranks)) * block);
        },
        Collectives::runBruckAllToAll);
  }

  private static int packed(int ranks) {
    return powersBelow(ranks).stream().mapToInt(bit -> distances(ranks, bit).size()).sum();
  }

  /** The distances below a number of ranks that have a bit. */
  public static List<Integer> distances(int ranks, int bit) {
    return IntStream.range(0, ranks).filter(i -> (i & bit) != 0).boxed().toList();
  }

  /** Scratch holds the blocks by distance, then what is packed to leave, then what has come. */
  private static void runBruckAllToAll(AllToAllParam param, AlgResourceResponse res) {
    Stream main = res.mainStream();
    int ranks = param.comm().rankSize();
    int rank = param.comm().rank();
    long block = param.inputBytes() / ranks;
    DeviceMem scratch = res.scratchMem();
    for (int i = 0; i < ranks; i++) {
      main.copy(buffer(scratch, i, block), buffer(res.paramInputMem(), (rank + i) % ranks, block));
    }
    int leaving = ranks;
    int coming = ranks + packed(ranks);
    for (int bit : powersBelow(ranks)) {
      List<Integer> moved = distances(ranks, bit);
      for (int i = 0; i < moved.size(); i++) {
        main.copy(buffer(scratch, leaving + i, block), buffer(scratch, moved.get(i), block));
      }
      Link from = link(res, (rank + ranks - bit) % ranks);
      Link to = link(res, (rank + bit) % ranks);
      to.post(main, Link.READY);
      from.await(main, Link.READY);
      long bytes = moved.size() * block;
      DeviceMem came = scratch.slice(coming * block, bytes);
      from.read(main, came, from.remote(SCRATCH).slice(leaving * block, bytes));
      from.post(main, Link.FIN);
      for (int i = 0; i < moved.size(); i++) {
        main.copy(buffer(scratch, moved.get(i), block), buffer(scratch, coming + i, block));
      }
      leaving += moved.size();
      coming += moved.size();
    }
    for (int bit : powersBelow(ranks)) {
      link(res, (rank + bit) % ranks).await(main, Link.FIN);
    }
    for (int i = 0; i < ranks; i++) {
      main.copy(
          buffer(res.paramOutputMem(), (rank + ranks - i) % ranks, block),
          buffer(scratch, i, block));
    }
  }
}
