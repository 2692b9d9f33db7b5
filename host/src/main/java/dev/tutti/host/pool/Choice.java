package dev.tutti.host.pool;

import dev.tutti.host.plugin.Algorithm;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * How an algorithm was chosen for a request. Immutable.
 *
 * @param request the request in words
 * @param candidates what was looked at, best first: those that take the request, by predicted time
 *     and then by qualified name, and after them those that do not, by qualified name
 */
public record Choice(String request, List<Candidate> candidates) {

  /** Takes an immutable copy. */
  public Choice {
    candidates = List.copyOf(candidates);
  }

  /** Whether any candidate takes the request. */
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
    if (isPossible()) {
      return candidates.getFirst().algorithm();
    }
    if (candidates.isEmpty()) {
      throw new TuttiException(
          ErrorCode.UNSUPPORTED,
          "no algorithm for %s is loaded; put a plugin that has one into the plugins directory",
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
      text.append(each.algorithm().qualifiedName());
      if (!each.isSupported()) {
        text.append(": ").append(each.reason());
      } else if (Double.isInfinite(each.predictedSeconds())) {
        text.append(": declares no cost");
      } else {
        text.append(String.format(Locale.ROOT, ": %.2f µs", each.predictedSeconds() * 1e6));
      }
    }
    return text.toString();
  }
}
