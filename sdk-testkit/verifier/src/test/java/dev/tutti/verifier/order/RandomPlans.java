package dev.tutti.verifier.order;

import dev.tutti.plan.GroupPlan;
import dev.tutti.plan.PlanRecorder;
import dev.tutti.samples.Sketch;
import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.Determinism;
import dev.tutti.sdk.Protocol;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.WorkflowMode;
import dev.tutti.sdk.param.BroadcastParam;
import dev.tutti.sdk.resource.AlgResourceResponse;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.Stream;
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.sdk.topology.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Small random plans, made along one schedule so that most of them run to their end. */
final class RandomPlans {

  private static final int LINK_NOTIFIES = 3;

  private final Random random;
  private final int ranks;
  private final int slaves;
  private final boolean isForked;
  private final boolean usesParam;

  /** Whether each notify is posted by one stream and awaited by one stream. */
  private final boolean isTidy;

  private final List<Step> steps = new ArrayList<>();

  /** For each cell (rank, peer, notify) and (rank, own), the number of pending signals. */
  private final int[][] signals;

  private enum Verb {
    POST,
    AWAIT,
    OWN_POST,
    OWN_AWAIT,
    WRITE,
    READ,
    REDUCE
  }

  private record Step(int rank, int stream, Verb verb, int peer, int value) {}

  private RandomPlans(Random random, int ranks, boolean usesParam) {
    this.random = random;
    this.ranks = ranks;
    this.slaves = random.nextInt(3);
    this.isForked = random.nextInt(4) > 0;
    this.usesParam = usesParam;
    this.isTidy = random.nextInt(3) > 0;
    this.signals = new int[ranks][ranks * LINK_NOTIFIES + 1];
  }

  /** One operation. */
  static GroupPlan plan(long seed) {
    Random random = new Random(seed);
    int ranks = 2 + random.nextInt(3);
    return new RandomPlans(random, ranks, random.nextInt(3) == 0)
        .record(2 + random.nextInt(12) * ranks);
  }

  /** One operation of some ranks that leaves inputs and outputs alone. */
  static GroupPlan plan(Random random, int ranks) {
    return new RandomPlans(random, ranks, false).record(2 + random.nextInt(8) * ranks);
  }

  private GroupPlan record(int length) {
    while (steps.size() < length) {
      step();
    }
    for (int rank = 0; rank < ranks; rank++) {
      for (int cell = 0; cell < signals[rank].length; cell++) {
        while (signals[rank][cell]-- > 0 && random.nextInt(40) > 0) {
          boolean isOwn = cell == ranks * LINK_NOTIFIES;
          Verb verb = isOwn ? Verb.OWN_AWAIT : Verb.AWAIT;
          add(rank, verb, cell / LINK_NOTIFIES, cell % LINK_NOTIFIES);
        }
      }
    }
    CommInfo comm =
        new CommInfo(
            0,
            Topology.flat(ranks),
            WorkflowMode.GRAPH,
            Protocol.DIRECT,
            Determinism.NONE,
            CommInfo.DEFAULT_CCL_BUFFER_SIZE);
    TransportMemType shared = usesParam ? TransportMemType.PARAM_OUTPUT : TransportMemType.SCRATCH;
    CollExecutorBase<BroadcastParam> executor =
        new Sketch<>(
            param ->
                Sketch.mesh(param, shared, TransportMemType.CCL_INPUT)
                    .withScratchMemSize(32)
                    .withStreamNum(slaves)
                    .withNotifyNum(2 * slaves + 1),
            (param, res) -> emit(param.comm().rank(), shared, res));
    return new PlanRecorder()
        .withSources(false)
        .record("random", executor, new BroadcastParam(comm, DataType.INT64, 4, 0));
  }

  private void add(int rank, Verb verb, int peer, int value) {
    boolean isData = verb == Verb.WRITE || verb == Verb.READ || verb == Verb.REDUCE;
    int stream =
        isTidy && !isData
            ? (verb.ordinal() + rank + peer + value) % (slaves + 1)
            : random.nextInt(slaves + 1);
    steps.add(new Step(rank, stream, verb, peer, value));
  }

