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
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Sums that go past the caches to one place or more, wherever those begin. */
final class StreamedSumsTest {

  /** One source and one place more than are added directly. */
  private static final int MOST = 5;

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
    for (int sources = 2; sources <= MOST; sources++) {
      for (int places = 1; places <= MOST; places++) {
        GroupPlan plan = plan(type, bytes, sources, places, firstOffset, secondOffset);
        try (Arena arena = Arena.ofShared()) {
          MemorySegment input = arena.allocate(MOST * room, 64);
          for (long at = 0; at < input.byteSize(); at++) {
            // Small numbers as integers and as floats.
            byte value = at % type.size() == type.size() - 1 ? (byte) 0x3f : (byte) (at % 5 << 4);
            input.set(ValueLayout.JAVA_BYTE, at, value);
          }
          MemorySegment streamed = run(plan, input, arena, 0);
          MemorySegment ordinary = run(plan, input, arena, Long.MAX_VALUE);
          assertThat(streamed.mismatch(ordinary))
              .as("%d sources, %d places", sources, places)
              .isEqualTo(-1);
        }
      }
    }
  }

  /** Adds sources to the first place, and copies the sums to the others. */
  private static GroupPlan plan(
      DataType type, int bytes, int sources, int places, int firstOffset, int secondOffset) {
    long room = bytes + 64L;
    RankPlanBuilder builder =
        new RankPlanBuilder(0)
            .memSize(TransportMemType.PARAM_INPUT, MOST * room)
            .memSize(TransportMemType.PARAM_OUTPUT, MOST * room);
    DeviceMem sum = span(TransportMemType.PARAM_OUTPUT, firstOffset, bytes);
    builder.reduceFrom(
        0,
        sum,
        IntStream.range(0, sources)
            .mapToObj(source -> span(TransportMemType.PARAM_INPUT, source * room, bytes))
            .toList(),
        type,
        ReduceOp.SUM);
    for (int place = 1; place < places; place++) {
      int offset = place == places - 1 ? secondOffset : firstOffset;
      builder.copy(0, span(TransportMemType.PARAM_OUTPUT, place * room + offset, bytes), sum);
    }
    return new GroupPlan("sums", false, List.of(builder.build()));
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
