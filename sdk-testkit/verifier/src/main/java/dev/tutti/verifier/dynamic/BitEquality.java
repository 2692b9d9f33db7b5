package dev.tutti.verifier.dynamic;

import dev.tutti.sdk.DataType;
import dev.tutti.sdk.param.OpParam;
import dev.tutti.verifier.rule.Findings;
import dev.tutti.verifier.rule.Rule;
import dev.tutti.verifier.semantics.OperationSemantics;
import dev.tutti.verifier.semantics.Piece;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Compares the bits of results on equal inputs: between several runs, and between the ranks of one
 * run.
 */
final class BitEquality {

  private final List<Piece> pieces;
  private final DataType type;
  private final Findings findings;
  private final String manner;
  private @Nullable List<MemorySegment> first;
  private String firstToken = "";

  BitEquality(
      List<? extends @Nullable OpParam> params, OpParam any, Findings findings, String manner) {
    this.pieces = OperationSemantics.of(any, params);
    this.type = OperationSemantics.dataType(any);
    this.findings = findings;
    this.manner = manner;
  }

  /** Compares the results of a run with those of the first one: rule VAL-4. */
  void compareWithOtherRuns(List<MemorySegment> outputs, String token) {
    if (first == null) {
      first = CallerBuffers.copies(outputs);
      firstToken = token;
      return;
    }
    if (findings.has(Rule.RUNS_DIFFER)) {
      return;
    }
    for (Piece piece : pieces) {
      for (int rank : piece.dstRanks) {
        long element = mismatch(piece, first.get(rank), outputs.get(rank));
        if (element >= 0) {
          findings.add(
              Rule.NOT_REPRODUCIBLE,
              "runs" + manner,
              ("rank %d, element %d has different bits with %s and with %s on equal inputs; the"
                      + " executor promises equal bits in every run: let only notifies decide the"
                      + " order of operands, or declare Determinism.NONE%s")
                  .formatted(rank, element, token, firstToken, manner));
          return;
        }
      }
    }
  }

  /** Compares the results of the ranks that get the same elements: rule DET-1. */
  void compareRanks(List<MemorySegment> outputs, String token) {
    if (findings.has(Rule.RANKS_DIFFER)) {
      return;
    }
    for (Piece piece : pieces) {
      int one = piece.dstRanks[0];
      for (int rank : piece.dstRanks) {
        long element = mismatch(piece, outputs.get(one), outputs.get(rank));
        if (element >= 0) {
          findings.add(
              Rule.RANKS_DIFFER,
              "ranks" + manner,
              "element %d has different bits on rank %d and on rank %d [%s]%s"
                  .formatted(element, rank, one, token, manner));
          return;
        }
      }
    }
  }

  /** The first element of a piece that differs, counted in the output; or -1. */
  private long mismatch(Piece piece, MemorySegment a, MemorySegment b) {
    long from = piece.dstOffset * type.size();
    long to = from + piece.count * type.size();
    long at = MemorySegment.mismatch(a, from, to, b, from, to);
    return at < 0 ? -1 : piece.dstOffset + at / type.size();
  }
}
