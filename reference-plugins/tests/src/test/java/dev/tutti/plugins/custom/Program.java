package dev.tutti.plugins.custom;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.sdk.DataType;
import dev.tutti.sdk.param.AllReduceParam;
import dev.tutti.verifier.data.Reference;
import dev.tutti.verifier.run.Caller;
import dev.tutti.verifier.run.GroupMemory;
import dev.tutti.verifier.run.PlanInterpreter.Outcome;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.stream.IntStream;

/**
 * The program around one call: each rank puts its payload in when it enters, and takes the result
 * out and overwrites both buffers the moment its call has returned. Payloads round, so that another
 * order or one more rounding shows.
 */
final class Program implements Caller {

  private final AllReduceParam param;
  private final GroupMemory memory;
  private final List<MemorySegment> payloads;
  private final AtomicReferenceArray<MemorySegment> results;

  /**
   * A program.
   *
   * @param memory of the plan that is to run; keeps what it holds
   * @param seed chooses the payloads
   */
  Program(AllReduceParam param, GroupMemory memory, long seed) {
    this(param, memory, payloads(param, seed));
  }

  Program(AllReduceParam param, GroupMemory memory, List<MemorySegment> payloads) {
    this.param = param;
    this.memory = memory;
    this.payloads = payloads;
    this.results = new AtomicReferenceArray<>(payloads.size());
  }

  /** A vector for each rank. */
  static List<MemorySegment> payloads(AllReduceParam param, long seed) {
    Random random = new Random(seed);
    return IntStream.range(0, param.comm().rankSize())
        .mapToObj(rank -> payload(param, random))
        .toList();
  }

  private static MemorySegment payload(AllReduceParam param, Random random) {
    MemorySegment payload = MemorySegment.ofArray(new byte[(int) param.inputBytes()]);
    for (int i = 0; i < param.count(); i++) {
      float value = (float) random.nextGaussian();
      if (param.dataType() == DataType.FLOAT32) {
        payload.setAtIndex(ValueLayout.JAVA_FLOAT_UNALIGNED, i, value);
      } else {
        short bits =
            param.dataType() == DataType.FLOAT16
                ? Float.floatToFloat16(value)
                : (short) (Float.floatToRawIntBits(value) >>> 16);
        payload.setAtIndex(ValueLayout.JAVA_SHORT_UNALIGNED, i, bits);
      }
    }
    return payload;
  }

  @Override
  public void enters(int rank) {
    memory.input(rank).copyFrom(payloads.get(rank));
  }

  @Override
  public void returns(int rank) {
    results.set(rank, copy(memory.output(rank)));
    memory.input(rank).fill((byte) 0x5A);
    memory.output(rank).fill((byte) 0xA5);
  }

  private static MemorySegment copy(MemorySegment segment) {
    return MemorySegment.ofArray(segment.toArray(ValueLayout.JAVA_BYTE));
  }

  /** What each rank got. */
  List<MemorySegment> results() {
    return IntStream.range(0, payloads.size()).mapToObj(results::get).toList();
  }

  /** Every rank has returned with the sum in the order of the ranks, rounded once. */
  void requireRight(Outcome outcome) {
    assertThat(outcome.findings()).isEmpty();
    assertThat(outcome.isComplete()).isTrue();
    assertThat(Reference.of(param).checkInRankOrder(payloads, results())).isEmpty();
  }
}
