package dev.tutti.host.planning;

import dev.tutti.host.call.CallOptions;
import dev.tutti.host.call.CollectiveCall;
import dev.tutti.host.call.Layout;
import dev.tutti.host.call.LayoutBlocks;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.param.OpParam;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The layouts of an operation's buffers, the same on all ranks.
 *
 * @param input the layout of each rank's input
 * @param output the layout of each rank's output
 */
public record Layouts(Layout input, Layout output) {

  /** The largest number of blocks of all buffers of a group; planning so many takes seconds. */
  static final int MAX_GROUP_BLOCKS = 1 << 19;

  static final Layouts CONTIGUOUS = new Layouts(Layout.contiguous(), Layout.contiguous());

  /** The layouts that a call is made with. */
  public static Layouts of(CallOptions options) {
    return options.inputLayout().isContiguous() && options.outputLayout().isContiguous()
        ? CONTIGUOUS
        : new Layouts(options.inputLayout(), options.outputLayout());
  }

  boolean areContiguous() {
    return input.isContiguous() && output.isContiguous();
  }

  /**
   * Refuses layouts that the operation does not support.
   *
   * @throws TuttiException with {@link ErrorCode#INVALID_COUNT} if a count is not whole repetitions
   */
  void check(CollectiveCall call) {
    if (areContiguous()) {
      return;
    }
    checkCounts("input", input, call);
    checkCounts("output", output, call);
  }

  private static void checkCounts(String what, Layout layout, CollectiveCall call) {
    checkCount(what, layout, call, call.count());
    call.counts().forEach(row -> row.forEach(count -> checkCount(what, layout, call, count)));
    call.items().forEach(row -> row.forEach(item -> checkCount(what, layout, call, item.count())));
  }

  private static void checkCount(String what, Layout layout, CollectiveCall call, long count) {
    if (count % layout.elements() != 0) {
      throw new TuttiException(
          ErrorCode.INVALID_COUNT,
          "the %s layout (%s) must repeat a whole number of times in each count of %s. Actual: %d"
              + " elements",
          what,
          layout,
          call,
          count);
    }
  }

  /** The bytes that a rank's input occupies in its buffer. */
  public long inputBytes(OpParam param, int elementSize) {
    return bytes(input, param.inputBytes(), elementSize);
  }

  /** The bytes that a rank's output occupies in its buffer. */
  public long outputBytes(OpParam param, int elementSize) {
    return bytes(output, param.outputBytes(), elementSize);
  }

  /**
   * Refuses an output in which two elements share a position, and too many blocks.
   *
   * @param params the operation as each rank sees it; null for ranks that take no part
   * @throws TuttiException with {@link ErrorCode#BUFFER_OVERLAP} or {@link
   *     ErrorCode#PLAN_TOO_LARGE}
   */
  void checkBlocks(List<@Nullable OpParam> params, int elementSize) {
    long total = 0;
    for (OpParam param : params) {
      if (param != null) {
        total += blocks(input, param.inputBytes(), elementSize).size();
        LayoutBlocks places = blocks(output, param.outputBytes(), elementSize);
        total += places.size();
        checkOverlap(places);
      }
    }
    if (total > MAX_GROUP_BLOCKS) {
      throw new TuttiException(
          ErrorCode.PLAN_TOO_LARGE,
          "the buffers of all ranks have %d separate blocks, each of which is an action of the"
              + " plan, and a plan takes at most %d; use longer blocks, several operations, or pack"
              + " the data first",
          total,
          MAX_GROUP_BLOCKS);
    }
  }

  /** The blocks of one buffer; none if it is contiguous, because nothing is copied then. */
  static LayoutBlocks blocks(Layout layout, long dataBytes, int elementSize) {
    return layout.blocks(layout.isContiguous() ? 0 : dataBytes / elementSize / layout.elements());
  }

  private void checkOverlap(LayoutBlocks places) {
    if (places.overlap()) {
      throw new TuttiException(
          ErrorCode.BUFFER_OVERLAP,
          "an output layout must have a place for each element, but blocks overlap: %s; use a"
              + " larger stride or extent",
          output);
    }
  }

  private static long bytes(Layout layout, long dataBytes, int elementSize) {
    if (layout.isContiguous()) {
      return dataBytes;
    }
    long span = layout.span(dataBytes / elementSize / layout.elements());
    if (span < 0 || span > Long.MAX_VALUE / elementSize) {
      throw new TuttiException(
          ErrorCode.INVALID_COUNT,
          "a buffer must fit in 63 bits. Actual: %d bytes of data in layout %s",
          dataBytes,
          layout);
    }
    return span * elementSize;
  }
}
