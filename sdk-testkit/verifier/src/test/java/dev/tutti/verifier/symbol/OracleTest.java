package dev.tutti.verifier.symbol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.plan.GroupPlan;
import dev.tutti.sdk.AlgOptions;
import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.Determinism;
import dev.tutti.sdk.Protocol;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.WorkflowMode;
import dev.tutti.sdk.param.AllGatherParam;
import dev.tutti.sdk.param.AllReduceParam;
import dev.tutti.sdk.param.BroadcastParam;
import dev.tutti.sdk.param.ExclusiveScanParam;
import dev.tutti.sdk.param.OpParam;
import dev.tutti.sdk.param.ReduceScatterParam;
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.sdk.topology.Topology;
import dev.tutti.simulator.flow.FlatPlan;
import dev.tutti.simulator.flow.Moves;
import dev.tutti.simulator.flow.Segments;
import dev.tutti.simulator.flow.Walk;
import dev.tutti.verifier.rule.Finding;
import dev.tutti.verifier.rule.Findings;
import dev.tutti.verifier.semantics.Piece;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Compares the symbolic execution with an exact one, byte by byte, on random plans. */
class OracleTest {

  private static final int PLANS = 400;

  /** Notes everything that the check finds, byte by byte. */
  private static final class Notes
      implements Execution.Observer, OutputCheck.Faults, Associations.Differences {
    final TreeSet<String> faults = new TreeSet<>();

    @Override
    public void undefinedRead(int stream, int event, int memory, long from, long to) {
      bytes("undefined " + stream + " " + event + " " + memory, from, to);
    }

    private void bytes(String what, long from, long to) {
      for (long at = from; at < to; at++) {
        faults.add(what + " " + at);
      }
    }

    @Override
    public void wrongOutput(
        Piece piece, int rank, int memory, long from, long to, long sum, long meta) {
      if (Value.state(meta) != Value.BROKEN || sum != Value.UNDEFINED) {
        bytes("output " + rank, from, to);
      }
    }

    @Override
    public void changedInput(int rank, int memory, long from, long to) {
      bytes("input " + rank, from, to);
    }

    @Override
    public void changedOutput(int rank, int memory, long from, long to) {
      bytes("left " + rank, from, to);
    }

    @Override
    public void betweenRanks(Piece piece, int rank, int otherRank, long from) {
      faults.add("ranks differ " + otherRank);
    }

    @Override
    public void betweenElements(Piece piece, int rank, long from, long otherFrom) {
      faults.add("elements differ");
    }
  }

  private static TreeSet<String> bySymbols(FlatPlan plan, Goal goal, boolean isShort) {
    Notes notes = new Notes();
    Segments segments = Segments.of(plan, plan::isWritten);
    Contents contents = new Contents(plan, segments);
    Moves moves = isShort ? Moves.of(plan, segments, 1) : null;
    new Walk(plan, new Execution(plan, contents, goal, notes, moves)).run();
    Associations associations =
        goal.isOrderSensitive() ? new Associations(goal.rankSize(), notes) : null;
    new OutputCheck(plan, contents, goal).run(notes, associations);
    return notes.faults;
  }

  private static CommInfo comm(int ranks) {
    return new CommInfo(
        0, Topology.flat(ranks), WorkflowMode.GRAPH, Protocol.DIRECT, Determinism.NONE, 1 << 10);
  }

  /** Compares both verdicts, and checks the findings; returns the number of wrong bytes. */
  private static int compare(GroupPlan plan, OpParam param, String name) {
    FlatPlan flat = FlatPlan.of(plan);
    List<OpParam> params = new ArrayList<>();
    for (int rank = 0; rank < plan.rankSize(); rank++) {
      params.add(param.withComm(param.comm().withRank(rank)));
    }
    Goal goal = new Goal(plan, params);
    TreeSet<String> expected = new Oracle(flat, goal).faults;
    TreeSet<String> harmful = new TreeSet<>(expected);

    assertThat(bySymbols(flat, goal, true)).as(name).isEqualTo(expected);
    assertThat(bySymbols(flat, goal, false)).as(name).isEqualTo(expected);
    compareElements(flat, goal, expected, name);

    Findings findings = new Findings();
    SymbolResult result =
        SymbolCheck.check(flat, params, SymbolOptions.of(Determinism.SAME_SIZES), findings);
    harmful.removeIf(fault -> fault.contains("differ"));
    assertThat(findings.isEmpty()).as(name).isEqualTo(expected.isEmpty());
    assertThat(result.isRight()).as(name).isEqualTo(harmful.isEmpty());
    for (Finding finding : findings.toList()) {
      assertThat(finding.message()).as(name).doesNotContain("its expression is");
    }
    return harmful.size();
  }

