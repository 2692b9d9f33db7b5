package dev.tutti.verifier.explain;

import dev.tutti.plan.ActionKind;
import dev.tutti.plan.ActionRef;
import dev.tutti.plan.RankPlan;
import dev.tutti.simulator.flow.FlatPlan;
import dev.tutti.simulator.flow.FlatStream;
import dev.tutti.simulator.flow.FoldedRanks;
import dev.tutti.simulator.page.Lanes;
import dev.tutti.simulator.page.Lanes.ArrowKind;
import dev.tutti.simulator.page.Lanes.ItemKind;
import dev.tutti.simulator.page.Lanes.State;
import dev.tutti.verifier.rule.Finding;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * The space-time diagram of a plan, as the data of a drawing: a row for each stream, a column for
 * each step, arrows for signals and for data between ranks, and a mark for each finding. In large
 * groups, ranks that do the same share a row. For a long plan, the diagram shows only the actions
 * near the findings.
 */
public final class SpaceTimeDiagram {

  /** The most ranks for which each rank has its own rows. */
  private static final int ALONE = 12;

  /** The most actions of a drawing. */
  private static final int MAX_ITEMS = 6000;

  /** The most findings to mark. */
  private static final int MAX_MARKS = 12;

  private static final double WIDTH = 0.8;

  private final FlatPlan plan;
  private final Steps steps;
  private final FoldedRanks folded;
  private final Lanes lanes = new Lanes(Lanes.Unit.STEP);

  /** The row of each drawn stream. */
  private final Map<Integer, Integer> rowOf = new LinkedHashMap<>();

  /** The steps of the actions that the findings name. */
  private final TreeSet<Integer> focus = new TreeSet<>();

  private final Map<Long, Integer> items = new HashMap<>();

  private SpaceTimeDiagram(FlatPlan plan, Set<Integer> ranks) {
    this.plan = plan;
    this.steps = Steps.of(plan);
    this.folded = FoldedRanks.of(plan, ALONE, ranks);
  }

  /** The findings that can be marked: those that name actions, up to a limit. */
  public static List<Finding> drawable(List<Finding> findings) {
    return findings.stream().filter(each -> !each.actions().isEmpty()).limit(MAX_MARKS).toList();
  }

  /**
   * Draws a plan.
   *
   * @param findings the findings to mark, as {@link #drawable} returns them
   * @return the data of the drawing as JSON, in the form that the script for lanes draws
   */
  public static String of(FlatPlan plan, List<Finding> findings) {
    Set<Integer> ranks = new HashSet<>();
    findings.forEach(each -> each.actions().forEach(action -> ranks.add(action.rank())));
    return new SpaceTimeDiagram(plan, ranks).json(findings);
  }

  private String json(List<Finding> findings) {
    addRows();
    FindingMarks marks = new FindingMarks(plan, steps, lanes);
    for (Finding finding : findings) {
      for (ActionRef action : finding.actions()) {
        long place = marks.find(action);
        if (place != FindingMarks.NOWHERE) {
          focus.add(steps.step(FindingMarks.stream(place), FindingMarks.event(place)));
        }
      }
    }
    int reach = reach();
    rowOf.forEach((stream, row) -> addItems(stream, row, reach));
    addSignals();
    for (Finding finding : findings) {
      marks.add(finding, items);
    }
    addNotes(reach);
    return lanes.toJson();
  }

  private void addRows() {
    for (int group = 0; group < folded.count(); group++) {
      int rank = folded.group(group).getFirst();
      for (int stream = plan.mainStream(rank); stream < plan.endOfRank(rank); stream++) {
        String own =
            stream == plan.mainStream(rank) ? "" : " stream " + steps.stream(stream).number();
        rowOf.put(stream, lanes.row(folded.label(group) + own, folded.ranges(group)));
      }
    }
  }

  /**
   * The distance in steps from the marked actions within which other actions are drawn. It keeps
   * their number small.
   */
  private int reach() {
    long all = rowOf.keySet().stream().mapToLong(steps::size).sum();
    if (all <= MAX_ITEMS) {
      return Integer.MAX_VALUE;
    }
    int reach = 4;
    while (count(2 * reach) <= MAX_ITEMS) {
      reach *= 2;
    }
    return reach;
  }

  private long count(int reach) {
    return rowOf.keySet().stream()
        .mapToLong(
            stream ->
                IntStream.range(0, steps.size(stream))
                    .filter(event -> isNear(stream, event, reach))
                    .count())
        .sum();
  }

