package dev.tutti.verifier.symbol;

import dev.tutti.simulator.flow.FlatStream;
import dev.tutti.verifier.semantics.Piece;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The expected contributions to one element of a result, and which of them are wrong. */
final class Contribution {

  private static final int MAX_LISTED = 4;

  private final Goal goal;
  private final Piece piece;
  private final long index;
  private final Anatomy anatomy;

  /** The offset of the operands in the inputs, in bytes. */
  private final long place;

  /**
   * How often the element contains each rank's contribution; has all ranks that should contribute.
   */
  private final Map<Integer, Long> times = new TreeMap<>();

  private final Map<Integer, Boolean> isWanted = new HashMap<>();

  /** Elements that it contains but should not contain. */
  private final List<Term.Operand> foreign = new ArrayList<>();

  /** A route through the plan, with a title that says why it matters. */
  record Way(String title, Route route) {}

  /**
   * Compares one element with the piece.
   *
   * @param index its index in the piece
   */
  Contribution(Goal goal, Piece piece, long index, Anatomy anatomy) {
    this.goal = goal;
    this.piece = piece;
    this.index = index;
    this.anatomy = anatomy;
    this.place = (piece.srcOffset + index) * goal.elementBytes();
    for (int rank : piece.srcRanks) {
      times.put(rank, 0L);
      isWanted.put(rank, true);
    }
    anatomy
        .leaves()
        .forEach(
            (leaf, count) -> {
              int rank = ((Term.Input) leaf.term()).rank;
              if (leaf.at() == place && isWanted.containsKey(rank)) {
                times.put(rank, count);
              } else {
                foreign.add(leaf);
              }
            });
  }

  long index() {
    return index;
  }

  Term.Operand value() {
    return anatomy.value();
  }

  /** The expression of the element as text. */
  String tree() {
    return TreeText.of(anatomy.value(), place, goal.type);
  }

  /** Whether the element contains every operand, no matter how often, and nothing else. */
  boolean hasAllOperands() {
    return foreign.isEmpty()
        && !times.containsValue(0L)
        && anatomy.torn() == null
        && !anatomy.hasUndefined()
        && wrongSteps().isEmpty();
  }

  /** The expected element, in words. */
  String expected() {
    long element = place / goal.elementBytes();
    return goal.op == null || piece.srcRanks.length == 1
        ? "element %d of rank %d".formatted(element, piece.srcRanks[0])
        : "the %s of element %d of %s".formatted(goal.op, element, ranks(piece.srcRanks));
  }

  /** Ranks in ascending order, as text. */
  private static String ranks(int[] ranks) {
    if (ranks.length == 1) {
      return "rank " + ranks[0];
    }
    List<String> runs = new ArrayList<>();
    int start = 0;
    for (int i = 1; i <= ranks.length; i++) {
      if (i == ranks.length || ranks[i] != ranks[i - 1] + 1) {
        runs.add(start == i - 1 ? "" + ranks[start] : ranks[start] + " to " + ranks[i - 1]);
        start = i;
      }
    }
    int more = runs.size() - MAX_LISTED;
    String listed = String.join(", ", runs.subList(0, Math.min(runs.size(), MAX_LISTED)));
    return "ranks " + listed + (more > 0 ? ", … (" + ranks.length + " ranks)" : "");
  }

  /** The reductions whose type or operation is not the requested one. */
  List<Term.Step> wrongSteps() {
    return anatomy.steps().stream()
        .filter(step -> step.op != goal.op || step.type != goal.type)
        .toList();
  }

  /** The wrong contributions, in words; empty if there are none. */
  String faults(Trace trace) {
    if (anatomy.isUndefined()) {
      return "nothing has written it";
    }
    Term.Operand torn = anatomy.torn();
    if (torn != null) {
      return torn(torn, trace);
    }
    if (piece.srcRanks.length == 1 && anatomy.value().core() instanceof Term.Input input) {
      boolean isRight = foreign.isEmpty();
      return isRight ? "" : "it is " + element(input.rank, anatomy.value().at());
    }
    // If the operation has no reduction, every extra operand comes from a wrong reduction.
    boolean isTooMuchKnown = goal.op == null && !wrongSteps().isEmpty();
    List<String> faults = new ArrayList<>();
    int[] missing =
        times.entrySet().stream()
            .filter(entry -> entry.getValue() == 0)
            .mapToInt(Map.Entry::getKey)
            .toArray();
    if (missing.length == 1) {
      faults.add(element(missing[0], place) + " is missing" + insteadOf(missing[0]));
    } else if (missing.length > 1) {
      faults.add(
          "element " + place / goal.elementBytes() + " of " + ranks(missing) + " is missing");
    }
    times.forEach(
        (rank, count) -> {
          if (count > 1 && !isTooMuchKnown) {
            faults.add(element(rank, place) + " is in it " + times(count));
          }
        });
    for (Term.Operand leaf : isTooMuchKnown ? List.<Term.Operand>of() : foreign) {
      int rank = ((Term.Input) leaf.term()).rank;
      faults.add(element(rank, leaf.at()) + " is in it and does not belong there");
    }
    return list(faults);
  }

