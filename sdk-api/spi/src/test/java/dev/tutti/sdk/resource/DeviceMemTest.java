package dev.tutti.sdk.resource;

import static dev.tutti.sdk.Refusal.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.sdk.ErrorCode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DeviceMemTest {

  private final DeviceMem mem = new DeviceMem(2, TransportMemType.SCRATCH, 100, 50);

  @Test
  void aSliceIsRelativeToItsSpan() {
    assertThat(mem.slice(10, 20))
        .isEqualTo(new DeviceMem(2, TransportMemType.SCRATCH, 110, 20))
        .isEqualTo(mem.slice(new Slice(10, 20)));
    assertThat(mem.slice(50, 0).size()).isZero();
    assertThat(mem.slice(0, 50)).isEqualTo(mem);
  }

  @ParameterizedTest
  @CsvSource({
    "-1, 1",
    "0, -1",
    "0, 51",
    "50, 1",
    "9223372036854775807, 1",
    "1, 9223372036854775807"
  })
  void aSliceOutsideItsSpanIsRefused(long from, long bytes) {
    assertRefused(
        () -> mem.slice(from, bytes),
        ErrorCode.OUT_OF_BOUNDS,
        ("slice must lie inside scratch memory of 50 bytes; clip it, or ask for more in"
                + " calcScratchMemSize. Actual: offset=%d, size=%d")
            .formatted(from, bytes));
  }

  @ParameterizedTest
  @CsvSource({
    "SCRATCH, scratch, calcScratchMemSize",
    "AIV_INPUT, aiv-input, calcAivBufferSize",
    "AIV_OUTPUT, aiv-output, calcAivBufferSize"
  })
  void memoryThatWasNotAskedForIsNamedAsSuch(TransportMemType type, String label, String method) {
    assertRefused(
        () -> new DeviceMem(3, type, 0, 0).slice(8, 72),
        ErrorCode.RESOURCE_MISMATCH,
        "rank 3 has 0 bytes of %s memory here; ask for it in %s. Actual slice: offset=8, size=72"
            .formatted(label, method));
  }

  @ParameterizedTest
  @CsvSource({"CCL_INPUT, ccl-input", "PARAM_OUTPUT, param-output"})
  void ofMemoryThatNobodyAsksForTheSliceIsToBeClipped(TransportMemType type, String label) {
    assertRefused(
        () -> new DeviceMem(3, type, 0, 0).slice(0, 4),
        ErrorCode.OUT_OF_BOUNDS,
        "slice must lie inside %s memory of 0 bytes; clip it. Actual: offset=0, size=4"
            .formatted(label));
  }

  @ParameterizedTest
  @CsvSource({"-1, 0, 0", "0, -1, 0", "0, 0, -1", "0, 1, 9223372036854775807"})
  void negativeAndOverflowingSpansAreRefused(int rank, long offset, long size) {
    assertRefused(
        () -> new DeviceMem(rank, TransportMemType.SCRATCH, offset, size),
        ErrorCode.OUT_OF_BOUNDS,
        "memory needs rank, offset and size of 0 or more. Actual: rank=%d, offset=%d, size=%d"
            .formatted(rank, offset, size));
  }

  @Test
  void spansOverlapIfTheyShareAByteOfOneMemory() {
    assertThat(mem.overlaps(mem.slice(49, 1))).isTrue();
    assertThat(mem.slice(0, 10).overlaps(mem.slice(10, 10))).isFalse();
    assertThat(mem.overlaps(new DeviceMem(1, TransportMemType.SCRATCH, 100, 50))).isFalse();
    assertThat(mem.overlaps(new DeviceMem(2, TransportMemType.AIV_INPUT, 100, 50))).isFalse();
  }

  @Test
  void anEmptySpanOverlapsNothing() {
    assertThat(mem.overlaps(mem.slice(10, 0))).isFalse();
    assertThat(mem.slice(10, 0).overlaps(mem)).isFalse();
  }

  @Test
  void theTextIsAHalfOpenSpan() {
    assertThat(mem).hasToString("rank 2 scratch[100, 150)");
  }
}
