package dev.tutti.verifier.symbol;

import dev.tutti.plan.ActionRef;
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.simulator.flow.FlatPlan;
import dev.tutti.verifier.rule.Finding;
import dev.tutti.verifier.rule.Rule;
import dev.tutti.verifier.semantics.Piece;
import java.util.ArrayList;
import java.util.List;

/** Describes faults in words, and how they happen. */
final class Explainer {

  private final Trace trace;
  private final Goal goal;
  private final FlatPlan plan;

  Explainer(Trace trace, Goal goal) {
    this.trace = trace;
    this.goal = goal;
    this.plan = trace.plan();
  }

  /** The memory of a rank's output. */
  int output(int rank) {
    return plan.memory(rank, TransportMemType.PARAM_OUTPUT);
  }

  /** The offset of a piece in the outputs that receive it, in bytes. */
  long start(Piece piece) {
    return piece.dstOffset * goal.elementBytes();
  }

  /** The element of a piece that holds a byte of the output. */
  private Contribution contribution(Piece piece, int rank, long from) {
    int size = goal.elementBytes();
    long index = (from - start(piece)) / size;
    Term.Operand value =
        Slice.element(trace, goal, output(rank), start(piece) + index * size, size);
    return new Contribution(goal, piece, index, new Anatomy(value, goal.type));
  }

  /** Whether a result contains every operand, no matter how often, and nothing else. */
  boolean hasAllOperands(Piece piece, int rank, long from) {
    return contribution(piece, rank, from).hasAllOperands();
  }

  /** All findings about the first element of a wrong range. */
  List<Finding> wrongOutput(Piece piece, int rank, long from, long to) {
    Contribution element = contribution(piece, rank, from);
    String where = "rank %d's output %s".formatted(rank, elements(element, start(piece), to));
    List<Finding> found = new ArrayList<>();
    List<Term.Step> wrong = element.wrongSteps();
    if (!wrong.isEmpty()) {
      found.add(wrongReduction(where, element, wrong.getFirst()));
    }
    String faults = element.faults(trace);
    if (!faults.isEmpty() || wrong.isEmpty()) {
      String fault = faults.isEmpty() ? "its expression is " + element.tree() : faults;
      found.add(wrongContents(where + ": expected " + element.expected() + "; " + fault, element));
    }
    return found;
  }

  private String elements(Contribution element, long start, long to) {
    int size = goal.elementBytes();
    long first = start / size + element.index();
    long last = (to - 1) / size;
    return first == last
        ? "element " + first
        : "elements %d to %d, here %d".formatted(first, last, first);
  }

  private Finding wrongReduction(String where, Contribution element, Term.Step step) {
    ActionRef ref = trace.code(step.stream).ref(step.event);
    String asked = goal.op == null ? "no reduction" : goal.op + " of " + goal.type;
    Route route =
        Route.of(trace, element.value(), Route.containing(operand -> operand.term() == step));
    List<String> lines = new ArrayList<>();
    lines.add("value: " + element.tree());
    addRoute("from the output back to that action:", route, lines);
    return new Finding(
        Rule.WRONG_REDUCTION,
        "%s: the operation asks for %s; %s reduces it by %s as %s"
            .formatted(where, asked, ref, step.op, step.type),
        withFirst(ref, route.refs()),
        String.join("\n", lines));
  }

  private Finding wrongContents(String message, Contribution element) {
    List<String> lines = new ArrayList<>();
    List<ActionRef> actions = new ArrayList<>();
    lines.add("value: " + element.tree());
    for (Contribution.Way way : element.ways(trace)) {
      addRoute(way.title(), way.route(), lines);
      way.route().refs().stream().filter(ref -> !actions.contains(ref)).forEach(actions::add);
    }
    return new Finding(Rule.WRONG_CONTENTS, message, actions, String.join("\n", lines));
  }

  /** Adds a route. A route without actions explains nothing, so it is left out. */
  private static void addRoute(String title, Route route, List<String> lines) {
    if (!route.lines().isEmpty()) {
      lines.add(title);
      lines.addAll(route.lines());
    }
  }

  private static List<ActionRef> withFirst(ActionRef first, List<ActionRef> others) {
    List<ActionRef> all = new ArrayList<>();
    all.add(first);
    others.stream().filter(ref -> !ref.equals(first)).forEach(all::add);
    return all;
  }

  // ---- inputs and outputs that must not change

  Finding changedInput(int rank, int memory, long from, long to) {
    return changed(
        Rule.INPUT_WRITTEN, "rank %d's input must not change".formatted(rank), memory, from, to);
  }

  Finding changedOutput(int rank, int memory, long from, long to) {
    return changed(
        Rule.OUTPUT_WRITTEN,
        "the operation gives rank %d no result, so its output must not change".formatted(rank),
        memory,
        from,
        to);
  }

  private Finding changed(Rule rule, String demand, int memory, long from, long to) {
    int size = (int) Math.min(goal.elementBytes(), to - from);
    Term.Operand value = Slice.element(trace, goal, memory, from, size);
    Route route = Route.of(trace, value, operand -> false);
    ActionRef last = route.last();
    List<String> lines = new ArrayList<>();
    lines.add("value: " + TreeText.of(value, from, goal.type));
    addRoute("which came through:", route, lines);
    return new Finding(
        rule,
        "%s; bytes %d to %d of %s are changed, last by %s"
            .formatted(demand, from, to - 1, plan.memoryName(memory), last),
        route.refs(),
        String.join("\n", lines));
  }

  // ---- associations

  Finding differ(Rule rule, Piece piece, int rank, long from, int otherRank, long otherFrom) {
    Contribution one = contribution(piece, rank, start(piece) + from);
    Contribution two = contribution(piece, otherRank, start(piece) + otherFrom);
    String mine = "rank %d: %s".formatted(rank, one.tree());
    String others = "rank %d: %s".formatted(otherRank, two.tree());
    String message =
        rule == Rule.RANKS_DIFFER
            ? "ranks %d and %d reduce element %d in different orders, though the executor promises"
                    .formatted(rank, otherRank, piece.dstOffset + one.index())
                + " every rank the same bits"
            : "rank %d's elements %d and %d are reduced in different orders, so their bits depend on"
                    .formatted(rank, piece.dstOffset + one.index(), piece.dstOffset + two.index())
                + " the count, though the executor promises that they do not";
    Route route = Route.of(trace, one.value(), operand -> false);
    Route otherRoute = Route.of(trace, two.value(), operand -> false);
    List<ActionRef> actions = new ArrayList<>(route.refs());
    otherRoute.refs().stream().filter(ref -> !actions.contains(ref)).forEach(actions::add);
    List<String> lines = new ArrayList<>();
    lines.add(mine);
    lines.addAll(route.lines());
    lines.add(others);
    lines.addAll(otherRoute.lines());
    return new Finding(
        rule, message + ": " + mine + ", " + others, actions, String.join("\n", lines));
  }

  /** The expression of an element of a rank's output. */
  String tree(Piece piece, int rank, long index) {
    return contribution(piece, rank, start(piece) + index * goal.elementBytes()).tree();
  }
}
