package dev.tutti.verifier;

import dev.tutti.verifier.rule.Finding;
import java.util.List;

/**
 * The findings of a check in one case, with drawings of the wrong plans. Immutable.
 *
 * @param report what was found
 * @param diagrams one for each plan with a finding that names an action; there may be two, because
 *     a case is planned in place and out of place
 */
public record Illustration(Report report, List<Diagram> diagrams) {

  /** Takes an immutable copy. */
  public Illustration {
    diagrams = List.copyOf(diagrams);
  }

  /**
   * A space-time diagram of a plan.
   *
   * @param findings the marked findings, in the order of the marks
   * @param json the data of the drawing: {@code rows}, {@code items}, {@code arrows} and {@code
   *     marks}, in the form that the script of Tutti's HTML reports draws
   */
  public record Diagram(List<Finding> findings, String json) {

    /** Takes an immutable copy. */
    public Diagram {
      findings = List.copyOf(findings);
    }
  }
}
