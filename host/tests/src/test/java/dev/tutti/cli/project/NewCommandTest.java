package dev.tutti.cli.project;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.cli.Cli;
import dev.tutti.cli.CommandLineHarness.Outcome;
import dev.tutti.cli.host.Hosts;
import dev.tutti.cli.terminal.Terminal;
import dev.tutti.cli.terminal.TuttiVersion;
import dev.tutti.host.Context;
import dev.tutti.sdk.Operation;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The end-to-end tests build the projects and check what they do. */
final class NewCommandTest {

  @TempDir private Path directory;

  private static Outcome tutti(Path directory, String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    Terminal terminal = new Terminal(new PrintWriter(out), new PrintWriter(err), false, false);
    Hosts hosts = new Hosts(List.of(), Context::builder);
    int exitCode = new Cli(terminal, hosts, directory).run(arguments);
    return new Outcome(exitCode, out.toString(), err.toString());
  }

  @Test
  void aProjectIsMadeInADirectoryOfItsName() throws IOException {
    Outcome outcome =
        tutti(directory, "new", "all_gather_v", "two-tree", "--group", "com.acme.coll2");

    assertThat(outcome.err()).isEmpty();
    assertThat(outcome.exitCode()).isZero();
    // Whether the SDK must be installed first depends on the user's Maven repository.
    List<String> lines = new ArrayList<>();
    lines.add("made two-tree: all-gather-v in the package com.acme.coll2.twotree");
    lines.addAll(SdkInstallation.ofUser().steps("two-tree", TuttiVersion.number()));
    assertThat(outcome.lines()).isEqualTo(lines);
    Path project = directory.resolve("two-tree");
    Path code = project.resolve("src/main/java/com/acme/coll2/twotree/TwoTreeAllGatherV.java");
    assertThat(Files.readString(code))
        .startsWith("package com.acme.coll2.twotree;\n")
        .contains("name = \"two-tree\",")
        .contains("class TwoTreeAllGatherV extends");
    assertThat(Files.readString(project.resolve("pom.xml")))
        .contains("<groupId>com.acme.coll2</groupId>", "<artifactId>two-tree</artifactId>")
        .contains("This plugin needs a JDK 25, and Maven runs on Java ${java.version}:")
        // Reports of tests name the cases.
        .contains("<usePhrasedTestCaseMethodName>true</usePhrasedTestCaseMethodName>")
        .doesNotContain("tutti-plugin-templates");
    assertThat(Files.readString(project.resolve("README.md")))
        .containsPattern("annotationProcessor\\(\"dev\\.tutti:tutti-sdk-api:\\d")
        .contains("group = \"com.acme.coll2\"", "attributes(\"Automatic-Module-Name\" to")
        .contains("serve --plugins target --load all-gather-v")
        .contains("a page with a picture below `target/junit-jupiter`");
    assertThat(Files.readString(project.resolve("mvnw.cmd"))).contains("distributionUrl");
    assertThat(project.resolve("mvnw")).isExecutable();
    assertThat(project.resolve(".gitignore")).exists();
    assertThat(Files.readString(project.resolve(".gitattributes")))
        .contains("eol=lf", "*.cmd text eol=crlf");
    assertThat(directory.toFile().list()).containsExactly("two-tree");
  }

  @Test
  void anAlgorithmOfTemplatesHasThemInItsJar() throws IOException {
    Outcome outcome = tutti(directory, "new", "broadcast", "my-tree", "--style", "template");

    assertThat(outcome.err()).isEmpty();
    assertThat(outcome.exitCode()).isZero();
    Path project = directory.resolve("my-tree");
    Path code = project.resolve("src/main/java/org/example/mytree/MyTreeBroadcast.java");
    assertThat(Files.readString(code)).contains("import dev.tutti.plugins.template.");
    assertThat(Files.readString(project.resolve("pom.xml")))
        .contains("<artifactId>tutti-plugin-templates</artifactId>")
        .contains("<shadedPattern>org.example.mytree.template</shadedPattern>");
  }

