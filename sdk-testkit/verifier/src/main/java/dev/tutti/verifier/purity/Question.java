package dev.tutti.verifier.purity;

import dev.tutti.verifier.matrix.CollectiveCase;
import java.util.ArrayList;
import java.util.List;

/**
 * A question to another process.
 *
 * @param kind the requested answer
 * @param sets the order of sets and maps during planning
 * @param token the case
 * @param reference names the executors
 */
record Question(Kind kind, SetOrder sets, String token, List<String> reference) {

  /** Answers begin with one of these. */
  static final String PLANNED = "planned";

  static final String REFUSED = "refused";
  static final String FAILED = "failed";
  static final String ABSENT = "absent";
  static final String SHOWN = "shown";

  /** The requested answer. */
  enum Kind {
    /** The digest of the plan, disturbed in one way or not at all. */
    GLANCE,
    /** The digest of the plan, disturbed in every way. */
    DIGEST,
    /** The plan itself, disturbed in every way. */
    PLAN
  }

  static Question of(List<String> message) {
    return new Question(
        Kind.valueOf(message.getFirst()),
        SetOrder.of(message.get(1)),
        message.get(2),
        message.subList(3, message.size()));
  }

  List<String> message() {
    List<String> message = new ArrayList<>(List.of(kind.name(), sets.toString(), token));
    message.addAll(reference);
    return message;
  }

  CollectiveCase checked() {
    return CollectiveCase.parse(token);
  }
}
