package dev.tutti.samples;

import static dev.tutti.sdk.resource.TransportMemType.CCL_INPUT;
import static dev.tutti.sdk.resource.TransportMemType.CCL_OUTPUT;
import static dev.tutti.sdk.resource.TransportMemType.PARAM_INPUT;
import static dev.tutti.sdk.resource.TransportMemType.PARAM_OUTPUT;
import static dev.tutti.sdk.resource.TransportMemType.SCRATCH;

import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.ExecMem;
import dev.tutti.sdk.NativeExecutorBase;
import dev.tutti.sdk.param.AllGatherParam;
import dev.tutti.sdk.param.AllReduceParam;
import dev.tutti.sdk.param.AllToAllVParam;
import dev.tutti.sdk.param.BarrierParam;
import dev.tutti.sdk.param.BroadcastParam;
import dev.tutti.sdk.param.ExclusiveScanParam;
import dev.tutti.sdk.param.OpParam;
import dev.tutti.sdk.param.ReceiveParam;
import dev.tutti.sdk.param.SendParam;
import dev.tutti.sdk.resource.AlgResourceRequest;
import dev.tutti.sdk.resource.AlgResourceResponse;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.Link;
import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.resource.Stream;
import dev.tutti.sdk.topology.CommPlane;
import java.util.ArrayList;
import java.util.List;

/** Correct algorithms, one per shape, on which nothing may be found. */
public final class Algorithms {

  private Algorithms() {}

  /** Every rank loads all inputs at once; for GRAPH mode over DIRECT links. */
  public static CollExecutorBase<AllReduceParam> directAllReduce() {
    return new Sketch<>(
        param -> Sketch.mesh(param).withScratchMemSize(param.inPlace() ? param.outputBytes() : 0),
        (param, res) -> {
          Sketch.exchange(param.comm(), res, Link.READY);
          DeviceMem result = param.inPlace() ? res.scratchMem() : res.paramOutputMem();
          reduceAllInputs(param, res, result);
          Sketch.exchange(param.comm(), res, Link.FIN);
          if (param.inPlace()) {
            res.mainStream().copy(res.paramOutputMem(), result);
          }
        });
  }

  public static void reduceAllInputs(
      AllReduceParam param, AlgResourceResponse res, DeviceMem result) {
    List<DeviceMem> sources = new ArrayList<>();
    for (int rank = 0; rank < param.comm().rankSize(); rank++) {
      sources.add(
          rank == param.comm().rank()
              ? res.paramInputMem()
              : Sketch.link(res, rank).remote(PARAM_INPUT));
    }
    if (sources.size() == 1) {
      res.mainStream().copy(result, sources.getFirst());
    } else {
      res.mainStream().reduceFrom(result, sources, param.dataType(), param.reduceOp());
    }
  }

  /** The root sends to every rank on a slave stream each; for both protocols. */
  public static CollExecutorBase<BroadcastParam> flatBroadcast() {
    return new Sketch<>(
        param ->
            param.comm().rank() == param.root()
                ? Sketch.mesh(param, PARAM_INPUT, PARAM_OUTPUT)
                    .withStreamNum(param.comm().rankSize() - 1)
                : Sketch.pairs(param, param.root()),
        (param, res) -> {
          Stream main = res.mainStream();
          if (param.comm().rank() != param.root()) {
            Link link = Sketch.link(res, param.root());
            link.rxPrepare(main);
            link.rxAsync(main, PARAM_INPUT, 0, res.paramOutputMem());
            link.rxDone(main);
            return;
          }
          main.fork(res.slaveStreams());
          List<Link> links = Sketch.links(param.comm(), res);
          for (int i = 0; i < links.size(); i++) {
            Stream slave = res.slaveStreams().get(i);
            links.get(i).txPrepare(slave);
            links.get(i).txAsync(slave, PARAM_OUTPUT, 0, res.paramInputMem());
            links.get(i).txDone(slave);
          }
          if (!param.inPlace()) {
            main.copy(res.paramOutputMem(), res.paramInputMem());
          }
          main.join(res.slaveStreams());
        });
  }

  /** Blocks travel around a ring, pulled from the previous rank; both modes by its base class. */
  public static final class RingAllGather extends NativeExecutorBase<AllGatherParam> {

