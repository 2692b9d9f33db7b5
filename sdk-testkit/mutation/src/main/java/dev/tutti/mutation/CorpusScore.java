package dev.tutti.mutation;

import dev.tutti.mutation.MutationScore.Count;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;

/**
 * The number of wrong algorithms that the cases of a matrix detect. Immutable.
 *
 * @param counts the counts by the axes of the conditions. A caught algorithm breaks a rule in some
 *     case of the matrix. An equivalent one is wrong in no case at all: its conditions exclude each
 *     other, the algorithm refuses all such cases, or the mistake changes nothing
 * @param survivors the wrong algorithms that no case of the matrix detects
 */
public record CorpusScore(Map<ConditionKind, Count> counts, List<String> survivors) {

  private static final int MAX_PRINTED = 20;

  /** Takes immutable copies. */
  public CorpusScore {
    counts = Collections.unmodifiableMap(copy(counts));
    survivors = List.copyOf(survivors);
  }

  private static Map<ConditionKind, Count> copy(Map<ConditionKind, Count> counts) {
    Map<ConditionKind, Count> copy = new EnumMap<>(ConditionKind.class);
    copy.putAll(counts);
    return copy;
  }

  /** The score of no algorithms. */
  public static CorpusScore none() {
    return new CorpusScore(Map.of(), List.of());
  }

  /** The sum of both. */
  public CorpusScore plus(CorpusScore other) {
    Map<ConditionKind, Count> both = copy(counts);
    other.counts.forEach((kind, count) -> both.merge(kind, count, Count::plus));
    List<String> all = new ArrayList<>(survivors);
    all.addAll(other.survivors);
    return new CorpusScore(both, all);
  }

  /** All conditions together. */
  public Count total() {
    return counts.values().stream().reduce(Count.NONE, Count::plus);
  }

  /** All conditions that the standard matrix promises to meet. */
  public Count promised() {
    return counts.entrySet().stream()
        .filter(kind -> kind.getKey().isPromised())
        .map(Map.Entry::getValue)
        .reduce(Count.NONE, Count::plus);
  }

  /**
   * Throws if too few algorithms are detected.
   *
   * @param score the smallest {@link Count#score()} of {@link #promised()}, up to 1
   * @return this
   * @throws AssertionError with the first survivors if the score is too low, or if no algorithm was
   *     wrong
   */
  public CorpusScore requireAtLeast(double score) {
    if (promised().mutants() == promised().equivalent()) {
      throw new AssertionError("there are no wrong algorithms: nothing was checked");
    }
    if (promised().score() < score) {
      throw new AssertionError("the score must be %s or more. Actual: %s".formatted(score, this));
    }
    return this;
  }

  /** The counts, the score, and the first survivors. */
  @Override
  public String toString() {
    Count total = total();
    StringJoiner text = new StringJoiner("\n");
    text.add(
        "%d algorithms, %d detected, %d not wrong, %d survivors: %.2f %%, promised ones %.2f %%"
            .formatted(
                total.mutants(),
                total.caught(),
                total.equivalent(),
                total.survivors(),
                100 * total.score(),
                100 * promised().score()));
    survivors.stream().limit(MAX_PRINTED).forEach(each -> text.add("  survivor " + each));
    if (survivors.size() > MAX_PRINTED) {
      text.add("  … and " + (survivors.size() - MAX_PRINTED) + " more");
    }
    return text.toString();
  }
}
