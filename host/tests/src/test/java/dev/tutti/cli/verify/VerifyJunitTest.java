package dev.tutti.cli.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.cli.CommandLineHarness;
import dev.tutti.cli.CommandLineHarness.Outcome;
import dev.tutti.cli.TestAlgorithms;
import dev.tutti.host.Context;
import dev.tutti.plugin.PluginProblem;
import dev.tutti.sdk.ErrorCode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

class VerifyJunitTest {

  @TempDir private Path directory;
  private Path file;
  private CommandLineHarness tutti;

  @BeforeEach
  void openAlgorithms() {
    file = directory.resolve("report.xml");
    tutti =
        new CommandLineHarness(
            directory,
            () ->
                TestAlgorithms.addTo(Context.builder())
                    .algorithm(new DrawnAlgorithms.Racing())
                    .algorithm(new DrawnAlgorithms.Hostile()));
  }

  private Element report(int exitCode, String... words) throws Exception {
    List<String> all = new ArrayList<>(List.of("verify"));
    all.addAll(List.of(words));
    all.addAll(List.of("--static", "--junit-xml", file.toString()));
    Outcome outcome = tutti.call(all.toArray(String[]::new));
    assertThat(outcome.exitCode()).as(outcome.err()).isEqualTo(exitCode);
    Element root =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(file.toFile())
            .getDocumentElement();
    assertThat(root.getTagName()).isEqualTo("testsuites");
    return root;
  }

  private static List<Element> elements(Element parent, String name) {
    NodeList found = parent.getElementsByTagName(name);
    return IntStream.range(0, found.getLength()).mapToObj(i -> (Element) found.item(i)).toList();
  }

  private static void requireNumbers(Element suite) {
    assertThat(suite.getAttribute("tests")).isEqualTo("" + elements(suite, "testcase").size());
    assertThat(suite.getAttribute("failures")).isEqualTo("" + elements(suite, "failure").size());
    assertThat(suite.getAttribute("errors")).isEqualTo("" + elements(suite, "error").size());
    assertThat(suite.getAttribute("skipped")).isEqualTo("" + elements(suite, "skipped").size());
    assertThat(suite.getAttribute("time")).matches("\\d+\\.\\d{3}");
  }

  @Test
  void eachCaseIsATestOfItsOwnName() throws Exception {
    Element root = report(0, "gathering", "-n", "2,3", "-c", "4", "-t", "int32", "-o", "sum");

    requireNumbers(root);
    assertThat(elements(root, "testsuite"))
        .singleElement()
        .satisfies(VerifyJunitTest::requireNumbers)
        .extracting(suite -> suite.getAttribute("name"))
        .isEqualTo("allreduce embedded:gathering");
    assertThat(elements(root, "testcase"))
        .extracting(test -> test.getAttribute("name"))
        .doesNotHaveDuplicates()
        .allMatch(name -> name.startsWith("allreduce ranks="))
        .anyMatch(name -> name.contains("ranks=3 count=4 int32 sum"));
    assertThat(elements(root, "failure")).isEmpty();
    assertThat(elements(root, "skipped"))
        .isNotEmpty()
        .allMatch(skipped -> skipped.getAttribute("message").startsWith("needs direct links"));
  }

  @Test
  void aFailureHasItsFindingsAndHowToCheckItAgain() throws Exception {
    Element root = report(1, "racing", "-n", "3", "-c", "4", "-t", "int32", "-o", "sum");

    requireNumbers(root);
    assertThat(elements(root, "failure"))
        .isNotEmpty()
        .allSatisfy(
            failure -> {
              assertThat(failure.getAttribute("message")).startsWith("MEM-1 data race: ");
              assertThat(failure.getAttribute("type")).startsWith("MEM-1");
              assertThat(failure.getTextContent())
                  .contains(
                      "MEM-1 data race: ", "\nagain: tutti verify racing --static --replay '");
            });
  }

  @Test
  void namesOfPluginsCannotBreakTheFile() throws Exception {
    assertThat(elements(report(1, "hostile", "-n", "2", "-c", "4", "-t", "int32"), "failure"))
        .isNotEmpty();
  }

  @Test
  void aProblemOfAPluginIsAnError() {
    PluginProblem problem =
        new PluginProblem(Path.of("bad.jar"), "", ErrorCode.PLUGIN_UNREADABLE, "it is <no> jar");
    VerifyVerdict verdict =
        new VerifyVerdict(List.of(), List.of(problem), Duration.ofMillis(1500), 0, 0);
    VerifyReplay replay = new VerifyReplay(List.of(), List.of(), List.of(), List.of());

    assertThat(new VerifyJunit(verdict, replay).toString())
        .contains("tests=\"1\" failures=\"0\" errors=\"1\" skipped=\"0\" time=\"1.500\"")
        .contains("<error message=\"[TUTTI-401] bad.jar: it is &lt;no&gt; jar\"></error>");
  }

  @Test
  void aFileThatCannotBeWrittenIsRefusedFirst() {
    Outcome outcome = tutti.call("verify", "gathering", "--junit-xml", directory.toString());

    assertThat(outcome.exitCode()).isEqualTo(3);
    assertThat(outcome.err()).contains("cannot write the JUnit report " + directory);
  }
}
