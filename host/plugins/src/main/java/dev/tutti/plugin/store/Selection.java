package dev.tutti.plugin.store;

import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * The selection of the versions that should serve: a pure function of the known facts and the jars
 * in the plugins directory, in any order. Immutable.
 *
 * <p>For each plugin, the newest version that this host has admitted serves. Quarantined and
 * rolled-back versions do not. If the file of the serving version gets a content that cannot serve,
 * the old content still serves from the store; if the file is deleted, its content no longer
 * serves. A pinned plugin changes only to the version of its pin.
 *
 * @param decisions one for each plugin that is in the directory, serves or is pinned, by id
 * @param unchecked the contents that might serve but that this host has not checked, by hash; after
 *     their check, select again
 */
public record Selection(SortedMap<String, Decision> decisions, SortedSet<String> unchecked) {

  /**
   * Selects.
   *
   * @param state the known facts
   * @param jars the jars in the plugins directory
   * @param hostVersion the version of this host; verdicts of other versions count as unchecked
   * @param isStored whether the store has a content
   * @param vetoes why a content must not serve, nor even be checked, as part of a sentence; empty
   *     if there is no objection
   * @param versions the order of versions
   * @throws TuttiException with {@link ErrorCode#INVALID_ARGUMENT} if two jars have one file name
   */
  public static Selection of(
      PluginState state,
      Collection<PresentJar> jars,
      String hostVersion,
      Predicate<String> isStored,
      UnaryOperator<String> vetoes,
      Comparator<String> versions) {
    SortedMap<String, PresentJar> byFile = byFile(jars);
    Judge judge = new Judge(state, hostVersion, isStored, vetoes);
    SortedMap<String, Decision> decisions = new TreeMap<>();
    for (String plugin : plugins(state, jars)) {
      PluginFacts facts = state.plugin(plugin);
      decisions.put(plugin, new PluginSelection(facts, byFile, judge, versions).decide());
    }
    return new Selection(
        Collections.unmodifiableSortedMap(decisions),
        Collections.unmodifiableSortedSet(judge.unchecked()));
  }

  private static SortedMap<String, PresentJar> byFile(Collection<PresentJar> jars) {
    SortedMap<String, PresentJar> byFile = new TreeMap<>();
    for (PresentJar jar : jars) {
      if (byFile.put(jar.file(), jar) != null) {
        throw new TuttiException(
            ErrorCode.INVALID_ARGUMENT, "two jars have the file name '%s'", jar.file());
      }
    }
    return byFile;
  }

  private static SortedSet<String> plugins(PluginState state, Collection<PresentJar> jars) {
    List<String> plugins = new ArrayList<>();
    jars.forEach(jar -> plugins.add(jar.plugin()));
    for (PluginFacts facts : state.plugins().values()) {
      if (facts.serving().isPresent() || facts.pinned().isPresent()) {
        plugins.add(facts.plugin());
      }
    }
    SortedSet<String> known = new TreeSet<>(plugins);
    known.remove("");
    return known;
  }
}
