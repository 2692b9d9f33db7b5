package dev.tutti.verifier.symbol;

import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.simulator.flow.FlatPlan;
import dev.tutti.verifier.semantics.Piece;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Compares the contents of the memories after an operation with its goal. Not thread-safe. */
final class OutputCheck {

  /** Receives each wrong range. Offsets are in bytes from the start of the memory. */
  interface Faults {

    /** A range of a result has wrong contents. */
    void wrongOutput(Piece piece, int rank, int memory, long from, long to, long sum, long meta);

    /** A range of an input has been changed. */
    void changedInput(int rank, int memory, long from, long to);

    /** A range of an output has been written that must not change. */
    void changedOutput(int rank, int memory, long from, long to);
  }

  private final FlatPlan plan;
  private final Contents contents;
  private final Goal goal;
  private final Strip strip = new Strip();

  OutputCheck(FlatPlan plan, Contents contents, Goal goal) {
    this.plan = plan;
    this.contents = contents;
    this.goal = goal;
  }

  /**
   * Compares all results, inputs and outputs.
   *
   * @param associations receives the associations of the results; may be null
   */
  void run(Faults faults, @Nullable Associations associations) {
    checkResults(faults, associations);
    for (int rank = 0; rank < goal.rankSize(); rank++) {
      checkInput(rank, faults);
      if (goal.mustLeaveOutput(rank)) {
        checkLeft(rank, faults);
      }
    }
  }

  // Pieces with the same array of ranks share the sum. Equal but different arrays only cost time.
  @SuppressWarnings("ReferenceEquality")
  private void checkResults(Faults faults, @Nullable Associations associations) {
    int size = goal.elementBytes();
    int[] hints = new int[goal.rankSize()];
    Arrays.fill(hints, -1);
    int[] ranks = {};
    long sum = 0;
    for (Piece piece : goal.pieces) {
      if (piece.srcRanks != ranks) {
        ranks = piece.srcRanks;
        sum = sum(ranks);
      }
      long from = piece.dstOffset * size;
      long first = Value.sound(piece.srcOffset * size, ranks.length);
      for (int rank : piece.dstRanks) {
        int memory = plan.memory(rank, TransportMemType.PARAM_OUTPUT);
        strip.clear();
        hints[rank] = contents.read(memory, from, from + piece.count * size, hints[rank], strip);
        for (int run = 0; run < strip.size; run++) {
          long start = strip.start(run);
          long meta = strip.metas[run];
          if (strip.sums[run] != sum || meta != Value.advance(first, start)) {
            faults.wrongOutput(
                piece, rank, memory, from + start, from + strip.ends[run], strip.sums[run], meta);
          }
        }
        if (associations != null && ranks.length > 1) {
          associations.add(piece, rank, strip);
        }
      }
    }
  }

  private static long sum(int[] ranks) {
    long sum = 0;
    for (int rank : ranks) {
      sum += Value.ofRank(rank);
    }
    return sum;
  }

  private void checkInput(int rank, Faults faults) {
    int memory = plan.memory(rank, TransportMemType.PARAM_INPUT);
    long from = goal.changeableInput(rank);
    long to = goal.inputBytes(rank);
    if (!plan.isWritten(memory) || from >= to) {
      return;
    }
    strip.clear();
    contents.read(memory, from, to, -1, strip);
    for (int run = 0; run < strip.size; run++) {
      long start = from + strip.start(run);
      if (strip.sums[run] != Value.ofRank(rank) || strip.metas[run] != Value.sound(start, 1)) {
        faults.changedInput(rank, memory, start, from + strip.ends[run]);
      }
    }
  }

  private void checkLeft(int rank, Faults faults) {
    int memory = plan.memory(rank, TransportMemType.PARAM_OUTPUT);
    if (!plan.isWritten(memory)) {
      return;
    }
    strip.clear();
    contents.read(memory, 0, goal.outputBytes(rank), -1, strip);
    for (int run = 0; run < strip.size; run++) {
      if (Value.state(strip.metas[run]) != Value.INITIAL) {
        faults.changedOutput(rank, memory, strip.start(run), strip.ends[run]);
      }
    }
  }
}
