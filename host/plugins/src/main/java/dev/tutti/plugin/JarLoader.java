package dev.tutti.plugin;

import dev.tutti.plugin.limit.TimeLimit;
import dev.tutti.plugin.link.DeclaredOperations;
import dev.tutti.plugin.link.LinkReport;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.Operation;
import dev.tutti.sdk.TuttiException;
import dev.tutti.verifier.capability.Restrictions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Loads one jar, from its file to its algorithms, step by step. The first step that fails ends the
 * loading.
 */
final class JarLoader {

  /** Shared by all loaders, because it keeps what it has read of the host's classes. */
  private static final JarChecks CHECKS = new JarChecks(new Restrictions());

  private static final Set<Operation> ALL = EnumSet.allOf(Operation.class);

  private final TimeLimit limit;
  private final Set<Operation> operations;
  private final AlgorithmReader algorithms;

  /** Loads all algorithms of a jar. */
  JarLoader(TimeLimit limit) {
    this(limit, ALL);
  }

  /** Loads the algorithms of some operations; the others are neither checked nor created. */
  JarLoader(TimeLimit limit, Set<Operation> operations) {
    this.limit = limit;
    this.operations = operations;
    this.algorithms = new AlgorithmReader(limit);
  }

  /**
   * A plugin and the loader of its classes, if any are loaded.
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
    PluginJar whole = PluginJar.read(jar);
    PluginManifest manifest = CHECKS.manifest(whole);
    JarChecks.checkSpiVersion(manifest);
    CHECKS.checkNoSpiClasses(whole);
    List<String> declared = Objects.requireNonNullElse(whole.providers(), List.of());
    List<String> wanted = wanted(whole, declared);
    if (wanted.isEmpty() && !declared.isEmpty()) {
      Plugin unused = new Plugin(manifest, jar, List.of(), List.of());
      return new Loaded(unused, whole.sha256(), Set.of(), null);
    }
    PluginJar content = wanted.equals(declared) ? whole : whole.withProviders(wanted);
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
    found.removeIf(each -> !operations.contains(each.operation()));
    found = Duplicates.inPlugin(found, jar, manifest.id(), problems);
    return new Loaded(
        new Plugin(manifest, jar, found, problems), content.sha256(), links.mayStay(), loader);
  }

  /** The providers whose operations are wanted, or not known before they are loaded. */
  private List<String> wanted(PluginJar jar, List<String> declared) {
    if (operations.containsAll(ALL)) {
      return declared;
    }
    DeclaredOperations known = new DeclaredOperations(jar::findClass);
    return declared.stream()
        .filter(name -> known.of(name).map(operations::contains).orElse(true))
        .toList();
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
