package dev.tutti.verifier.explain;

import dev.tutti.plan.ActionRef;
import dev.tutti.simulator.flow.FlatPlan;
import dev.tutti.simulator.flow.FlatStream;
import dev.tutti.simulator.flow.Walk;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The last steps of some ranks before an error, in one legal order. The table has one column per
 * rank and one row per step. Streams other than the main stream are marked {@code s1:}, {@code s2:}
 * …; the actions in question are marked {@code >}.
 */
public final class StepTable {

  private static final int MAX_COLUMNS = 6;
  private static final int MAX_ROWS = 14;
  private static final int MIN_WIDTH = 14;
  private static final int MAX_WIDTH = 30;

  /** The width that a table with few columns may have, so that its cells can be wider. */
  private static final int TABLE_WIDTH = 110;

  private final FlatPlan plan;
  private final List<ActionRef> actions;
  private final int[] columnOf;
  private final List<Integer> ranks = new ArrayList<>();

  /** The steps that the ranks in question have taken so far, oldest first. */
  private final List<Step> steps = new ArrayList<>();

  /** For each action in question, the index of its step; -1 if it did not run. */
  private final int[] seen;

  private record Step(int rank, String text, boolean isFocus) {}

  private StepTable(FlatPlan plan, List<ActionRef> actions) {
    this.plan = plan;
    this.actions = actions;
    this.seen = new int[actions.size()];
    Arrays.fill(seen, -1);
    this.columnOf = new int[plan.plan().rankSize()];
    Arrays.fill(columnOf, -1);
    TreeSet<Integer> wanted = new TreeSet<>();
    for (ActionRef action : actions) {
      if (wanted.size() < MAX_COLUMNS) {
        wanted.add(action.rank());
      }
    }
    for (int rank : wanted) {
      columnOf[rank] = ranks.size();
      ranks.add(rank);
    }
  }

  /**
   * The table for some actions of a plan; empty if there are none.
   *
   * @param actions the actions that a finding names
   */
  public static String of(FlatPlan plan, List<ActionRef> actions) {
    return actions.isEmpty() ? "" : new StepTable(plan, actions).text();
  }

  private String text() {
    Walk walk = new Walk(plan, new Recorder());
    if (!walk.run()) {
      addWaits(walk.position());
    }
    int last = Arrays.stream(seen).max().orElse(-1);
    int end = last < 0 ? steps.size() : Math.min(steps.size(), last + 3);
    return render(steps.subList(Math.max(0, end - MAX_ROWS), end));
  }

  private final class Recorder implements Walk.Visitor {

    @Override
    public void data(int stream, int event) {
      add(stream, event, "");
    }

    @Override
    public void post(int stream, int event, int cell, int pending) {
      add(stream, event, "");
    }

    @Override
    public void await(int stream, int event, int cell, int postStream, int postEvent) {
      add(stream, event, "");
    }

    @Override
    public void border(int stream, int event, boolean isBegin) {
      add(stream, event, isBegin ? "(enters)" : "(leaves)");
    }
  }

  private void addWaits(int[] position) {
    for (int stream = 0; stream < position.length; stream++) {
      if (position[stream] < plan.streams().get(stream).size()) {
        add(stream, position[stream], "waits: ");
      }
    }
  }

  private void add(int stream, int event, String prefix) {
    FlatStream code = plan.streams().get(stream);
    if (columnOf[code.rank()] < 0) {
      return;
    }
    int action = code.action(event);
    int focus = action < 0 ? -1 : focus(code, action);
    String own = code.number() == 0 ? "" : "s" + code.number() + ": ";
    String what = action < 0 ? "" : shortened(code.plan(event).describe(action));
    String text = own + prefix + what;
    if (!text.equals(own)) {
      steps.add(new Step(code.rank(), text, focus >= 0));
    }
    if (focus >= 0) {
      seen[focus] = steps.size() - 1;
    }
  }

  private int focus(FlatStream code, int action) {
    for (int i = 0; i < actions.size(); i++) {
      ActionRef ref = actions.get(i);
      if (ref.rank() == code.rank() && ref.action() == action && ref.stream() == code.number()) {
        return i;
      }
    }
    return -1;
  }

  private static String shortened(String text) {
    return text.replace(" from rank ", " <- ").replace(" to rank ", " -> ");
  }

  private String render(List<Step> rows) {
    int width = MIN_WIDTH;
    int maxWidth = Math.max(MAX_WIDTH, TABLE_WIDTH / ranks.size());
    for (Step step : rows) {
      width = Math.max(width, Math.min(maxWidth, step.text.length() + 2));
    }
    StringBuilder table = new StringBuilder();
    List<@Nullable String> cells = new ArrayList<>();
    for (int rank : ranks) {
      cells.add("  rank " + rank);
    }
    appendRow(table, cells, width);
    for (Step step : rows) {
      for (int column = 0; column < ranks.size(); column++) {
        boolean isOwn = columnOf[step.rank] == column;
        cells.set(column, isOwn ? (step.isFocus ? "> " : "  ") + step.text : null);
      }
      appendRow(table, cells, width);
    }
    return table.toString();
  }

  private static void appendRow(StringBuilder table, List<@Nullable String> cells, int width) {
    StringBuilder row = new StringBuilder();
    for (String cell : cells) {
      String text = cell == null ? "" : cell;
      if (text.length() > width) {
        text = text.substring(0, width - 1) + "…";
      }
      row.append(String.format(Locale.ROOT, "|%-" + width + "s", text));
    }
    table.append(row.append('|')).append('\n');
  }
}
