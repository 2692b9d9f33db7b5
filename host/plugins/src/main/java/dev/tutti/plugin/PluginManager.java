package dev.tutti.plugin;

import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.nio.file.Path;
import java.util.List;

/**
 * Manages the plugins of a host while it runs. Every change is recorded before it takes effect and
 * survives the end of the process. Thread-safe; one change at a time.
 *
 * <p>Jars in the plugins directory are found automatically. The methods are for changes that a
 * directory cannot express.
 */
public interface PluginManager {

  /** The plugins directory. */
  Path directory();

  /** The state directory. */
  Path state();

  /**
   * The status of every version of every plugin, sorted by id; for each plugin, the serving version
   * first, then by descending version.
   */
  List<PluginStatus> list();

  /**
   * Why a plugin is served, or is not, in one paragraph.
   *
   * @param id the id of the plugin, or the name of a file in the plugins directory
   * @throws TuttiException with {@link ErrorCode#UNKNOWN_NAME} if it is not known
   */
  String why(String id);

  /**
   * Reads the plugins directory now, and makes the changes that follow from it.
   *
   * @return the changes, a sentence each; empty if there are none
   * @throws TuttiException with {@link ErrorCode#PLUGIN_UNREADABLE} if the directory is missing or
   *     cannot be read; the host keeps what it serves
   */
  List<String> rescan();

  /**
   * Checks a jar, copies it into the plugins directory, and serves it if it is admitted and the
   * newest version.
   *
   * @return its status afterwards
   * @throws TuttiException with one of the PLUGIN codes if it is not admitted; the directory is
   *     unchanged then
   */
  PluginStatus install(Path jar);

  /**
   * Stops serving a plugin, and deletes its jars from the plugins directory.
   *
   * @return the changes, a sentence each
   * @throws TuttiException with {@link ErrorCode#UNKNOWN_NAME} if there is no such plugin; {@link
   *     ErrorCode#OUTPUT_UNWRITABLE} if a file cannot be deleted
   */
  List<String> remove(String id);

  /**
   * Serves the previous version again. The current version does not serve again, unless it is
   * reinstalled.
   *
   * @return the status of the version that serves afterwards
   * @throws TuttiException with {@link ErrorCode#UNKNOWN_NAME} if there is no such plugin; {@link
   *     ErrorCode#PLUGIN_STATE} if no version served before
   */
  PluginStatus rollback(String id);

  /**
   * Pins a plugin to one version.
   *
   * @return the status of the version that serves afterwards
   * @throws TuttiException with {@link ErrorCode#UNKNOWN_NAME} if there is no such plugin or
   *     version; {@link ErrorCode#PLUGIN_REJECTED} if that version is not admitted
   */
  PluginStatus pin(String id, String version);

  /**
   * Lets the newest version serve again.
   *
   * @return the status of the version that serves afterwards
   * @throws TuttiException with {@link ErrorCode#UNKNOWN_NAME} if there is no such plugin
   */
  PluginStatus unpin(String id);

  /**
   * Checks and admits a jar as {@link #install} would, without changing anything.
   *
   * @return the status that the jar would have
   * @throws TuttiException with one of the PLUGIN codes if it would be refused
   */
  PluginStatus verify(Path jar);
}
