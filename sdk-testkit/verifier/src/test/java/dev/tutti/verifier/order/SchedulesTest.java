package dev.tutti.verifier.order;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.plan.GroupPlan;
import dev.tutti.plan.PlanRecorder;
import dev.tutti.samples.Sketch;
import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.Determinism;
import dev.tutti.sdk.Protocol;
import dev.tutti.sdk.WorkflowMode;
import dev.tutti.sdk.param.BroadcastParam;
import dev.tutti.sdk.resource.AlgResourceResponse;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.Link;
import dev.tutti.sdk.resource.Stream;
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.sdk.topology.Topology;
import dev.tutti.simulator.flow.FlatPlan;
import dev.tutti.simulator.flow.FlatStream;
import dev.tutti.verifier.rule.Findings;
import dev.tutti.verifier.rule.Rule;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Compares the static judgement of many small random plans with all their schedules, walked one by
 * one.
 */
class SchedulesTest {

  private static final int RANKS = 2;
  private static final int STREAMS = 2;
  private static final int PLANS = 1500;

  private static final Set<Rule> SYNC =
      Set.of(Rule.DEADLOCK, Rule.LOST_NOTIFY, Rule.LEFT_OVER_NOTIFY, Rule.STOLEN_NOTIFY);

  /** One action of a random plan. */
  private record Step(int rank, int stream, Verb verb, int value) {}

  private enum Verb {
    POST,
    AWAIT,
    WRITE_OWN,
    WRITE_PEER,
    READ_OWN,
    READ_PEER,
    LOCAL_POST,
    LOCAL_AWAIT
  }

  /** What can go wrong in some schedule. */
  private enum Fault {
    STUCK,
    LOST,
    LEFT_OVER,
    STOLEN,
    RACE
  }

  @Test
  void whatIsReportedCanHappenAndWhatCanHappenIsReported() {
    Map<Fault, Integer> seen = new EnumMap<>(Fault.class);
    int clean = 0;
    int deep = 0;
    for (int seed = 0; seed < PLANS; seed++) {
      GroupPlan plan = plan(new Random(seed));
      FlatPlan flat = FlatPlan.of(plan);
      Exploration exploration = new Exploration(flat);
      Set<Fault> possible = exploration.faults();
      Findings findings = new Findings();
      OrderSummary summary = OrderCheck.check(flat, false, findings);
      String what =
          "seed %d: possible %s, reported %s, %s"
              .formatted(seed, possible, findings.toList(), plan.ranks());
      Set<Fault> sync = new HashSet<>(possible);
      sync.remove(Fault.RACE);
      boolean isReported = SYNC.stream().anyMatch(findings::has);
      assertThat(isReported).as(what).isEqualTo(!sync.isEmpty());
      boolean isLost = findings.has(Rule.LOST_NOTIFY);
      boolean isStolen = findings.has(Rule.STOLEN_NOTIFY);
      if (isLost && !isStolen) {
        assertThat(possible).as(what).contains(Fault.LOST);
      }
      if (isStolen && !isLost) {
        assertThat(possible).as(what).contains(Fault.STOLEN);
      }
      if (sync.isEmpty()) {
        assertThat(findings.has(Rule.RACE)).as(what).isEqualTo(possible.contains(Fault.RACE));
        clean += possible.isEmpty() ? 1 : 0;
      }
      if (summary.notifyDepth() != OrderSummary.UNBOUNDED) {
        assertThat(exploration.depth).as(what).isEqualTo(summary.notifyDepth());
        deep += summary.notifyDepth() > 1 ? 1 : 0;
      }
      possible.forEach(fault -> seen.merge(fault, 1, Integer::sum));
    }
    assertThat(seen.keySet()).as("every fault occurs").containsExactly(Fault.values());
    assertThat(clean).as("clean plans occur").isGreaterThan(PLANS / 50);
    assertThat(deep).as("plans that need deeper notifies occur").isGreaterThan(PLANS / 50);
  }

