package dev.tutti.cli.verify;

import dev.tutti.cli.catalogue.AlgorithmWithPeer;
import dev.tutti.cli.terminal.JsonLine;
import dev.tutti.cli.terminal.Text;
import dev.tutti.cli.terminal.TuttiVersion;
import dev.tutti.plan.ActionRef;
import dev.tutti.verifier.page.RulePages;
import dev.tutti.verifier.page.SourceFiles;
import dev.tutti.verifier.rule.Finding;
import dev.tutti.verifier.rule.Rule;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A verification in SARIF 2.1.0 (OASIS, Static Analysis Results Interchange Format): one result for
 * each rule, algorithm and line, whatever the number of cases that break the rule there.
 */
final class VerifySarif {

  private static final String SCHEMA =
      "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

  private final VerifyVerdict verdict;
  private final VerifyReplay replay;
  private final SourceFiles sources;
  private final Path root;
  private final List<Rule> rules = new ArrayList<>();

  /** A finding, and all cases that have a finding with the same rule, algorithm and line. */
  private static final class Result {
    final AlgorithmWithPeer subject;
    final Finding finding;
    final VerifyOutcome first;
    final Set<VerifyOutcome> cases = new LinkedHashSet<>();

    Result(AlgorithmWithPeer subject, Finding finding, VerifyOutcome first) {
      this.subject = subject;
      this.finding = finding;
      this.first = first;
    }
  }

  /**
   * Creates a log.
   *
   * @param sources the directories of the author's sources
   * @param root the directory that file names are relative to
   */
  VerifySarif(VerifyVerdict verdict, VerifyReplay replay, List<Path> sources, Path root) {
    this.verdict = verdict;
    this.replay = replay;
    this.sources = new SourceFiles(sources);
    this.root = root;
  }

  /** The log as JSON, on one line. */
  @Override
  public String toString() {
    Map<List<String>, Result> results = new LinkedHashMap<>();
    verdict.results().forEach(result -> collect(result, results));
    results.values().stream()
        .map(result -> result.finding.rule())
        .distinct()
        .sorted()
        .forEach(rules::add);
    JsonLine driver =
        new JsonLine()
            .put("name", "Tutti")
            .put("version", TuttiVersion.number())
            .putLines("rules", rules.stream().map(VerifySarif::rule).toList());
    JsonLine run =
        new JsonLine()
            .putJson("tool", new JsonLine().putJson("driver", driver.toString()).toString())
            .putLines("invocations", List.of(invocation()))
            .put("columnKind", "utf16CodeUnits")
            .putLines("results", results.values().stream().map(this::result).toList());
    return new JsonLine()
        .put("$schema", SCHEMA)
        .put("version", "2.1.0")
        .putLines("runs", List.of(run))
        .toString();
  }

  private static void collect(VerifyResult result, Map<List<String>, Result> results) {
    for (VerifyOutcome failure : result.failures()) {
      for (Finding finding : failure.report().findings()) {
        List<String> key =
            List.of(
                result.subject().toString(),
                finding.rule().id(),
                finding.actions().isEmpty() ? "" : finding.actions().getFirst().source());
        results
            .computeIfAbsent(key, each -> new Result(result.subject(), finding, failure))
            .cases
            .add(failure);
      }
    }
  }

  private JsonLine invocation() {
    List<String> messages = new ArrayList<>();
    verdict.problems().forEach(problem -> messages.add(problem.message()));
    if (!verdict.isComplete()) {
      messages.add(VerifyWords.incomplete(verdict));
    }
    return new JsonLine()
        .put("executionSuccessful", messages.isEmpty())
        .putLines(
            "toolExecutionNotifications",
            messages.stream()
                .map(
                    message ->
                        new JsonLine().put("level", "error").putJson("message", text(message)))
                .toList());
  }

  private static JsonLine rule(Rule rule) {
    String help = RulePages.markdown(rule);
    return new JsonLine()
        .put("id", rule.id())
        .putJson("shortDescription", text(rule.title()))
        .putJson("help", new JsonLine().put("text", help).put("markdown", help).toString())
        .putJson("defaultConfiguration", new JsonLine().put("level", level(rule)).toString());
  }

  private static String level(Rule rule) {
    return switch (rule.severity()) {
      case ERROR -> "error";
      case WARNING -> "warning";
      case NOTE -> "note";
    };
  }

  private static String text(String text) {
    return new JsonLine().put("text", text).toString();
  }

  private JsonLine result(Result result) {
    Finding finding = result.finding;
    String algorithm = result.subject.algorithm().qualifiedName();
    List<JsonLine> places =
        finding.actions().stream().map(this::location).filter(Objects::nonNull).toList();
    String message =
        result.subject.operation().label()
            + " "
            + algorithm
            + ": "
            + finding
            + ". "
            + Text.count(result.cases.size(), "case")
            + "; check one again: "
            + replay.command(result.subject, result.first.smallest());
    JsonLine line =
        new JsonLine()
            .put("ruleId", finding.rule().id())
            .put("ruleIndex", rules.indexOf(finding.rule()))
            .put("level", level(finding.rule()))
            .putJson("message", text(message));
    List<JsonLine> first = new ArrayList<>(places.subList(0, Math.min(1, places.size())));
    if (first.isEmpty()) {
      Class<?> type = result.subject.algorithm().executor().getClass();
      first.add(
          sources
              .locate(type)
              .map(place -> location(place, algorithm))
              .orElseGet(() -> logical(algorithm)));
    }
    line.putLines("locations", first);
    if (places.size() > 1) {
      line.putLines("relatedLocations", places.subList(1, places.size()));
    }
    return line.putJson(
        "partialFingerprints",
        new JsonLine()
            .put("tuttiFinding/v1", algorithm + " " + finding.rule().id() + " " + method(finding))
            .toString());
  }

  /** The location of an action in the source; null if it is not found. */
  private @Nullable JsonLine location(ActionRef action) {
    return sources
        .locate(action.source())
        .map(place -> location(place, action.toString()))
        .orElse(null);
  }

  private JsonLine location(SourceFiles.Place place, String message) {
    JsonLine artifact = new JsonLine();
    Path file = place.file().toAbsolutePath().normalize();
    if (file.startsWith(root)) {
      artifact.put("uri", uri(root.relativize(file))).put("uriBaseId", "%SRCROOT%");
    } else {
      artifact.put("uri", file.toUri().toString());
    }
    return new JsonLine()
        .putJson(
            "physicalLocation",
            new JsonLine()
                .putJson("artifactLocation", artifact.toString())
                .putJson("region", new JsonLine().put("startLine", place.line()).toString())
                .toString())
        .putJson("message", text(message));
  }

  /** A relative path as a relative reference, with the special characters escaped. */
  private static String uri(Path relative) {
    List<String> names = new ArrayList<>();
    relative.forEach(name -> names.add(name.toString()));
    try {
      return new URI(null, null, String.join("/", names), null).getRawPath();
    } catch (URISyntaxException e) {
      throw new IllegalStateException("a path is always a reference", e);
    }
  }

  /** The method of a finding, for a fingerprint that stays the same when lines are added above. */
  private static String method(Finding finding) {
    String source = finding.actions().isEmpty() ? "" : finding.actions().getFirst().source();
    int file = source.indexOf('(');
    return file < 0 ? source : source.substring(0, file);
  }

  private static JsonLine logical(String algorithm) {
    return new JsonLine()
        .putLines(
            "logicalLocations",
            List.of(new JsonLine().put("fullyQualifiedName", algorithm).put("kind", "type")));
  }
}
