package dev.tutti.plugin.live;

import java.nio.file.Path;

/**
 * A jar that one process has decided to serve, in the form that it sends to others.
 *
 * @param plugin the id of the plugin
 * @param version its version
 * @param content the SHA-256 of the jar, by which all processes identify it
 * @param copy the copy of the jar, which never changes
 * @param file the file that it was copied from, for messages
 */
public record ServedJar(String plugin, String version, String content, Path copy, Path file) {

  /** The plugin and its version. */
  @Override
  public String toString() {
    return plugin + " " + version;
  }
}
