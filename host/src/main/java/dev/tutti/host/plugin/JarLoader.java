package dev.tutti.host.plugin;

import dev.tutti.host.guard.TimeLimit;
import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Takes one jar from its file to its algorithms, step by step; the first step that fails ends it.
 */
final class JarLoader {

  private final TimeLimit limit;
  private final ManifestReader manifests = new ManifestReader();
  private final AlgorithmReader algorithms;

  JarLoader(TimeLimit limit) {
    this.limit = limit;
    this.algorithms = new AlgorithmReader(limit);
  }

  /** A plugin and the loader of its classes. */
  record Loaded(Plugin plugin, @Nullable PartitionClassLoader loader) {

    void close() {
      try {
        if (loader != null) {
          loader.close();
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
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
    PluginManifest manifest = manifest(content);
    checkSpiVersion(manifest);
    checkNoSpiClasses(content);
    PartitionClassLoader loader =
        new PartitionClassLoader(manifest.id(), url(jar), CollExecutorBase.class.getClassLoader());
    List<PluginProblem> problems = new ArrayList<>();
    List<Algorithm> found = new ArrayList<>();
    for (String problem : providers(content, manifest, loader, found)) {
      problems.add(new PluginProblem(jar, manifest.id(), ErrorCode.PLUGIN_PROVIDER, problem));
    }
    found = Duplicates.inPlugin(found, jar, manifest.id(), problems);
    return new Loaded(new Plugin(manifest, jar, found, problems), loader);
  }

  private PluginManifest manifest(PluginJar content) {
    if (content.manifest() == null) {
      throw new TuttiException(
          ErrorCode.PLUGIN_MANIFEST,
          "it has no %s; add one with at least {\"id\": ..., \"version\": ..., \"sdk\":"
              + " \"[%s,1.0)\"}",
          PluginManifest.PATH,
          SpiVersion.CURRENT);
    }
    return manifests.read(content.manifest());
  }

  private static void checkSpiVersion(PluginManifest manifest) {
    if (!VersionRange.parse(manifest.sdk()).contains(Version.parse(SpiVersion.CURRENT))) {
      throw new TuttiException(
          ErrorCode.PLUGIN_SPI_VERSION,
          "plugin %s %s needs sdk-api %s, host provides %s; rebuild the plugin against sdk-api %s,"
              + " or use a host that provides a version in %s",
          manifest.id(),
          manifest.version(),
          manifest.sdk(),
          SpiVersion.CURRENT,
          SpiVersion.CURRENT,
          manifest.sdk());
    }
  }

  private static void checkNoSpiClasses(PluginJar content) {
    if (!content.spiClasses().isEmpty()) {
      throw new TuttiException(
          ErrorCode.PLUGIN_SHADOWS_SPI,
          "it contains %d classes of the SPI's own packages, such as %s; give tutti-sdk-api the"
              + " scope 'provided', so that it stays out of the jar",
          content.spiClasses().size(),
          content.spiClasses().getFirst());
    }
  }

  /** Fills in the algorithms and returns what is wrong with the other providers. */
  private List<String> providers(
      PluginJar content,
      PluginManifest manifest,
      PartitionClassLoader loader,
      List<Algorithm> found) {
    List<String> declared = content.providers();
    if (declared == null || declared.isEmpty()) {
      return List.of(
          "it %s %s; annotate each executor with @CollAlgorithm and compile with annotation"
                  .formatted(
                      declared == null ? "has no" : "names no provider in", PluginJar.SERVICES)
              + " processing on (javac -proc:full with tutti-sdk-api on the class path)");
    }
    ProviderScan scan = new ProviderScan(loader, limit);
    scan.run(declared);
    List<String> problems = new ArrayList<>(scan.problems());
    for (CollExecutorBase<?> executor : scan.executors()) {
      try {
        found.add(algorithms.read(executor, manifest.id(), manifest.version()));
      } catch (TuttiException e) {
        problems.add(e.getMessage());
      } catch (LinkageError e) {
        problems.add(ProviderDiagnosis.ofError(executor.getClass().getName(), e));
      }
    }
    return problems;
  }

  private static URL url(Path jar) {
    try {
      return jar.toUri().toURL();
    } catch (MalformedURLException e) {
      throw new TuttiException(
          ErrorCode.PLUGIN_UNREADABLE, e, "its path cannot be a URL (%s)", e.getMessage());
    }
  }
}