  /** The explanation must itself determine which elements are wrong. */
  private static void compareElements(
      FlatPlan plan, Goal goal, TreeSet<String> faults, String name) {
    Trace trace = new Trace(plan, Segments.of(plan, plan::isWritten));
    int size = goal.elementBytes();
    for (Piece piece : goal.pieces) {
      for (int rank : piece.dstRanks) {
        for (long index = 0; index < piece.count; index++) {
          long from = (piece.dstOffset + index) * size;
          int memory = plan.memory(rank, TransportMemType.PARAM_OUTPUT);
          Anatomy anatomy = new Anatomy(Slice.element(trace, goal, memory, from, size), goal.type);
          Contribution element = new Contribution(goal, piece, index, anatomy);
          boolean isWrong = !element.wrongSteps().isEmpty() || !element.faults(trace).isEmpty();
          boolean isFaulty = false;
          for (long at = from; at < from + size; at++) {
            isFaulty |= faults.contains("output " + rank + " " + at);
          }
          if (isFaulty || !anatomy.hasUndefined()) {
            assertThat(isWrong).as("%s rank %d byte %d", name, rank, from).isEqualTo(isFaulty);
          }
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = DataType.class,
      names = {"INT16", "FLOAT16", "FLOAT32", "INT8"})
  void agreesOnRandomActions(DataType type) {
    int faulty = 0;
    for (int seed = 0; seed < PLANS; seed++) {
      boolean inPlace = seed % 2 == 1;
      AllReduceParam param =
          new AllReduceParam(comm(3), "", AlgOptions.none(), type, ReduceOp.SUM, 6, inPlace);
      GroupPlan plan = RandomPlans.garbage(param, seed);
      faulty += compare(plan, param, type + " seed " + seed) > 0 ? 1 : 0;
    }
    assertThat(faulty).isGreaterThan(PLANS / 2);
  }

  @ParameterizedTest
  @EnumSource(
      value = DataType.class,
      names = {"UINT32", "BFLOAT16", "FLOAT64", "INT8"})
  void agreesOnPlansThatAreRightOrAlmost(DataType type) {
    int right = 0;
    int faulty = 0;
    for (int seed = 0; seed < PLANS; seed++) {
      AllReduceParam param = new AllReduceParam(comm(3), type, ReduceOp.SUM, 5);
      GroupPlan plan = RandomPlans.sum(param, seed);
      boolean isNested = seed % 4 == 0;
      int faults =
          compare(
              isNested ? GroupPlan.sequence("outer", List.of(plan)) : plan,
              param,
              type + " seed " + seed);
      right += faults == 0 ? 1 : 0;
      faulty += faults > 0 ? 1 : 0;
    }
    assertThat(faulty).isGreaterThan(PLANS / 8);
    assertThat(right).isGreaterThan(PLANS / 8);
  }

  @Test
  void agreesWhereRanksGetDifferentParts() {
    for (int seed = 0; seed < PLANS; seed++) {
      ReduceScatterParam scatter =
          new ReduceScatterParam(comm(3), DataType.FLOAT32, ReduceOp.PROD, 2);
      compare(RandomPlans.garbage(scatter, seed), scatter, "reduce-scatter seed " + seed);
      BroadcastParam broadcast =
          new BroadcastParam(
              comm(3), "", AlgOptions.none(), DataType.INT32, 5, seed % 3, seed % 2 == 0);
      compare(RandomPlans.garbage(broadcast, seed), broadcast, "broadcast seed " + seed);
      ExclusiveScanParam scan = new ExclusiveScanParam(comm(3), DataType.INT16, ReduceOp.SUM, 4);
      compare(RandomPlans.garbage(scan, seed), scan, "exclusive scan seed " + seed);
      AllGatherParam gather = new AllGatherParam(comm(3), DataType.INT8, 2);
      compare(RandomPlans.garbage(gather, seed), gather, "all-gather seed " + seed);
    }
  }
}
