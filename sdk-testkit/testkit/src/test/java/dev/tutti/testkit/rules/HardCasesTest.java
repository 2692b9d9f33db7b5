package dev.tutti.testkit.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.samples.Algorithms;
import dev.tutti.samples.Sketch;
import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.Determinism;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.Support;
import dev.tutti.sdk.param.AllGatherParam;
import dev.tutti.sdk.param.AllReduceParam;
import dev.tutti.sdk.param.BroadcastParam;
import dev.tutti.sdk.param.GatherParam;
import dev.tutti.sdk.param.ReduceParam;
import dev.tutti.sdk.param.ReduceScatterParam;
import dev.tutti.sdk.resource.AlgResourceRequest;
import dev.tutti.sdk.resource.AlgResourceResponse;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.Link;
import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.resource.Stream;
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.sdk.topology.CommPlane;
import dev.tutti.sdk.topology.Topology;
import dev.tutti.verifier.Step;
import dev.tutti.verifier.VirtualCluster;
import dev.tutti.verifier.rule.Rule;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Cases that checkers are known to get wrong: missed faults, and false alarms. */
class HardCasesTest {

  private final VirtualCluster cluster =
      VirtualCluster.builder(Topology.flat(3)).shrink(false).build();

  // ---- order through a third rank

  private List<String> relayed(boolean isPatient) {
    return cluster
        .check(
            Algorithms.relayedBroadcast(isPatient),
            new BroadcastParam(cluster.comm(), DataType.INT32, 50, 0))
        .rules();
  }

  @Test
  void orderThroughAThirdRankIsNoRace() {
    assertThat(relayed(true)).isEmpty();
  }

  @Test
  void orderThroughAThirdRankThatForwardsTooEarlyIsARace() {
    assertThat(relayed(false)).contains("MEM-1");
  }

  // ---- a mesh of concurrent reductions into one slice

  /** Every rank adds its share of each slice into the owner's staging buffer, all at once. */
  private static CollExecutorBase<ReduceScatterParam> pushedReduceScatter() {
    return new Sketch<>(
        param -> Sketch.mesh(param, TransportMemType.CCL_INPUT, TransportMemType.CCL_OUTPUT),
        (param, res) -> {
          Stream main = res.mainStream();
          long bytes = param.outputBytes();
          DeviceMem sum = res.cclOutputMem().slice(0, bytes);
          main.copy(sum, res.paramInputMem().slice(param.comm().rank() * bytes, bytes));
          Sketch.exchange(param.comm(), res, Link.READY);
          for (Link link : Sketch.links(param.comm(), res)) {
            DeviceMem share = res.paramInputMem().slice(link.remoteUserRank() * bytes, bytes);
            link.writeReduce(main, link.remote(sum), share, param.dataType(), param.reduceOp());
          }
          Sketch.exchange(param.comm(), res, Link.FIN);
          main.copy(res.paramOutputMem(), sum);
        });
  }

  @Test
  void concurrentReductionsIntoOneSliceAreARace() {
    ReduceScatterParam param =
        new ReduceScatterParam(cluster.comm(), DataType.INT32, ReduceOp.SUM, 10);

    assertThat(cluster.check(pushedReduceScatter(), param).rules()).containsExactly("MEM-1");
  }

  @Test
  void concurrentReductionsAreNoRaceWhereTheHardwareReducesAtomically() {
    VirtualCluster atomic =
        VirtualCluster.builder(Topology.flat(3)).atomicReductions(true).shrink(false).build();

    atomic
        .check(
            pushedReduceScatter(),
            new ReduceScatterParam(atomic.comm(), DataType.INT32, ReduceOp.SUM, 10))
        .requireClean();
  }

  // ---- a notify that is lost when the root changes

