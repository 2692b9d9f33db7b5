package dev.tutti.testkit.junit;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestReporter;

/**
 * Gives the standard tests to every provider of this project that no test class names:
 *
 * <pre>{@code
 * class ProvidersTest implements ProvidersTck {}
 * }</pre>
 *
 * <p>A project without such a class gets the same tests along with its first test class, from the
 * test engine {@code tutti}; with it, they stand where the author put them.
 */
public interface ProvidersTck {

  /** A container for each provider without a test of its own; none if all have one. */
  @TestFactory
  default Stream<DynamicContainer> providersWithoutATestOfTheirOwn(TestReporter reporter) {
    ClassLoader loader = getClass().getClassLoader();
    List<Class<?>> tests =
        TestClasses.directoryOf(getClass())
            .map(directory -> TestClasses.in(directory, loader))
            .orElse(List.of());
    return UntestedProviders.find(tests, loader).stream()
        .map(
            group ->
                DynamicContainer.dynamicContainer(
                    group.name(), NamedTest.toDynamic(group.tests().stream(), reporter)));
  }
}
