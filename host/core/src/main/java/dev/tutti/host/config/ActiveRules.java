package dev.tutti.host.config;

import dev.tutti.base.text.Sentence;
import dev.tutti.host.pool.rules.Provenance;
import dev.tutti.host.pool.rules.Rules;
import dev.tutti.plugin.Plugin;
import dev.tutti.plugin.PluginSet;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The configured rules that apply on this machine, and notes about those that do not.
 *
 * @param rules the rules of the configuration, then those of the environment; without measurements
 *     of other machines
 * @param notes a sentence for each part that is ignored
 */
public record ActiveRules(Rules rules, List<String> notes) {

  /**
   * The environment variable with rules on one line, or with {@code @} and the path of a rules
   * file.
   */
  public static final String VARIABLE = "TUTTI_RULES";

  public ActiveRules {
    notes = List.copyOf(notes);
  }

  /**
   * The rules that apply to the plugins that a context serves. Rules that name something that no
   * plugin has are refused. If plugins are watched, they are not, because a plugin may bring it
   * later.
   *
   * @param configured the rules of the configuration and of the environment
   */
  public static ActiveRules of(Rules configured, ServedPlugins served, int workers) {
    if (!served.areWatched()) {
      configured.check(served.plugins().algorithms());
    }
    return of(configured, workers, served.plugins());
  }

  /**
   * The rules of the configuration, then those of the environment.
   *
   * @param variable the value of {@link #VARIABLE}, or null
   */
  public static Rules configured(@Nullable String variable, Rules configured) {
    if (variable == null || variable.isBlank()) {
      return configured;
    }
    String text = variable.strip();
    return configured.then(
        text.startsWith("@")
            ? Rules.read(Path.of(text.substring(1)))
            : Rules.parse(text, VARIABLE));
  }

  /** Drops measurements of other machines, and notes plugins that have changed since. */
  private static ActiveRules of(Rules rules, int workers, PluginSet plugins) {
    Provenance there = rules.provenance();
    if (there == null) {
      return new ActiveRules(rules, List.of());
    }
    Map<String, String> versions = new HashMap<>();
    for (Plugin plugin : plugins.plugins()) {
      versions.put(plugin.id(), plugin.version());
    }
    List<String> differences = there.differencesTo(Provenance.here(workers, versions));
    if (!differences.isEmpty()) {
      return new ActiveRules(
          rules.withoutProfile(),
          List.of(
              Sentence.of(
                  "the measurements were made elsewhere and are ignored: %s; run 'tutti tune' here",
                  String.join("; ", differences))));
    }
    return new ActiveRules(rules, changedPlugins(there, versions));
  }

  private static List<String> changedPlugins(Provenance there, Map<String, String> versions) {
    List<String> notes = new ArrayList<>();
    there
        .plugins()
        .forEach(
            (id, measured) -> {
              String loaded = versions.get(id);
              if (loaded != null && !loaded.equals(measured)) {
                notes.add(
                    Sentence.of(
                            "the measurements of plugin %s are of version %s and are ignored for %s; run",
                            id, measured, loaded)
                        + " 'tutti tune' again");
              }
            });
    return notes;
  }
}
