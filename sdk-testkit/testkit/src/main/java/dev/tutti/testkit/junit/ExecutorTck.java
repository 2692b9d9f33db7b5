package dev.tutti.testkit.junit;

import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.verifier.ClusterBuilder;
import dev.tutti.verifier.matrix.CollectiveCase;
import dev.tutti.verifier.matrix.Matrix;
import dev.tutti.verifier.matrix.MatrixCases;
import dev.tutti.verifier.purity.OtherProcesses;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The standard tests of executors, as default methods: one test for each case of a matrix, and
 * tests that the executor accepts some case, makes no forbidden call, and plans the same in other
 * processes. Test classes implement {@link AllReduceTck} or the interface for their operation, and
 * may override the methods of this interface.
 */
public interface ExecutorTck {

  /** The tested executors: one, or the sender and the receiver of a transfer. */
  List<CollExecutorBase<?>> executors();

  /** Whether the executors should refuse a case. */
  boolean isRefused(CollectiveCase c);

  /** The cases to test; by default the standard matrix of the executors. */
  default Matrix matrix() {
    return Matrix.standard(executors());
  }

  /**
   * Whether every combination of the matrix is tested. By default, the small set of {@link
   * MatrixCases#covering(Matrix)} is tested.
   */
  default boolean isFull() {
    return false;
  }

  /** How each case is checked; override to change schedules, faults or limits. */
  default ClusterBuilder configure(ClusterBuilder cluster) {
    return cluster;
  }

  /**
   * The tests.
   *
   * @param reporter receives the files of a failure
   * @param processes processes that plan the same cases; all standard tests of a test run share
   *     them
   */
  @TestFactory
  @ExtendWith(SharedProcesses.class)
  default Stream<DynamicTest> standardTests(TestReporter reporter, OtherProcesses processes) {
    Matrix matrix = matrix();
    StandardTest standard =
        new StandardTest(
            new Subject(executors()),
            isFull() ? MatrixCases.all(matrix) : MatrixCases.covering(matrix, c -> !isRefused(c)),
            new Refusals.Declared(this::isRefused),
            this::configure,
            ClassPathPlans.referenceOf(getClass()),
            processes);
    return NamedTest.toDynamic(standard.tests(), reporter);
  }
}
