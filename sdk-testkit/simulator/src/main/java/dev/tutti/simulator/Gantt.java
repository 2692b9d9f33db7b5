package dev.tutti.simulator;

import dev.tutti.plan.ActionKind;
import dev.tutti.plan.ActionRef;
import dev.tutti.plan.RankPlan;
import dev.tutti.plan.json.JsonWriter;
import dev.tutti.sdk.Arguments;
import dev.tutti.sdk.topology.CommPlane;
import dev.tutti.simulator.flow.FlatPlan;
import dev.tutti.simulator.flow.FlatStream;
import dev.tutti.simulator.flow.FoldedRanks;
import dev.tutti.simulator.page.Lanes;
import dev.tutti.simulator.page.Lanes.ArrowKind;
import dev.tutti.simulator.page.Lanes.ItemKind;
import dev.tutti.simulator.page.Lanes.State;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * The start and the end of each action of a simulation, as the data of a drawing: a row for each
 * stream, time in microseconds, arrows for signals and messages, and the critical path. For plans
 * that are not too large, the data includes what each action waits for and the parts of its time.
 * From these, a page computes how long the plan would take with other links.
 */
public final class Gantt {

  /** The most events of a plan whose dependencies are part of the data. */
  public static final int MAX_WHAT_IF = 20_000;

  /** The most actions that are drawn. */
  private static final int MAX_DRAWN = 20_000;

  /** Up to this number of ranks, each rank has its own rows. */
  private static final int ALONE = 64;

  /** The most ranks of the critical path that have their own rows in larger groups. */
  private static final int MAX_PATH_RANKS = 24;

  private static final double PS_PER_MICRO = 1e6;
  private static final int NONE = -1;

  private final FlatPlan plan;
  private final Network network;
  private final GanttLog log;
  private final Lanes lanes = new Lanes(Lanes.Unit.MICROSECOND);
  private final boolean hasWhatIf;
  private final FoldedRanks folded;
  private final int[] rowOf;
  private final int[][] itemOf;
  private final List<int[]> path;

  private Gantt(Simulation simulation) {
    this.plan = simulation.flatPlan();
    this.network = simulation.network();
    this.log = new GanttLog(plan, network);
    Engine engine = simulation.replay(log);
    log.finish();
    this.path = log.pathTo(engine.lastRecord());
    this.hasWhatIf = log.events() <= MAX_WHAT_IF;
    Set<Integer> shown = new HashSet<>();
    for (int[] place : path) {
      if (shown.size() < MAX_PATH_RANKS) {
        shown.add(plan.streams().get(place[0]).rank());
      }
    }
    this.folded = FoldedRanks.of(plan, ALONE, shown);
    this.rowOf = new int[plan.streams().size()];
    this.itemOf = new int[rowOf.length][];
  }

  /**
   * The data as JSON: {@code lanes}; {@code whatIf}, which is null for a plan of more than {@link
   * #MAX_WHAT_IF} events; and {@code links}, the costs of the links of each level. Simulates once
   * more, because a simulation does not keep single actions.
   */
  public static String toJson(Simulation simulation) {
    Arguments.require(simulation, "simulation");
    return new Gantt(simulation).json();
  }

  private String json() {
    addRows();
    addItems(leastTime());
    addArrows();
    for (int[] place : path) {
      int item = itemOf[place[0]][place[1]];
      if (item >= 0) {
        lanes.path(item);
      }
    }
    if (folded.count() < plan.plan().rankSize()) {
      lanes.note(
          "Ranks that do the same on the same streams share one row. It shows the first of them.");
    }
    StringBuilder whatIf = new StringBuilder();
    if (hasWhatIf) {
      writeWhatIf(new JsonWriter(whatIf));
    } else {
      whatIf.append("null");
    }
    return "{\"lanes\": "
        + lanes.toJson()
        + ", \"whatIf\": "
        + whatIf
        + ", \"links\": "
        + links()
        + "}";
  }

  /** The costs of the links of each used level, to show what a factor means. */
  private String links() {
    StringBuilder text = new StringBuilder();
    JsonWriter json = new JsonWriter(text);
    json.open('[');
    for (CommPlane level : NetworkModel.LEVELS) {
      if (network.isUsed(NetworkModel.LEVELS.indexOf(level))) {
        LinkTerms terms = network.model().level(level);
        json.open('{').name("level").value(level.label());
        json.name("micros").value((terms.latency() + terms.overhead()) / PS_PER_MICRO);
        json.name("bytesPerSecond");
        json.value(
            Double.isFinite(terms.beta().bytesPerSecond()) ? terms.beta().bytesPerSecond() : 0);
        json.close('}');
      }
    }
    json.close(']').finish();
    return text.toString();
  }

  private void addRows() {
    Arrays.fill(rowOf, NONE);
    for (int group = 0; group < folded.count(); group++) {
      int rank = folded.group(group).getFirst();
      for (int stream = plan.mainStream(rank); stream < plan.endOfRank(rank); stream++) {
        boolean isMain = stream == plan.mainStream(rank);
        String own = isMain ? "" : " stream " + plan.streams().get(stream).number();
        rowOf[stream] = lanes.row(folded.label(group) + own, folded.ranges(group));
      }
    }
  }

