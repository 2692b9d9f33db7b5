package dev.tutti.host.buffers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.tutti.host.topology.RankNames;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Buffers of different sizes that overlap. */
final class AliasingTest {

  private final MemorySegment memory = Arena.ofAuto().allocate(200, 8);

  /** A short input between them in memory must not hide the long one that it lies in. */
  @ParameterizedTest
  @ValueSource(ints = {20, 40, 99})
  void anOutputInALongInputIsFoundBehindAShortInput(int from) {
    MemorySegment[] inputs = {memory.asSlice(0, 100), memory.asSlice(10, 5)};
    MemorySegment[] outputs = {null, memory.asSlice(from, 8)};

    assertThatExceptionOfType(TuttiException.class)
        .isThrownBy(() -> Aliasing.checkOverlaps(inputs, outputs, RankNames.ofWorld()))
        .withMessageContaining("the input of rank 0 and the output of rank 1 overlap")
        .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.BUFFER_OVERLAP));
  }

  @ParameterizedTest
  @ValueSource(ints = {100, 192})
  void anOutputBehindAllInputsIsNot(int from) {
    MemorySegment[] inputs = {memory.asSlice(0, 100), memory.asSlice(10, 5)};
    MemorySegment[] outputs = {null, memory.asSlice(from, 8)};

    Aliasing.checkOverlaps(inputs, outputs, RankNames.ofWorld());

    assertThat(Aliasing.Relation.of(inputs[1], outputs[1])).isEqualTo(Aliasing.Relation.APART);
  }
}
