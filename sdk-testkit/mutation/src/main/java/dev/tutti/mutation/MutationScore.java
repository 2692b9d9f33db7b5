package dev.tutti.mutation;

import dev.tutti.verifier.rule.Rule;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;

/**
 * The number of mutants that the static rules notice. Immutable.
 *
 * @param counts the counts for each operator with mutants
 * @param rules for each rule that noticed mutants, their number by operator; a mutant counts for
 *     every rule that it breaks
 * @param survivors the mutants that no rule noticed, and that are not proven to do the same as the
 *     original
 * @param falseAlarms the mutants that are proven to do the same as the original, but break a rule
 *     about the effect of a plan, not about its form
 */
public record MutationScore(
    Map<Operator, Count> counts,
    Map<Rule, Map<Operator, Long>> rules,
    List<String> survivors,
    List<String> falseAlarms) {

  private static final int MAX_PRINTED = 20;

  /** Takes immutable copies. */
  public MutationScore {
    Map<Operator, Count> countsCopy = new EnumMap<>(Operator.class);
    countsCopy.putAll(counts);
    counts = Collections.unmodifiableMap(countsCopy);
    Map<Rule, Map<Operator, Long>> rulesCopy = new EnumMap<>(Rule.class);
    rules.forEach(
        (rule, ofRule) -> rulesCopy.put(rule, Collections.unmodifiableMap(new EnumMap<>(ofRule))));
    rules = Collections.unmodifiableMap(rulesCopy);
    survivors = List.copyOf(survivors);
    falseAlarms = List.copyOf(falseAlarms);
  }

  /**
   * The outcome for some mutants.
   *
   * @param mutants the number of mutants
   * @param caught those that break a rule
   * @param equivalent those that break none and are proven to do the same as the original
   */
  public record Count(long mutants, long caught, long equivalent) {

    static final Count NONE = new Count(0, 0, 0);

    Count plus(Count other) {
      return new Count(
          mutants + other.mutants, caught + other.caught, equivalent + other.equivalent);
    }

    /** The mutants that break no rule and are not proven to do the same. */
    public long survivors() {
      return mutants - caught - equivalent;
    }

    /** The share of caught mutants among those that are not equivalent, 1 if there are none. */
    public double score() {
      return mutants == equivalent ? 1 : (double) caught / (mutants - equivalent);
    }

    /** A row of a table in Markdown. */
    String row(String name) {
      return String.format(
          Locale.ROOT,
          "| %s | %,d | %,d | %,d | %,d | %.2f %% |",
          name,
          mutants,
          caught,
          equivalent,
          survivors(),
          100 * score());
    }
  }

  /** The score of no mutants. */
  public static MutationScore none() {
    return new MutationScore(Map.of(), Map.of(), List.of(), List.of());
  }

  /** The sum of both. */
  public MutationScore plus(MutationScore other) {
    Map<Operator, Count> bothCounts = new EnumMap<>(Operator.class);
    bothCounts.putAll(counts);
    other.counts.forEach((operator, count) -> bothCounts.merge(operator, count, Count::plus));
    Map<Rule, Map<Operator, Long>> bothRules = new EnumMap<>(Rule.class);
    bothRules.putAll(rules);
    other.rules.forEach((rule, added) -> bothRules.merge(rule, added, MutationScore::sum));
    return new MutationScore(
        bothCounts,
        bothRules,
        joined(survivors, other.survivors),
        joined(falseAlarms, other.falseAlarms));
  }

  private static List<String> joined(List<String> one, List<String> other) {
    List<String> both = new ArrayList<>(one);
    both.addAll(other);
    return both;
  }

  private static Map<Operator, Long> sum(Map<Operator, Long> one, Map<Operator, Long> other) {
    Map<Operator, Long> sum = new EnumMap<>(one);
    other.forEach((operator, count) -> sum.merge(operator, count, Long::sum));
    return sum;
  }

  /** All operators together. */
  public Count total() {
    return counts.values().stream().reduce(Count.NONE, Count::plus);
  }

  /**
   * Throws if the score is too low or if there are false alarms.
   *
   * @param score the smallest {@link Count#score()} of all operators together, up to 1
   * @return this
   * @throws AssertionError with the first survivors and false alarms if the score is too low or if
   *     there are false alarms, or if there are no mutants
   */
  public MutationScore requireAtLeast(double score) {
    if (total().mutants() == 0) {
      throw new AssertionError("there are no mutants: nothing was checked");
    }
    if (total().score() < score) {
      throw new AssertionError("the score must be %s or more. Actual: %s".formatted(score, this));
    }
    if (!falseAlarms.isEmpty()) {
      throw new AssertionError("there must be no false alarms. Actual: " + this);
    }
    return this;
  }

  /** The counts, the score, and the first survivors and false alarms. */
  @Override
  public String toString() {
    Count total = total();
    StringJoiner text = new StringJoiner("\n");
    text.add(
        "%d mutants, %d caught, %d equivalent, %d survivors: %.2f %%"
            .formatted(
                total.mutants(),
                total.caught(),
                total.equivalent(),
                total.survivors(),
                100 * total.score()));
    addFirst(survivors, "survivor", text);
    addFirst(falseAlarms, "false alarm", text);
    return text.toString();
  }

  private static void addFirst(List<String> list, String what, StringJoiner text) {
    list.stream().limit(MAX_PRINTED).forEach(mutant -> text.add("  " + what + " " + mutant));
    if (list.size() > MAX_PRINTED) {
      text.add("  … and " + (list.size() - MAX_PRINTED) + " more");
    }
  }
}
