package dev.tutti.plugin.store;

import java.util.List;
import java.util.Optional;

/**
 * The decision which version of one plugin should serve. Immutable.
 *
 * @param plugin the id of the plugin
 * @param choice the version that should serve; empty if none can
 * @param reason the reason, as a sentence
 * @param rejected why each other jar of the plugin should not serve, a sentence each, in the order
 *     of the file names
 */
public record Decision(
    String plugin, Optional<Choice> choice, String reason, List<String> rejected) {

  /**
   * The version that should serve.
   *
   * @param version its version
   * @param sha256 its content
   * @param file the file that has it, or that it represents
   * @param isKept whether its file has another content by now
   */
  public record Choice(String version, String sha256, String file, boolean isKept) {}
}
