package dev.tutti.plugin.store;

import dev.tutti.base.idle.Clock;
import dev.tutti.base.text.Sentence;
import dev.tutti.plugin.file.DiskProblem;
import dev.tutti.plugin.file.Ownership;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * The directory in which one host keeps its state. Only its owner can access it, and it is locked
 * from {@link #open} to {@link #close}, or to the end of the process. Thread-safe.
 */
public final class StateDirectory implements AutoCloseable {

  private static final List<String> OWN =
      List.of("lock", "journal.jsonl", "store", "control.sock", "control.json");

  private final Path path;
  private final HostLock lock;
  private final List<String> notes;

  private StateDirectory(Path path, HostLock lock, List<String> notes) {
    this.path = path;
    this.lock = lock;
    this.notes = List.copyOf(notes);
  }

  /**
   * Makes the directory if it is missing, and locks it.
   *
   * @throws StateInUseException if another host uses it, also one in this process
   * @throws TuttiException with {@link ErrorCode#PLUGIN_STATE} if it, or something in it, belongs
   *     to another user, or if it cannot be made or locked
   */
  public static StateDirectory open(Path state) {
    List<String> notes = new ArrayList<>();
    try {
      requireOwn(state);
      Path path = Files.createDirectories(state).toRealPath();
      Durable.permit(path, "rwx------");
      if (!Durable.hasPermissions(path)) {
        notes.add(
            Sentence.of(
                "%s is on a file system without POSIX permissions, so others may read and change it",
                state));
      }
      HostLock lock = HostLock.acquire(path, Clock.system());
      return new StateDirectory(path, lock, notes);
    } catch (IOException e) {
      throw new TuttiException(
          ErrorCode.PLUGIN_STATE,
          e,
          "the state directory %s cannot be used (%s); it must be a directory that this user may"
              + " write, on a file system with locks",
          state,
          DiskProblem.of(state, e));
    }
  }

  /**
   * Checks the owner of the directory and of the host's files in it, including links and their
   * targets.
   */
  private static void requireOwn(Path state) {
    Ownership.require(state);
    for (String name : OWN) {
      Ownership.require(state.resolve(name));
    }
  }

  /**
   * The process whose host uses a state directory; empty if there is none, and 0 if it is not
   * known. Changes nothing.
   *
   * @throws TuttiException with {@link ErrorCode#PLUGIN_STATE} if its lock cannot be read
   */
  public static OptionalLong owner(Path state) {
    Ownership.require(state);
    try {
      return Files.isDirectory(state) ? HostLock.owner(state.toRealPath()) : OptionalLong.empty();
    } catch (IOException e) {
      throw new TuttiException(
          ErrorCode.PLUGIN_STATE,
          e,
          "whether a host uses the state directory %s cannot be read (%s)",
          state,
          e);
    }
  }

  /** The real path of the directory. */
  public Path path() {
    return path;
  }

  /** Notes for the user about the directory; often none. */
  public List<String> notes() {
    return notes;
  }

  /** Releases the directory for another host. */
  @Override
  public void close() {
    lock.close();
  }
}
