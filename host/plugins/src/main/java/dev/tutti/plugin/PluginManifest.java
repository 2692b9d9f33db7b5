package dev.tutti.plugin;

import dev.tutti.sdk.Arguments;
import java.util.List;

/**
 * The manifest of a plugin, from {@code META-INF/tutti/plugin.json}. Immutable.
 *
 * @param id the stable name: lower-case letters, digits, dots and hyphens, starting with a letter
 * @param version the version of the plugin
 * @param sdk the versions of sdk-api it works with, for example {@code "[0.1,1.0)"}
 * @param provider its maker; may be empty
 * @param license its licence; may be empty
 * @param summary one sentence; may be empty
 * @param capabilities the capabilities that it requests beyond plain computing, out of {@code
 *     threads}, {@code files}, {@code network}, {@code processes}, {@code native}, {@code
 *     reflection}, {@code environment}, {@code clock}, {@code random}, {@code console} and {@code
 *     mutable-statics}; the host refuses classes that use other capabilities
 */
public record PluginManifest(
    String id,
    String version,
    String sdk,
    String provider,
    String license,
    String summary,
    List<String> capabilities) {

  /** The place of the manifest in a jar. */
  public static final String PATH = "META-INF/tutti/plugin.json";

  /** Takes an immutable copy. */
  public PluginManifest {
    Arguments.require(id, "id");
    Arguments.require(version, "version");
    Arguments.require(sdk, "sdk");
    Arguments.require(provider, "provider");
    Arguments.require(license, "license");
    Arguments.require(summary, "summary");
    Arguments.require(capabilities, "capabilities");
    capabilities = List.copyOf(capabilities);
  }

  /** A manifest for algorithms of this process, which have no file. */
  static PluginManifest ofProcess(String id, String summary) {
    String range = "[" + SpiVersion.CURRENT + "," + SpiVersion.CURRENT + "]";
    return new PluginManifest(id, SpiVersion.CURRENT, range, "", "", summary, List.of());
  }
}
