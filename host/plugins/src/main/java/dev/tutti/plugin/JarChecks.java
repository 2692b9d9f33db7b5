package dev.tutti.plugin;

import dev.tutti.base.text.Sentence;
import dev.tutti.plugin.guard.GuardPolicy;
import dev.tutti.plugin.guard.Weaver;
import dev.tutti.plugin.link.LinkCheck;
import dev.tutti.plugin.link.LinkReport;
import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import dev.tutti.verifier.capability.Capability;
import dev.tutti.verifier.capability.Restrictions;
import dev.tutti.verifier.gate.StopWeaver;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The checks of a jar before any of its classes is defined, one method for each. A check throws if
 * its failure makes the whole jar unusable. Thread-safe.
 */
final class JarChecks {

  private final ManifestReader manifests = new ManifestReader();
  private final Restrictions restrictions;
  private final LinkCheck links;

  JarChecks(Restrictions restrictions) {
    this.restrictions = restrictions;
    this.links = new LinkCheck(restrictions, SpiVersion.CURRENT);
  }

  /**
   * The manifest.
   *
   * @throws TuttiException with {@link ErrorCode#PLUGIN_MANIFEST} if it is missing or wrong
   */
  PluginManifest manifest(PluginJar jar) {
    byte[] json = jar.manifest();
    if (json == null) {
      throw new TuttiException(
          ErrorCode.PLUGIN_MANIFEST,
          "it has no %s; add one with at least {\"id\": ..., \"version\": ..., \"sdk\":"
              + " \"[%s,1.0)\"}",
          PluginManifest.PATH,
          SpiVersion.CURRENT);
    }
    return manifests.read(json);
  }

  /** Throws {@link ErrorCode#PLUGIN_SPI_VERSION} if the plugin needs another SPI. */
  static void checkSpiVersion(PluginManifest manifest) {
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

  /** Throws {@link ErrorCode#PLUGIN_SHADOWS_SPI} if the jar contains classes of the SPI. */
  void checkNoSpiClasses(PluginJar jar) {
    List<String> spiClasses = jar.spiClasses();
    if (!spiClasses.isEmpty()) {
      throw new TuttiException(
          ErrorCode.PLUGIN_SHADOWS_SPI,
          "it contains %d classes of the SPI's own packages, such as %s; give tutti-sdk-api the"
              + " scope 'provided', so that it stays out of the jar",
          spiClasses.size(),
          spiClasses.getFirst());
    }
  }

  /**
   * Checks the classes that the providers reach: whether all that they need exists, and whether
   * they may use it.
   */
  LinkReport link(PluginJar jar, PluginManifest manifest) {
    return links.check(
        jar::findClass,
        Optional.ofNullable(jar.providers()).orElse(List.of()),
        capabilities(manifest));
  }

  /** A class loader for the jar. It guards the references that the link check could not decide. */
  PartitionClassLoader loader(PluginJar jar, PluginManifest manifest, LinkReport report) {
    Set<Capability> granted = capabilities(manifest);
    return new PartitionClassLoader(
        new GuardPolicy(manifest.id(), granted, restrictions),
        manifest.version(),
        jar,
        (name, bytes) ->
            StopWeaver.weave(
                name.replace('/', '.'),
                report.unguarded().contains(name) ? bytes : guarded(jar, manifest, name, bytes)),
        CollExecutorBase.class.getClassLoader());
  }

  /** A class with its guards. Refuses a class whose supertypes it may not use. */
  private byte[] guarded(PluginJar jar, PluginManifest manifest, String name, byte[] bytes) {
    Set<Capability> granted = capabilities(manifest);
    links
        .supertypes(jar::findClass, name, bytes, granted)
        .ifPresent(
            problem -> {
              throw new TuttiException(
                  ErrorCode.PLUGIN_GUARD, "plugin '%s': %s", manifest.id(), problem);
            });
    return Weaver.weave(bytes, links.guarded(jar::findClass, name, bytes, granted));
  }

  /** The requested capabilities; the manifest's reader has refused unknown names. */
  static Set<Capability> capabilities(PluginManifest manifest) {
    Set<Capability> asked = EnumSet.noneOf(Capability.class);
    manifest.capabilities().forEach(label -> Capability.of(label).ifPresent(asked::add));
    return asked;
  }

  /** The problem of a services file that names nothing. */
  static String noProvider(boolean hasServices) {
    return Sentence.of(
            "it %s %s; annotate each executor with @CollAlgorithm and compile with annotation",
            hasServices ? "names no provider in" : "has no", PluginJar.SERVICES)
        + " processing on (javac -proc:full with tutti-sdk-api on the class path)";
  }
}
