package dev.tutti.plugin.store;

import dev.tutti.base.text.Sentence;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/** Explains why contents cannot serve, and collects those that wait for a check. */
final class Judge {

  private final PluginState state;
  private final String hostVersion;
  private final Predicate<String> isStored;
  private final UnaryOperator<String> vetoes;
  private final SortedSet<String> unchecked = new TreeSet<>();

  Judge(
      PluginState state,
      String hostVersion,
      Predicate<String> isStored,
      UnaryOperator<String> vetoes) {
    this.state = state;
    this.hostVersion = hostVersion;
    this.isStored = isStored;
    this.vetoes = vetoes;
  }

  /** Why a jar cannot serve, as part of a sentence; empty if it can. */
  String objection(PresentJar jar) {
    if (!jar.problem().isEmpty()) {
      return jar.problem();
    }
    return jar.sha256().isEmpty() ? "is still to be read" : objection(jar.plugin(), jar.sha256());
  }

  /** Why a content cannot serve, as part of a sentence; empty if it can. */
  String objection(String plugin, String sha256) {
    String veto = veto(sha256);
    if (!veto.isEmpty()) {
      return veto;
    }
    Optional<Content> known =
        state.plugin(plugin).content(sha256).filter(_ -> isStored.test(sha256));
    if (known.isEmpty()) {
      unchecked.add(sha256);
      return "is still to be checked";
    }
    return known
        .get()
        .quarantinedBy(hostVersion)
        .map(Judge::quarantined)
        .or(() -> known.get().rolledBack().map(it -> "was rolled back: " + it.reason()))
        .orElseGet(() -> unlessAdmitted(known.get(), sha256));
  }

  /** Why a content must not serve, whatever its checks found; empty if there is no objection. */
  String veto(String sha256) {
    return vetoes.apply(sha256);
  }

  private String unlessAdmitted(Content content, String sha256) {
    if (content.isAdmittedBy(hostVersion)) {
      return "";
    }
    unchecked.add(sha256);
    return "is still to be checked by host " + hostVersion;
  }

  private static String quarantined(PluginEvent.Quarantined event) {
    String first = Sentence.firstLine(event.report());
    return Sentence.of("is quarantined (%s): %s", event.code(), first);
  }

  SortedSet<String> unchecked() {
    return unchecked;
  }
}