  /**
   * Signals go to a peer and back several times. Each is posted by the stream that awaited the one
   * before, so streams of a rank take turns with the same notifies.
   */
  private void passBackAndForth(int rank, int peer, int notify) {
    if (signals[peer][rank * LINK_NOTIFIES + notify] > 0
        || signals[rank][peer * LINK_NOTIFIES + notify] > 0) {
      return;
    }
    int stream = random.nextInt(slaves + 1);
    int ofPeer = random.nextInt(slaves + 1);
    for (int turn = random.nextInt(2); turn < 3; turn++) {
      steps.add(new Step(rank, stream, Verb.POST, peer, notify));
      steps.add(new Step(peer, ofPeer, Verb.AWAIT, rank, notify));
      ofPeer = random.nextInt(3) > 0 ? ofPeer : random.nextInt(slaves + 1);
      step();
      steps.add(new Step(peer, ofPeer, Verb.POST, rank, notify));
      stream = random.nextInt(slaves + 1);
      steps.add(new Step(rank, stream, Verb.AWAIT, peer, notify));
    }
  }

  private void step() {
    int rank = random.nextInt(ranks);
    int peer = (rank + 1 + random.nextInt(ranks - 1)) % ranks;
    if (random.nextInt(24) == 0) {
      passBackAndForth(rank, peer, random.nextInt(LINK_NOTIFIES));
      return;
    }
    int notify = random.nextInt(LINK_NOTIFIES);
    int target = random.nextInt(ranks);
    int offset = random.nextInt(4);
    int own = ranks * LINK_NOTIFIES;
    switch (random.nextInt(10)) {
      case 0, 1, 2 -> {
        int cell = rank * LINK_NOTIFIES + notify;
        if (signals[peer][cell] == 0 || random.nextInt(12) == 0) {
          signals[peer][cell]++;
          add(rank, Verb.POST, peer, notify);
        }
      }
      case 3, 4, 5 -> {
        int cell = peer * LINK_NOTIFIES + notify;
        if (signals[rank][cell] > 0 || random.nextInt(150) == 0) {
          signals[rank][cell]--;
          add(rank, Verb.AWAIT, peer, notify);
        }
      }
      case 6 -> {
        boolean isPost = signals[rank][own] == 0;
        signals[rank][own] += isPost ? 1 : -1;
        add(rank, isPost ? Verb.OWN_POST : Verb.OWN_AWAIT, 0, 0);
      }
      case 7 -> add(rank, Verb.WRITE, target, offset);
      case 8 -> add(rank, Verb.READ, target, offset);
      default -> add(rank, Verb.REDUCE, target, random.nextInt(2));
    }
  }

  private void emit(int rank, TransportMemType shared, AlgResourceResponse res) {
    Stream main = res.mainStream();
    if (isForked) {
      main.fork(res.slaveStreams());
    }
    for (Step step : steps) {
      if (step.rank == rank) {
        emit(step, step.stream == 0 ? main : res.slaveStreams().get(step.stream - 1), shared, res);
      }
    }
    if (isForked) {
      main.join(res.slaveStreams());
    }
  }

  private static void emit(
      Step step, Stream stream, TransportMemType shared, AlgResourceResponse res) {
    boolean isLocal = step.peer == step.rank;
    DeviceMem local = res.cclOutputMem().slice(8L + 8 * stream.id(), 8);
    switch (step.verb) {
      case POST -> Sketch.link(res, step.peer).post(stream, step.value);
      case AWAIT -> Sketch.link(res, step.peer).await(stream, step.value);
      case OWN_POST -> stream.post(res.notifies().getLast());
      case OWN_AWAIT -> stream.await(res.notifies().getLast());
      case WRITE -> {
        DeviceMem to = memory(step, shared, res).slice(4L * step.value, 8);
        if (isLocal) {
          stream.copy(to, local);
        } else {
          Sketch.link(res, step.peer).write(stream, to, local);
        }
      }
      case READ -> {
        DeviceMem from = memory(step, shared, res).slice(4L * step.value, 8);
        if (isLocal) {
          stream.copy(local, from);
        } else {
          Sketch.link(res, step.peer).read(stream, local, from);
        }
      }
      case REDUCE -> {
        DeviceMem to = memory(step, shared, res).slice(8L * step.value, 8);
        if (isLocal) {
          stream.reduce(to, local, DataType.INT32, ReduceOp.SUM);
        } else {
          Sketch.link(res, step.peer).writeReduce(stream, to, local, DataType.INT32, ReduceOp.SUM);
        }
      }
    }
  }

  private static DeviceMem memory(Step step, TransportMemType shared, AlgResourceResponse res) {
    if (step.peer == step.rank) {
      return shared == TransportMemType.SCRATCH ? res.scratchMem() : res.paramOutputMem();
    }
    return Sketch.link(res, step.peer).remote(shared);
  }
}
