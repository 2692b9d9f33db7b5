package dev.tutti.cli.verify;

import dev.tutti.cli.terminal.OutputFile;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The files that a verification writes. */
final class VerifyFiles {

  @Option(
      names = "--report",
      paramLabel = "<file>",
      description = "Writes all findings of all failed cases to a file.")
  private @Nullable Path report;

  @Option(
      names = "--html",
      paramLabel = "<file>",
      description =
          "Writes a page for browsers: results, findings with source lines, and diagrams of the plans"
              + " that are wrong. It needs no network.")
  private @Nullable Path html;

  @Option(
      names = "--sarif",
      paramLabel = "<file>",
      description =
          "Writes the findings in SARIF 2.1.0, which code hosts show beside the lines of the source.")
  private @Nullable Path sarif;

  @Option(
      names = "--junit-xml",
      paramLabel = "<file>",
      description =
          "Writes all cases as a JUnit report in XML, which build servers show: a suite for each"
              + " algorithm, a test for each case.")
  private @Nullable Path junit;

  @Option(
      names = "--sources",
      paramLabel = "<dir>",
      description =
          "Where --html and --sarif find source lines; may be given several times. Default: src/main/java,"
              + " beside target/ or build/ of a jar, or in the current directory.")
  private List<Path> sources = new ArrayList<>();

  /** The requested files. */
  List<Path> paths() {
    return Stream.of(report, html, sarif, junit).filter(Objects::nonNull).toList();
  }

  /** Refuses files that cannot be written, before the work instead of after it. */
  void check() {
    if (report != null) {
      OutputFile.requireReplaceable(report, "report");
    }
    if (html != null) {
      OutputFile.requireReplaceable(html, "page");
    }
    if (sarif != null) {
      OutputFile.requireReplaceable(sarif, "SARIF file");
    }
    if (junit != null) {
      OutputFile.requireReplaceable(junit, "JUnit report");
    }
  }

  /**
   * Writes the requested files.
   *
   * @param targets the given jars and directories
   * @param drawing draws the plans of failed cases
   */
  void write(
      VerifyVerdict verdict, VerifyReplay replay, List<Path> targets, FailureDrawing drawing) {
    if (report != null) {
      OutputFile.replace("--report", report, file -> writeReport(verdict, file));
    }
    if (html != null) {
      String page = new VerifyHtml(verdict, replay, sourcesFor(targets), drawing).toString();
      OutputFile.replace("--html", html, file -> file.print(page));
    }
    if (sarif != null) {
      Path here = Path.of("").toAbsolutePath();
      String log = new VerifySarif(verdict, replay, sourcesFor(targets), here).toString();
      OutputFile.replace("--sarif", sarif, file -> file.println(log));
    }
    if (junit != null) {
      String suites = new VerifyJunit(verdict, replay).toString();
      OutputFile.replace("--junit-xml", junit, file -> file.print(suites));
    }
  }

  private List<Path> sourcesFor(List<Path> targets) {
    if (!sources.isEmpty()) {
      return sources;
    }
    List<Path> usual = new ArrayList<>();
    for (Path target : targets) {
      for (Path above = target.toAbsolutePath().getParent();
          above != null && usual.isEmpty();
          above = above.getParent()) {
        if (above.endsWith("target") || above.endsWith("build")) {
          usual.add(above.resolveSibling("src").resolve("main").resolve("java"));
        }
      }
    }
    return usual.isEmpty() ? List.of(Path.of("src", "main", "java")) : usual;
  }

  private static void writeReport(VerifyVerdict verdict, PrintWriter file) {
    for (VerifyResult result : verdict.results()) {
      for (VerifyOutcome failure : result.failures()) {
        file.println(result.subject().algorithm());
        file.println(failure.report());
        file.println("  case: " + failure.checked().token());
        file.println();
      }
    }
    file.printf(
        Locale.ROOT,
        "%s%d of %d algorithms wrong, %d cases failed, %d passed%n",
        verdict.isComplete() ? "" : VerifyWords.incomplete(verdict) + "; so far ",
        verdict.failedAlgorithms(),
        verdict.results().size(),
        verdict.sum(result -> result.failures().size()),
        verdict.sum(VerifyResult::passed));
  }
}
