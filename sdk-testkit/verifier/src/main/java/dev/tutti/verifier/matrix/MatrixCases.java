package dev.tutti.verifier.matrix;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Chooses cases of a matrix: a small set that combines its values, or all of them. */
public final class MatrixCases {

  /** Enough for all operations, and for what some algorithms refuse. */
  private static final int KEPT = 64;

  /**
   * The covering cases of the matrices that were asked for last, which many algorithms share: to
   * choose them takes about as long as to check a simple algorithm with them. Guarded by itself.
   */
  private static final Map<Matrix, List<CollectiveCase>> LATEST =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Matrix, List<CollectiveCase>> eldest) {
          return size() > KEPT;
        }
      };

  private MatrixCases() {}

  /**
   * A small set of cases that visits every pair of values of all axes, every triple of mode and
   * rounds, protocol, class of ranks and class of count, and every value with every mode, protocol
   * and number of rounds. It visits them as evenly as it can. At most a tenth of the cases are
   * without data. The cases are sorted {@linkplain CollectiveCase#plainestFirst() plainest first}.
   */
  public static List<CollectiveCase> covering(Matrix matrix) {
    List<CollectiveCase> kept;
    synchronized (LATEST) {
      kept = LATEST.get(matrix);
    }
    if (kept != null) {
      return kept;
    }
    List<CollectiveCase> chosen = choose(matrix);
    synchronized (LATEST) {
      LATEST.put(matrix, chosen);
    }
    return chosen;
  }

  private static List<CollectiveCase> choose(Matrix matrix) {
    Axes axes = new Axes(matrix);
    if (axes.isEmpty()) {
      return List.of();
    }
    List<CollectiveCase> cases = new ArrayList<>(CoveringCases.of(axes));
    cases.sort(CollectiveCase.plainestFirst());
    return List.copyOf(cases);
  }

  /**
   * The cases for an algorithm that refuses some. If it accepts less than two thirds of {@link
   * #covering(Matrix)}, the refused cases are replaced by cases of the protocols and modes that it
   * accepts and, if necessary, of the groups, types and reductions that it accepts. So the cases
   * visit the accepted values as if there were no others.
   *
   * @param isTaken whether the algorithm accepts a case
   */
  public static List<CollectiveCase> covering(
      Matrix matrix, Predicate<? super CollectiveCase> isTaken) {
    List<CollectiveCase> all = covering(matrix);
    Matrix narrowed = matrix;
    List<CollectiveCase> latest = all;
    for (Narrowing next : Narrowing.values()) {
      List<CollectiveCase> taken = new ArrayList<>(latest);
      taken.removeIf(c -> !isTaken.test(c));
      if (taken.isEmpty() || 3 * taken.size() >= 2 * latest.size()) {
        break;
      }
      narrowed = without(next, narrowed, taken);
      latest = covering(narrowed);
    }
    Set<CollectiveCase> both = new LinkedHashSet<>(latest);
    all.stream().filter(c -> !isTaken.test(c)).forEach(both::add);
    return both.stream().sorted(CollectiveCase.plainestFirst()).toList();
  }

  /** Axes on which an algorithm may refuse values, in the order in which they are tried. */
  private enum Narrowing {
    WAYS,
    GROUPS,
    REDUCTIONS
  }

  /** The same matrix without those values of an axis that none of the accepted cases has. */
  private static Matrix without(Narrowing axis, Matrix matrix, List<CollectiveCase> taken) {
    return switch (axis) {
      case WAYS ->
          matrix
              .withProtocols(present(matrix.protocols(), taken, c -> c.comm().protocol()))
              .withModes(present(matrix.modes(), taken, c -> c.comm().mode()));
      case GROUPS ->
          matrix.withTopologies(present(matrix.topologies(), taken, CollectiveCase::topology));
      case REDUCTIONS -> {
        List<Matrix.Reduction> present = new ArrayList<>(matrix.reductions());
        present.removeIf(
            each ->
                taken.stream().noneMatch(c -> c.dataType() == each.type())
                    || taken.stream().noneMatch(c -> c.reduceOp() == each.op()));
        yield matrix.withReductions(present);
      }
    };
  }

  private static <T> List<T> present(
      List<T> values, List<CollectiveCase> cases, Function<CollectiveCase, T> value) {
    Set<T> present = cases.stream().map(value).collect(Collectors.toSet());
    return values.stream().filter(present::contains).toList();
  }

  /**
   * Every combination of the axes' values, with the defaults of all parameters and with each value
   * of each parameter.
   */
  public static List<CollectiveCase> all(Matrix matrix) {
    Axes axes = new Axes(matrix);
    Set<CollectiveCase> cases = new LinkedHashSet<>();
    axes.forEachRow(row -> cases.add(axes.caseAt(row)));
    return List.copyOf(cases);
  }
}
