package dev.tutti.plugin.link;

import dev.tutti.base.text.Sentence;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The problems of several classes, each reported once with all its places. Not thread-safe. */
final class LinkFindings {

  private static final int SHOWN_PLACES = 3;

  /** The largest number of findings, and of places of each, that are kept for the report. */
  private static final int KEPT = 1_000;

  private static final int LONGEST_LINE = 4_000;

  private final Map<String, Finding> findings = new LinkedHashMap<>();
  private final Set<String> classes = new HashSet<>();
  private long unkept;

  /** One problem with all its places. */
  private record Finding(String advice, Set<String> places) {}

  void add(ClassFacts facts, List<LinkProblem> problems, Effort effort) {
    if (problems.isEmpty()) {
      return;
    }
    ReferenceScan scan = ReferenceScan.of(facts, problems, effort);
    for (LinkProblem problem : problems) {
      boolean isWhole = problem.subject() instanceof LinkProblem.Whole;
      Set<String> places = scan.places(problem.subject());
      if (isWhole || !places.isEmpty()) {
        classes.add(facts.shape().name());
        add(problem, places);
      }
    }
  }

  private void add(LinkProblem problem, Set<String> places) {
    Finding finding = findings.get(problem.what());
    if (finding == null && findings.size() < KEPT) {
      finding = new Finding(problem.advice(), new LinkedHashSet<>());
      findings.put(problem.what(), finding);
    }
    if (finding == null) {
      unkept++;
      return;
    }
    for (String place : places) {
      if (finding.places().size() < KEPT) {
        finding.places().add(place);
      }
    }
  }

  /** The classes that have a problem, with slashes. */
  Set<String> classes() {
    return classes;
  }

  /** One sentence for each problem. */
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    findings.forEach((what, finding) -> lines.add(cut(line(what, finding))));
    if (unkept > 0) {
      lines.add(Sentence.of("%d more are not shown", unkept));
    }
    return lines;
  }

  private static String cut(String line) {
    return line.length() <= LONGEST_LINE ? line : line.substring(0, LONGEST_LINE) + "…";
  }

  private static String line(String what, Finding finding) {
    StringBuilder line = new StringBuilder(what);
    if (!finding.places().isEmpty()) {
      List<String> places = new ArrayList<>(finding.places());
      int shown = Math.min(SHOWN_PLACES, places.size());
      line.append("; used by ").append(String.join(", ", places.subList(0, shown)));
      if (places.size() > shown) {
        line.append(" and in ").append(places.size() - shown).append(" more places");
      }
    }
    return finding.advice().isEmpty() ? line.toString() : line + "; " + finding.advice();
  }
}
