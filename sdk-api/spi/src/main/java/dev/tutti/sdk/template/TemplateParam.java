package dev.tutti.sdk.template;

import dev.tutti.sdk.Arguments;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.Slice;
import dev.tutti.sdk.resource.Stream;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The arguments of a template: memory, slices, streams and reduction. Immutable.
 *
 * @param stream the stream on which the template begins and ends
 * @param slaves further streams that it may fork, as many as it requested
 * @param input its input; peers have theirs at the same offsets
 * @param output its output; may be {@code input}
 * @param slices one slice per member, in sub-communicator rank order, relative to {@code input} and
 *     {@code output}
 * @param dataType the element type
 * @param reductionOrNull the reduction, or null for templates that only move data
 * @param root the sub-communicator rank of the root; 0 if there is none
 */
public record TemplateParam(
    Stream stream,
    List<Stream> slaves,
    DeviceMem input,
    DeviceMem output,
    List<Slice> slices,
    DataType dataType,
    @Nullable ReduceOp reductionOrNull,
    int root) {
  /** Checks that nothing is null. */
  public TemplateParam {
    Arguments.require(stream, "stream");
    Arguments.require(slaves, "slaves");
    Arguments.require(input, "input");
    Arguments.require(output, "output");
    Arguments.require(slices, "slices");
    Arguments.require(dataType, "dataType");
  }

  /** Arguments without slave streams and with root 0. */
  public TemplateParam(
      Stream stream,
      DeviceMem input,
      DeviceMem output,
      List<Slice> slices,
      DataType dataType,
      @Nullable ReduceOp reductionOrNull) {
    this(stream, List.of(), input, output, slices, dataType, reductionOrNull, 0);
  }

  /**
   * A slice of the output.
   *
   * @param number the slice, counted around the ring of all slices: -1 is the last one
   */
  public DeviceMem outputSlice(int number) {
    return output.slice(slices.get(Math.floorMod(number, slices.size())));
  }

  /**
   * A slice of the input.
   *
   * @param number the slice, counted around the ring of all slices: -1 is the last one
   */
  public DeviceMem inputSlice(int number) {
    return input.slice(slices.get(Math.floorMod(number, slices.size())));
  }

  /**
   * The reduction.
   *
   * @throws TuttiException with {@link ErrorCode#INVALID_ARGUMENT} if there is none
   */
  public ReduceOp reduceOp() {
    if (reductionOrNull == null) {
      throw new TuttiException(ErrorCode.INVALID_ARGUMENT, "this template needs a reduction");
    }
    return reductionOrNull;
  }
}