    @Override
    protected OpCommTransport calcCommInfo(AllGatherParam param) {
      return OpCommTransport.ring(
          param.comm(), CommPlane.COMBINED, inputMemType(param), outputMemType(param));
    }

    @Override
    protected void kernelRun(AllGatherParam param, ExecMem mem) {
      int ranks = param.comm().rankSize();
      int rank = param.comm().rank();
      Stream main = mem.resources().mainStream();
      main.copy(mem.outputBlock(rank), mem.inputBlock(0));
      if (ranks == 1) {
        return;
      }
      Link next = Sketch.link(mem.resources(), (rank + 1) % ranks);
      Link previous = Sketch.link(mem.resources(), (rank + ranks - 1) % ranks);
      for (int step = 0; step < ranks - 1; step++) {
        int block = Math.floorMod(rank - 1 - step, ranks);
        int sent = Math.floorMod(rank - step, ranks);
        previous.txAck(main);
        next.rxAck(main);
        next.txAsync(main, outputMemType(param), start(mem, sent), mem.outputBlock(sent));
        previous.rxAsync(main, outputMemType(param), start(mem, block), mem.outputBlock(block));
        previous.rxWaitDone(main);
        next.txWaitDone(main);
      }
    }

    private static long start(ExecMem mem, int block) {
      return mem.outputSlices().get(block).offset();
    }
  }

  /** A chain that hands on the sum so far; for GRAPH mode over DIRECT links. */
  public static CollExecutorBase<ExclusiveScanParam> chainScan() {
    return new Sketch<>(
        param -> {
          int rank = param.comm().rank();
          int last = param.comm().rankSize() - 1;
          int[] peers =
              rank == 0
                  ? new int[] {Math.min(1, last)}
                  : new int[] {rank - 1, Math.min(rank + 1, last)};
          return AlgResourceRequest.of(
                  OpCommTransport.pairs(
                      param.comm(), CommPlane.COMBINED, SCRATCH, PARAM_OUTPUT, peers))
              .withScratchMemSize(2 * param.inputBytes());
        },
        (param, res) -> {
          int rank = param.comm().rank();
          long bytes = param.inputBytes();
          Stream main = res.mainStream();
          DeviceMem sum = res.scratchMem().slice(0, bytes);
          DeviceMem before = res.scratchMem().slice(bytes, bytes);
          main.copy(sum, res.paramInputMem());
          if (rank > 0) {
            Link previous = Sketch.link(res, rank - 1);
            previous.await(main, Link.FIN);
            previous.read(main, before, previous.remote(SCRATCH).slice(0, bytes));
            previous.post(main, Link.FIN_ACK);
            main.reduceFrom(sum, List.of(before, sum), param.dataType(), param.reduceOp());
          }
          if (rank < param.comm().rankSize() - 1) {
            Link next = Sketch.link(res, rank + 1);
            next.post(main, Link.FIN);
            next.await(main, Link.FIN_ACK);
          }
          if (rank > 0) {
            main.copy(res.paramOutputMem(), before);
          }
        });
  }

  /** Every pair exchanges its blocks directly; for GRAPH mode over DIRECT links. */
  public static CollExecutorBase<AllToAllVParam> directAllToAllV(List<List<Long>> counts) {
    return new Sketch<>(
        Sketch::mesh,
        (param, res) -> {
          int rank = param.comm().rank();
          int size = param.dataType().size();
          Sketch.exchange(param.comm(), res, Link.READY);
          long received = 0;
          for (int peer = 0; peer < param.comm().rankSize(); peer++) {
            long sent = counts.get(peer).stream().limit(rank).mapToLong(Long::longValue).sum();
            long bytes = param.recvCounts().get(peer) * size;
            DeviceMem dst = res.paramOutputMem().slice(received * size, bytes);
            if (peer == rank) {
              res.mainStream().copy(dst, res.paramInputMem().slice(sent * size, bytes));
            } else {
              Link link = Sketch.link(res, peer);
              link.read(res.mainStream(), dst, link.remote(PARAM_INPUT).slice(sent * size, bytes));
            }
            received += param.recvCounts().get(peer);
          }
          Sketch.exchange(param.comm(), res, Link.FIN);
        });
  }

