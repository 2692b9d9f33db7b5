package dev.tutti.engine.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.host.Errors;
import dev.tutti.sdk.ErrorCode;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class SharedMemoryTest {

  private static final long BYTES = 3 * NativeMemory.PAGE;

  private static NativeMemory reserve() {
    return NativeMemory.reserveShared(BYTES, BYTES, freed -> {});
  }

  private static SharedMemory.Handle handle(NativeMemory memory) {
    return Objects.requireNonNull(memory.handle());
  }

  @Test
  void itsHandleGivesTheSameBytes() {
    try (NativeMemory memory = reserve()) {
      MemorySegment mapped = SharedMemory.map(handle(memory));
      mapped.set(ValueLayout.JAVA_INT, BYTES - Integer.BYTES, 7);
      assertThat(memory.segment().get(ValueLayout.JAVA_INT, BYTES - Integer.BYTES)).isEqualTo(7);
    }
  }

  @Test
  void freedMemoryIsNotTakenForTheMemoryThatHasItsDescriptorNow() {
    NativeMemory freed = reserve();
    SharedMemory.Handle old = handle(freed);
    freed.close();
    try (NativeMemory next = reserve()) {
      SharedMemory.Handle reused =
          new SharedMemory.Handle(old.process(), handle(next).descriptor(), old.file(), BYTES);
      assertThat(Errors.message(ErrorCode.BUFFER_UNAVAILABLE, () -> SharedMemory.map(reused)))
          .contains("the process has freed it");
    }
  }

  @Test
  void memoryOfAClosedDescriptorCannotBeMapped() {
    NativeMemory memory = reserve();
    SharedMemory.Handle handle = handle(memory);
    SharedMemory.Handle nowhere =
        new SharedMemory.Handle(handle.process(), Integer.MAX_VALUE, handle.file(), BYTES);
    memory.close();
    assertThat(Errors.message(ErrorCode.BUFFER_UNAVAILABLE, () -> SharedMemory.map(nowhere)))
        .contains("the process has ended or freed it");
  }
}
