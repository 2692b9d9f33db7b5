package dev.tutti.plugin.store;

import java.nio.file.Path;

/** The result of copying a jar into the store. */
public sealed interface StageResult {

  /**
   * The jar is in the store.
   *
   * @param sha256 the hash of its content, 64 lower-case hexadecimal digits
   * @param path the copy, which is never written again
   * @param bytes its size
   */
  record Stored(String sha256, Path path, long bytes) implements StageResult {}

  /**
   * The jar changed while it was read, so there is no copy. Try again when it has not changed for a
   * while.
   *
   * @param reason the change, as a sentence
   */
  record Changing(String reason) implements StageResult {}
}