  /**
   * Every rank tells every other one that it is there, and answers. Without the answers the first
   * notify of the next barrier could be lost.
   */
  public static CollExecutorBase<BarrierParam> meshBarrier() {
    return new Sketch<>(
        Sketch::mesh,
        (param, res) -> {
          Sketch.exchange(param.comm(), res, Link.READY);
          Sketch.exchange(param.comm(), res, Link.FIN);
        });
  }

  /**
   * Rank 0 writes into ranks 1 and 2 but tells only rank 1, which tells rank 2: nothing orders
   * ranks 0 and 2 directly. For three ranks, root 0, GRAPH mode.
   *
   * @param isPatient whether rank 1 forwards the word after it has got it, as it must
   */
  public static CollExecutorBase<BroadcastParam> relayedBroadcast(boolean isPatient) {
    return new Sketch<>(
        param ->
            Sketch.mesh(param)
                .withScratchMemSize(param.comm().rank() == 2 ? param.outputBytes() : 0),
        (param, res) -> {
          Stream main = res.mainStream();
          if (param.comm().rank() == 0) {
            for (Link link : Sketch.links(param.comm(), res)) {
              link.await(main, Link.READY);
              link.write(main, link.remote(PARAM_OUTPUT), res.paramInputMem());
            }
            Sketch.link(res, 1).post(main, Link.FIN);
            if (!param.inPlace()) {
              main.copy(res.paramOutputMem(), res.paramInputMem());
            }
          } else if (param.comm().rank() == 1) {
            Sketch.link(res, 0).post(main, Link.READY);
            if (!isPatient) {
              Sketch.link(res, 2).post(main, Link.FIN);
            }
            Sketch.link(res, 0).await(main, Link.FIN);
            if (isPatient) {
              Sketch.link(res, 2).post(main, Link.FIN);
            }
          } else {
            Sketch.link(res, 0).post(main, Link.READY);
            Sketch.link(res, 1).await(main, Link.FIN);
            main.copy(res.scratchMem(), res.paramOutputMem());
          }
        });
  }

  /** The sender's half of a transfer through CCL buffers, in chunks. */
  public static CollExecutorBase<SendParam> chunkedSend() {
    return new Sketch<>(
        param -> transfer(param, param.dstRank()),
        (param, res) -> {
          Link link = Sketch.link(res, param.dstRank());
          Stream main = res.mainStream();
          long chunk = param.comm().cclBufferSize();
          for (long done = 0; done < param.inputBytes(); done += chunk) {
            long bytes = Math.min(chunk, param.inputBytes() - done);
            DeviceMem staged = res.cclInputMem().slice(0, bytes);
            main.copy(staged, res.paramInputMem().slice(done, bytes));
            link.txAck(main);
            link.rxAck(main);
            link.txAsync(main, CCL_OUTPUT, 0, staged);
            link.rxAsync(main, CCL_INPUT, 0, res.cclInputMem().slice(0, 0));
            link.rxWaitDone(main);
            link.txWaitDone(main);
          }
        });
  }

  /** The receiver's half of {@link #chunkedSend}. */
  public static CollExecutorBase<ReceiveParam> chunkedReceive() {
    return new Sketch<>(
        param -> transfer(param, param.srcRank()),
        (param, res) -> {
          Link link = Sketch.link(res, param.srcRank());
          Stream main = res.mainStream();
          long chunk = param.comm().cclBufferSize();
          for (long done = 0; done < param.outputBytes(); done += chunk) {
            long bytes = Math.min(chunk, param.outputBytes() - done);
            DeviceMem staged = res.cclOutputMem().slice(0, bytes);
            link.txAck(main);
            link.rxAck(main);
            link.txAsync(main, CCL_OUTPUT, 0, res.cclInputMem().slice(0, 0));
            link.rxAsync(main, CCL_INPUT, 0, staged);
            link.rxWaitDone(main);
            link.txWaitDone(main);
            main.copy(res.paramOutputMem().slice(done, bytes), staged);
          }
        });
  }

  private static AlgResourceRequest transfer(OpParam param, int peer) {
    return AlgResourceRequest.of(
        OpCommTransport.pairs(param.comm(), CommPlane.COMBINED, CCL_INPUT, CCL_OUTPUT, peer));
  }
}
