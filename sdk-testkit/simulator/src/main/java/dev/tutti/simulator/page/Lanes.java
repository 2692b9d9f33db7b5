package dev.tutti.simulator.page;

import dev.tutti.plan.json.JsonWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The data of a drawing with a row for each stream: actions from left to right, arrows between
 * them, and marks, for example for findings. Not thread-safe.
 */
public final class Lanes {

  private static final int NONE = -1;

  private final Unit unit;
  private final List<Row> rows = new ArrayList<>();
  private final List<Item> items = new ArrayList<>();
  private final List<Arrow> arrows = new ArrayList<>();
  private final List<Mark> marks = new ArrayList<>();
  private final Map<String, Integer> texts = new LinkedHashMap<>();
  private final List<Integer> path = new ArrayList<>();
  private String note = "";

  /** What the horizontal axis counts. */
  public enum Unit {
    /** Steps: each action is one step after the actions that it waits for. */
    STEP,
    /** Microseconds. */
    MICROSECOND
  }

  /** What an action does. */
  public enum ItemKind {
    /** Moves bytes. */
    COPY,
    /** Combines bytes. */
    REDUCE,
    /** Sets a notify. */
    POST,
    /** Waits for a notify. */
    AWAIT,
    /** The rank's caller enters or leaves the operation. */
    CALL
  }

  /** How far an action gets. */
  public enum State {
    /** It runs. */
    RUNS,
    /** It begins, and never ends. */
    STUCK,
    /** It is never reached. */
    UNREACHED
  }

  /** What an arrow shows. */
  public enum ArrowKind {
    /** A signal. */
    NOTIFY,
    /** Bytes of another rank's memory. */
    TRANSFER
  }

  /** What an arrow of a mark shows. */
  public enum MarkKind {
    /** A missing order. */
    MISSING,
    /** A part of a cycle of waits. */
    WAIT
  }

  private record Row(String label, List<int[]> ranks) {}

  private record Item(
      int row,
      double from,
      double to,
      ItemKind kind,
      State state,
      int text,
      int source,
      long bytes) {}

  private record Arrow(
      int fromRow, double from, int toRow, double to, ArrowKind kind, int fromItem, int toItem) {}

  private record MarkArrow(int from, int to, MarkKind kind, String label) {}

  /** Bytes that two actions use at once. */
  private record Overlap(String memory, List<String> uses, long[] spans) {}

  /** Something that the drawing should show, such as a finding. */
  public static final class Mark {
    private final String title;
    private final List<Integer> items = new ArrayList<>();
    private final List<MarkArrow> arrows = new ArrayList<>();
    private final List<Overlap> overlaps = new ArrayList<>();

    private Mark(String title) {
      this.title = title;
    }

    /** Marks an action. */
    public Mark item(int item) {
      items.add(item);
      return this;
    }

    /** Adds an arrow from one action to another. */
    public Mark arrow(int from, int to, MarkKind kind, String label) {
      arrows.add(new MarkArrow(from, to, kind, label));
      return this;
    }

    /**
     * Shows what two actions use of one memory.
     *
     * @param first the first use, in words
     * @param spans the start and the end of the first use, then of the second one
     */
    public Mark overlap(String memory, String first, String second, long... spans) {
      overlaps.add(new Overlap(memory, List.of(first, second), spans.clone()));
      return this;
    }
  }

  /** An empty drawing. */
  public Lanes(Unit unit) {
    this.unit = unit;
  }

  /** Adds a note about the drawing as a whole. */
  public void note(String text) {
    note = note.isEmpty() ? text : note + " " + text;
  }

  /**
   * Adds a row below the others.
   *
   * @param ranks the ranges of ranks that the row shows, each a first and a last rank
   * @return its number
   */
  public int row(String label, List<int[]> ranks) {
    rows.add(new Row(label, List.copyOf(ranks)));
    return rows.size() - 1;
  }