  /**
   * A broadcast along the ring that starts at the root; the last rank tells the root that it is
   * done. Each root has its own slot in the staging buffers.
   *
   * @param isAnswered whether each rank also waits until its successor has noticed its signal
   */
  private static CollExecutorBase<BroadcastParam> chain(boolean isAnswered) {
    return new Sketch<>(
        param -> Sketch.mesh(param, TransportMemType.CCL_INPUT, TransportMemType.CCL_OUTPUT),
        (param, res) -> {
          Stream main = res.mainStream();
          int ranks = param.comm().rankSize();
          int rank = param.comm().rank();
          long bytes = param.outputBytes();
          Link next = Sketch.link(res, (rank + 1) % ranks);
          Link previous = Sketch.link(res, (rank + ranks - 1) % ranks);
          DeviceMem slot = res.cclOutputMem().slice(param.root() * bytes, bytes);
          boolean isRoot = rank == param.root();
          boolean isLast = next.remoteUserRank() == param.root();
          if (!isRoot) {
            previous.await(main, Link.FIN);
            if (isAnswered) {
              previous.post(main, Link.FIN_ACK);
            }
            main.copy(res.paramOutputMem(), slot);
          } else if (!param.inPlace()) {
            main.copy(res.paramOutputMem(), res.paramInputMem());
          }
          if (!isLast) {
            next.write(main, next.remote(slot), isRoot ? res.paramInputMem() : slot);
          }
          next.post(main, isLast ? Link.READY : Link.FIN);
          if (isAnswered && !isLast) {
            next.await(main, Link.FIN_ACK);
          }
          if (isRoot) {
            previous.await(main, Link.READY);
          }
        });
  }

  private Step<BroadcastParam> broadcast(CollExecutorBase<BroadcastParam> executor, int root) {
    return new Step<>(executor, new BroadcastParam(cluster.comm(), DataType.INT32, 10, root));
  }

  @Test
  void aNotifyIsLostBetweenTwoOperationsWhenTheRootChanges() {
    Step<BroadcastParam> first = broadcast(chain(false), 0);
    Step<BroadcastParam> second = broadcast(chain(false), 1);

    cluster.check(first.executor(), first.param()).requireClean();
    cluster.check(second.executor(), second.param()).requireClean();
    cluster.checkSequence(first, first).requireClean();
    assertThat(cluster.checkSequence(first, second).rules()).containsExactly("SEQ-2");
  }

  @Test
  void anAnsweredNotifyIsNotLostWhenTheRootChanges() {
    cluster.checkSequence(broadcast(chain(true), 0), broadcast(chain(true), 1)).requireClean();
  }

  // ---- a race that hardly any schedule shows

  private static final int ROUNDS = 500;

  /**
   * Rank 0 writes to rank 2, which does not wait for that, but for 500 rounds of talk with rank 1.
   *
   * @param isOrdered whether rank 1 begins to talk after it has heard from rank 0
   */
  private static CollExecutorBase<BroadcastParam> afterLongTalk(boolean isOrdered) {
    return new Sketch<>(
        param -> Sketch.mesh(param, TransportMemType.CCL_INPUT, TransportMemType.CCL_OUTPUT),
        (param, res) -> {
          Stream main = res.mainStream();
          DeviceMem slot = res.cclOutputMem().slice(0, param.outputBytes());
          int rank = param.comm().rank();
          if (rank == 0) {
            for (Link link : Sketch.links(param.comm(), res)) {
              link.await(main, Link.READY);
              link.write(main, link.remote(slot), res.paramInputMem());
            }
            Sketch.links(param.comm(), res).forEach(link -> link.post(main, Link.FIN));
            if (!param.inPlace()) {
              main.copy(res.paramOutputMem(), res.paramInputMem());
            }
            return;
          }
          Link root = Sketch.link(res, 0);
          root.post(main, Link.READY);
          if (rank == 1 && isOrdered) {
            root.await(main, Link.FIN);
          }
          Link other = Sketch.link(res, 3 - rank);
          for (int round = 0; round < ROUNDS; round++) {
            other.post(main, Link.READY);
            other.await(main, Link.READY);
            other.dataReceivedAck(main);
          }
          if (rank == 1 && !isOrdered) {
            root.await(main, Link.FIN);
          }
          main.copy(res.paramOutputMem(), slot);
          if (rank == 2) {
            root.await(main, Link.FIN);
          }
        });
  }

  @Test
  void aRaceThatNoneOfManySchedulesShowsIsFoundAllTheSame() {
    BroadcastParam param = new BroadcastParam(cluster.comm(), DataType.INT32, 10, 0);
    VirtualCluster runs =
        VirtualCluster.builder(Topology.flat(3)).only(Rule.WRONG_VALUE).schedules(40).build();

    assertThat(runs.check(afterLongTalk(false), param).rules()).isEmpty();
    assertThat(cluster.check(afterLongTalk(false), param).rules()).contains("MEM-1");
    cluster.check(afterLongTalk(true), param).requireClean();
  }

  // ---- SUM followed by MAX on a raw source

