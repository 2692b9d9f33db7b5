package dev.tutti.plugin.store;

import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.nio.file.Path;

/** A state directory is locked: by a host, or by a command that makes a change without one. */
public final class StateInUseException extends TuttiException {

  private static final long serialVersionUID = 1L;

  StateInUseException(Path directory, String who, long pid) {
    super(
        ErrorCode.PLUGIN_STATE,
        "the state directory %s is in use by the host in %s %s; stop that host, or give this one"
            + " another state directory",
        directory,
        who,
        pid == 0 ? "(number unknown)" : pid);
  }
}
