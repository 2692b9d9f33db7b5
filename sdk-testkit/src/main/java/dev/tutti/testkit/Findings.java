package dev.tutti.testkit;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Collects findings. Findings of one rule and key are one: the first is kept, the others counted;
 * of one rule the first {@link #MAX_PER_RULE} keys are listed.
 */
final class Findings {

  static final int MAX_PER_RULE = 8;

  private final Map<String, Map<String, Entry>> byRule = new LinkedHashMap<>();
  private final Map<String, Integer> unlisted = new LinkedHashMap<>();

  private static final class Entry {
    final String message;
    int more;

    Entry(String message) {
      this.message = message;
    }
  }

  void add(String rule, String message) {
    add(rule, message, message);
  }

  void add(String rule, String key, String message) {
    Map<String, Entry> entries = byRule.computeIfAbsent(rule, r -> new LinkedHashMap<>());
    Entry known = entries.get(key);
    if (known != null) {
      known.more++;
    } else if (entries.size() < MAX_PER_RULE) {
      entries.put(key, new Entry(message));
    } else {
      unlisted.merge(rule, 1, Integer::sum);
    }
  }

  /** Whether a further finding of a rule and key would only be counted: its text is not needed. */
  boolean isOnlyCounted(String rule, String key) {
    Map<String, Entry> entries = byRule.get(rule);
    return entries != null && (entries.containsKey(key) || entries.size() >= MAX_PER_RULE);
  }

  boolean has(String rule) {
    return byRule.containsKey(rule);
  }

  List<Finding> toList() {
    List<Finding> list = new ArrayList<>();
    byRule.forEach(
        (rule, entries) -> {
          entries
              .values()
              .forEach(
                  entry ->
                      list.add(
                          new Finding(
                              rule,
                              entry.more == 0
                                  ? entry.message
                                  : entry.message + " (and " + entry.more + " more like it)")));
          if (unlisted.containsKey(rule)) {
            list.add(new Finding(rule, "and " + unlisted.get(rule) + " more elsewhere"));
          }
        });
    return list;
  }
}
