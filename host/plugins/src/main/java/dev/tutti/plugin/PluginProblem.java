package dev.tutti.plugin;

import dev.tutti.sdk.Arguments;
import dev.tutti.sdk.ErrorCode;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A problem of a plugin.
 *
 * @param jar the file, or null for algorithms of this process
 * @param plugin the plugin's id, or empty if it is not known; for what the application has on its
 *     class path or module path, then the address of the file or the name of the module
 * @param code the kind of problem
 * @param message what is wrong and what to do
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
