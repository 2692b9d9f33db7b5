package dev.tutti.sdk.resource;

import static dev.tutti.sdk.Refusal.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.sdk.ErrorCode;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SliceTest {

  @Test
  void aPartitionCoversEveryElementOnceAndSizesDifferByOneAtMost() {
    for (long count = 0; count <= 40; count++) {
      for (int parts = 1; parts <= 12; parts++) {
        List<Slice> slices = Slice.partition(count, parts, 4);
        assertThat(slices).hasSize(parts);
        long end = 0;
        for (Slice slice : slices) {
          assertThat(slice.offset()).isEqualTo(end);
          assertThat(slice.size()).isBetween(count / parts * 4, (count / parts + 1) * 4);
          end += slice.size();
        }
        assertThat(end).isEqualTo(count * 4);
      }
    }
  }

  @Test
  void theFirstSlicesOwnTheTail() {
    assertThat(Slice.partition(11, 4, 2))
        .containsExactly(new Slice(0, 6), new Slice(6, 6), new Slice(12, 6), new Slice(18, 4));
  }

  @Test
  void fewerElementsThanPartsLeaveTheLastSlicesEmpty() {
    assertThat(Slice.partition(2, 4, 8))
        .containsExactly(new Slice(0, 8), new Slice(8, 8), new Slice(16, 0), new Slice(16, 0));
    assertThat(Slice.partition(0, 2, 8)).containsExactly(new Slice(0, 0), new Slice(0, 0));
  }

  @Test
  void anAlignedPartitionCutsAtWholeBlocksAndTheLastSliceTakesTheRest() {
    assertThat(Slice.partition(70, 3, 4, 16))
        .containsExactly(new Slice(0, 128), new Slice(128, 64), new Slice(192, 88));
    assertThat(Slice.partition(15, 2, 1, 16)).containsExactly(new Slice(0, 0), new Slice(0, 15));
  }

  @Test
  void anAlignedPartitionCoversEveryElementOnce() {
    for (long count = 0; count <= 100; count += 3) {
      for (long alignment = 1; alignment <= 32; alignment *= 2) {
        long end = 0;
        List<Slice> slices = Slice.partition(count, 5, 1, alignment);
        for (Slice slice : slices) {
          assertThat(slice.offset()).isEqualTo(end);
          end += slice.size();
          assertThat(end % alignment == 0 || end == count).isTrue();
        }
        assertThat(end).isEqualTo(count);
      }
    }
  }

  @Test
  void largeCountsDoNotOverflow() {
    List<Slice> slices = Slice.partition(Long.MAX_VALUE / 8, 1000, 8);

    assertThat(slices.getLast().offset() + slices.getLast().size())
        .isEqualTo(Long.MAX_VALUE / 8 * 8);
  }

  @ParameterizedTest
  @CsvSource({"-1, 1, 1, 1", "1, 0, 1, 1", "1, 1, 0, 1", "1, 1, 1, 0"})
  void badNumbersAreRefused(long count, int parts, int elementSize, long alignment) {
    assertRefused(
        () -> Slice.partition(count, parts, elementSize, alignment),
        ErrorCode.INVALID_COUNT,
        "a partition needs count >= 0, and parts, elementSize and alignment >= 1. Actual:"
            + " count=%d, parts=%d, elementSize=%d, alignment=%d"
                .formatted(count, parts, elementSize, alignment));
  }

  @Test
  void aPartitionOfMoreThan63BitsOfBytesIsRefused() {
    assertRefused(
        () -> Slice.partition(Long.MAX_VALUE / 8 + 1, 2, 8),
        ErrorCode.INVALID_COUNT,
        "the bytes of a partition must fit in 63 bits. Actual: 1152921504606846976 elements of 8"
            + " bytes");
  }

  @ParameterizedTest
  @CsvSource({"-1", "4"})
  void aSliceThatDoesNotExistIsRefused(int index) {
    assertRefused(
        () -> Slice.partition(11, 4, 2).get(index),
        ErrorCode.OUT_OF_BOUNDS,
        "slice must be 0 to 3. Actual: " + index);
  }

  @Test
  void negativeOffsetsAndSizesAreRefused() {
    assertRefused(
        () -> new Slice(-1, 5),
        ErrorCode.OUT_OF_BOUNDS,
        "a slice needs offset and size of 0 or more. Actual: offset=-1, size=5");
    assertRefused(
        () -> new Slice(0, -5),
        ErrorCode.OUT_OF_BOUNDS,
        "a slice needs offset and size of 0 or more. Actual: offset=0, size=-5");
  }
}
