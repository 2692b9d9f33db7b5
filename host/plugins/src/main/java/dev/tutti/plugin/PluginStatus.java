package dev.tutti.plugin;

import dev.tutti.sdk.Arguments;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The status of one version of a plugin in a host. Immutable.
 *
 * @param id the id of the plugin; empty if its manifest cannot be read
 * @param version its version; empty if its manifest cannot be read
 * @param content the SHA-256 of the jar, in hexadecimal
 * @param file the file it came from, or null if the file is gone
 * @param state its state in the host
 * @param reason the reason, as a sentence
 * @param signature its signature in words, for example {@code "signed by alice"}; empty if it could
 *     not be read
 * @param isPinned whether it serves because it is pinned
 * @param algorithms the operations and names of its algorithms, as {@code "allreduce/ring"}; empty
 *     if it is not loaded
 * @param since the time when it entered this state
 * @param plans plans made with it in this process
 * @param runs runs of these plans
 * @param failures plans and runs that failed
 */
public record PluginStatus(
    String id,
    String version,
    String content,
    @Nullable Path file,
    State state,
    String reason,
    String signature,
    boolean isPinned,
    List<String> algorithms,
    Instant since,
    long plans,
    long runs,
    long failures) {

  /** The state of a version of a plugin in a host. */
  public enum State {
    /** Its algorithms are chosen and make plans. */
    SERVING,
    /** It served before, and stays loaded so that it can take over at once. */
    PREVIOUS,
    /** It is admitted, and another version serves. */
    STANDBY,
    /** It was refused; the reason names the cause. */
    QUARANTINED,
    /** The host rolled back from it, and it does not serve again automatically. */
    ROLLED_BACK,
    /** It no longer serves, but some runs of its plans have not ended. */
    DRAINING,
    /** It is closed, and its classes are not collected yet. */
    UNLOADING,
    /** It is closed, but something still refers to its classes. */
    LEAKED;

    /** The stable name, for example {@code "rolled-back"}. */
    public String label() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  /** Takes an immutable copy. */
  public PluginStatus {
    Arguments.require(id, "id");
    Arguments.require(version, "version");
    Arguments.require(content, "content");
    Arguments.require(state, "state");
    Arguments.require(reason, "reason");
    Arguments.require(signature, "signature");
    Arguments.require(algorithms, "algorithms");
    Arguments.require(since, "since");
    algorithms = List.copyOf(algorithms);
  }
}
