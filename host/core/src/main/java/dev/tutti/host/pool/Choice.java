package dev.tutti.host.pool;

import dev.tutti.plugin.Algorithm;
import dev.tutti.sdk.Arguments;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * The choice of an algorithm for a request. Immutable.
 *
 * @param request the request in words
 * @param candidates the candidates, best first: those that accept the request, ordered by the
 *     preference of rules, then by the kind of their estimate, estimated time, declared cost,
 *     strength of determinism and qualified name; after them those that do not accept it
 */
public record Choice(String request, List<Candidate> candidates) {

  /** Takes an immutable copy. */
  public Choice {
    Arguments.require(request, "request");
    Arguments.require(candidates, "candidates");
    candidates = List.copyOf(candidates);
  }

  /** A choice among candidates in any order. */
  static Choice of(String request, List<Candidate> candidates) {
    return new Choice(request, candidates.stream().sorted(Candidate.BEST_FIRST).toList());
  }

  /**
   * The choice among the same candidates after each was changed, for example its estimate was
   * replaced or it was rejected.
   */
  public Choice with(UnaryOperator<Candidate> change) {
    Arguments.require(change, "change");

    return of(request, candidates.stream().map(change).toList());
  }

  /** The candidates that accept the request, best first. */
  public List<Candidate> possible() {
    return candidates.stream().filter(Candidate::isSupported).toList();
  }

  /**
   * The candidates of {@link #possible} to which rules give the same precedence as to the best one.
   */
  public List<Candidate> rivals() {
    return possible().stream()
        .filter(each -> each.precedence() == candidates.getFirst().precedence())
        .toList();
  }

  /** Whether any candidate accepts the request. */
  public boolean isPossible() {
    return !candidates.isEmpty() && candidates.getFirst().isSupported();
  }

  /**
   * The algorithm that was chosen.
   *
   * @throws TuttiException with {@link ErrorCode#UNSUPPORTED}, listing each candidate and its
   *     reason, if there is none
   */
  public Algorithm chosen() {
    return best().algorithm();
  }

  /**
   * The candidate that was chosen.
   *
   * @throws TuttiException as {@link #chosen}
   */
  public Candidate best() {
    if (isPossible()) {
      return candidates.getFirst();
    }
    if (candidates.isEmpty()) {
      throw new TuttiException(
          ErrorCode.UNSUPPORTED,
          "no algorithm for %s is loaded; put a plugin that has one into the plugins directory, and"
              + " name the operation if the context loads only some",
          request);
    }
    throw new TuttiException(
        ErrorCode.UNSUPPORTED,
        "no algorithm supports %s: %s",
        request,
        candidates.stream()
            .map(each -> each.algorithm().qualifiedName() + ": " + each.reason())
            .collect(Collectors.joining("; ")));
  }

  /** The whole decision, one line per candidate. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder(request);
    for (int i = 0; i < candidates.size(); i++) {
      Candidate each = candidates.get(i);
      text.append("\n  ").append(i == 0 && each.isSupported() ? "-> " : "   ");
      text.append(each.label());
      text.append(": ").append(each.isSupported() ? each.estimate() : each.reason());
      text.append(each.rule().isEmpty() ? "" : "; " + each.rule());
    }
    return text.toString();
  }
}
