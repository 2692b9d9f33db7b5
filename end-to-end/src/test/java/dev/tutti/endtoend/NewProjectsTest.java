package dev.tutti.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import dev.tutti.testkit.arch.PluginRules;
import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Events;

/**
 * The projects of {@code tutti new} are those of the archetype. Whatever the project, its algorithm
 * passes the tests that come with it. The archetype's own tests build their projects with Maven,
 * but run the tests of two of them only, because each run needs a JVM.
 */
@Timeout(value = 15, unit = TimeUnit.MINUTES)
class NewProjectsTest {

  @TempDir private Path directory;

  @Test
  void aNewProjectIsTheOneOfTheArchetype() throws Exception {
    assertThat(files(made("allreduce", "my-ring")))
        .isEqualTo(files(generated("basic/project/my-ring")));
    assertThat(directory.resolve("my-ring/mvnw")).isExecutable();
    assertThat(files(made("broadcast", "binomial", "--style", "template")))
        .isEqualTo(files(generated("broadcast-template/project/binomial")));
  }

  private static Path generated(String project) {
    return Path.of(System.getProperty("tutti.generated"), project);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "reduce",
        "reducescatterv",
        "allgatherv",
        "gather",
        "gatherv",
        "scatter",
        "scatterv",
        "alltoallv",
        "batchsendrecv",
        "barrier",
        "scan",
        "exclusivescan"
      })
  void itsAlgorithmPassesItsTests(String operation) throws Exception {
    Path project = made(operation, "own");
    Path classes = Files.createDirectory(directory.resolve("classes"));
    PluginCompiler.compile(
        sources(project.resolve("src/main/java")), PluginCompiler.SDK, classes, "-proc:full");
    List<Path> tests =
        sources(project.resolve("src/test/java")).stream()
            // It looks at all classes beside the algorithm's, which here are those of tests, too.
            .filter(file -> !file.endsWith("PluginTest.java"))
            .toList();
    List<Path> libraries = new ArrayList<>(List.of(classes));
    for (String each : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      libraries.add(Path.of(each));
    }
    PluginCompiler.compile(tests, libraries, classes, "-proc:none");

    requirePassed(List.of(classes), names(classes), 60);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "all-gather/project/g",
        "all-gather-template/project/circle-all-gather",
        "all-to-all/project/mesh-all-to-all",
        "broadcast/project/star-broadcast",
        "broadcast-template/project/binomial",
        "reduce-scatter/project/reduce-scatter_2",
        "reduce-scatter-template/project/circle-reduce-scatter",
        "send-receive/project/eager"
      })
  void theAlgorithmOfTheArchetypePassesItsTests(String project) throws Exception {
    Path classes = generated(project).resolve("target/classes");
    Path tests = generated(project).resolve("target/test-classes");
    assertThat(generated(project).resolve("target/surefire-reports")).doesNotExist();

    assertThat(PluginRules.check(classes)).isEmpty();
    List<String> names = new ArrayList<>(names(tests));
    // It looks for services on the whole class path, where those of the reference plugins are, too.
    names.removeIf(name -> name.endsWith(".PluginTest"));
    requirePassed(List.of(classes, tests), names, 105);
  }

  private static List<String> names(Path classes) throws IOException {
    try (Stream<Path> files = Files.walk(classes)) {
      return files
          .map(file -> classes.relativize(file).toString())
          .filter(name -> name.endsWith("Test.class"))
          .map(name -> name.replace(".class", "").replace('/', '.'))
          .toList();
    }
  }

  private static void requirePassed(List<Path> classes, List<String> tests, int least)
      throws Exception {
    Events events = run(classes, tests);
    assertThat(events.failed().list()).isEmpty();
    // One test is left out: other processes could not plan with classes that are on no class path.
    assertThat(events.aborted().count()).isLessThanOrEqualTo(1);
    assertThat(events.succeeded().count()).isGreaterThan(least);
  }

  private static Events run(List<Path> classes, List<String> tests) throws Exception {
    List<URL> path = new ArrayList<>();
    for (Path each : classes) {
      path.add(each.toUri().toURL());
    }
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    try (URLClassLoader loader =
        new URLClassLoader(path.toArray(URL[]::new), NewProjectsTest.class.getClassLoader())) {
      thread.setContextClassLoader(loader);
      List<DiscoverySelector> selectors = new ArrayList<>();
      for (String test : tests) {
        selectors.add(selectClass(loader.loadClass(test)));
      }
      return EngineTestKit.engine("junit-jupiter")
          .selectors(selectors.toArray(DiscoverySelector[]::new))
          .execute()
          .testEvents();
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  private Path made(String operation, String name, String... options) throws Exception {
    List<String> words = new ArrayList<>(List.of("new", operation, name));
    words.addAll(List.of(options));
    CommandHere.succeed(directory, words.toArray(String[]::new));
    return directory.resolve(name);
  }

  private static List<Path> sources(Path root) throws IOException {
    try (Stream<Path> files = Files.walk(root)) {
      return files.filter(file -> file.toString().endsWith(".java")).toList();
    }
  }

  /** The text of each file but of what a build has made. */
  private static Map<String, String> files(Path project) throws IOException {
    Map<String, String> texts = new TreeMap<>();
    try (Stream<Path> files = Files.walk(project)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        String name = project.relativize(file).toString();
        if (!name.startsWith("target/") && !name.equals("build.log")) {
          texts.put(name, Files.readString(file));
        }
      }
    }
    return texts;
  }
}