  /** A plan that some schedule runs to its end, made along that schedule. */
  private static GroupPlan plan(Random random) {
    List<Step> steps = new ArrayList<>();
    // Two link notifies at each end, and one between the streams of each rank.
    int[] linkBits = new int[RANKS * 2];
    int[] localBits = new int[RANKS];
    int length = 4 + random.nextInt(10);
    while (steps.size() < length) {
      int rank = random.nextInt(RANKS);
      int stream = random.nextInt(STREAMS);
      int value = random.nextInt(2);
      switch (random.nextInt(9)) {
        case 0, 1 -> {
          int cell = (1 - rank) * 2 + value;
          if (linkBits[cell] == 0 || random.nextInt(8) == 0) {
            linkBits[cell]++;
            steps.add(new Step(rank, stream, Verb.POST, value));
          }
        }
        case 2, 3 -> {
          int cell = rank * 2 + value;
          if (linkBits[cell] > 0 || random.nextInt(60) == 0) {
            linkBits[cell]--;
            steps.add(new Step(rank, stream, Verb.AWAIT, value));
          }
        }
        case 4 -> {
          if (localBits[rank] == 0) {
            localBits[rank]++;
            steps.add(new Step(rank, stream, Verb.LOCAL_POST, 0));
          } else {
            localBits[rank]--;
            steps.add(new Step(rank, stream, Verb.LOCAL_AWAIT, 0));
          }
        }
        case 5 -> steps.add(new Step(rank, stream, Verb.WRITE_OWN, value));
        case 6 -> steps.add(new Step(rank, stream, Verb.WRITE_PEER, value));
        case 7 -> steps.add(new Step(rank, stream, Verb.READ_OWN, value));
        default -> steps.add(new Step(rank, stream, Verb.READ_PEER, value));
      }
    }
    for (int rank = 0; rank < RANKS; rank++) {
      for (int value = 0; value < 2; value++) {
        while (linkBits[rank * 2 + value]-- > 0 && random.nextInt(10) > 0) {
          steps.add(new Step(rank, random.nextInt(STREAMS), Verb.AWAIT, value));
        }
      }
      if (localBits[rank] > 0) {
        steps.add(new Step(rank, random.nextInt(STREAMS), Verb.LOCAL_AWAIT, 0));
      }
    }
    CommInfo comm =
        new CommInfo(
            0,
            Topology.flat(RANKS),
            WorkflowMode.GRAPH,
            Protocol.DIRECT,
            Determinism.NONE,
            CommInfo.DEFAULT_CCL_BUFFER_SIZE);
    CollExecutorBase<BroadcastParam> executor =
        new Sketch<>(
            param ->
                Sketch.mesh(param, TransportMemType.SCRATCH, TransportMemType.CCL_INPUT)
                    .withStreamNum(STREAMS - 1)
                    .withScratchMemSize(16),
            (param, res) ->
                steps.stream()
                    .filter(step -> step.rank() == param.comm().rank())
                    .forEach(step -> emit(step, res)));
    return new PlanRecorder()
        .record("random", executor, new BroadcastParam(comm, DataType.INT64, 1, 0));
  }

  private static void emit(Step step, AlgResourceResponse res) {
    Stream stream = step.stream() == 0 ? res.mainStream() : res.slaveStreams().getFirst();
    Link link = Sketch.link(res, 1 - step.rank());
    DeviceMem source = res.cclOutputMem().slice(0, 8);
    DeviceMem unshared = res.cclOutputMem().slice(8L + 8 * step.stream(), 8);
    DeviceMem own = res.scratchMem().slice(4L * step.value(), 8);
    DeviceMem peers = link.remote(TransportMemType.SCRATCH).slice(4L * step.value(), 8);
    switch (step.verb()) {
      case POST -> link.post(stream, step.value());
      case AWAIT -> link.await(stream, step.value());
      case LOCAL_POST -> stream.post(res.notifies().getFirst());
      case LOCAL_AWAIT -> stream.await(res.notifies().getFirst());
      case WRITE_OWN -> stream.copy(own, source);
      case WRITE_PEER -> link.write(stream, peers, source);
      case READ_OWN -> stream.copy(unshared, own);
      case READ_PEER -> link.read(stream, unshared, peers);
    }
  }