  /**
   * Adds an action to a row; those of one row come in their order.
   *
   * @param row its row; -1 for an action that is not drawn, but counts
   * @param source the author's line, or {@code "?"}
   * @param bytes the bytes that it moves, 0 or more
   * @return its number
   */
  public int item(
      int row,
      double from,
      double to,
      ItemKind kind,
      State state,
      String text,
      String source,
      long bytes) {
    int line = source.equals("?") ? NONE : number(source);
    items.add(new Item(row, from, to, kind, state, number(text), line, bytes));
    return items.size() - 1;
  }

  /** Marks an action as part of the critical path. */
  public void path(int item) {
    path.add(item);
  }

  /** The number of actions. */
  public int itemCount() {
    return items.size();
  }

  /**
   * Adds an arrow from one row to another.
   *
   * @param fromItem the action that it begins at; -1 if none is drawn
   * @param toItem the action that it ends at; -1 if none is drawn
   */
  public void arrow(
      int fromRow, double from, int toRow, double to, ArrowKind kind, int fromItem, int toItem) {
    arrows.add(new Arrow(fromRow, from, toRow, to, kind, fromItem, toItem));
  }

  /** Adds a mark. */
  public Mark mark(String title) {
    Mark mark = new Mark(title);
    marks.add(mark);
    return mark;
  }

  private int number(String text) {
    return texts.computeIfAbsent(text, each -> texts.size());
  }

  /** The data as JSON. */
  public String toJson() {
    StringBuilder text = new StringBuilder();
    JsonWriter json = new JsonWriter(text);
    json.open('{').name("unit").value(label(unit)).name("note").value(note);
    json.name("rows").open('[');
    for (Row row : rows) {
      json.line(1).open('{').name("label").value(row.label).name("ranks").open('[');
      for (int[] range : row.ranks) {
        json.open('[').value(range[0]).value(range[1]).close(']');
      }
      json.close(']').close('}');
    }
    json.close(']').name("texts").open('[');
    texts.keySet().forEach(each -> json.line(1).value(each));
    json.close(']').name("items").open('[');
    for (Item each : items) {
      json.line(1).open('[').value(each.row);
      time(json, each.from);
      time(json, each.to);
      json.value(label(each.kind)).value(label(each.state)).value(each.text).value(each.source);
      json.value(each.bytes).close(']');
    }
    json.close(']').name("arrows").open('[');
    for (Arrow each : arrows) {
      json.line(1).open('[').value(each.fromRow);
      time(json, each.from);
      json.value(each.toRow);
      time(json, each.to);
      json.value(label(each.kind)).value(each.fromItem).value(each.toItem).close(']');
    }
    json.close(']').name("path").open('[');
    path.forEach(json::value);
    json.close(']').name("marks").open('[');
    marks.forEach(each -> write(json, each));
    json.close(']').close('}').finish();
    return text.toString();
  }

  private static void write(JsonWriter json, Mark mark) {
    json.line(1).open('{').name("title").value(mark.title).name("items").open('[');
    mark.items.forEach(json::value);
    json.close(']').name("arrows").open('[');
    for (MarkArrow each : mark.arrows) {
      json.open('{').name("from").value(each.from).name("to").value(each.to);
      json.name("kind").value(label(each.kind)).name("label").value(each.label).close('}');
    }
    json.close(']').name("overlaps").open('[');
    for (Overlap each : mark.overlaps) {
      json.open('{').name("memory").value(each.memory).name("uses").open('[');
      each.uses.forEach(json::value);
      json.close(']').name("spans").open('[');
      for (long place : each.spans) {
        json.value(place);
      }
      json.close(']').close('}');
    }
    json.close(']').close('}');
  }

  /** Writes whole numbers, such as steps, without a fraction. */
  private static void time(JsonWriter json, double time) {
    if (time == Math.rint(time)) {
      json.value((long) time);
    } else {
      json.value(time);
    }
  }

  private static String label(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }
}
