package dev.tutti.testkit.junit;

import dev.tutti.verifier.purity.OtherProcesses;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Runs the standard tests for every provider of this project that no test class names:
 *
 * <pre>{@code
 * class ProvidersTest implements ProvidersTck {}
 * }</pre>
 *
 * <p>In a project without such a class, the test engine {@code tutti} runs the same tests along
 * with the first test class. With such a class, they run there.
 */
public interface ProvidersTck {

  /**
   * A container for each provider without a test of its own; none if all have one.
   *
   * @param reporter receives the files of a failure
   * @param processes processes that plan the same cases; all standard tests of a test run share
   *     them
   */
  @TestFactory
  @ExtendWith(SharedProcesses.class)
  default Stream<DynamicContainer> providersWithoutATestOfTheirOwn(
      TestReporter reporter, OtherProcesses processes) {
    ClassLoader loader = getClass().getClassLoader();
    List<Class<?>> tests =
        TestClasses.directoryOf(getClass())
            .map(directory -> TestClasses.in(directory, loader))
            .orElse(List.of());
    return UntestedProviders.find(tests, loader, processes).stream()
        .map(
            group ->
                DynamicContainer.dynamicContainer(
                    group.name(), NamedTest.toDynamic(group.tests().stream(), reporter)));
  }
}
