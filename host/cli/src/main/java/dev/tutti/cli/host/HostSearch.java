package dev.tutti.cli.host;

import dev.tutti.base.idle.Clock;
import dev.tutti.cli.control.ControlClient;
import dev.tutti.plan.work.Work;
import dev.tutti.plugin.store.StateDirectory;
import dev.tutti.plugin.store.StateInUseException;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Looks for the host that serves a state directory. A host locks the directory while it still
 * checks its plugins, before it accepts commands. A command that works without a host also locks
 * it.
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
   * Makes a search.
   *
   * @param patience the longest time to wait for a process that holds the directory and accepts no
   *     commands
   * @param clock the clock of the waits
   */
  public HostSearch(Duration patience, Clock clock) {
    this.patience = patience;
    this.clock = clock;
  }

  /**
   * Connects to the host.
   *
   * @return the connection; empty if no process holds the directory
   * @throws TuttiException with {@link ErrorCode#HOST_UNREACHABLE} if a process holds it and
   *     accepts no commands
   */
  public Optional<ControlClient> await(Path state) {
    try (Patience waiting = new Patience(state)) {
      while (true) {
        // Read the owner first. Then this finds a host that starts to accept commands in between,
        // and does not wait for one that ends in between.
        OptionalLong owner = StateDirectory.owner(state);
        Optional<ControlClient> found = ControlClient.find(state);
        if (found.isPresent() || owner.isEmpty()) {
          return found;
        }
        if (waiting.isOver()) {
          throw silent(state, owner.getAsLong());
        }
        waiting.pause();
      }
    }
  }

  /** The waits of a search, which show how much of the patience has passed. */
  private final class Patience implements AutoCloseable {

    private final Path state;
    private final long end = clock.nanoTime() + patience.toNanos();
    private @Nullable Work work;

    Patience(Path state) {
      this.state = state;
    }

    boolean isOver() {
      return clock.nanoTime() - end > 0;
    }

    void pause() {
      int all = (int) patience.toMillis();
      if (work == null) {
        work = Work.begin("waiting for the process that uses " + state, all);
      }
      clock.park(HostSearch.this, POLL_NANOS);
      work.reach(all - (int) Duration.ofNanos(end - clock.nanoTime()).toMillis());
    }

    @Override
    public void close() {
      if (work != null) {
        work.close();
      }
    }
  }

  /**
   * Runs work that locks the state directory. If a command that works without a host holds it, this
   * method waits for that command.
   *
   * @throws StateInUseException if a host holds it, or another process for too long
   */
  public <T> T untilFree(Path state, Supplier<T> work) {
    try (Patience waiting = new Patience(state)) {
      while (true) {
        try {
          return work.get();
        } catch (StateInUseException e) {
          if (waiting.isOver() || isServed(state)) {
            throw e;
          }
          waiting.pause();
        }
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
        "process %s uses %s and accepted no command within %d s: its host is still starting, or"
            + " was not started by 'tutti serve'; try again when it prints that it serves",
        pid == 0 ? "(number unknown)" : pid,
        state,
        patience.toSeconds());
  }
}
