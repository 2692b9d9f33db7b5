package dev.tutti.plugin.live;

import dev.tutti.base.text.Sentence;
import dev.tutti.plugin.signature.SignatureState;
import dev.tutti.plugin.store.Content;
import dev.tutti.plugin.store.Decision;
import dev.tutti.plugin.store.JournalEntry;
import dev.tutti.plugin.store.PluginEvent;
import dev.tutti.plugin.store.PluginFacts;
import dev.tutti.plugin.store.PluginStore;
import dev.tutti.plugin.store.PresentJar;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.Names;
import dev.tutti.sdk.TuttiException;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.StringJoiner;
import java.util.TreeSet;

/** Explains in words how a plugin came into its state. Takes no lock. Thread-safe. */
final class PluginHistory {

  /** The number of last events of a plugin that are shown. */
  private static final int TOLD = 8;

  /** The length of a repeated reason. */
  private static final int REPEATED = 60;

  private final PluginStore store;
  private final GenerationManager generations;
  private final Reconciler reconciler;
  private final Trust trust;

  PluginHistory(
      PluginStore store, GenerationManager generations, Reconciler reconciler, Trust trust) {
    this.store = store;
    this.generations = generations;
    this.reconciler = reconciler;
    this.trust = trust;
  }

  /**
   * The history of a plugin, or of a file that is not a plugin.
   *
   * @throws TuttiException with {@link ErrorCode#UNKNOWN_NAME}
   */
  String why(String name) {
    PluginFacts facts = store.state().plugins().get(name);
    if (facts != null && !name.isEmpty()) {
      return whyPlugin(facts);
    }
    for (PresentJar jar : reconciler.jars()) {
      if (jar.file().equals(name)) {
        return jar.plugin().isEmpty()
            ? Sentence.of("%s is not served: %s", name, jar.problem())
            : whyPlugin(store.state().plugin(jar.plugin()));
      }
    }
    Set<String> known = new TreeSet<>(store.state().plugins().keySet());
    known.remove("");
    reconciler.jars().forEach(jar -> known.add(jar.file()));
    throw Names.unknown("plugin", name, List.copyOf(known));
  }

  private String whyPlugin(PluginFacts facts) {
    StringJoiner text = new StringJoiner(" ");
    Optional<PluginFacts.Served> served = facts.serving();
    Decision decision = reconciler.decisions().get(facts.plugin());
    String reason = decision == null ? "" : ", because " + decision.reason();
    text.add(
        served
            .map(
                it ->
                    Sentence.of(
                        "%s %s (%s, SHA-256 %s) serves%s.",
                        facts.plugin(),
                        it.version(),
                        it.file(),
                        it.sha256().substring(0, 12),
                        reason))
            .orElse(Sentence.of("%s is not served%s.", facts.plugin(), reason)));
    served
        .map(it -> trust.state(it.sha256()))
        .filter(it -> it.kind() != SignatureState.Kind.UNSIGNED)
        .ifPresent(it -> text.add(sentence("It is " + it.text())));
    facts
        .pinned()
        .filter(it -> !reason.contains("it is pinned to version " + it))
        .ifPresent(it -> text.add(Sentence.of("It is pinned to version %s.", it)));
    if (decision != null) {
      decision.rejected().stream()
          .filter(it -> !decision.reason().contains(it))
          .forEach(it -> text.add(sentence(it)));
    }
    passedOver(facts).forEach(it -> text.add(sentence(it)));
    text.add("What happened last:");
    return text.add(history(facts, text.toString())).toString();
  }

  /** The failures of the serving version that callers did not notice. */
  private List<String> passedOver(PluginFacts facts) {
    Generation serving = generations.serving(facts.plugin());
    return serving == null ? List.of() : generations.catalogues().passedOver(serving);
  }

  /**
   * The last events.
   *
   * @param told the text that the reader has already read
   */
  private static String history(PluginFacts facts, String told) {
    List<JournalEntry> history = facts.history();
    StringJoiner lines = new StringJoiner("; ", "", ".");
    for (JournalEntry entry : history.subList(Math.max(0, history.size() - TOLD), history.size())) {
      String words = words(facts, entry.event(), told + lines);
      lines.add(Sentence.of("%s %s", entry.time().truncatedTo(ChronoUnit.SECONDS), words));
    }
    return lines.toString();
  }

  /** The first line of a reason, or its beginning if it was already shown. */
  private static String reason(String reason, String told) {
    String line = Sentence.firstLine(reason);
    return line.length() > REPEATED && told.contains(line)
        ? line.substring(0, REPEATED - 1) + "…"
        : line;
  }

  private static String sentence(String text) {
    return text.endsWith(".") ? text : text + ".";
  }

  private static String words(PluginFacts facts, PluginEvent event, String told) {
    return switch (event) {
      case PluginEvent.Staged it -> Sentence.of("%s was copied from %s", it.version(), it.file());
      case PluginEvent.Admitted it -> Sentence.of("%s was admitted", it.version());
      case PluginEvent.Quarantined it ->
          Sentence.of(
              "%s was quarantined ([%s] %s)", it.version(), it.code(), reason(it.report(), told));
      case PluginEvent.Serving it -> Sentence.of("%s began to serve", it.version());
      case PluginEvent.RolledBack it ->
          Sentence.of(
              "went back from %s to %s, %s: %s",
              version(facts, it.from()),
              it.version(),
              it.isAutomatic() ? "by itself" : "by command",
              reason(it.reason(), told));
      case PluginEvent.Removed it ->
          Sentence.of("%s was removed: %s", version(facts, it.sha256()), reason(it.reason(), told));
      case PluginEvent.Pinned it -> Sentence.of("was pinned to %s", it.version());
      case PluginEvent.Unpinned _ -> "was unpinned";
      case PluginEvent.Drained it ->
          Sentence.of("%s was drained in %d ms", version(facts, it.sha256()), it.millis());
      case PluginEvent.Unloaded it -> Sentence.of("%s was unloaded", version(facts, it.sha256()));
      case PluginEvent.Leaked it ->
          Sentence.of(
              "%s was not collected (%s)",
              version(facts, it.sha256()), String.join("; ", it.suspects()));
      case PluginEvent.Refused it ->
          Sentence.of("%s was refused: %s", it.file(), reason(it.reason(), told));
      case PluginEvent.Discarded it -> Sentence.of("%s was forgotten", version(facts, it.sha256()));
    };
  }

  private static String version(PluginFacts facts, String sha256) {
    return facts.content(sha256).map(Content::version).orElse(sha256.substring(0, 12));
  }
}