  /** The least time of a drawn action, which limits the number of actions. */
  private long leastTime() {
    List<Long> times = new ArrayList<>();
    for (int stream = 0; stream < rowOf.length; stream++) {
      for (int event = 0;
          rowOf[stream] >= 0 && event < plan.streams().get(stream).size();
          event++) {
        times.add(log.end(stream, event) - log.start(stream, event));
      }
    }
    if (times.size() <= MAX_DRAWN) {
      return 0;
    }
    times.sort(Comparator.reverseOrder());
    long least = times.get(MAX_DRAWN) + 1;
    lanes.note(
        least == 1
            ? "Actions that take no time are left out."
            : "Actions that take less than " + TimeText.time(least) + " are left out.");
    return least;
  }

  private void addItems(long least) {
    for (int stream = 0; stream < rowOf.length; stream++) {
      FlatStream code = plan.streams().get(stream);
      itemOf[stream] = new int[code.size()];
      for (int event = 0; event < code.size(); event++) {
        boolean isLong = log.end(stream, event) - log.start(stream, event) >= least;
        boolean isDrawn = rowOf[stream] >= 0 && isLong && code.sync(event) > FlatStream.END;
        itemOf[stream][event] =
            isDrawn || hasWhatIf ? addItem(stream, event, isDrawn ? rowOf[stream] : NONE) : NONE;
      }
    }
  }

  private int addItem(int stream, int event, int row) {
    FlatStream code = plan.streams().get(stream);
    boolean isData = code.sync(event) == FlatStream.DATA;
    // Actions that are not drawn need no words.
    ActionRef ref = row < 0 ? new ActionRef(code.rank(), 0, NONE, "", "?") : code.ref(event);
    return lanes.item(
        row,
        log.start(stream, event) / PS_PER_MICRO,
        log.end(stream, event) / PS_PER_MICRO,
        kind(code, event),
        State.RUNS,
        ref.text(),
        ref.source(),
        isData ? code.plan(event).bytes(code.action(event)) : 0);
  }

  private static ItemKind kind(FlatStream code, int event) {
    int sync = code.sync(event);
    if (sync == FlatStream.DATA) {
      ActionKind kind = code.plan(event).kind(code.action(event));
      return kind == ActionKind.COPY ? ItemKind.COPY : ItemKind.REDUCE;
    }
    return sync < 0 ? ItemKind.CALL : FlatStream.isPost(sync) ? ItemKind.POST : ItemKind.AWAIT;
  }

  private void addArrows() {
    for (int stream = 0; stream < rowOf.length; stream++) {
      FlatStream code = plan.streams().get(stream);
      for (int event = 0; event < code.size(); event++) {
        int item = itemOf[stream][event];
        if (item < 0 || rowOf[stream] < 0) {
          continue;
        }
        if (code.sync(event) == FlatStream.DATA) {
          addMessages(stream, event, item);
        } else if (log.postStream(stream, event) >= 0) {
          int from = log.postStream(stream, event);
          int post = log.post(stream, event);
          int row = rowOfStream(from);
          if (row != rowOf[stream]) {
            arrow(
                row,
                log.start(from, post),
                rowOf[stream],
                log.end(stream, event),
                ArrowKind.NOTIFY,
                itemOf[from][post],
                item);
          }
        }
      }
    }
  }

  /**
   * Adds messages from the rank that has the bytes to the rank that gets them, whichever of the two
   * runs the action.
   */
  private void addMessages(int stream, int event, int item) {
    FlatStream code = plan.streams().get(stream);
    RankPlan own = code.plan(event);
    int action = code.action(event);
    int to = own.dstRank(action);
    Set<Integer> sources = new TreeSet<>();
    for (int i = 0; i < own.sourceCount(action); i++) {
      sources.add(own.srcRank(action, i));
    }
    for (int from : sources) {
      int fromRow = rowOfRank(from);
      int toRow = rowOfRank(to);
      if (from != to && fromRow != toRow) {
        arrow(
            fromRow,
            log.start(stream, event),
            toRow,
            log.end(stream, event),
            ArrowKind.TRANSFER,
            from == code.rank() ? item : NONE,
            to == code.rank() ? item : NONE);
      }
    }
  }

  private void arrow(
      int fromRow, long from, int toRow, long to, ArrowKind kind, int fromItem, int toItem) {
    lanes.arrow(fromRow, from / PS_PER_MICRO, toRow, to / PS_PER_MICRO, kind, fromItem, toItem);
  }

  private int rowOfStream(int stream) {
    return rowOf[stream] >= 0 ? rowOf[stream] : rowOfRank(plan.streams().get(stream).rank());
  }

  private int rowOfRank(int rank) {
    return rowOf[plan.mainStream(folded.group(folded.groupOf(rank)).getFirst())];
  }

  /**
   * Writes a list for each action, after those of the actions that it waits for: its number; the
   * parts of its time that grow with α, with β, and with neither; and the number of each action
   * that it waits for. With each of these numbers come the same parts of the time from that
   * action's end to this action's start.
   */
  private void writeWhatIf(JsonWriter json) {
    json.open('[');
    for (int[] place : log.order()) {
      json.line(1).open('[').value(itemOf[place[0]][place[1]]);
      log.forEachPart(place[0], place[1], json::value);
      log.forEachCause(
          place[0],
          place[1],
          (stream, event, alpha, beta, rest) ->
              json.value(itemOf[stream][event]).value(alpha).value(beta).value(rest));
      json.close(']');
    }
    json.close(']').finish();
  }
}
