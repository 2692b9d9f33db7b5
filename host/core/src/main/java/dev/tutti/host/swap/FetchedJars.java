package dev.tutti.host.swap;

import dev.tutti.plugin.file.BoundedFile;
import dev.tutti.plugin.live.FollowedPlugins;
import dev.tutti.plugin.live.ServedJar;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The jars of a change, in a process that may be on another machine than rank 0. This process
 * requests each part of a jar from rank 0, and keeps the jars in files until this is closed. One
 * thread fetches the parts; any thread may deliver the answers.
 */
final class FetchedJars implements FollowedPlugins.JarFiles, AutoCloseable {

  /** The size of each part except the last one, which is shorter. */
  private static final int PART_BYTES = 1 << 20;

  private final long change;
  private final Consumer<SwapMessage> leader;
  private final long patienceNanos;
  private final List<Path> files = new ArrayList<>();

  /** The answer of rank 0 that is expected. Guarded by this. */
  private CompletableFuture<byte[]> answer = new CompletableFuture<>();

  /** The reason why rank 0 will not answer any more. Guarded by this. */
  private @Nullable TuttiException failure;

  /**
   * Starts without jars.
   *
   * @param change the number of the change
   * @param leader sends rank 0 a message about the change
   * @param patienceNanos the longest time to wait for a part
   */
  FetchedJars(long change, Consumer<SwapMessage> leader, long patienceNanos) {
    this.change = change;
    this.leader = leader;
    this.patienceNanos = patienceNanos;
  }

  /** The number of the change. */
  long change() {
    return change;
  }

  @Override
  public Path fileOf(ServedJar jar) throws IOException {
    Path file = Files.createTempFile("tutti-plugin-", ".jar");
    files.add(file);
    try (OutputStream out = Files.newOutputStream(file)) {
      long size = 0;
      byte[] part;
      do {
        part = part(jar, size);
        out.write(part);
        size += part.length;
      } while (part.length == PART_BYTES && size <= BoundedFile.LARGEST_JAR);
    }
    return file;
  }

  private byte[] part(ServedJar jar, long offset) {
    CompletableFuture<byte[]> expected = new CompletableFuture<>();
    synchronized (this) {
      if (failure != null) {
        throw failure;
      }
      answer = expected;
    }
    leader.accept(new SwapMessage.Wanted(jar.content(), offset));
    try {
      return expected.get(patienceNanos, TimeUnit.NANOSECONDS);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof TuttiException cause
          ? new TuttiException(cause.code(), cause, "%s", cause.getMessage())
          : new IllegalStateException(e.getCause());
    } catch (TimeoutException e) {
      throw new TuttiException(
          ErrorCode.DEADLINE_EXCEEDED,
          "rank 0 has not sent the jar of %s within %d ms",
          jar,
          TimeUnit.NANOSECONDS.toMillis(patienceNanos));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new TuttiException(
          ErrorCode.INTERRUPTED, e, "the wait for the jar of %s was interrupted", jar);
    }
  }

  /** Delivers a part. */
  synchronized void receive(SwapMessage.Part part) {
    boolean _ = answer.complete(part.bytes());
  }

  /** Ends the wait for parts, now and later. */
  synchronized void fail(TuttiException reason) {
    failure = reason;
    boolean _ = answer.completeExceptionally(reason);
  }

  /** Deletes the files. */
  @Override
  public void close() {
    for (Path file : files) {
      try {
        Files.deleteIfExists(file);
      } catch (IOException e) {
        // It stays in the directory for temporary files.
      }
    }
  }

  /** Reads the part that another process wants, as its answer. */
  static SwapMessage answer(SwapMessage.Wanted wanted, Path copy) {
    try (InputStream in = Files.newInputStream(copy)) {
      in.skipNBytes(wanted.offset());
      return new SwapMessage.Part(in.readNBytes(PART_BYTES));
    } catch (IOException e) {
      return new SwapMessage.Unsent(
          new TuttiException(
              ErrorCode.PLUGIN_UNREADABLE, e, "rank 0 cannot read its copy of the jar: %s", e));
    }
  }
}
