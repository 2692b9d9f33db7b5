package dev.tutti.host.buffers;

import dev.tutti.host.topology.RankNames;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.Operation;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.param.OpParam;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds the buffers of a request that are the same memory, and refuses buffers that overlap in any
 * other way.
 */
public final class Aliasing {

  private Aliasing() {}

  /** One buffer. */
  private record Span(MemorySegment segment, boolean isOutput, int rank, RankNames names) {

    long end() {
      return segment.address() + segment.byteSize();
    }

    boolean mayShareWith(Span other) {
      return !isOutput && !other.isOutput;
    }

    @Override
    public String toString() {
      return (isOutput ? "the output of " : "the input of ") + names.name(rank);
    }
  }

  /**
   * Checks all buffers of a request against each other.
   *
   * @param names the names of the ranks in messages
   * @return whether the request is in place
   * @throws TuttiException with {@link ErrorCode#BUFFER_OVERLAP}, or {@link
   *     ErrorCode#INVALID_ARGUMENT} if only some ranks are in place
   */
  static boolean check(
      List<@Nullable OpParam> params,
      @Nullable MemorySegment[] inputs,
      @Nullable MemorySegment[] outputs,
      RankNames names) {
    Relation[] relations = new Relation[inputs.length];
    for (int rank = 0; rank < inputs.length; rank++) {
      OpParam param = params.get(rank);
      relations[rank] = Relation.of(inputs[rank], outputs[rank]);
      if (relations[rank] == Relation.SAME) {
        requireInPlace(param == null ? Operation.BARRIER : param.operation(), names.name(rank));
      }
    }
    boolean isInPlace = isInPlace(relations, names);
    checkOverlaps(inputs, outputs, names);
    return isInPlace;
  }

  /** The position of a rank's input relative to its output. */
  public enum Relation {
    /** The rank has only one of them, or neither. */
    ALONE,
    /** They do not overlap. */
    APART,
    /** They are the same memory. */
    SAME;

    public static Relation of(@Nullable MemorySegment input, @Nullable MemorySegment output) {
      return input == null || output == null
          ? ALONE
          : SegmentComparison.isSameMemory(input, output) ? SAME : APART;
    }
  }

  /**
   * Whether an operation is in place, given only the relations of its buffers.
   *
   * @param relations one for each rank
   * @throws TuttiException as {@link #check}
   */
  public static boolean isInPlace(Operation operation, Relation[] relations, RankNames names) {
    for (int rank = 0; rank < relations.length; rank++) {
      if (relations[rank] == Relation.SAME) {
        requireInPlace(operation, names.name(rank));
      }
    }
    return isInPlace(relations, names);
  }

  private static boolean isInPlace(Relation[] relations, RankNames names) {
    int inPlace = List.of(relations).lastIndexOf(Relation.SAME);
    int apart = List.of(relations).lastIndexOf(Relation.APART);
    if (inPlace >= 0 && apart >= 0) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT,
          "all ranks must be in place, or none. Actual: %s is, %s is not",
          names.name(inPlace),
          names.name(apart));
    }
    return inPlace >= 0;
  }

  /**
   * Refuses outputs that overlap any other buffer. The only exception is an input that is the same
   * memory as the output of its rank.
   *
   * @throws TuttiException with {@link ErrorCode#BUFFER_OVERLAP}
   */
  public static void checkOverlaps(
      @Nullable MemorySegment[] inputs, @Nullable MemorySegment[] outputs, RankNames names) {
    checkOverlaps(spans(inputs, outputs, names));
  }

  private static void requireInPlace(Operation operation, String rank) {
    switch (operation) {
      case ALL_REDUCE, REDUCE, BROADCAST, SCAN, EXCLUSIVE_SCAN -> {}
      default ->
          throw new TuttiException(
              ErrorCode.BUFFER_OVERLAP,
              "%s cannot run in place, but input and output of %s are the same memory; give another"
                  + " output",
              operation.label(),
              rank);
    }
  }

  private static List<Span> spans(
      @Nullable MemorySegment[] inputs, @Nullable MemorySegment[] outputs, RankNames names) {
    List<Span> spans = new ArrayList<>();
    for (int rank = 0; rank < inputs.length; rank++) {
      MemorySegment input = inputs[rank];
      MemorySegment output = outputs[rank];
      if (output != null) {
        spans.add(new Span(output, true, rank, names));
      }
      if (input != null && (output == null || !SegmentComparison.isSameMemory(input, output))) {
        spans.add(new Span(input, false, rank, names));
      }
    }
    return spans;
  }

  /**
   * Compares neighbours in address order, for each array and for native memory. A read-only view
   * does not reveal its array, so such views are compared with every output.
   */
  private static void checkOverlaps(List<Span> spans) {
    Object nativeMemory = new Object();
    IdentityHashMap<Object, List<Span>> byBase = new IdentityHashMap<>();
    List<Span> hidden = new ArrayList<>();
    for (Span span : spans) {
      Object base = span.segment().heapBase().orElse(null);
      if (base == null && !span.segment().isNative()) {
        hidden.add(span);
      } else {
        byBase
            .computeIfAbsent(base == null ? nativeMemory : base, b -> new ArrayList<>())
            .add(span);
      }
    }
    byBase.values().forEach(Aliasing::checkNeighbours);
    for (Span view : hidden) {
      for (Span other : spans) {
        if (other.isOutput() && view.segment().asOverlappingSlice(other.segment()).isPresent()) {
          throw overlap(view, other);
        }
      }
    }
  }

  /**
   * Sweeps the spans of one array, or of native memory, by address. It compares each span with the
   * earlier ones that reach farthest.
   */
  private static void checkNeighbours(List<Span> spans) {
    spans.sort(Comparator.comparingLong(span -> span.segment().address()));
    Span farthest = null;
    Span farthestOutput = null;
    for (Span span : spans) {
      long start = span.segment().address();
      Span before = span.isOutput() ? farthest : farthestOutput;
      if (before != null && before.end() > start && !before.mayShareWith(span)) {
        throw overlap(before, span);
      }
      if (farthest == null || span.end() > farthest.end()) {
        farthest = span;
      }
      if (span.isOutput() && (farthestOutput == null || span.end() > farthestOutput.end())) {
        farthestOutput = span;
      }
    }
  }

  private static TuttiException overlap(Span a, Span b) {
    boolean isInOrder = a.rank() <= b.rank();
    return new TuttiException(
        ErrorCode.BUFFER_OVERLAP,
        "%s and %s overlap; give each rank an output of its own, and make input and output of a"
            + " rank either the same memory or separate",
        isInOrder ? a : b,
        isInOrder ? b : a);
  }
}