  /**
   * A hint that another element of a rank is there instead of the right one; empty if there is
   * none.
   */
  private String insteadOf(int rank) {
    return foreign.stream().anyMatch(leaf -> ((Term.Input) leaf.term()).rank == rank)
        ? " (another element of that rank is there)"
        : "";
  }

  private String element(int rank, long at) {
    int size = goal.elementBytes();
    return at % size == 0
        ? "rank %d's element %d".formatted(rank, at / size)
        : "rank %d's byte %d, inside an element,".formatted(rank, at);
  }

  private static String times(long count) {
    return count == 2 ? "twice" : count == Long.MAX_VALUE ? "very often" : count + " times";
  }

  private static String list(List<String> faults) {
    int more = faults.size() - MAX_LISTED;
    return more <= 0
        ? String.join(", ", faults)
        : String.join(", ", faults.subList(0, MAX_LISTED)) + " and " + more + " more like it";
  }

  private String torn(Term.Operand value, Trace trace) {
    String what =
        value.core() instanceof Term.Torn
            ? "it consists of parts of different values: "
            : "it is made of bytes that are not whole elements: ";
    String text = what + TreeText.of(value, place, goal.type);
    Term.Step user = user(value);
    if (user == null) {
      return text;
    }
    FlatStream code = trace.code(user.stream);
    return text + ", reduced by " + code.ref(user.event);
  }

  /** The reduction that uses an operand, or null if the operand is the result itself. */
  private Term.@Nullable Step user(Term.Operand value) {
    for (Term.Step step : anatomy.steps()) {
      for (Term.Operand operand : step.operands) {
        if (operand.core() == value.core() && operand.at() == value.at()) {
          return step;
        }
      }
    }
    return null;
  }

  // ---- routes

  /** The routes through the plan that explain the fault. */
  List<Way> ways(Trace trace) {
    List<Way> ways = new ArrayList<>();
    Term.Operand torn = anatomy.torn();
    if (torn != null) {
      ways.add(way(trace, "the parts come through:", torn));
    }
    for (Term.Operand leaf : foreign.subList(0, Math.min(foreign.size(), MAX_LISTED))) {
      int rank = ((Term.Input) leaf.term()).rank;
      ways.add(way(trace, element(rank, leaf.at()) + " comes through:", leaf));
    }
    anatomy
        .leaves()
        .forEach(
            (leaf, count) -> {
              if (count > 1 && ways.size() < MAX_LISTED) {
                addRepeated(trace, leaf, ways);
              }
            });
    if (ways.isEmpty()) {
      ways.add(new Way("it comes through:", Route.of(trace, anatomy.value(), operand -> false)));
    }
    return ways;
  }

  private Way way(Trace trace, String title, Term.Operand leaf) {
    return new Way(title, Route.of(trace, anatomy.value(), Route.containing(leaf::equals)));
  }

  /**
   * Adds the route to the action that combines an operand with itself, and the routes of both uses.
   */
  private void addRepeated(Trace trace, Term.Operand leaf, List<Way> ways) {
    var contains = Route.containing(leaf::equals);
    String what = element(((Term.Input) leaf.term()).rank, leaf.at());
    ways.add(new Way(what + " comes through:", Route.of(trace, anatomy.value(), contains)));
    Term.Operand at = anatomy.value();
    while (at.core() instanceof Term.Step step) {
      List<Term.Operand> users = step.operands.stream().filter(contains).toList();
      if (users.size() > 1) {
        Route other = Route.of(trace, users.get(1), contains);
        String where = trace.code(step.stream).ref(step.event).toString();
        ways.add(
            new Way(
                "and it is in %d operands of %s%s"
                    .formatted(
                        users.size(),
                        where,
                        other.last() == null ? "" : "; it comes to the second through:"),
                other));
        return;
      }
      at = users.getFirst();
    }
  }
}
