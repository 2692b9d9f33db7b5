package dev.tutti.plugin.store;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An event of a plugin. In all events {@code plugin} is its id, empty if the jar's manifest could
 * not be read; {@code sha256} is the hash of a content; {@code file} is the name of a file in the
 * plugins directory.
 */
public sealed interface PluginEvent {

  /** The id of the plugin, or an empty text. */
  String plugin();

  /**
   * A content was copied into the store. Comes before all other events of the content.
   *
   * @param version the version in its manifest; may be empty
   * @param bytes its size
   */
  record Staged(String plugin, String version, String sha256, String file, long bytes)
      implements PluginEvent {}

  /**
   * A content passed all checks.
   *
   * @param hostVersion the host that checked it
   */
  record Admitted(String plugin, String version, String sha256, String hostVersion)
      implements PluginEvent {}

  /**
   * A content failed a check, and does not serve under this host version.
   *
   * @param hostVersion the host that checked it
   * @param code the stable code of the problem
   * @param report all problems; cut if it is very long
   */
  record Quarantined(
      String plugin,
      String version,
      String sha256,
      String file,
      String hostVersion,
      String code,
      String report)
      implements PluginEvent {
    /** Cuts a long report. */
    public Quarantined {
      report = Texts.limited(report);
    }
  }

  /**
   * A content began to serve.
   *
   * @param previous the content to which a rollback would return, or null
   */
  record Serving(
      String plugin, String version, String sha256, String file, @Nullable String previous)
      implements PluginEvent {}

  /**
   * A content that served was rolled back, and does not serve again by itself.
   *
   * @param from the content that was rolled back
   * @param to the content that serves instead, or null if none does
   * @param version the version of that content; empty if there is none
   * @param file the file that this content represents; empty if there is none
   * @param reason the reason, as a sentence
   * @param isAutomatic whether the host decided it
   */
  record RolledBack(
      String plugin,
      String from,
      @Nullable String to,
      String version,
      String file,
      String reason,
      boolean isAutomatic)
      implements PluginEvent {
    /** Cuts a long reason. */
    public RolledBack {
      reason = Texts.limited(reason);
    }
  }

  /**
   * A plugin ended: no version of it serves any more.
   *
   * @param sha256 the content that served
   * @param reason the reason, as a sentence
   */
  record Removed(String plugin, String sha256, String reason) implements PluginEvent {
    /** Cuts a long reason. */
    public Removed {
      reason = Texts.limited(reason);
    }
  }

  /**
   * A user pinned the plugin to one version.
   *
   * @param version the version, exactly as in manifests
   */
  record Pinned(String plugin, String version) implements PluginEvent {}

  /** A user removed the pin, so any version may serve again. */
  record Unpinned(String plugin) implements PluginEvent {}

  /**
   * A replaced or removed content has no more callers, or is closed in spite of them.
   *
   * @param millis the duration of the drain
   * @param remaining the number of remaining callers; normally 0
   */
  record Drained(String plugin, String sha256, long millis, long remaining)
      implements PluginEvent {}

  /** The class loader of a content was collected. */
  record Unloaded(String plugin, String sha256) implements PluginEvent {}

  /**
   * The class loader of a content was not collected in time.
   *
   * @param suspects the things that may hold it, the likeliest first
   */
  record Leaked(String plugin, String sha256, List<String> suspects) implements PluginEvent {
    /** Cuts long texts. */
    public Leaked {
      suspects = suspects.stream().map(Texts::limited).toList();
    }
  }

  /**
   * A request, by a file or by a command, was refused.
   *
   * @param file the file, or empty if it was a command
   * @param code the stable code of the reason
   * @param reason the reason
   */
  record Refused(String plugin, String file, String code, String reason) implements PluginEvent {
    /** Cuts a long reason. */
    public Refused {
      reason = Texts.limited(reason);
    }
  }

  /** A content is in no file and no longer needed; all facts about it were dropped. */
  record Discarded(String plugin, String sha256) implements PluginEvent {}
}
