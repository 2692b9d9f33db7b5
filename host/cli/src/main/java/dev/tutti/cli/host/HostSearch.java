package dev.tutti.cli.host;

import dev.tutti.base.idle.Clock;
import dev.tutti.cli.control.ControlClient;
import dev.tutti.plugin.store.StateDirectory;
import dev.tutti.plugin.store.StateInUseException;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;

/**
 * Looks for the host that serves a state directory. A host has the directory some time before it
 * takes commands, as long as it checks its plugins; so does a command that works without a host.
 */
public final class HostSearch {

  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final long POLL_NANOS = 50_000_000;

  private final Duration patience;
  private final Clock clock;

  public HostSearch() {
    this(PATIENCE, Clock.system());
  }

  /**
   * A search.
   *
   * @param patience how long it waits for a process that has the directory and takes no commands
   * @param clock what it waits by
   */
  public HostSearch(Duration patience, Clock clock) {
    this.patience = patience;
    this.clock = clock;
  }

  /**
   * Connects to the host.
   *
   * @return nothing if no process has the directory
   * @throws TuttiException with {@link ErrorCode#HOST_UNREACHABLE} if a process has it and takes no
   *     commands
   */
  public Optional<ControlClient> await(Path state) {
    long end = clock.nanoTime() + patience.toNanos();
    while (true) {
      // Asked first: a host that takes commands by then is found, and one that has ended is not.
      OptionalLong owner = StateDirectory.owner(state);
      Optional<ControlClient> found = ControlClient.find(state);
      if (found.isPresent() || owner.isEmpty()) {
        return found;
      }
      if (clock.nanoTime() - end > 0) {
        throw silent(state, owner.getAsLong());
      }
      clock.park(this, POLL_NANOS);
    }
  }

  /**
   * Does something that locks the state directory. If a command that works without a host has it,
   * that is waited for.
   *
   * @throws StateInUseException if a host has it, or another process for too long
   */
  public <T> T untilFree(Path state, Supplier<T> work) {
    long end = clock.nanoTime() + patience.toNanos();
    while (true) {
      try {
        return work.get();
      } catch (StateInUseException e) {
        if (clock.nanoTime() - end > 0 || isServed(state)) {
          throw e;
        }
        clock.park(this, POLL_NANOS);
      }
    }
  }

  private static boolean isServed(Path state) {
    try (ControlClient found = ControlClient.find(state).orElse(null)) {
      return found != null;
    }
  }

  private TuttiException silent(Path state, long pid) {
    return new TuttiException(
        ErrorCode.HOST_UNREACHABLE,
        "process %s has %s and takes no commands within %d s: its host is still starting, or was not"
            + " started by 'tutti serve'; try again when it says that it serves",
        pid == 0 ? "(number unknown)" : pid,
        state,
        patience.toSeconds());
  }
}
