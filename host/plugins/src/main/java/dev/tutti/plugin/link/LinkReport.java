package dev.tutti.plugin.link;

import java.util.List;
import java.util.Set;

/**
 * The result of a link check. Immutable.
 *
 * @param affected the providers that reach a problem, with dots; they cannot be used
 * @param problems one sentence for each problem
 * @param unguarded the classes, with slashes, that were checked and need no guard while they run
 * @param mayStay the things that the classes use and that may keep them loaded after their end, a
 *     phrase each
 */
public record LinkReport(
    List<String> affected, List<String> problems, Set<String> unguarded, Set<String> mayStay) {

  private static final int SHOWN = 20;

  /** Takes immutable copies. */
  public LinkReport {
    affected = List.copyOf(affected);
    problems = List.copyOf(problems);
    unguarded = Set.copyOf(unguarded);
    mayStay = Set.copyOf(mayStay);
  }

  /** Whether there are no problems. */
  public boolean isClean() {
    return problems.isEmpty();
  }

  /** All problems in one text, one line for each. */
  public String message() {
    String first = String.join(" and ", affected) + " cannot be used: ";
    if (problems.size() == 1) {
      return first + problems.getFirst();
    }
    StringBuilder text = new StringBuilder(first).append(problems.size()).append(" problems");
    problems.stream().limit(SHOWN).forEach(problem -> text.append("\n  ").append(problem));
    if (problems.size() > SHOWN) {
      text.append("\n  and ").append(problems.size() - SHOWN).append(" more");
    }
    return text.toString();
  }
}