  /** The root combines one peer's input with the first reduction, the other's with the second. */
  private static CollExecutorBase<ReduceParam> mixed(ReduceOp first, ReduceOp second) {
    return new Sketch<>(
        param -> Support.when(!param.inPlace(), "runs out of place only"),
        param ->
            param.comm().rank() == param.root()
                ? Sketch.mesh(param)
                : Sketch.pairs(param, param.root()),
        (param, res) -> {
          Stream main = res.mainStream();
          if (param.comm().rank() != param.root()) {
            Link root = Sketch.link(res, param.root());
            root.post(main, Link.READY);
            root.await(main, Link.FIN);
            return;
          }
          main.copy(res.paramOutputMem(), res.paramInputMem());
          for (Link link : Sketch.links(param.comm(), res)) {
            ReduceOp op = link.remoteUserRank() == 1 ? first : second;
            DeviceMem source = link.remote(TransportMemType.PARAM_INPUT);
            link.await(main, Link.READY);
            link.readReduce(main, res.paramOutputMem(), source, param.dataType(), op);
            link.post(main, Link.FIN);
          }
        });
  }

  @Test
  void aMaximumOfARawSourceAfterASumIsNoSum() {
    ReduceParam param = new ReduceParam(cluster.comm(), DataType.INT32, ReduceOp.SUM, 10, 0);

    assertThat(cluster.check(mixed(ReduceOp.SUM, ReduceOp.MAX), param).rules())
        .containsExactly("SEM-2");
    assertThat(cluster.check(mixed(ReduceOp.MAX, ReduceOp.SUM), param).rules())
        .containsExactly("SEM-2");
    cluster.check(mixed(ReduceOp.SUM, ReduceOp.SUM), param).requireClean();
  }

  // ---- an association that differs between ranks

  /** Rank 0 adds (0 + 1) + (2 + 3), the others from left to right: the same ranks, once each. */
  private static CollExecutorBase<AllReduceParam> twoShapes() {
    CollExecutorBase<AllReduceParam> sketch =
        new Sketch<>(
            param -> Support.when(!param.inPlace(), "runs out of place only"),
            param -> Sketch.mesh(param).withScratchMemSize(param.outputBytes()),
            (param, res) -> {
              Sketch.exchange(param.comm(), res, Link.READY);
              if (param.comm().rank() > 0) {
                Algorithms.reduceAllInputs(param, res, res.scratchMem());
                res.mainStream().copy(res.paramOutputMem(), res.scratchMem());
              } else {
                reduceInPairs(param, res);
              }
              Sketch.exchange(param.comm(), res, Link.FIN);
            });
    return new Promising(sketch, Determinism.SAME_RANKS);
  }

  private static void reduceInPairs(AllReduceParam param, AlgResourceResponse res) {
    Stream main = res.mainStream();
    List<DeviceMem> inputs = new ArrayList<>(List.of(res.paramInputMem()));
    for (Link link : Sketch.links(param.comm(), res)) {
      inputs.add(link.remote(TransportMemType.PARAM_INPUT));
    }
    DeviceMem out = res.paramOutputMem();
    DeviceMem right = res.scratchMem();
    main.reduceFrom(out, inputs.subList(0, 2), param.dataType(), param.reduceOp());
    main.reduceFrom(right, inputs.subList(2, 4), param.dataType(), param.reduceOp());
    main.reduce(out, right, param.dataType(), param.reduceOp());
  }

  /** Another executor with a promise of its own. */
  private static final class Promising extends CollExecutorBase<AllReduceParam> {
    private final CollExecutorBase<AllReduceParam> executor;
    private final Determinism determinism;

    Promising(CollExecutorBase<AllReduceParam> executor, Determinism determinism) {
      this.executor = executor;
      this.determinism = determinism;
    }

    @Override
    public Support supports(AllReduceParam param) {
      return executor.supports(param);
    }

    @Override
    public AlgResourceRequest calcResRequest(AllReduceParam param) {
      return executor.calcResRequest(param);
    }

    @Override
    public void orchestrate(AllReduceParam param, AlgResourceResponse resources) {
      executor.orchestrate(param, resources);
    }

    @Override
    public Determinism determinism() {
      return determinism;
    }
  }

