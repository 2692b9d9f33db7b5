package dev.tutti.plugin.store;

import dev.tutti.base.text.Sentence;
import dev.tutti.plugin.store.Decision.Choice;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The selection for one plugin. */
final class PluginSelection {

  private final PluginFacts facts;
  private final SortedMap<String, PresentJar> files;
  private final Judge judge;
  private final Comparator<ServableVersion> order;

  /** The jars of this plugin, by file name. */
  private final List<PresentJar> jars;

  private final List<ServableVersion> candidates = new ArrayList<>();
  private final SortedMap<String, String> rejected = new TreeMap<>();

  /** The jars that must not serve, whatever their checks found. */
  private final List<String> vetoes = new ArrayList<>();

  PluginSelection(
      PluginFacts facts,
      SortedMap<String, PresentJar> files,
      Judge judge,
      Comparator<String> versions) {
    this.facts = facts;
    this.files = files;
    this.judge = judge;
    this.order = ServableVersion.order(versions);
    this.jars = files.values().stream().filter(jar -> jar.plugin().equals(facts.plugin())).toList();
  }

  Decision decide() {
    for (PresentJar jar : jars) {
      String objection = judge.objection(jar);
      if (objection.isEmpty()) {
        candidates.add(new ServableVersion(choice(jar), jar.modified()));
      } else {
        String text = Sentence.of("%s (%s) %s", jar.file(), jar.version(), objection);
        rejected.put(jar.file(), text);
        if (objection.equals(judge.veto(jar.sha256()))) {
          vetoes.add(text);
        }
      }
    }
    Optional<Choice> kept = kept();
    return facts
        .pinned()
        .map(pin -> pinned(pin, kept))
        .orElseGet(() -> newest(kept.filter(this::isFileUnfit)));
  }

  private static Choice choice(PresentJar jar) {
    return new Choice(jar.version(), jar.sha256(), jar.file(), false);
  }

  /** The serving version, if no jar has it any more, its file still exists, and it may serve. */
  private Optional<Choice> kept() {
    return facts
        .serving()
        .filter(it -> jars.stream().noneMatch(jar -> jar.sha256().equals(it.sha256())))
        .filter(it -> files.containsKey(it.file()))
        .filter(this::mayGoOn)
        .map(it -> new Choice(it.version(), it.sha256(), it.file(), true));
  }

  private boolean mayGoOn(PluginFacts.Served served) {
    String veto = judge.veto(served.sha256());
    if (!veto.isEmpty()) {
      vetoes.add(
          Sentence.of(
              "the version that served (%s), which only the store has, %s",
              served.version(), veto));
    }
    return judge.objection(facts.plugin(), served.sha256()).isEmpty();
  }

  /** Whether the file has a content that cannot serve, for this or any other plugin. */
  private boolean isFileUnfit(Choice kept) {
    PresentJar jar = files.get(kept.file());
    return jar != null && !judge.objection(jar).isEmpty();
  }

  private Decision newest(Optional<Choice> kept) {
    kept.ifPresent(it -> candidates.add(new ServableVersion(it, Instant.MIN)));
    Optional<Choice> best = best(candidates);
    return best.map(it -> decision(it, it.isKept() ? keptReason(it) : newestReason(it)))
        .orElseGet(() -> nothing(nothingReason()));
  }

  private String nothingReason() {
    return vetoes.isEmpty()
        ? "no version of it can serve"
        : "no version of it can serve: " + String.join("; ", vetoes);
  }

  private Decision pinned(String pin, Optional<Choice> kept) {
    List<ServableVersion> fitting =
        candidates.stream().filter(it -> it.choice().version().equals(pin)).toList();
    Optional<Choice> best = best(fitting);
    if (best.isPresent()) {
      return decision(best.get(), Sentence.of("it is pinned to version %s", pin));
    }
    return serving()
        .or(() -> kept)
        .map(it -> decision(it, keptByPin(pin, it)))
        .orElseGet(
            () -> nothing(Sentence.of("it is pinned to version %s, and %s", pin, missing(pin))));
  }

  private Optional<Choice> best(List<ServableVersion> from) {
    return from.stream().max(order).map(ServableVersion::choice);
  }

  /** The serving version, if it is in the directory and may serve. */
  private Optional<Choice> serving() {
    return facts
        .serving()
        .flatMap(
            it ->
                best(
                    candidates.stream()
                        .filter(candidate -> candidate.choice().sha256().equals(it.sha256()))
                        .toList()));
  }

  private String newestReason(Choice best) {
    Optional<String> rolledBack = rolledBackFor(best);
    if (rolledBack.isPresent()) {
      return Sentence.of(
          "version %s in %s took over again when %s was rolled back",
          best.version(), best.file(), rolledBack.get());
    }
    long others = candidates.size() - 1L;
    return others == 0
        ? Sentence.of(
            "version %s in %s is the only one that can serve", best.version(), best.file())
        : Sentence.of(
            "version %s in %s is the newest of %d that can serve",
            best.version(), best.file(), others + 1);
  }

  /** The version from which the rollback to this one was made, if that was the last change. */
  private Optional<String> rolledBackFor(Choice best) {
    return facts.turn() != null
            && facts.turn().event() instanceof PluginEvent.RolledBack it
            && best.sha256().equals(it.to())
        ? Optional.of(facts.content(it.from()).map(Content::version).orElse("its successor"))
        : Optional.empty();
  }

  private String keptReason(Choice kept) {
    PresentJar jar = files.get(kept.file());
    return Sentence.of(
        "version %s still serves from the store, because its file cannot replace it: %s",
        kept.version(), jar == null ? "" : text(jar));
  }

  private String text(PresentJar jar) {
    String version = jar.version().isEmpty() ? "" : Sentence.of(" (%s)", jar.version());
    return Sentence.of("%s%s %s", jar.file(), version, judge.objection(jar));
  }

  private String keptByPin(String pin, Choice kept) {
    return kept.version().equals(pin)
        ? Sentence.of(
            "it is pinned to version %s, which still serves from the store although %s holds"
                + " something else",
            pin, kept.file())
        : Sentence.of(
            "version %s still serves, because it is pinned to version %s, and %s",
            kept.version(), pin, missing(pin));
  }

  private String missing(String pin) {
    String found =
        jars.stream()
            .filter(jar -> jar.version().equals(pin))
            .map(this::text)
            .collect(Collectors.joining("; "));
    if (!found.isEmpty()) {
      return found;
    }
    String versions =
        jars.stream().map(PresentJar::version).distinct().collect(Collectors.joining(", "));
    return versions.isEmpty()
        ? "no version of it is in the plugins directory"
        : "the plugins directory has only " + versions;
  }

  private Decision decision(Choice choice, String reason) {
    return new Decision(facts.plugin(), Optional.of(choice), reason, others(choice));
  }

  private Decision nothing(String reason) {
    return new Decision(facts.plugin(), Optional.empty(), reason, others(null));
  }

  /** Why the other jars do not serve. */
  private List<String> others(@Nullable Choice chosen) {
    for (ServableVersion each : candidates) {
      Choice choice = each.choice();
      if (!choice.isKept() && !choice.equals(chosen)) {
        rejected.put(
            choice.file(),
            chosen != null && choice.sha256().equals(chosen.sha256())
                ? Sentence.of("%s has the same content as %s", choice.file(), chosen.file())
                : Sentence.of("%s (%s) is not the one chosen", choice.file(), choice.version()));
      }
    }
    return List.copyOf(rejected.values());
  }
}
