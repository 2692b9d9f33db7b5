package dev.tutti.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tutti.cli.host.Hosts;
import dev.tutti.cli.terminal.ExitCode;
import dev.tutti.cli.terminal.Terminal;
import dev.tutti.engine.mpi.MpiLibrary;
import dev.tutti.host.Context;
import dev.tutti.host.config.ActiveRules;
import dev.tutti.host.job.JobPlace;
import dev.tutti.host.watch.Watch;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

class ManCommandTest {

  private static final Path ROOT = Path.of("..", "..");
  private static final Pattern VARIABLE = Pattern.compile("\\bTUTTI_[A-Z_]+\\b");

  @TempDir private Path directory;

  private CommandLineHarness.Outcome tutti(String... arguments) {
    return CommandLineHarness.withTestAlgorithms(directory).callIn(directory, arguments);
  }

  private String page(String... command) {
    List<String> arguments = new ArrayList<>(List.of("man"));
    arguments.addAll(List.of(command));
    CommandLineHarness.Outcome outcome = tutti(arguments.toArray(String[]::new));
    assertThat(outcome.err()).isEmpty();
    assertThat(outcome.exitCode()).isZero();
    return outcome.out();
  }

  /** The pages of all commands, by the names of their files. */
  private Map<String, String> pages() throws IOException {
    CommandLineHarness.Outcome outcome = tutti("man", "--output", "manual");
    assertThat(outcome.err()).isEmpty();
    assertThat(outcome.exitCode()).isZero();
    Map<String, String> pages = new TreeMap<>();
    try (Stream<Path> files = Files.list(directory.resolve("manual/man1"))) {
      for (Path file : files.toList()) {
        pages.put(file.getFileName().toString(), Files.readString(file));
      }
    }
    assertThat(outcome.out())
        .isEqualTo(
            pages.size()
                + " pages in "
                + directory.resolve("manual/man1")
                + "; one of them: man -M "
                + directory.resolve("manual")
                + " tutti\n");
    return pages;
  }

  /** All commands by the names of their pages. */
  private static Map<String, CommandLine> commands() {
    Terminal terminal =
        new Terminal(
            new PrintWriter(new StringWriter()), new PrintWriter(new StringWriter()), false, false);
    Map<String, CommandLine> commands = new TreeMap<>();
    add(
        "tutti",
        new Cli(terminal, new Hosts(List.of(), Context::builder))
            .commandLine(new Errors(terminal, false)),
        commands);
    return commands;
  }

  private static void add(String name, CommandLine command, Map<String, CommandLine> commands) {
    commands.put(name + ".1", command);
    command.getSubcommands().forEach((word, below) -> add(name + "-" + word, below, commands));
  }

  @Test
  void everyCommandHasAPageWithEachOfItsOptions() throws IOException {
    Map<String, String> pages = pages();

    assertThat(pages.keySet())
        .isEqualTo(commands().keySet())
        .contains("tutti.1", "tutti-run.1", "tutti-plugins-install.1", "tutti-man.1");
    commands()
        .forEach(
            (file, command) -> {
              String page = pages.get(file);
              for (OptionSpec option : command.getCommandSpec().options()) {
                String name =
                    option.negatable()
                        ? option.longestName().replace("--no-", "--[no-]")
                        : option.longestName();
                String terms = name.replace("-", "\\-");
                if (option.hidden()) {
                  assertThat(page).as(file).doesNotContain(terms);
                } else {
                  assertThat(page).as(file).containsPattern("\\.TP\n.*\\Q" + terms + "\\E");
                }
              }
            });
  }

  @Test
  void noTextIsARequest() throws IOException {
    pages()
        .forEach(
            (name, page) -> {
              assertThat(page.lines())
                  .as(name)
                  .filteredOn(line -> line.startsWith(".") || line.startsWith("'"))
                  .allMatch(
                      line ->
                          line.matches("\\.(TH .*|SH \"[A-Z ]+\"|nh|ad l|TP|PP|EX|EE|RS 4|RE)"));
              assertThat(page.lines())
                  .as(name)
                  .allMatch(line -> line.length() <= 80 && !line.isBlank())
                  .allMatch(line -> line.equals(line.stripTrailing()));
              assertThat(page)
                  .as(name)
                  .matches("[\n -~]+")
                  .doesNotContain("@|", "|@", "%n", "${", "null");
            });
  }

  /** Each of these texts is a format; a wrong one is a warning above the help. */
  @Test
  void noTextOfAHelpIsAWrongFormat() {
    assertThat(commands())
        .allSatisfy(
            (file, command) -> {
              UsageMessageSpec usage = command.getCommandSpec().usageMessage();
              Stream<String> texts =
                  Stream.concat(
                      Stream.of(usage.header(), usage.description(), usage.footer())
                          .flatMap(Stream::of),
                      command.getCommandSpec().args().stream()
                          .flatMap(argument -> Stream.of(argument.description())));
              assertThat(texts)
                  .isNotEmpty()
                  .allSatisfy(text -> assertThat(String.format(text)).isNotNull());
            });
  }