  /** All reachable states of a plan with counting notifies. */
  private static final class Exploration {

    private final FlatPlan plan;
    private final Set<List<Integer>> visited = new HashSet<>();
    private final Set<Fault> faults = new HashSet<>();

    /** The most signals of one cell that wait in some state; at least 1. */
    private int depth = 1;

    Exploration(FlatPlan plan) {
      this.plan = plan;
    }

    Set<Fault> faults() {
      explore(new int[plan.streams().size()], new int[plan.cellCount()]);
      return faults;
    }

    private int next(int[] position, int stream) {
      FlatStream code = plan.streams().get(stream);
      return position[stream] == code.size() ? FlatStream.END : code.sync(position[stream]);
    }

    private void explore(int[] position, int[] counts) {
      List<Integer> state = new ArrayList<>();
      Arrays.stream(position).forEach(state::add);
      Arrays.stream(counts).forEach(state::add);
      if (!visited.add(state)) {
        return;
      }
      judge(position, counts);
      depth = Math.max(depth, Arrays.stream(counts).max().orElse(0));
      boolean moved = false;
      boolean isDone = true;
      for (int stream = 0; stream < position.length; stream++) {
        if (position[stream] == plan.streams().get(stream).size()) {
          continue;
        }
        isDone = false;
        int sync = next(position, stream);
        int cell = sync >= 0 ? FlatStream.cell(sync) : -1;
        if (FlatStream.isAwait(sync) && counts[cell] == 0) {
          continue;
        }
        moved = true;
        int change = FlatStream.isAwait(sync) ? -1 : FlatStream.isPost(sync) ? 1 : 0;
        position[stream]++;
        if (cell >= 0) {
          counts[cell] += change;
        }
        explore(position, counts);
        position[stream]--;
        if (cell >= 0) {
          counts[cell] -= change;
        }
      }
      if (isDone && Arrays.stream(counts).anyMatch(count -> count > 0)) {
        faults.add(Fault.LEFT_OVER);
      }
      if (!isDone && !moved) {
        faults.add(Fault.STUCK);
      }
    }

    private void judge(int[] position, int[] counts) {
      for (int a = 0; a < position.length; a++) {
        int sync = next(position, a);
        if (FlatStream.isPost(sync) && counts[FlatStream.cell(sync)] > 0) {
          faults.add(Fault.LOST);
        }
        for (int b = a + 1; b < position.length; b++) {
          int other = next(position, b);
          if (FlatStream.isAwait(sync) && sync == other && counts[FlatStream.cell(sync)] > 0) {
            faults.add(Fault.STOLEN);
          }
          if (sync == FlatStream.DATA && other == FlatStream.DATA && conflict(position, a, b)) {
            faults.add(Fault.RACE);
          }
        }
      }
    }

    private boolean conflict(int[] position, int a, int b) {
      DeviceMem firstDst = dst(position, a);
      DeviceMem secondDst = dst(position, b);
      return firstDst.overlaps(secondDst)
          || firstDst.overlaps(src(position, b))
          || secondDst.overlaps(src(position, a));
    }

    private DeviceMem dst(int[] position, int stream) {
      FlatStream code = plan.streams().get(stream);
      return code.plan(position[stream]).dst(code.action(position[stream]));
    }

    private DeviceMem src(int[] position, int stream) {
      FlatStream code = plan.streams().get(stream);
      return code.plan(position[stream]).src(code.action(position[stream]), 0);
    }
  }
}