  private boolean isNear(int stream, int event, int reach) {
    if (reach == Integer.MAX_VALUE) {
      return true;
    }
    int step = steps.step(stream, event);
    Integer before = focus.floor(step);
    Integer after = focus.ceiling(step);
    return (before != null && step - before <= reach) || (after != null && after - step <= reach);
  }

  private void addItems(int stream, int row, int reach) {
    FlatStream code = steps.stream(stream);
    int stuck = steps.position()[stream];
    for (int event = 0; event < code.size(); event++) {
      if (!isNear(stream, event, reach)) {
        continue;
      }
      int step = steps.step(stream, event);
      State state = event < stuck ? State.RUNS : event == stuck ? State.STUCK : State.UNREACHED;
      ActionRef ref = code.ref(event);
      int item =
          lanes.item(
              row,
              step,
              step + WIDTH,
              kind(code, event),
              state,
              text(code, event, ref),
              ref.source(),
              bytes(code, event));
      items.put(FindingMarks.place(stream, event), item);
      if (code.sync(event) == FlatStream.DATA) {
        addTransfers(stream, event, row, item);
      }
    }
  }

  private static String text(FlatStream code, int event, ActionRef ref) {
    return switch (code.sync(event)) {
      case FlatStream.BEGIN -> "enters the operation";
      case FlatStream.END -> "leaves the operation";
      default -> ref.text();
    };
  }

  private static ItemKind kind(FlatStream code, int event) {
    int sync = code.sync(event);
    if (sync == FlatStream.DATA) {
      ActionKind kind = code.plan(event).kind(code.action(event));
      return kind == ActionKind.COPY ? ItemKind.COPY : ItemKind.REDUCE;
    }
    return sync < 0 ? ItemKind.CALL : FlatStream.isPost(sync) ? ItemKind.POST : ItemKind.AWAIT;
  }

  private static long bytes(FlatStream code, int event) {
    return code.sync(event) == FlatStream.DATA ? code.plan(event).bytes(code.action(event)) : 0;
  }

  /**
   * Adds an arrow from each peer whose bytes are read, and one to the peer whose memory is written.
   */
  private void addTransfers(int stream, int event, int row, int item) {
    FlatStream code = steps.stream(stream);
    RankPlan own = code.plan(event);
    int action = code.action(event);
    double step = steps.step(stream, event);
    Set<Integer> peers = new TreeSet<>();
    for (int i = 0; i < own.sourceCount(action); i++) {
      peers.add(own.srcRank(action, i));
    }
    for (int peer : peers) {
      if (peer != code.rank() && rowOfRank(peer) != row) {
        lanes.arrow(rowOfRank(peer), step, row, step + WIDTH / 2, ArrowKind.TRANSFER, -1, item);
      }
    }
    int target = own.dstRank(action);
    if (target != code.rank() && rowOfRank(target) != row) {
      lanes.arrow(
          row, step + WIDTH / 2, rowOfRank(target), step + WIDTH, ArrowKind.TRANSFER, item, -1);
    }
  }

  /** The row of the main stream of a rank, or of the rank that represents it. */
  private int rowOfRank(int rank) {
    int drawn = folded.group(folded.groupOf(rank)).getFirst();
    return rowOf.getOrDefault(plan.mainStream(drawn), 0);
  }

  private void addSignals() {
    steps.forEachSignal(
        rowOf::containsKey,
        (postStream, post, stream, event) -> {
          int from = items.getOrDefault(FindingMarks.place(postStream, post), -1);
          int to = items.getOrDefault(FindingMarks.place(stream, event), -1);
          int fromRow = rowOf.getOrDefault(postStream, rowOfRank(steps.stream(postStream).rank()));
          int toRow = rowOf.getOrDefault(stream, rowOfRank(steps.stream(stream).rank()));
          if ((from >= 0 || to >= 0) && fromRow != toRow) {
            lanes.arrow(
                fromRow,
                steps.step(postStream, post) + WIDTH / 2,
                toRow,
                steps.step(stream, event) + WIDTH / 2,
                ArrowKind.NOTIFY,
                from,
                to);
          }
        });
  }

  private void addNotes(int reach) {
    List<String> notes = new ArrayList<>();
    if (folded.count() < plan.plan().rankSize()) {
      notes.add(
          "Ranks that do the same on the same streams share one row. It shows the first of them,"
              + " with its own peers.");
    }
    if (reach != Integer.MAX_VALUE) {
      notes.add("Only actions within " + reach + " steps of those of a finding are drawn.");
    }
    if (!steps.isComplete()) {
      notes.add("The plan gets stuck: it never reaches the pale actions.");
    }
    notes.forEach(lanes::note);
  }
}