  @Test
  void anAssociationThatDiffersBetweenRanksMattersForFloatsOnly() {
    VirtualCluster four = VirtualCluster.builder(Topology.flat(4)).shrink(false).build();

    assertThat(
            four.check(
                    twoShapes(),
                    new AllReduceParam(four.comm(), DataType.FLOAT32, ReduceOp.SUM, 10))
                .rules())
        .containsExactly("DET-1");
    four.check(twoShapes(), new AllReduceParam(four.comm(), DataType.INT32, ReduceOp.SUM, 10))
        .requireClean();
    four.check(twoShapes(), new AllReduceParam(four.comm(), DataType.FLOAT32, ReduceOp.MAX, 10))
        .requireClean();
  }

  // ---- a slave stream that is joined, or not

  /**
   * An all-gather whose slave stream copies the own block and tells the peers that they may read.
   *
   * @param isLast whether that word is the last thing the slave stream does; the peers answer it
   */
  private static CollExecutorBase<AllGatherParam> slaveSpeaks(boolean isLast) {
    return new Sketch<>(
        param -> Sketch.mesh(param).withStreamNum(1),
        (param, res) -> {
          Stream main = res.mainStream();
          Stream slave = res.slaveStreams().getFirst();
          long bytes = param.inputBytes();
          DeviceMem own = res.paramOutputMem().slice(param.comm().rank() * bytes, bytes);
          List<Link> links = Sketch.links(param.comm(), res);
          main.fork(res.slaveStreams());
          if (isLast) {
            slave.copy(own, res.paramInputMem());
          }
          links.forEach(link -> link.post(slave, Link.READY));
          if (!isLast) {
            slave.copy(own, res.paramInputMem());
          }
          for (Link link : links) {
            DeviceMem dst = res.paramOutputMem().slice(link.remoteUserRank() * bytes, bytes);
            link.await(main, Link.READY);
            link.read(main, dst, link.remote(TransportMemType.PARAM_INPUT));
          }
          Sketch.exchange(param.comm(), res, Link.FIN);
        });
  }

  @Test
  void aSlaveStreamThatNobodyWaitsForIsNotJoined() {
    AllGatherParam param = new AllGatherParam(cluster.comm(), DataType.INT32, 10);

    assertThat(cluster.check(slaveSpeaks(false), param).rules()).containsExactly("SYN-5");
  }

  @Test
  void aSlaveStreamIsJoinedAlsoByWayOfThePeers() {
    AllGatherParam param = new AllGatherParam(cluster.comm(), DataType.INT32, 10);

    cluster.check(slaveSpeaks(true), param).requireClean();
  }

  // ---- scratch that two operations share

  /**
   * A gather in which the root reads the peers' scratch.
   *
   * @param isClosed whether the peers wait until the root has read it
   */
  private static CollExecutorBase<GatherParam> fromScratch(boolean isClosed) {
    return new Sketch<>(
        param ->
            AlgResourceRequest.of(
                    param.comm().rank() == param.root()
                        ? OpCommTransport.mesh(
                            param.comm(),
                            CommPlane.COMBINED,
                            TransportMemType.SCRATCH,
                            TransportMemType.PARAM_OUTPUT)
                        : OpCommTransport.pairs(
                            param.comm(),
                            CommPlane.COMBINED,
                            TransportMemType.SCRATCH,
                            TransportMemType.PARAM_OUTPUT,
                            param.root()))
                .withScratchMemSize(param.inputBytes()),
        (param, res) -> {
          Stream main = res.mainStream();
          long bytes = param.inputBytes();
          main.copy(res.scratchMem(), res.paramInputMem());
          if (param.comm().rank() != param.root()) {
            Link root = Sketch.link(res, param.root());
            root.post(main, Link.FIN);
            root.await(main, isClosed ? Link.FIN_ACK : Link.READY);
            return;
          }
          main.copy(res.paramOutputMem().slice(param.root() * bytes, bytes), res.scratchMem());
          for (Link link : Sketch.links(param.comm(), res)) {
            DeviceMem dst = res.paramOutputMem().slice(link.remoteUserRank() * bytes, bytes);
            link.await(main, Link.FIN);
            if (!isClosed) {
              link.post(main, Link.READY);
            }
            link.read(main, dst, link.remote(TransportMemType.SCRATCH));
            if (isClosed) {
              link.post(main, Link.FIN_ACK);
            }
          }
        });
  }

  @Test
  void scratchThatIsStillReadMayNotBeUsedByTheNextOperation() {
    GatherParam param = new GatherParam(cluster.comm(), DataType.INT32, 10, 0);

    assertThat(cluster.check(fromScratch(false), param).rules()).containsExactly("SEQ-1");
    cluster.check(fromScratch(true), param).requireClean();
  }
}
