package dev.tutti.verifier.matrix;

import dev.tutti.sdk.CollAlgorithm;
import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.Operation;
import dev.tutti.sdk.Support;
import dev.tutti.sdk.param.OpParam;
import dev.tutti.sdk.topology.Topology;
import dev.tutti.verifier.gate.Gate;
import dev.tutti.verifier.gate.GateLimits;
import dev.tutti.verifier.gate.Outcome;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * Asks executors which cases they support. A check of the case later reports a failure to answer.
 */
public final class Acceptance {

  /** If an algorithm supports fewer cases than this, it is asked about further cases. */
  private static final int FEW = 12;

  private final List<CollExecutorBase<?>> executors;

  /**
   * Will ask the given executors.
   *
   * @param executors one executor, or the sender and the receiver of a transfer
   */
  public Acceptance(List<CollExecutorBase<?>> executors) {
    this.executors = List.copyOf(executors);
  }

  /**
   * The cases of a matrix for these executors, as {@link MatrixCases#covering(Matrix,
   * java.util.function.Predicate)} chooses them. If the executors do not answer, those of {@link
   * MatrixCases#covering(Matrix)}.
   *
   * @param limit the longest that all answers together may take
   */
  public List<CollectiveCase> cases(Matrix matrix, Duration limit) {
    Outcome<List<CollectiveCase>> asked =
        Gate.of(GateLimits.of(limit))
            .runUninterrupted(() -> MatrixCases.covering(matrix, this::takes));
    return asked instanceof Outcome.Returned<List<CollectiveCase>>(List<CollectiveCase> cases)
        ? cases
        : MatrixCases.covering(matrix);
  }

  /**
   * The cases of a standard matrix and of the groups that the executors name ({@link
   * CollAlgorithm#shapes}). If the executors support almost none of them, adds cases that they do
   * support: larger groups, other nodes, longer vectors, or a single type.
   *
   * @param limit the longest that all answers together may take
   * @throws dev.tutti.sdk.TuttiException with code INVALID_ARGUMENT if they name an invalid group
   */
  public List<CollectiveCase> usualCases(Matrix standard, Duration limit) {
    Matrix matrix = standard.withTopologies(groups(standard));
    Outcome<List<CollectiveCase>> asked =
        Gate.of(GateLimits.of(limit)).runUninterrupted(() -> wideEnough(matrix));
    return asked instanceof Outcome.Returned<List<CollectiveCase>>(List<CollectiveCase> cases)
        ? cases
        : cases(matrix, limit);
  }

  private List<CollectiveCase> wideEnough(Matrix matrix) {
    List<CollectiveCase> cases = MatrixCases.covering(matrix, this::takes);
    long taken = cases.stream().filter(this::takes).limit(FEW).count();
    if (taken == FEW || taken == cases.size()) {
      return cases;
    }
    Set<CollectiveCase> all = new LinkedHashSet<>();
    WiderMatrix.of(matrix, this::takes)
        .ifPresent(wider -> all.addAll(MatrixCases.covering(wider, this::takes)));
    all.addAll(cases);
    return all.stream().sorted(CollectiveCase.plainestFirst()).toList();
  }

  /** The groups of the matrix, after those that the executors name, which matter most. */
  private List<Topology> groups(Matrix standard) {
    Set<Topology> groups = new LinkedHashSet<>();
    for (CollExecutorBase<?> executor : executors) {
      CollAlgorithm about = executor.getClass().getAnnotation(CollAlgorithm.class);
      for (String shape : about == null ? new String[0] : about.shapes()) {
        groups.add(Topology.parse(shape));
      }
    }
    groups.addAll(standard.topologies());
    return List.copyOf(groups);
  }

  /**
   * Whether the executors support the case on all ranks. Calls the executors directly, so call it
   * inside a gate.
   */
  public boolean takes(CollectiveCase c) {
    try {
      return c.params().stream()
          .filter(Objects::nonNull)
          .allMatch(
              param ->
                  executors.stream()
                      .filter(executor -> isFor(executor, param))
                      .allMatch(executor -> supports(executor, param).isSupported()));
    } catch (RuntimeException e) {
      return false;
    }
  }

  private static boolean isFor(CollExecutorBase<?> executor, OpParam param) {
    return Operation.ofExecutor(executor.getClass()) == param.operation();
  }

  // isFor has compared the operations, and each has one class of requests.
  @SuppressWarnings("unchecked")
  private static <P extends OpParam> Support supports(CollExecutorBase<P> executor, OpParam param) {
    return executor.supports((P) param);
  }
}