  @Test
  void thePageOfACommandSaysWhatItsHelpSays() {
    String page = page("plugins", "pin");

    assertThat(page)
        .startsWith(".TH \"TUTTI\\-PLUGINS\\-PIN\" 1 ")
        .containsSubsequence(
            ".SH \"NAME\"\ntutti\\-plugins\\-pin \\- Serves one version of a plugin",
            ".SH \"SYNOPSIS\"\ntutti plugins pin [\\fB\\-h\\fR] [",
            ".SH \"DESCRIPTION\"\nServes one version",
            ".SH \"OPTIONS\"\n.TP\n\\fI<plugin>\\fR\n",
            ".TP\n\\fB\\-h\\fR, \\fB\\-\\-help\\fR\nShows this help.\n",
            ".SH \"EXIT STATUS\"\n.TP\n0\nDone,",
            ".SH \"ENVIRONMENT\"\n.TP\nTUTTI_JAVA_HOME\n",
            ".SH \"EXAMPLES\"\n.RS 4\n.EX\ntutti plugins pin ",
            ".SH \"SEE ALSO\"\ntutti\\-plugins(1), tutti(1)");
    assertThat(page("verify"))
        .as("the help wraps synopses within words")
        .doesNotContainPattern("\\[,\\s");
    assertThat(page("run"))
        .contains(
            "\n.TP\n\\fB\\-n\\fR, \\fB\\-\\-ranks\\fR=\\fI<n>\\fR\nThe number of ranks. Default: 4.\n",
            "\n.TP\n\\fB\\-\\-[no\\-]verify\\fR\n",
            "\n.TP\n\\fB\\-\\-seed\\fR=\\fI<n>\\fR\nThe seed of the input data. Default: 42.\n");
  }

  @Test
  void thePageAboveOthersListsThem() {
    assertThat(page())
        .containsSubsequence(
            ".SH \"COMMANDS\"\n.TP\nrun\nRuns an operation on all ranks",
            ".SH \"EXIT STATUS\"\n",
            ".SH \"SEE ALSO\"\ntutti\\-run(1), tutti\\-bench(1)");
  }

  @Test
  void allVariablesAreOnThePageOfTuttiAndOthersOnTheirs() {
    assertThat(page())
        .contains(
            Stream.of(
                    ActiveRules.VARIABLE,
                    Watch.VARIABLE,
                    MpiLibrary.VARIABLE,
                    JobPlace.RANK,
                    JobPlace.SIZE,
                    JobPlace.DIRECTORY,
                    JobPlace.TOKEN)
                .map(name -> ".TP\n" + name + "\n")
                .toList());
    assertThat(page("explain")).contains(".TP\nTUTTI_RULES\n").doesNotContain("TUTTI_RANK\n");
    assertThat(page("topo")).doesNotContain("TUTTI_RULES");
  }

  @Test
  void theTableOfTheDocumentationHasTheVariablesOfThePage() throws IOException {
    assertThat(Files.readAllLines(ROOT.resolve("docs/README.md")))
        .containsSequence(
            EnvironmentVariable.ALL.stream()
                .map(each -> "| `" + each.name() + "` | " + each.meaning() + " |")
                .toList());
  }

  @Test
  void noSourceHasAVariableThatThePageLacks() throws IOException {
    Set<String> found = new TreeSet<>();
    for (String place : List.of("tutti", ".mvn/jdk25.sh", "sdk-api", "sdk-testkit", "host")) {
      try (Stream<Path> files = Files.walk(ROOT.resolve(place))) {
        for (Path file : files.filter(ManCommandTest::isSource).toList()) {
          VARIABLE.matcher(Files.readString(file)).results().forEach(r -> found.add(r.group()));
        }
      }
    }

    assertThat(found)
        .isEqualTo(
            EnvironmentVariable.ALL.stream()
                .map(EnvironmentVariable::name)
                .filter(name -> VARIABLE.matcher(name).matches())
                .collect(Collectors.toCollection(TreeSet::new)));
  }

  private static boolean isSource(Path file) {
    String path = file.toString();
    return Files.isRegularFile(file)
        && !path.endsWith("/EnvironmentVariable.java")
        && (path.contains("/src/main/java/") || path.matches("(../)+tutti|.*/jdk25.sh"));
  }

  @Test
  void pagesThatCannotBeWrittenLeaveTheOthersAlone() throws IOException {
    Path section = Files.createDirectories(directory.resolve("manual/man1"));
    Path first = Files.writeString(section.resolve("tutti.1"), "mine");
    Path blocked = Files.createDirectory(section.resolve("tutti-tune.1"));

    CommandLineHarness.Outcome outcome = tutti("man", "--output", "manual");

    assertThat(outcome.exitCode()).isEqualTo(ExitCode.ENVIRONMENT);
    assertThat(outcome.err()).contains("cannot write the page " + blocked + ": it is a directory");
    assertThat(first).hasContent("mine");
    assertThat(section).isDirectoryNotContaining("glob:**/tutti-run.1*");
  }

  @Test
  void aFileIsNoDirectoryForPages() throws IOException {
    Files.writeString(directory.resolve("manual"), "mine");

    CommandLineHarness.Outcome outcome = tutti("man", "--output", "manual");

    assertThat(outcome.exitCode()).isEqualTo(ExitCode.ENVIRONMENT);
    assertThat(outcome.err())
        .contains("cannot write --output " + directory.resolve("manual/man1") + ": ")
        .doesNotContain("Exception");
    assertThat(directory.resolve("manual")).hasContent("mine");
  }

  @Test
  void mandocHasNothingToSay() throws Exception {
    assumeTrue(
        Stream.of(System.getenv("PATH").split(":"))
            .anyMatch(place -> Files.isExecutable(Path.of(place, "mandoc"))),
        "mandoc is not installed");
    List<String> command = new ArrayList<>(List.of("mandoc", "-Tlint"));
    pages().keySet().forEach(name -> command.add("manual/man1/" + name));

    Process process =
        new ProcessBuilder(command).directory(directory.toFile()).redirectErrorStream(true).start();

    assertThat(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
        .isEmpty();
  }
}
