package dev.tutti.engine.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StreamingCopyTest {

  @ParameterizedTest
  @CsvSource({
    "0, 0, 0",
    "1, 0, 0",
    "127, 3, 5",
    "128, 0, 0",
    "129, 31, 1",
    "160, 1, 0",
    "4096, 0, 7",
    "100003, 13, 64",
    "262144, 32, 0"
  })
  void everyByteArrivesAndNoneBesides(int bytes, int dstOffset, int srcOffset) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment src = arena.allocate(bytes + srcOffset + 1, 64);
      MemorySegment dst = arena.allocate(bytes + dstOffset + 1, 64).fill((byte) -1);
      for (long i = 0; i < src.byteSize(); i++) {
        src.set(ValueLayout.JAVA_BYTE, i, (byte) (i * 31 % 127));
      }
      StreamingCopy.copy(dst, dstOffset, src, srcOffset, bytes);
      assertThat(dst.asSlice(dstOffset, bytes).mismatch(src.asSlice(srcOffset, bytes)))
          .isEqualTo(-1);
      byte[] before = new byte[dstOffset];
      Arrays.fill(before, (byte) -1);
      assertThat(dst.asSlice(0, dstOffset).toArray(ValueLayout.JAVA_BYTE)).isEqualTo(before);
      assertThat(dst.get(ValueLayout.JAVA_BYTE, dst.byteSize() - 1)).isEqualTo((byte) -1);
    }
  }

  @Test
  void aRangeOutsideItsSegmentIsRefused() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment small = arena.allocate(1000);
      MemorySegment large = arena.allocate(4096);
      assertThatThrownBy(() -> StreamingCopy.copy(small, 0, large, 0, 4096))
          .isInstanceOf(IndexOutOfBoundsException.class);
      assertThatThrownBy(() -> StreamingCopy.copy(large, 0, small, 0, 4096))
          .isInstanceOf(IndexOutOfBoundsException.class);
    }
  }

  @Test
  void memoryOfAClosedArenaIsRefused() {
    Arena arena = Arena.ofShared();
    MemorySegment dst = arena.allocate(4096);
    MemorySegment src = arena.allocate(4096);
    arena.close();
    assertThatThrownBy(() -> StreamingCopy.copy(dst, 0, src, 0, 4096))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void readOnlyMemoryIsRefused() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment dst = arena.allocate(4096).asReadOnly();
      MemorySegment src = arena.allocate(4096);
      assertThatThrownBy(() -> StreamingCopy.copy(dst, 0, src, 0, 4096))
          .isInstanceOfAny(IllegalArgumentException.class, UnsupportedOperationException.class);
    }
  }
}
