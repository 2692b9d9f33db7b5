package dev.tutti.host;

import dev.tutti.sdk.TuttiException;
import java.lang.foreign.MemorySegment;

/**
 * Native memory that all ranks can reach, made by {@link Context#allocate}. It starts at a page
 * boundary, or at a huge page boundary if it is at least as large as a huge page. Its pages exist
 * before the first use. Thread-safe.
 */
public interface RegisteredMemory extends AutoCloseable {

  /**
   * The memory, zero-filled at first.
   *
   * @throws TuttiException with code BUFFER_UNAVAILABLE if it was freed
   */
  MemorySegment segment();

  /** The size in bytes. */
  long byteSize();

  /**
   * Frees the memory. Requests that use it are refused from then on. A second call does nothing.
   */
  @Override
  void close();
}
