package dev.tutti.cli.request;

import dev.tutti.plan.work.Work;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.param.OpParam;
import dev.tutti.verifier.data.Mismatch;
import dev.tutti.verifier.data.Reference;
import dev.tutti.verifier.data.TestData;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Runs an operation on seeded data and compares every rank's result with an independently computed
 * one.
 */
final class ResultCheck {

  private static final int MAX_LISTED = 3;

  private final List<@Nullable OpParam> params;
  private final RankBuffers buffers;
  private final Reference reference;

  /**
   * Makes a check.
   *
   * @param averages whether sums are divided by the number of ranks
   */
  ResultCheck(List<@Nullable OpParam> params, RankBuffers buffers, boolean averages) {
    this.params = params;
    this.buffers = buffers;
    Reference sums = Reference.of(params);
    this.reference = averages ? sums.averaged() : sums;
  }

  /**
   * Runs once and counts the wrong elements of this process.
   *
   * @param run runs the operation
   * @param of the operation, for error messages
   * @throws TuttiException with code WRONG_RESULT if it changes an input
   */
  long count(Runnable run, CheckedRequest of, long seed) {
    fill(seed);
    run.run();
    int[] localRanks = of.group().localRanks();
    List<MemorySegment> inputs = present(buffers.originals());
    List<MemorySegment> outputs = present(buffers.outputs());
    long wrong =
        localRanks.length == params.size()
            ? reference.countWrong(inputs, outputs)
            : IntStream.of(localRanks)
                .mapToLong(rank -> reference.countWrong(rank, inputs, outputs.get(rank)))
                .sum();
    checkInputs(of, seed);
    return wrong;
  }

  /**
   * Runs once and compares the results of this process.
   *
   * @param run runs the operation
   * @param of the operation, for error messages
   * @throws TuttiException with code WRONG_RESULT if a result is wrong or an input has changed
   */
  void run(Runnable run, CheckedRequest of, long seed) {
    fill(seed);
    run.run();
    List<Mismatch> mismatches = mismatches(of.group().localRanks());
    if (!mismatches.isEmpty()) {
      List<String> lines = mismatches.stream().limit(MAX_LISTED).map(Mismatch::toString).toList();
      throw new TuttiException(
          ErrorCode.WRONG_RESULT,
          "%s gives a wrong result (seed %d): %s%s",
          of.ran().algorithm(),
          seed,
          String.join("; ", lines),
          mismatches.size() > MAX_LISTED ? "; …" : "");
    }
    checkInputs(of, seed);
  }

  private List<Mismatch> mismatches(int[] localRanks) {
    List<MemorySegment> inputs = present(buffers.originals());
    List<MemorySegment> outputs = present(buffers.outputs());
    return localRanks.length == params.size()
        ? reference.check(inputs, outputs)
        : IntStream.of(localRanks)
            .boxed()
            .flatMap(rank -> reference.check(rank, inputs, outputs.get(rank)).stream())
            .toList();
  }

  private void fill(long seed) {
    TestData data = TestData.of(seed);
    buffers.spoilOutputs();
    try (Work work = Work.begin("filling buffers", params.size())) {
      fill(data, work);
    }
  }

  private void fill(TestData data, Work work) {
    for (int rank = 0; rank < params.size(); rank++) {
      OpParam param = params.get(rank);
      MemorySegment input = buffers.inputs()[rank];
      MemorySegment original = buffers.originals()[rank];
      if (param != null && original != null) {
        data.fillInput(param, original);
        if (input != null) {
          input.copyFrom(original);
        }
      }
      work.step();
    }
  }

  /** Checks that inputs are unchanged, unless they are also outputs. */
  private void checkInputs(CheckedRequest of, long seed) {
    for (int rank = 0; rank < params.size(); rank++) {
      MemorySegment input = buffers.inputs()[rank];
      MemorySegment original = buffers.originals()[rank];
      if (input == null || original == null || buffers.isShared(rank)) {
        continue;
      }
      long differs = input.mismatch(original);
      if (differs >= 0) {
        throw new TuttiException(
            ErrorCode.WRONG_RESULT,
            "%s changes its input (seed %d): rank %d, byte %d",
            of.ran().algorithm(),
            seed,
            rank,
            differs);
      }
    }
  }

  private static List<MemorySegment> present(@Nullable MemorySegment[] segments) {
    return Arrays.stream(segments)
        .map(segment -> segment == null ? MemorySegment.NULL : segment)
        .toList();
  }
}
