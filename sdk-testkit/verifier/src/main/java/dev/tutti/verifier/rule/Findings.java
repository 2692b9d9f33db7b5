package dev.tutti.verifier.rule;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Collects findings. Findings of one rule with one key are merged: the first is kept, and the
 * others are counted. The first {@link #MAX_PER_RULE} keys of each rule are listed. Not
 * thread-safe.
 */
public final class Findings {

  /** The most findings of one rule that are listed one by one. */
  public static final int MAX_PER_RULE = 8;

  private final Map<Rule, Map<String, Entry>> byRule = new LinkedHashMap<>();
  private final Map<Rule, Long> unlisted = new LinkedHashMap<>();

  private static final class Entry {
    final Finding finding;
    long more;

    Entry(Finding finding) {
      this.finding = finding;
    }

    Finding counted() {
      return more == 0
          ? finding
          : new Finding(
              finding.rule(),
              finding.message() + " (and " + more + " more like it)",
              finding.actions(),
              finding.explanation());
    }
  }

  /** Adds a finding whose message is its key. */
  public void add(Rule rule, String message) {
    add(rule, message, () -> new Finding(rule, message));
  }

  /** Adds a finding without an explanation. */
  public void add(Rule rule, String key, String message) {
    add(rule, key, () -> new Finding(rule, message));
  }

  /** Adds a finding whose message is its key. */
  public void add(Finding finding) {
    add(finding.rule(), finding.message(), () -> finding);
  }

  /**
   * Adds a finding.
   *
   * @param key what findings of one cause have in common
   * @param finding made only if it is the first of its key and will be listed
   */
  public void add(Rule rule, String key, Supplier<Finding> finding) {
    Map<String, Entry> entries = byRule.computeIfAbsent(rule, r -> new LinkedHashMap<>());
    Entry known = entries.get(key);
    if (known != null) {
      known.more++;
    } else if (entries.size() < MAX_PER_RULE) {
      entries.put(key, new Entry(finding.get()));
    } else {
      unlisted.merge(rule, 1L, Long::sum);
    }
  }

  /** Adds everything that another collection holds, with its counts. */
  public void addAll(Findings other) {
    other.byRule.forEach(
        (rule, entries) ->
            entries.forEach(
                (key, entry) -> {
                  add(rule, key, () -> entry.finding);
                  Entry known = byRule.getOrDefault(rule, Map.of()).get(key);
                  if (known != null) {
                    known.more += entry.more;
                  }
                }));
    other.unlisted.forEach((rule, count) -> unlisted.merge(rule, count, Long::sum));
  }

  /** Replaces all findings by those of another collection. */
  public void replaceBy(Findings other) {
    byRule.clear();
    unlisted.clear();
    addAll(other);
  }

  /** Counts a finding of a rule whose list is full; its key need not be known. */
  public void count(Rule rule) {
    unlisted.merge(rule, 1L, Long::sum);
  }

  /** Whether the list of a rule is full, so that a new finding of it would only be counted. */
  public boolean isFull(Rule rule) {
    Map<String, Entry> entries = byRule.get(rule);
    return entries != null && entries.size() >= MAX_PER_RULE;
  }

  /** Whether a rule is broken. */
  public boolean has(Rule rule) {
    return byRule.containsKey(rule);
  }

  /** Whether nothing was found. */
  public boolean isEmpty() {
    return byRule.isEmpty();
  }

  /** Everything found, rule by rule in the order of first occurrence. */
  public List<Finding> toList() {
    List<Finding> list = new ArrayList<>();
    byRule.forEach(
        (rule, entries) -> {
          entries.values().forEach(entry -> list.add(entry.counted()));
          if (unlisted.containsKey(rule)) {
            list.add(new Finding(rule, "and " + unlisted.get(rule) + " more elsewhere"));
          }
        });
    return list;
  }
}
