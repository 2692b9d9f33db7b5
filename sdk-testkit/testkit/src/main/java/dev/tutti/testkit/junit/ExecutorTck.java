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
 * The standard tests of executors, as default methods: one test for each case of a matrix, and that
 * some case is taken, and that no forbidden call is made. Test classes implement {@link
 * AllReduceTck}, or its sibling for their operation; what they may change is here.
 */
public interface ExecutorTck {

  /** What is tested: one executor, or the sender and the receiver of a transfer. */
  List<CollExecutorBase<?>> executors();

  /** Whether the executors should refuse a case. */
  boolean isRefused(CollectiveCase c);

  /** The cases to test; the standard matrix of the executors unless overridden. */
  default Matrix matrix() {
    return Matrix.standard(executors());
  }

  /**
   * Whether every combination of the matrix is tested. If not, as is normal, the small set of
   * {@link MatrixCases#covering(Matrix)} is.
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
   * @param reporter takes the files that go with a failure
   * @param processes plan the same cases; all standard tests of a test run share them
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
