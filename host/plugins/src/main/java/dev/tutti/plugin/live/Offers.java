package dev.tutti.plugin.live;

import dev.tutti.plugin.store.Decision;
import dev.tutti.plugin.store.PluginFacts;
import dev.tutti.plugin.store.PluginStore;
import dev.tutti.plugin.store.Selection;
import dev.tutti.plugin.store.Step;
import dev.tutti.plugin.store.Steps;
import dev.tutti.sdk.TuttiException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * Offers the jars that should serve to the other processes that serve the same plugins. Guarded by
 * the lock of its owner.
 */
final class Offers {

  private final Path directory;
  private final PluginStore store;
  private final GenerationManager generations;
  private final Supplier<Followers> followers;
  private final Steps steps;

  Offers(
      Path directory,
      PluginStore store,
      GenerationManager generations,
      Supplier<Followers> followers,
      Steps steps) {
    this.directory = directory;
    this.store = store;
    this.generations = generations;
    this.followers = followers;
    this.steps = steps;
  }

  /** Offers the selected jars. */
  Followers.Answer offer(Selection selection) {
    List<ServedJar> jars = new ArrayList<>();
    for (Decision decision : selection.decisions().values()) {
      decision
          .choice()
          .ifPresent(it -> jars.add(jar(decision.plugin(), it.version(), it.sha256(), it.file())));
    }
    return offer(jars);
  }

  /** Offers jars; if all processes are ready, also stops them from beginning plans. */
  private Followers.Answer offer(List<ServedJar> jars) {
    Followers others = followers.get();
    Followers.Answer answer = others.prepare(jars);
    if (answer instanceof Followers.Ready ready && !others.equals(Followers.NONE)) {
      try {
        steps.passed(Step.PREPARED);
        ready.changeover().hold();
        steps.passed(Step.HELD);
      } catch (RuntimeException | Error e) {
        ready.changeover().close();
        throw e;
      }
    }
    return answer;
  }

  /**
   * Makes the other processes serve the plugins of this process.
   *
   * @throws TuttiException with the objection of a process
   */
  void offerWhatServes() {
    List<ServedJar> jars = new ArrayList<>();
    for (Generation each : generations.catalogues().current().generations()) {
      String file =
          store
              .state()
              .plugin(each.plugin())
              .serving()
              .map(PluginFacts.Served::file)
              .orElse(each.plugin());
      jars.add(jar(each.plugin(), each.version(), each.content(), file));
    }
    switch (offer(jars)) {
      case Followers.Veto veto -> throw new TuttiException(veto.code(), "%s", veto.report());
      case Followers.Ready ready -> {
        try (Changeover changeover = ready.changeover()) {
          changeover.publish(() -> {});
        }
      }
    }
  }

  private ServedJar jar(String plugin, String version, String sha256, String file) {
    Path shown = directory.resolve(file);
    // A serving jar no longer needs its copy, so the copy may be lost once all processes have
    // loaded it.
    return new ServedJar(plugin, version, sha256, store.find(sha256).orElse(shown), shown);
  }
}
