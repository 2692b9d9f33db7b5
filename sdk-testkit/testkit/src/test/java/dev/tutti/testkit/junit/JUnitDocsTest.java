package dev.tutti.testkit.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import dev.tutti.testkit.arch.Compiled;
import dev.tutti.testkit.arch.GoodPlugin;
import dev.tutti.testkit.plugin.TestPlugins;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.testkit.engine.EngineExecutionResults;
import org.junit.platform.testkit.engine.EngineTestKit;

/** The code in docs/junit.md compiles and passes. */
class JUnitDocsTest {

  private static final String HEADER =
      """
      package p;

      import static dev.tutti.testkit.assertions.TestkitAssertions.assertThat;
      import static org.assertj.core.api.Assertions.assertThat;

      import dev.tutti.sdk.*;
      import dev.tutti.sdk.param.*;
      import dev.tutti.plan.*;
      import dev.tutti.sdk.topology.*;
      import dev.tutti.verifier.*;
      import dev.tutti.testkit.arch.*;
      import dev.tutti.testkit.junit.*;
      import dev.tutti.verifier.matrix.*;
      import dev.tutti.verifier.rule.*;
      import dev.tutti.simulator.*;
      import java.nio.file.Path;
      import java.util.List;
      import org.junit.jupiter.api.Test;

      """;

  private static final Pattern BLOCK =
      Pattern.compile("```java\\n(class (\\w+) .*?)```", Pattern.DOTALL);

  @TempDir private Path directory;

  private final List<String> names = new ArrayList<>();
  private Path classes;

  @BeforeEach
  void compileThePage() throws IOException {
    String page = Files.readString(Path.of("..", "..", "docs", "junit.md"));
    StringBuilder source = new StringBuilder(HEADER);
    Matcher blocks = BLOCK.matcher(page);
    while (blocks.find()) {
      names.add("p." + blocks.group(2));
      source.append(blocks.group(1)).append('\n');
    }
    for (String name : List.of("Hasty", "Narrow")) {
      source.append(
          "class %sBroadcast extends dev.tutti.testkit.junit.StarBroadcast.%s {}\n"
              .formatted(name, name));
    }
    Path plugin = TestPlugins.jar(directory.resolve("plugin.jar"), GoodPlugin.class);
    classes =
        Compiled.into(
            directory, "p.AllOfIt", source.toString().replace("target/classes", plugin.toString()));
  }

  private List<EngineExecutionResults> runAll() throws Exception {
    List<EngineExecutionResults> results = new ArrayList<>();
    URL[] place = {classes.toUri().toURL()};
    try (URLClassLoader loader = new URLClassLoader(place, getClass().getClassLoader())) {
      for (String name : names) {
        results.add(
            EngineTestKit.engine("junit-jupiter")
                .selectors(selectClass(loader.loadClass(name)))
                .execute());
      }
    }
    return results;
  }

  @Test
  void everyExampleRuns() throws Exception {
    assertThat(names)
        .containsExactly(
            "p.StarTest",
            "p.NarrowTest",
            "p.StarCasesTest",
            "p.ProvidersTest",
            "p.AssertionsTest",
            "p.RulesTest");

    for (EngineExecutionResults result : runAll()) {
      assertThat(
              result.allEvents().failed().stream()
                  .map(event -> event.getRequiredPayload(TestExecutionResult.class))
                  .map(failure -> failure.getThrowable().orElseThrow().toString()))
          .isEmpty();
    }
  }

  @Test
  void thePageNamesTheOperationsThatThereAre() throws IOException {
    String page = Files.readString(Path.of("..", "..", "docs", "junit.md"));
    try (Stream<Path> files = Files.list(Path.of("src/main/java/dev/tutti/testkit/junit"))) {
      List<String> interfaces =
          files
              .map(file -> file.getFileName().toString().replace(".java", ""))
              .filter(name -> name.endsWith("Tck"))
              .toList();
      Matcher named = Pattern.compile("\\b(\\w+Tck)\\b").matcher(page);
      List<String> mentioned = named.results().map(found -> found.group(1)).toList();
      assertThat(interfaces).containsAll(mentioned);
    }
  }
}
