package dev.tutti.plugin.store;

import dev.tutti.base.idle.Clock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashSet;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The lock of a state directory. The file holds the number of the process, and nothing when the
 * lock is released; only the lock of the operating system counts, which ends with the process.
 */
final class HostLock {

  /** A byte after the text, because on some systems locked bytes cannot be read. */
  private static final long LOCKED_BYTE = Long.MAX_VALUE - 1;

  private static final int ATTEMPTS = 20;
  private static final long PAUSE_NS = 10_000_000;

  /**
   * The directories of this process, by their keys. A POSIX lock belongs to the process and is lost
   * when the process closes any channel of the file. So this process must know its locks before it
   * opens a lock file, and only one thread at a time may have a lock file open temporarily.
   */
  private static final Set<Object> HELD = new HashSet<>();

  private final Object key;
  private final FileChannel channel;

  private HostLock(Object key, FileChannel channel) {
    this.key = key;
    this.channel = channel;
  }

  static HostLock acquire(Path directory, Clock clock) throws IOException {
    Object key = key(directory);
    synchronized (HELD) {
      if (HELD.contains(key)) {
        throw new StateInUseException(directory, "this process", ProcessHandle.current().pid());
      }
      FileChannel channel = open(directory);
      try {
        if (lock(channel, clock) == null) {
          throw new StateInUseException(directory, "process", pid(channel));
        }
        write(channel, Long.toString(ProcessHandle.current().pid()));
      } catch (IOException | RuntimeException e) {
        channel.close();
        throw e;
      }
      HELD.add(key);
      return new HostLock(key, channel);
    }
  }

  private static FileChannel open(Path directory) throws IOException {
    if (Files.exists(file(directory)) && !Files.isRegularFile(file(directory))) {
      throw new FileSystemException(file(directory).toString(), null, "it must be a file");
    }
    return FileChannel.open(
        file(directory),
        StandardOpenOption.CREATE,
        StandardOpenOption.READ,
        StandardOpenOption.WRITE);
  }

  /**
   * Tries for a moment, because another process may be looking for the owner with a lock of its
   * own.
   */
  private static @Nullable FileLock lock(FileChannel channel, Clock clock) throws IOException {
    FileLock lock = channel.tryLock(LOCKED_BYTE, 1, false);
    for (int attempt = 1; lock == null && attempt < ATTEMPTS; attempt++) {
      clock.park(channel, PAUSE_NS);
      lock = channel.tryLock(LOCKED_BYTE, 1, false);
    }
    return lock;
  }

  /**
   * The process that holds the lock of a directory. To find out, this method must try to lock. That
   * could make another process fail to lock at that moment, so this method does not try if the last
   * owner has released the lock or is dead.
   */
  static OptionalLong owner(Path directory) throws IOException {
    synchronized (HELD) {
      if (HELD.contains(key(directory))) {
        return OptionalLong.of(ProcessHandle.current().pid());
      }
      if (!Files.isRegularFile(file(directory))) {
        return OptionalLong.empty();
      }
      try (FileChannel channel = FileChannel.open(file(directory), StandardOpenOption.READ)) {
        long pid = pid(channel);
        boolean isFree = !isAlive(pid) || channel.tryLock(LOCKED_BYTE, 1, true) != null;
        return isFree ? OptionalLong.empty() : OptionalLong.of(pid(channel));
      }
    }
  }

  private static boolean isAlive(long pid) {
    return ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isPresent();
  }

  private static Path file(Path directory) {
    return directory.resolve("lock");
  }

  /** The key of a directory, which is the same for all its paths. */
  private static Object key(Path directory) throws IOException {
    Object key = Files.readAttributes(directory, BasicFileAttributes.class).fileKey();
    return key == null ? directory : key;
  }

  private static void write(FileChannel channel, String text) throws IOException {
    channel.truncate(0);
    channel.write(ByteBuffer.wrap((text + "\n").getBytes(StandardCharsets.UTF_8)), 0);
  }

  private static long pid(FileChannel channel) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(32);
    channel.read(bytes, 0);
    String text = new String(bytes.array(), 0, bytes.position(), StandardCharsets.UTF_8).trim();
    return text.matches("\\d{1,18}") ? Long.parseLong(text) : 0;
  }

  void close() {
    synchronized (HELD) {
      if (channel.isOpen()) {
        HELD.remove(key);
        try (channel) {
          channel.truncate(0);
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }
    }
  }
}
