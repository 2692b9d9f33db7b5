package dev.tutti.plugin.store;

import java.util.List;
import java.util.Optional;

/**
 * What should serve of one plugin. Immutable.
 *
 * @param plugin the id of the plugin
 * @param choice what should serve; empty if nothing can
 * @param reason the reason, as a sentence
 * @param rejected why each other jar of the plugin should not, a sentence each, in the order of the
 *     file names
 */
public record Decision(
    String plugin, Optional<Choice> choice, String reason, List<String> rejected) {

  /**
   * What should serve.
   *
   * @param version its version
   * @param sha256 its content
   * @param file the file it is in, or stands for
   * @param isKept whether its file holds something else by now
   */
  public record Choice(String version, String sha256, String file, boolean isKept) {}
}
