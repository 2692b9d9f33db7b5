package dev.tutti.endtoend;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.List;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.testkit.engine.EngineTestKit;

/** Runs what the build of a generated project runs, on other classes of its algorithm. */
final class GeneratedTests {

  private GeneratedTests() {}

  /**
   * Runs a test class of a project.
   *
   * @return the messages of what failed
   */
  static List<String> failures(GeneratedPlugin project, Path classes, String test)
      throws IOException, ClassNotFoundException {
    URL[] path = {classes.toUri().toURL(), project.tests().toUri().toURL()};
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    try (URLClassLoader loader = new URLClassLoader(path, GeneratedTests.class.getClassLoader())) {
      thread.setContextClassLoader(loader);
      return EngineTestKit.engine("junit-jupiter")
          .selectors(selectClass(loader.loadClass(test)))
          .execute()
          .testEvents()
          .failed()
          .stream()
          .map(event -> event.getRequiredPayload(TestExecutionResult.class))
          .map(result -> result.getThrowable().orElseThrow().toString())
          .toList();
    } finally {
      thread.setContextClassLoader(before);
    }
  }
}
