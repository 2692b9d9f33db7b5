package dev.tutti.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

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
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Events;

/**
 * The projects of {@code tutti new} are those of the archetype, whose tests build them with Maven;
 * and the algorithms of those operations that the archetype's tests have no project of pass the
 * tests that come with them.
 */
@Timeout(value = 15, unit = TimeUnit.MINUTES)
class NewProjectsTest {

  private static CommandHere command;

  @TempDir private Path directory;

  @BeforeAll
  static void load() throws Exception {
    command = new CommandHere();
  }

  @AfterAll
  static void unload() throws Exception {
    command.close();
  }

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

    Events events = run(classes, tests);
    assertThat(events.failed().list()).isEmpty();
    // One test is left out: other processes could not plan with classes that are on no class path.
    assertThat(events.aborted().count()).isLessThanOrEqualTo(1);
    assertThat(events.succeeded().count()).isGreaterThan(60);
  }

  private static Events run(Path classes, List<Path> tests) throws Exception {
    URL[] path = {classes.toUri().toURL()};
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    try (URLClassLoader loader = new URLClassLoader(path, NewProjectsTest.class.getClassLoader())) {
      thread.setContextClassLoader(loader);
      List<DiscoverySelector> selectors = new ArrayList<>();
      for (Path test : tests) {
        String name = test.getFileName().toString().replace(".java", "");
        selectors.add(selectClass(loader.loadClass("org.example.own." + name)));
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
    command.succeed(directory, words.toArray(String[]::new));
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