  @ParameterizedTest
  @CsvSource({
    "allgather, ring, template, RingAllGather, RingAllGatherAlgorithm",
    "broadcast, tree, template, TreeBroadcast, TreeBroadcastAlgorithm",
    "allreduce, ring, template, RingAllGather, RingAllReduce",
    "allgather, ring, explicit, RingLinks, RingAllGather",
    "send, plugin, explicit, PluginTest, PluginAlgorithmSend",
  })
  void aClassHasAnotherNameThanTheClassesItUses(
      String operation, String name, String style, String used, String own) throws IOException {
    Outcome outcome = tutti(directory, "new", operation, name, "--style", style);

    assertThat(outcome.err()).isEmpty();
    assertThat(outcome.exitCode()).isZero();
    Path sources = directory.resolve(name + "/src/main/java/org/example/" + name);
    assertThat(sources.resolve(own + ".java")).content().contains("class " + own + " ");
    assertThat(sources.resolve(used + ".java")).doesNotExist();
    assertThat(directory.resolve(name + "/src/test/java/org/example/" + name))
        .isDirectoryContaining("glob:**/PluginTest.java")
        .isDirectoryContaining("glob:**/*DataTest.java");
  }

  @ParameterizedTest
  @CsvSource({"ALL_REDUCE", "ALL_GATHER", "REDUCE_SCATTER", "BROADCAST"})
  void nothingIsLeftOfTheOtherStyle(Operation operation) {
    requireComplete(new PluginProject(operation, ProjectStyle.TEMPLATE, "own", "org.example"));
  }

  @ParameterizedTest
  @EnumSource(Operation.class)
  void everyOperationHasAProjectWithNothingLeftOfItsTemplate(Operation operation) {
    requireComplete(new PluginProject(operation, ProjectStyle.EXPLICIT, "own", "org.example"));
  }

  private static void requireComplete(PluginProject project) {

    assertThat(project.files()).hasSizeBetween(14, 15);
    project
        .files()
        .forEach(
            (path, text) -> {
              assertThat(path).doesNotContain("__");
              if (!path.startsWith("mvnw") && !path.startsWith(".")) {
                assertThat(text)
                    .as(path)
                    .doesNotContain("#if", "#else", "#end", "@{", "${package", "${algorithm")
                    .doesNotContain("${groupId", "${artifactId", "${operation");
              }
            });
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "new | tutti new takes <operation>; name it",
        "new allreduce | tutti new takes <name>; name it",
        "new allreduc ring | unknown operation 'allreduc'; did you mean 'allreduce'?",
        "new my-ring all_reduce | unknown operation 'my-ring'; did you mean 'tutti new all_reduce"
            + " my-ring'?",
        "new allreduce Ring | <name> must be up to 40 lower-case letters and digits, with single"
            + " hyphens between them: my-ring. Actual: 'Ring'",
        "new allreduce my--ring | <name> must be",
        "new allreduce ../ring | <name> must be",
        "new allreduce ring --group Org | --group must be names of lower-case letters and digits with"
            + " dots between them: org.example. Actual: 'Org'",
        "new allreduce ring --group java.ring | no package can begin with 'java', which Java"
            + " reserves for itself; use another group than java.ring",
        "new allreduce int | no package can be called 'int', which is a keyword of Java; use"
            + " another name than int",
        "new allreduce ring --group org.new | no package can be called 'new', which is a keyword"
            + " of Java; use another name than org.new",
        "new scan own --style template | --style template is only for all-reduce, reduce-scatter,"
            + " all-gather, broadcast; leave it out. Actual: scan",
        "new allreduce own --style templates | unknown style 'templates'; did you mean 'template'?"
      })
  void wrongNamesAreRefusedAndLeaveNothing(String arguments, String message) {
    Outcome outcome = tutti(directory, arguments.split(" "));

    assertThat(outcome.exitCode()).isEqualTo(2);
    assertThat(outcome.out()).isEmpty();
    assertThat(outcome.err()).contains("] " + message);
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void whatIsThereStaysAsItIs() throws IOException {
    Path file = Files.createFile(directory.resolve("ring"));
    Outcome outcome = tutti(directory, "new", "allreduce", "ring");

    assertThat(outcome.exitCode()).isEqualTo(2);
    assertThat(outcome.err())
        .startsWith(
            "tutti: [TUTTI-101] " + file + " already exists; use another name, or remove it");
    assertThat(file).isEmptyFile();
  }

  @Test
  void aDirectoryThatIsMissingIsNamed() {
    Path missing = directory.resolve("missing");
    Outcome outcome = tutti(missing, "new", "allreduce", "ring");

    assertThat(outcome.exitCode()).isEqualTo(3);
    assertThat(outcome.err())
        .startsWith("tutti: [TUTTI-308] cannot write the project " + missing.resolve("ring"));
  }
}
