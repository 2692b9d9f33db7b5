package dev.tutti.engine.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tutti.host.Errors;
import dev.tutti.sdk.ErrorCode;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class NativeMemoryTest {

  @ParameterizedTest
  @ValueSource(longs = {0, 1, 100, 4095, 4096, 4097, 100_000, 2 << 20, (2 << 20) + 1, 5 << 20})
  void isZeroFilledAndStartsOnAPage(long bytes) {
    try (NativeMemory memory = NativeMemory.allocate(bytes)) {
      MemorySegment segment = memory.segment();
      assertThat(segment.byteSize()).isEqualTo(bytes);
      assertThat(segment.isNative()).isTrue();
      assertThat(segment.mismatch(MemorySegment.ofArray(new byte[(int) bytes]))).isEqualTo(-1);
      long alignment = bytes >= NativeMemory.HUGE_PAGE ? NativeMemory.HUGE_PAGE : NativeMemory.PAGE;
      assertThat(segment.address() % alignment).isZero();
      segment.fill((byte) 1);
    }
  }

  @Test
  void touchingChangesNothing() {
    try (NativeMemory memory = NativeMemory.reserve(1 << 20, 0)) {
      memory.segment().set(ValueLayout.JAVA_BYTE, 5000, (byte) 7);
      memory.touch(4000, 100_000);
      assertThat(memory.segment().get(ValueLayout.JAVA_BYTE, 5000)).isEqualTo((byte) 7);
    }
  }

  @Test
  void isGoneAfterClose() {
    NativeMemory memory = NativeMemory.allocate(1 << 20);
    MemorySegment segment = memory.segment();
    memory.close();
    assertThatThrownBy(() -> segment.get(ValueLayout.JAVA_BYTE, 0))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void manyBlocksAreReturnedToTheSystem() {
    for (int i = 0; i < 200; i++) {
      NativeMemory.allocate(64 << 20).close();
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1L << 44, 1L << 62, Long.MAX_VALUE})
  void moreThanThereIsIsRefused(long bytes) {
    Errors.message(ErrorCode.OUT_OF_MEMORY, () -> NativeMemory.allocate(bytes));
  }

  @Test
  void aNegativeSizeIsRefused() {
    Errors.message(ErrorCode.INVALID_ARGUMENT, () -> NativeMemory.allocate(-1));
    Errors.message(ErrorCode.INVALID_ARGUMENT, () -> NativeMemory.reserve(1, 2));
  }
}
