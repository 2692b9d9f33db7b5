package dev.tutti.plugin.store;

import dev.tutti.base.text.Sentence;
import dev.tutti.plugin.file.BoundedFile;
import dev.tutti.plugin.file.DiskProblem;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Copies of jars, each under the hash of its content. A copy gets its name only when it is complete
 * and on disk, so every named copy is complete. Thread-safe; one store per directory.
 */
final class BlobStore {

  private static final Pattern HASH = Pattern.compile("[0-9a-f]{64}");
  private static final String JAR = ".jar";
  private static final String SIGNATURE = ".sig";
  private static final int SIGNATURE_BYTES = 1024;
  private static final String TEMPORARY = ".tmp";

  private final Path directory;
  private final Steps steps;

  private BlobStore(Path directory, Steps steps) {
    this.directory = directory;
    this.steps = steps;
  }

  /** Opens a store that no other host uses, and deletes incomplete copies of dead processes. */
  static BlobStore open(Path directory, Steps steps) {
    BlobStore store = new BlobStore(directory, steps);
    try {
      Files.createDirectories(directory);
      Durable.permit(directory, "rwx------");
      for (Path left : store.files(TEMPORARY)) {
        Files.delete(left);
      }
    } catch (IOException e) {
      throw store.unusable(e);
    }
    return store;
  }

  /**
   * Copies a jar.
   *
   * @throws TuttiException with {@link ErrorCode#PLUGIN_UNREADABLE} if the jar cannot be read;
   *     {@link ErrorCode#PLUGIN_STATE} if the copy cannot be written
   */
  StageResult stage(Path jar) {
    Stamp before = Stamp.of(jar);
    try {
      Path temporary = Files.createTempFile(directory, "copy-", TEMPORARY);
      try {
        steps.reached(Step.COPY_STARTED);
        HashedCopy copy = copy(jar, temporary);
        String change = before.difference(copy.bytes(), Stamp.of(jar));
        return change.isEmpty()
            ? publish(temporary, copy)
            : new StageResult.Changing(Sentence.of("%s %s while it was read", jar, change));
      } finally {
        Files.deleteIfExists(temporary);
      }
    } catch (IOException e) {
      throw new TuttiException(
          ErrorCode.PLUGIN_STATE,
          e,
          "%s cannot be copied into %s (%s); make room there, or make it writable",
          jar,
          directory,
          DiskProblem.of(directory, e));
    }
  }

  private HashedCopy copy(Path jar, Path temporary) throws IOException {
    InputStream in;
    try {
      in = Files.newInputStream(jar);
    } catch (IOException e) {
      throw HashedCopy.unreadable(jar, e);
    }
    try (in) {
      return HashedCopy.make(jar, in, temporary, steps);
    }
  }

  private StageResult publish(Path temporary, HashedCopy copy) throws IOException {
    Path path = path(copy.sha256());
    if (find(copy.sha256()).isEmpty()) {
      Durable.permit(temporary, "r--------");
      steps.reached(Step.COPY_SYNCED);
      Durable.rename(temporary, path);
      steps.reached(Step.COPY_NAMED);
    }
    return new StageResult.Stored(copy.sha256(), path, copy.bytes());
  }

  /** The copy of a content, if it exists and still has that content. */
  Optional<Path> find(String sha256) {
    Path path = path(sha256);
    try {
      return Files.isRegularFile(path)
              && Files.size(path) <= BoundedFile.LARGEST_JAR
              && HashedCopy.sha256(path).equals(sha256)
          ? Optional.of(path)
          : Optional.empty();
    } catch (IOException e) {
      throw unusable(e);
    }
  }

  /** The signature of a content; null if none is kept, or if the file cannot be a signature. */
  byte @Nullable [] signature(String sha256) {
    try {
      return BoundedFile.read(signaturePath(sha256), SIGNATURE_BYTES);
    } catch (IOException e) {
      return null; // A signature that cannot be read proves nothing.
    }
  }

  /** Stores the signature of a content; null deletes it. */
  void keepSignature(String sha256, byte @Nullable [] signature) {
    Path path = signaturePath(sha256);
    try {
      if (signature == null) {
        Files.deleteIfExists(path);
        Durable.syncName(path);
        return;
      }
      Path temporary = Files.createTempFile(directory, "signature-", TEMPORARY);
      try {
        Durable.write(temporary, signature);
        Durable.rename(temporary, path);
      } finally {
        Files.deleteIfExists(temporary);
      }
    } catch (IOException e) {
      throw unusable(e);
    }
  }

  private Path signaturePath(String sha256) {
    return path(sha256).resolveSibling(sha256 + SIGNATURE);
  }

  /** Deletes the copy of a content and its signature; false if there is no copy. */
  boolean delete(String sha256) {
    try {
      steps.reached(Step.DELETE_STARTED);
      boolean isDeleted = Files.deleteIfExists(path(sha256));
      Files.deleteIfExists(signaturePath(sha256));
      steps.reached(Step.DELETE_DONE);
      return isDeleted;
    } catch (IOException e) {
      throw unusable(e);
    }
  }

  /** Deletes all copies except those to keep, and returns the deleted contents. */
  SortedSet<String> sweep(Set<String> keep) {
    SortedSet<String> gone = new TreeSet<>();
    try {
      for (Path file : files(JAR)) {
        String sha256 = hash(file, JAR);
        if (HASH.matcher(sha256).matches() && !keep.contains(sha256) && delete(sha256)) {
          gone.add(sha256);
        }
      }
      for (Path file : files(SIGNATURE)) {
        if (!Files.exists(file.resolveSibling(hash(file, SIGNATURE) + JAR))) {
          Files.delete(file);
        }
      }
    } catch (IOException e) {
      throw unusable(e);
    }
    return gone;
  }

  private static String hash(Path file, String suffix) {
    String name = String.valueOf(file.getFileName());
    return name.substring(0, name.length() - suffix.length());
  }

  private List<Path> files(String suffix) throws IOException {
    List<Path> files = new ArrayList<>();
    try (DirectoryStream<Path> stream = Files.newDirectoryStream(directory, "*" + suffix)) {
      stream.forEach(files::add);
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    return files;
  }

  /** The path of a copy; refuses texts other than hashes, which could leave the directory. */
  private Path path(String sha256) {
    if (!HASH.matcher(sha256).matches()) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT,
          "a hash must have 64 lower-case hexadecimal digits. Actual: '%s'",
          sha256);
    }
    return directory.resolve(sha256 + JAR);
  }

  private TuttiException unusable(IOException e) {
    return new TuttiException(
        ErrorCode.PLUGIN_STATE,
        e,
        "the store %s cannot be read or written (%s); check its disk and its permissions",
        directory,
        DiskProblem.of(directory, e));
  }
}
