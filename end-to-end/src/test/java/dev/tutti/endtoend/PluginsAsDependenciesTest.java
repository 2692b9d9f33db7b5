package dev.tutti.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An application takes Tutti and its plugins out of a repository, and runs with them. */
class PluginsAsDependenciesTest {

  private static final Path PAGE = Path.of("..", "docs", "embedding.md");
  private static final Path POM = Path.of("src", "it", "application", "pom.xml");
  private static final String EXECUTORS = "META-INF/services/dev.tutti.sdk.CollExecutorBase";
  private static final String VERSION = System.getProperty("tutti.version");

  private static final List<String> FAMILIES =
      List.of(
          "alltoall",
          "bruck",
          "circulant",
          "custom",
          "direct",
          "doubling",
          "hierarchical",
          "nhr",
          "p2p",
          "reproducible",
          "ring",
          "scan",
          "tree");

  @TempDir private Path directory;

  private static List<Path> all(List<Path> first, List<Path> then) {
    return Stream.concat(first.stream(), then.stream()).toList();
  }

  private static List<Path> own() {
    return List.of(Application.jar());
  }

  /** What it prints when nothing is wrong. */
  private static void assertItRuns(Application.Result result, String modules) {
    assertThat(result.code()).as("%s", result.lines()).isZero();
    List<String> expected = new ArrayList<>();
    FAMILIES.forEach(family -> expected.add("dev.tutti." + family + " " + VERSION));
    expected.add(modules);
    for (int rank = 0; rank < 4; rank++) {
      expected.add("rank " + rank + ": 6.0, 4.0");
    }
    assertThat(result.lines()).containsExactlyInAnyOrderElementsOf(expected);
  }

  @Test
  void theOneDependencyBringsAllPluginsAndNothingElseOfTutti() throws IOException {
    assertThat(Application.libraries())
        .extracting(each -> each.getFileName().toString())
        .filteredOn(name -> name.startsWith("tutti-"))
        .containsExactlyInAnyOrderElementsOf(
            Stream.concat(
                    Stream.of(
                        "tutti-base",
                        "tutti-engine",
                        "tutti-host",
                        "tutti-plan",
                        "tutti-plugins",
                        "tutti-plugins-runtime",
                        "tutti-sdk-api",
                        "tutti-simulator",
                        "tutti-verifier"),
                    FAMILIES.stream().map(family -> "tutti-plugin-" + family))
                .map(artifact -> artifact + "-" + VERSION + ".jar")
                .toList());
  }

  @Test
  void itRunsOnTheClassPath() throws Exception {
    assertItRuns(
        Application.onClassPath(all(own(), Application.libraries())),
        "modules: host false, plugins false");
  }

  @Test
  void itRunsOnTheModulePath() throws Exception {
    assertItRuns(
        Application.onModulePath(all(own(), Application.libraries()), own()),
        "modules: host true, plugins true");
  }

  @Test
  void aModuleRunsWithPluginsOnTheClassPath() throws Exception {
    assertItRuns(
        Application.onModulePath(all(own(), Application.others()), Application.plugins()),
        "modules: host true, plugins false");
  }

  /** Its templates are those that the plugins of Tutti have, too. */
  @Test
  void aPluginOfTheArchetypeRunsBesideThem() throws Exception {
    List<Path> ring =
        List.of(new GeneratedPlugin("all-reduce-template/project/ring-all-reduce", "1.0.0").jar());
    for (Application.Result result :
        List.of(
            Application.onClassPath(all(own(), all(ring, Application.libraries()))),
            Application.onModulePath(all(own(), all(ring, Application.libraries())), own()))) {
      assertThat(result.lines())
          .as("the exit code is %d", result.code())
          .contains("org.example.ring 1.0.0")
          .contains("rank 0: 6.0, 4.0");
    }
  }

  @Test
  void withoutAPluginItSaysWhatToDependOn() throws Exception {
    for (Application.Result result :
        List.of(
            Application.onClassPath(all(own(), Application.others())),
            Application.onModulePath(all(own(), Application.others()), List.of()))) {
      assertThat(result.code()).isOne();
      assertThat(result.lines().getFirst())
          .contains("TUTTI-401")
          .contains("no plugin is on the class path or module path of the application")
          .endsWith("depend on dev.tutti:tutti-plugins, or on a plugin of your own");
    }
  }

  @Test
  void aPluginTwiceIsReported() throws Exception {
    Path ring =
        Application.plugins().stream()
            .filter(each -> each.getFileName().toString().startsWith("tutti-plugin-ring-"))
            .findFirst()
            .orElseThrow();
    Path copy = Files.copy(ring, directory.resolve("another-ring.jar"));
    String message =
        "[TUTTI-405] %s: the application has the plugin 'dev.tutti.ring' twice: %s serves, and %s"
            + " of version %s does not; leave one of them out";

    assertThat(
            Application.onClassPath(all(own(), all(Application.libraries(), List.of(copy))))
                .lines())
        .contains(message.formatted("another-ring.jar", ring, copy, VERSION))
        .contains("rank 0: 6.0, 4.0");
    assertThat(Application.onModulePath(all(own(), Application.libraries()), List.of(copy)).lines())
        .contains(message.formatted("another-ring.jar", ring, copy, VERSION))
        .contains("rank 0: 6.0, 4.0");
  }

  @Test
  void aBrokenServicesEntryIsReported() throws Exception {
    Path broken = directory.resolve("broken");
    Files.createDirectories(broken.resolve(EXECUTORS).getParent());
    Files.writeString(broken.resolve(EXECUTORS), "org.example.Gone\n");
    String message =
        "[TUTTI-404] broken: org.example.Gone is named in "
            + EXECUTORS
            + " but is not on the class path; build the jar again, or remove the line";

    assertThat(
            Application.onClassPath(all(own(), all(List.of(broken), Application.libraries())))
                .lines())
        .contains(message)
        .contains("rank 0: 6.0, 4.0");
    assertThat(
            Application.onModulePath(all(own(), Application.libraries()), List.of(broken)).lines())
        .contains(message)
        .contains("rank 0: 6.0, 4.0");
  }

  @Test
  void theMavenBlockOfTheDocumentationIsInItsPom() throws IOException {
    String pom = Files.readString(POM).replace("@project.version@", VERSION);

    assertThat(squeezed(pom)).contains(squeezed(block("xml")));
  }

  @Test
  void theGradleBlockOfTheDocumentationNamesTheSameArtifacts() throws IOException {
    Pattern artifact = Pattern.compile("dev\\.tutti:(tutti-[a-z-]+)");

    assertThat(artifact.matcher(block("kotlin")).results().map(found -> found.group(1)))
        .containsExactly("tutti-bom", "tutti-host", "tutti-plugins");
    assertThat(block("kotlin")).contains("dev.tutti:tutti-bom:" + VERSION);
  }

  private static String block(String language) throws IOException {
    return Page.parse(Files.readString(PAGE)).stream()
        .filter(part -> part.language().equals(language))
        .findFirst()
        .orElseThrow()
        .text();
  }

  private static String squeezed(String text) {
    return text.replaceAll("\\s+", " ").trim();
  }
}
