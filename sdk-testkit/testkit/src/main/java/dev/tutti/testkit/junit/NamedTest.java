package dev.tutti.testkit.junit;

import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestReporter;

/**
 * A test with a name.
 *
 * @param name the display name
 * @param body throws an {@link AssertionError} if it fails, and {@link
 *     org.opentest4j.TestAbortedException} if it does not apply
 */
record NamedTest(String name, Body body) {

  @FunctionalInterface
  interface Body {
    void run(Publisher publisher) throws Exception;
  }

  static Stream<DynamicTest> toDynamic(Stream<NamedTest> tests, TestReporter reporter) {
    Publisher publisher = Publisher.to(reporter);
    return tests.map(test -> DynamicTest.dynamicTest(test.name, () -> test.body.run(publisher)));
  }
}
