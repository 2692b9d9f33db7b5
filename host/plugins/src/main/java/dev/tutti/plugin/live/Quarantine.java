package dev.tutti.plugin.live;

import dev.tutti.base.text.Sentence;
import dev.tutti.plugin.PluginProblem;
import dev.tutti.plugin.store.Content;
import dev.tutti.plugin.store.PluginFacts;
import dev.tutti.plugin.store.PluginStore;
import dev.tutti.plugin.store.PresentJar;
import dev.tutti.sdk.ErrorCode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The jars that this host does not serve because they failed a check. Guarded by the lock of its
 * owner.
 */
final class Quarantine {

  private final Path directory;
  private final PluginStore store;
  private final Trust trust;

  Quarantine(Path directory, PluginStore store, Trust trust) {
    this.directory = directory;
    this.store = store;
    this.trust = trust;
  }

  /** The contents, in the directory or not, that this host has quarantined. */
  Set<String> contents(List<PresentJar> jars) {
    Set<String> contents = new HashSet<>();
    jars.stream()
        .map(PresentJar::sha256)
        .filter(sha256 -> !sha256.isEmpty() && !distrust(sha256).isEmpty())
        .forEach(contents::add);
    for (PluginFacts facts : store.state().plugins().values()) {
      facts
          .contents()
          .forEach(
              (sha256, content) -> {
                if (content.quarantinedBy(HostVersion.CURRENT).isPresent()) {
                  contents.add(sha256);
                }
              });
    }
    return contents;
  }

  /** A sentence for each jar that has one of these contents and stays quarantined. */
  List<String> stillOf(Set<String> quarantined, List<PresentJar> jars) {
    List<String> sentences = new ArrayList<>();
    for (PresentJar jar : jars) {
      if (quarantined.contains(jar.sha256())) {
        verdict(jar)
            .ifPresent(
                it ->
                    sentences.add(
                        Sentence.of(
                            "%s %s (%s) stays quarantined: [%s] %s",
                            jar.plugin(),
                            jar.version(),
                            jar.file(),
                            it.code().id(),
                            Sentence.firstLine(it.report()))));
      }
    }
    return sentences;
  }

  /**
   * Why a jar is quarantined.
   *
   * @param report all problems
   */
  record Verdict(ErrorCode code, String report) {}

  /** Why a jar is quarantined; empty if it is not. */
  private Optional<Verdict> verdict(PresentJar jar) {
    return jar.sha256().isEmpty()
        ? Optional.empty()
        : store.state().plugin(jar.plugin()).content(jar.sha256()).flatMap(this::verdict);
  }

  /** Why a content is quarantined; empty if it is not. */
  Optional<Verdict> verdict(Content content) {
    String distrust = distrust(content.sha256());
    return distrust.isEmpty()
        ? content
            .quarantinedBy(HostVersion.CURRENT)
            .map(it -> new Verdict(codeOf(it.code()), it.report()))
        : Optional.of(new Verdict(ErrorCode.PLUGIN_SIGNATURE, "it " + distrust));
  }

  private String distrust(String sha256) {
    return trust.objection(sha256, true);
  }

  /** The problems of jars in the directory, as {@code Context.plugins()} shows them. */
  List<PluginProblem> problems(List<PresentJar> jars) {
    List<PluginProblem> found = new ArrayList<>();
    for (PresentJar jar : jars) {
      Path file = directory.resolve(jar.file());
      verdict(jar)
          .ifPresent(
              it -> found.add(new PluginProblem(file, jar.plugin(), it.code(), it.report())));
    }
    return found;
  }

  private static ErrorCode codeOf(String id) {
    for (ErrorCode code : ErrorCode.values()) {
      if (code.id().equals(id)) {
        return code;
      }
    }
    return ErrorCode.PLUGIN_REJECTED;
  }
}
