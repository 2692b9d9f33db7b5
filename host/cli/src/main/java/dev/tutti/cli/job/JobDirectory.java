package dev.tutti.cli.job;

import dev.tutti.cli.control.ControlServer;
import dev.tutti.host.Rte;
import dev.tutti.plugin.file.Ownership;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The directory where the processes of a job meet; only their user can access it. The process that
 * made it locks a file in it, so that other processes can see whether the job is dead.
 */
public final class JobDirectory implements AutoCloseable {

  private static final String PREFIX = "tutti-job-";
  private static final String LOCK = "lock";
  private static final String RANK_PREFIX = "rank-";

  /** The longest parent directory: a socket's path has at most 107 bytes. */
  private static final int LONGEST_PARENT = 60;

  /**
   * The directories that this JVM has made. It must not open their lock files again: on Linux and
   * other systems whose locks belong to a process, closing any channel of a file releases the lock.
   */
  private static final Set<Path> OWN = ConcurrentHashMap.newKeySet();

  private final Path path;
  private final FileChannel lock;

  private JobDirectory(Path path, FileChannel lock) {
    this.path = path;
    this.lock = lock;
  }

  /**
   * Makes a directory in the usual place of such directories, and removes those of dead jobs there.
   */
  public static JobDirectory make() {
    return make(usualParent());
  }

  /** The same in a given directory. */
  public static JobDirectory make(Path parent) {
    sweep(parent);
    try {
      Path made =
          Files.createTempDirectory(
              parent,
              PREFIX,
              PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
      // Lock the file before it gets its name; otherwise another process could take the job for
      // dead.
      Path unlocked = made.resolve(LOCK + ".new");
      FileChannel lock =
          FileChannel.open(unlocked, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
      // Held until the channel is closed.
      FileLock ignored = lock.lock();
      OWN.add(made);
      Files.move(unlocked, made.resolve(LOCK), StandardCopyOption.ATOMIC_MOVE);
      return new JobDirectory(made, lock);
    } catch (IOException | UnsupportedOperationException e) {
      throw new TuttiException(
          ErrorCode.OUTPUT_UNWRITABLE,
          e,
          "no directory for a job can be made in %s: %s",
          parent,
          e.getMessage());
    }
  }

  private static Path usualParent() {
    String runtime = System.getenv("XDG_RUNTIME_DIR");
    if (runtime != null && !runtime.isEmpty() && runtime.length() <= LONGEST_PARENT) {
      Path own = Path.of(runtime);
      if (Files.isDirectory(own) && Files.isWritable(own)) {
        return own;
      }
    }
    return Path.of(System.getProperty("java.io.tmpdir"));
  }

  public Path path() {
    return path;
  }

  /** The directory in which the process of a rank answers, within the directory of its job. */
  static Path ofRank(Path job, int rank) {
    return job.resolve(RANK_PREFIX + rank);
  }

  /** The ranks whose processes have begun to answer, in order. */
  static List<Integer> ranksOf(Path job) {
    List<Integer> ranks = new ArrayList<>();
    for (int rank = 0; rank < Rte.MAX_RANKS; rank++) {
      if (Files.isDirectory(ofRank(job, rank), LinkOption.NOFOLLOW_LINKS)) {
        ranks.add(rank);
      }
    }
    return ranks;
  }

  /**
   * The directory that belongs to a process of a job that MPI connects; empty if none of them does.
   */
  public static Optional<Path> ofProcess(List<Path> directories, long process) {
    return directories.stream()
        .filter(
            each -> {
              JobFacts facts = JobFacts.read(each);
              return facts != null && facts.isMpi() && facts.processes().contains(process);
            })
        .findFirst();
  }

  /** The directories, in the usual place, of this user's jobs whose launchers are running. */
  public static List<Path> ofLiveJobs() {
    return ofLiveJobs(usualParent());
  }

  /** The same in a given directory. */
  static List<Path> ofLiveJobs(Path parent) {
    List<Path> found = new ArrayList<>();
    try (DirectoryStream<Path> all = Files.newDirectoryStream(parent, PREFIX + "*")) {
      for (Path each : all) {
        if (isOfThisUser(each) && isHeld(each)) {
          found.add(each);
        }
      }
    } catch (IOException e) {
      // The directory cannot be read, so this user has no jobs there.
      return List.of();
    }
    found.sort(Comparator.naturalOrder());
    return found;
  }

  private static boolean isOfThisUser(Path directory) {
    try {
      Ownership.require(directory);
      return Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS);
    } catch (TuttiException e) {
      return false;
    }
  }

  /** Whether a process holds the lock of a directory. */
  private static boolean isHeld(Path directory) {
    if (OWN.contains(directory)) {
      return true;
    }
    try (FileChannel channel = open(directory);
        FileLock free = channel.tryLock()) {
      return free == null;
    } catch (OverlappingFileLockException e) {
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  private static FileChannel open(Path directory) throws IOException {
    return FileChannel.open(
        directory.resolve(LOCK), StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
  }

  /** Removes the directories of jobs whose launcher has ended. */
  private static void sweep(Path parent) {
    try (DirectoryStream<Path> all = Files.newDirectoryStream(parent, PREFIX + "*")) {
      for (Path each : all) {
        if (isOfThisUser(each)) {
          sweepIfDead(each);
        }
      }
    } catch (IOException e) {
      // A later attempt may succeed.
    }
  }

  private static void sweepIfDead(Path directory) {
    if (OWN.contains(directory)) {
      return;
    }
    // A new directory may have no lock yet.
    try (FileChannel channel = open(directory);
        FileLock free = channel.tryLock()) {
      if (free != null) {
        remove(directory);
      }
    } catch (IOException | OverlappingFileLockException e) {
      // It is in use, or another process removes it.
    }
  }

  private static void remove(Path directory) throws IOException {
    for (int rank : ranksOf(directory)) {
      ControlServer.sweep(ofRank(directory, rank));
    }
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
      for (Path file : files) {
        Files.delete(file);
      }
    }
    Files.delete(directory);
  }

  /** Removes the directory with all its files. A second call does nothing. */
  @Override
  public synchronized void close() {
    if (!lock.isOpen()) {
      return;
    }
    try (lock) {
      remove(path);
    } catch (IOException e) {
      // The next launcher removes it.
    } finally {
      OWN.remove(path);
    }
  }
}
