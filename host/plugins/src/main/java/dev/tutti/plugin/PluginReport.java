package dev.tutti.plugin;

import dev.tutti.sdk.Arguments;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The result of checking a jar, before any of its classes is defined. Immutable.
 *
 * @param jar the file
 * @param sha256 the hash of the bytes that were checked, as 64 lower-case hexadecimal digits; empty
 *     if they could not be read
 * @param manifest the manifest of the plugin, or null if it is missing or wrong
 * @param signature the state of its signature in words, for example {@code "signed by alice"}
 * @param signer the name of the trusted key that signed exactly these bytes, if there is one
 * @param problems all problems; empty if the jar can be loaded
 */
public record PluginReport(
    Path jar,
    String sha256,
    @Nullable PluginManifest manifest,
    String signature,
    Optional<String> signer,
    List<PluginProblem> problems) {

  /** Takes an immutable copy. */
  public PluginReport {
    Arguments.require(jar, "jar");
    Arguments.require(sha256, "sha256");
    Arguments.require(signature, "signature");
    Arguments.require(signer, "signer");
    Arguments.require(problems, "problems");
    problems = List.copyOf(problems);
  }

  /** Whether there are no problems. */
  public boolean isClean() {
    return problems.isEmpty();
  }
}
