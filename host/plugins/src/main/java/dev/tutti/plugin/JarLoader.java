package dev.tutti.plugin;

import dev.tutti.plugin.limit.TimeLimit;
import dev.tutti.plugin.link.LinkReport;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import dev.tutti.verifier.capability.Restrictions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Loads one jar, from its file to its algorithms, step by step. The first step that fails ends the
 * loading.
 */
final class JarLoader {

  /** Shared by all loaders, because it keeps what it has read of the host's classes. */
  private static final JarChecks CHECKS = new JarChecks(new Restrictions());

  private final TimeLimit limit;
  private final AlgorithmReader algorithms;

  JarLoader(TimeLimit limit) {
    this.limit = limit;
    this.algorithms = new AlgorithmReader(limit);
  }

  /**
   * A plugin and the loader of its classes.
   *
   * @param sha256 the hash of the jar; empty for algorithms of this process
   * @param mayStay the things it uses that may keep its classes loaded after its end, a phrase each
   */
  record Loaded(
      Plugin plugin, String sha256, Set<String> mayStay, @Nullable PartitionClassLoader loader) {

    /** Algorithms of this process. */
    static Loaded embedded(Plugin plugin) {
      return new Loaded(plugin, "", Set.of(), null);
    }

    void close() {
      if (loader != null) {
        loader.close();
      }
    }
  }

  /**
   * Loads a jar.
   *
   * @throws TuttiException with one of the PLUGIN codes if nothing of the jar can be used
   */
  Loaded load(Path jar) {
    PluginJar content = PluginJar.read(jar);
    PluginManifest manifest = CHECKS.manifest(content);
    JarChecks.checkSpiVersion(manifest);
    CHECKS.checkNoSpiClasses(content);
    LinkReport links = CHECKS.link(content, manifest);
    List<PluginProblem> problems = new ArrayList<>();
    if (!links.isClean()) {
      problems.add(new PluginProblem(jar, manifest.id(), ErrorCode.PLUGIN_LINK, links.message()));
    }
    PartitionClassLoader loader = CHECKS.loader(content, manifest, links);
    List<Algorithm> found = new ArrayList<>();
    for (ProviderScan.Problem problem :
        providers(content, manifest, loader, links.affected(), found)) {
      problems.add(new PluginProblem(jar, manifest.id(), problem.code(), problem.message()));
    }
    found = Duplicates.inPlugin(found, jar, manifest.id(), problems);
    return new Loaded(
        new Plugin(manifest, jar, found, problems), content.sha256(), links.mayStay(), loader);
  }

  /** Adds the algorithms and returns the problems of the other providers. */
  private List<ProviderScan.Problem> providers(
      PluginJar content,
      PluginManifest manifest,
      PartitionClassLoader loader,
      List<String> unusable,
      List<Algorithm> found) {
    List<String> declared = content.providers();
    if (declared == null || declared.isEmpty()) {
      return List.of(new ProviderScan.Problem(JarChecks.noProvider(declared != null)));
    }
    ProviderScan scan = ProviderScan.ofJar(loader, limit);
    scan.run(declared, unusable);
    found.addAll(scan.algorithms(algorithms, manifest));
    return scan.problems();
  }
}
