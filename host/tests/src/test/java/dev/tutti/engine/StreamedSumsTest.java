package dev.tutti.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.plan.GroupPlan;
import dev.tutti.plan.RankPlanBuilder;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.TransportMemType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Sums of two sources that go past the caches to one place or two, wherever those begin. */
final class StreamedSumsTest {

  private static DeviceMem span(TransportMemType type, long offset, long bytes) {
    return new DeviceMem(0, type, offset, bytes);
  }

  @ParameterizedTest
  @CsvSource({
    "262144, 0, 0, int32",
    "262148, 4, 4, int32",
    "300012, 20, 52, int32",
    "300012, 4, 12, int32",
    "300000, 8, 8, float64",
    "262244, 32, 0, float32",
    "262243, 1, 33, uint8",
    "262246, 2, 34, float16",
    "262244, 3, 3, int32"
  })
  void areRight(int bytes, int firstOffset, int secondOffset, String label) {
    DataType type = DataType.fromLabel(label);
    long room = bytes + 64L;
    for (int destinations = 1; destinations <= 2; destinations++) {
      RankPlanBuilder builder =
          new RankPlanBuilder(0)
              .memSize(TransportMemType.PARAM_INPUT, 2 * room)
              .memSize(TransportMemType.PARAM_OUTPUT, 2 * room);
      DeviceMem sum = span(TransportMemType.PARAM_OUTPUT, firstOffset, bytes);
      List<DeviceMem> sources =
          List.of(
              span(TransportMemType.PARAM_INPUT, 0, bytes),
              span(TransportMemType.PARAM_INPUT, room, bytes));
      builder.reduceFrom(0, sum, sources, type, ReduceOp.SUM);
      if (destinations == 2) {
        builder.copy(0, span(TransportMemType.PARAM_OUTPUT, room + secondOffset, bytes), sum);
      }
      GroupPlan plan = new GroupPlan("sums", false, List.of(builder.build()));
      try (Arena arena = Arena.ofShared()) {
        MemorySegment input = arena.allocate(2 * room, 64);
        for (long at = 0; at < input.byteSize(); at++) {
          // Small numbers as integers and as floats, whose sums are exact.
          byte value = at % type.size() == type.size() - 1 ? (byte) 0x3f : (byte) (at % 5 << 4);
          input.set(ValueLayout.JAVA_BYTE, at, value);
        }
        MemorySegment streamed = run(plan, input, arena, 0);
        MemorySegment ordinary = run(plan, input, arena, Long.MAX_VALUE);
        assertThat(streamed.mismatch(ordinary)).isEqualTo(-1);
      }
    }
  }

  private static MemorySegment run(
      GroupPlan plan, MemorySegment input, Arena arena, long streamingBytes) {
    MemorySegment output = arena.allocate(input.byteSize(), 64).fill((byte) 9);
    MemorySegment[] memory = new MemorySegment[TransportMemType.values().length];
    memory[TransportMemType.PARAM_INPUT.ordinal()] = input;
    memory[TransportMemType.PARAM_OUTPUT.ordinal()] = output;
    EngineConfig config = new EngineConfig(1, 0, 0, Long.MAX_VALUE, streamingBytes);
    try (Engine engine = new Engine(config)) {
      Binding binding =
          engine.bind(
              engine.compile(plan, CompileOptions.defaults()), new MemorySegment[][] {memory});
      binding.run(60_000_000_000L);
    }
    return output;
  }
}
