package dev.tutti.plugin;

import dev.tutti.sdk.Arguments;
import dev.tutti.sdk.ErrorCode;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A problem of a plugin.
 *
 * @param jar the file, or null for algorithms of this process
 * @param plugin the plugin's id, or empty if it is not known; on the class path or module path of
 *     the application, the address of the file or the name of the module if the id is not known
 * @param code the kind of problem
 * @param message the problem and what to do
 */
public record PluginProblem(@Nullable Path jar, String plugin, ErrorCode code, String message) {
  /** Refuses null. */
  public PluginProblem {
    Arguments.require(plugin, "plugin");
    Arguments.require(code, "code");
    Arguments.require(message, "message");
  }

  /** One line: code, file and message. */
  @Override
  public String toString() {
    return "[" + code.id() + "] " + (jar == null ? plugin : jar.getFileName()) + ": " + message;
  }
}
