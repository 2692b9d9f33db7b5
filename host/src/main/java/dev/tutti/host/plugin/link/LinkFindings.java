package dev.tutti.host.plugin.link;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Problems of several classes, each told once with all the places it has. Not thread-safe. */
final class LinkFindings {

  private static final int SHOWN_PLACES = 3;

  private final Map<String, Finding> findings = new LinkedHashMap<>();
  private final Set<String> classes = new HashSet<>();

  /** One thing that is wrong, wherever it is. */
  private record Finding(String advice, Set<String> places) {}

  void add(ClassFacts facts, List<LinkProblem> problems) {
    if (problems.isEmpty()) {
      return;
    }
    ReferenceScan scan = ReferenceScan.of(facts);
    for (LinkProblem problem : problems) {
      boolean isWhole = problem.subject() instanceof LinkProblem.Whole;
      Set<String> places = scan.places(problem.subject());
      if (isWhole || !places.isEmpty()) {
        classes.add(facts.shape().name());
        findings
            .computeIfAbsent(
                problem.what(), what -> new Finding(problem.advice(), new LinkedHashSet<>()))
            .places()
            .addAll(places);
      }
    }
  }

  boolean isEmpty() {
    return findings.isEmpty();
  }

  /** Whether one of the classes has a problem. */
  boolean concern(Collection<ClassFacts> reached) {
    return reached.stream().anyMatch(facts -> classes.contains(facts.shape().name()));
  }

  /** One sentence for each thing. */
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    findings.forEach((what, finding) -> lines.add(line(what, finding)));
    return lines;
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
