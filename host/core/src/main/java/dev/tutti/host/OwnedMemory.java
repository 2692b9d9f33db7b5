package dev.tutti.host;

import dev.tutti.engine.memory.NativeMemory;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/** Memory of a context. */
final class OwnedMemory implements RegisteredMemory {

  private final NativeMemory memory;
  private final Consumer<NativeMemory> freer;
  private final Consumer<OwnedMemory> whenClosed;
  private final AtomicBoolean isClosed = new AtomicBoolean();

  OwnedMemory(NativeMemory memory, Consumer<NativeMemory> freer, Consumer<OwnedMemory> whenClosed) {
    this.memory = memory;
    this.freer = freer;
    this.whenClosed = whenClosed;
  }

  @Override
  public MemorySegment segment() {
    if (isClosed.get()) {
      throw new TuttiException(
          ErrorCode.BUFFER_UNAVAILABLE, "the memory was freed; allocate it again");
    }
    return memory.segment();
  }

  long address() {
    return memory.segment().address();
  }

  /** Whether a segment is a part of this memory and has its lifetime. */
  boolean holds(MemorySegment segment) {
    return segment.scope().equals(memory.segment().scope())
        && segment.address() >= address()
        && segment.address() + segment.byteSize() <= address() + byteSize();
  }

  @Override
  public long byteSize() {
    return memory.segment().byteSize();
  }

  @Override
  public void close() {
    if (isClosed.compareAndSet(false, true)) {
      whenClosed.accept(this);
      freer.accept(memory);
    }
  }

  @Override
  public String toString() {
    return byteSize() + " bytes" + (isClosed.get() ? ", freed" : "");
  }
}
