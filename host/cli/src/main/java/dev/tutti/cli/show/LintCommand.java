package dev.tutti.cli.show;

import dev.tutti.base.text.Sentence;
import dev.tutti.cli.host.Hosts;
import dev.tutti.cli.terminal.ExitCode;
import dev.tutti.cli.terminal.JsonLine;
import dev.tutti.cli.terminal.Terminal;
import dev.tutti.cli.terminal.Text;
import dev.tutti.host.Context;
import dev.tutti.host.pool.PlanPool;
import dev.tutti.host.pool.rules.ChoiceRule;
import dev.tutti.host.pool.rules.RuleKind;
import dev.tutti.host.pool.rules.RuleReview;
import dev.tutti.host.pool.rules.Rules;
import dev.tutti.host.pool.rules.Series;
import dev.tutti.sdk.TuttiException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Finds rules that have no effect. */
@Command(
    name = "lint",
    description = {
      "Finds rules without effect: they name nothing, an earlier rule hides them, no"
          + " request can match them, or their algorithms support no request that matches.",
      "",
      "To find the last kind, it tries requests: the ends of all ranges, and sizes"
          + " between them. Exits with 2 if there is any finding."
    },
    footerHeading = "%nExamples:%n",
    footer = {"  tutti lint my-rules.json"})
public final class LintCommand implements Callable<Integer> {

  private final Terminal terminal;
  private final Hosts hosts;

  @Parameters(paramLabel = "<file>", description = "The file of rules.")
  private Path file = Path.of("tutti-rules.json");

  @Option(names = "--json", description = "Prints one JSON object per finding and line.")
  private boolean isJson;

  @Option(
      names = "--plugins",
      paramLabel = "<dir>",
      description =
          "A directory of plugin jars, or one jar; may be given several times. Default:"
              + " Tutti's own.")
  private List<Path> plugins = new ArrayList<>();

  public LintCommand(Terminal terminal, Hosts hosts) {
    this.terminal = terminal;
    this.hosts = hosts;
  }

  @Override
  public Integer call() {
    Rules rules = Rules.read(file);
    List<String> findings = new ArrayList<>();
    try (Context context = hosts.builder(plugins).open()) {
      PlanPool pool = context.planPool();
      try {
        rules.check(pool.algorithms());
        findings.addAll(infeasible(pool, rules));
      } catch (TuttiException e) {
        findings.add(String.valueOf(e.getMessage()));
      }
      RuleReview.of(rules).forEach(finding -> findings.add(finding.toString()));
      findings.addAll(forgotten(pool, rules));
    }
    print(findings, rules);
    return findings.isEmpty() ? ExitCode.OK : ExitCode.BAD_INPUT;
  }

  /** The rules whose algorithms support no matching request. */
  private static List<String> infeasible(PlanPool pool, Rules rules) {
    LintSamples samples = new LintSamples(pool, rules);
    List<String> findings = new ArrayList<>();
    for (ChoiceRule rule : rules.rules()) {
      if (rule.kind() == RuleKind.PIN || rule.kind() == RuleKind.PREFER) {
        String refusal = samples.refusal(rule);
        if (refusal != null) {
          findings.add(
              rule + ": none of its algorithms takes a request that the rule is for: " + refusal);
        }
      }
    }
    return findings;
  }

  /** The measurements of algorithms that are not loaded, or are loaded in another version. */
  private static List<String> forgotten(PlanPool pool, Rules rules) {
    return rules.profile().series().stream()
        .filter(series -> pool.algorithms().stream().noneMatch(series::isOf))
        .map(LintCommand::text)
        .distinct()
        .toList();
  }

  private static String text(Series series) {
    return Sentence.of(
        "measurements of %s %s, version %s, are ignored: it is not loaded; run 'tutti tune' again",
        series.operation().label(), series.algorithm(), series.version());
  }

  private void print(List<String> findings, Rules rules) {
    for (String finding : findings) {
      terminal.out().println(isJson ? new JsonLine().put("finding", finding).toString() : finding);
    }
    if (!isJson && findings.isEmpty()) {
      terminal
          .out()
          .println(Text.count(rules.rules().size(), "rule") + ", each of which can apply");
    }
  }
}
