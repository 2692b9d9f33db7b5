package dev.tutti.cli.request;

import dev.tutti.cli.options.MemoryKind;
import dev.tutti.host.Context;
import dev.tutti.host.Rte;
import dev.tutti.plan.work.Work;
import dev.tutti.sdk.param.OpParam;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The input and the output of every rank, and an unchanged copy of each input; null where a rank
 * has none.
 */
public final class RankBuffers implements AutoCloseable {

  private static final byte UNWRITTEN = (byte) 0xA5;

  /**
   * An element that repeats this byte is an ordinary number in every type: not huge, not denormal.
   */
  private static final byte ORDINARY = 0x3C;

  private static final int LINE = 64;

  private final Rte rte;
  private final MemorySource memory;
  private final @Nullable MemorySegment[] inputs;
  private final @Nullable MemorySegment[] outputs;
  private final @Nullable MemorySegment[] originals;
  private final boolean[] isShared;

  private final long[] touched;

  /**
   * Allocates the buffers of the ranks of this process, and the copies of all inputs.
   *
   * @param params each rank's request, null for a rank that takes no part
   * @param isInPlace whether a rank with an input and an output has both in the same memory
   * @param isVerified whether copies of the inputs are needed
   */
  public RankBuffers(
      Context context,
      MemoryKind kind,
      List<@Nullable OpParam> params,
      boolean isInPlace,
      boolean isVerified) {
    this.rte = context.rte();
    long bytes = bytes(params, isInPlace, isVerified);
    FreeMemory.require(bytes);
    memory = new MemorySource(context, kind);
    inputs = new MemorySegment[params.size()];
    outputs = new MemorySegment[params.size()];
    originals = new MemorySegment[params.size()];
    isShared = new boolean[params.size()];
    touched = new long[params.size()];
    try (Work work = Work.begin("allocating buffers", params.size())) {
      for (int rank = 0; rank < params.size(); rank++) {
        OpParam param = params.get(rank);
        if (param != null) {
          allocate(rank, param, isInPlace, isVerified);
        }
        work.step();
      }
    }
  }

  private void allocate(int rank, OpParam param, boolean isInPlace, boolean isVerified) {
    boolean isEmpty = param.messageBytes() == 0;
    boolean hasInput = isEmpty || param.inputBytes() > 0;
    boolean hasOutput = isEmpty || param.outputBytes() > 0;
    boolean isLocal = rte.isLocal(rank);
    if (hasInput && isLocal) {
      inputs[rank] = memory.allocate(param.inputBytes());
    }
    if (hasOutput && isLocal) {
      isShared[rank] = isInPlace && hasInput;
      outputs[rank] = isShared[rank] ? inputs[rank] : memory.allocate(param.outputBytes());
    }
    if (hasInput && isVerified) {
      originals[rank] = memory.allocateNative(param.inputBytes());
    }
  }

  private long bytes(List<@Nullable OpParam> params, boolean isInPlace, boolean isVerified) {
    double bytes = 0;
    for (int rank = 0; rank < params.size(); rank++) {
      OpParam param = params.get(rank);
      if (param != null) {
        bytes += isVerified ? param.inputBytes() : 0;
        if (rte.isLocal(rank)) {
          bytes += param.inputBytes();
          bytes += isInPlace && param.inputBytes() > 0 ? 0 : param.outputBytes();
        }
      }
    }
    return (long) bytes;
  }

  public @Nullable MemorySegment[] inputs() {
    return inputs;
  }

  public @Nullable MemorySegment[] outputs() {
    return outputs;
  }

  @Nullable MemorySegment[] originals() {
    return originals;
  }

  /** Whether a rank's input and output are the same memory. */
  boolean isShared(int rank) {
    return isShared[rank];
  }

  /** Fills outputs that are not also inputs with values that no operation writes. */
  void spoilOutputs() {
    for (int rank = 0; rank < outputs.length; rank++) {
      MemorySegment output = outputs[rank];
      if (output != null && !isShared[rank]) {
        output.fill(UNWRITTEN);
      }
    }
  }

  /** Rewrites all inputs and reads all outputs, as an application does between two operations. */
  public void touch() {
    for (int rank = 0; rank < inputs.length; rank++) {
      touch(rank);
    }
  }

  /** Rewrites the input of a rank and reads its output; ranks may do so at the same time. */
  public void touch(int rank) {
    MemorySegment input = inputs[rank];
    if (input != null) {
      input.fill(ORDINARY);
    }
    MemorySegment output = outputs[rank];
    if (output != null) {
      long sum = touched[rank];
      for (long offset = 0; offset < output.byteSize(); offset += LINE) {
        sum += output.get(ValueLayout.JAVA_BYTE, offset);
      }
      touched[rank] = sum;
    }
  }

  @Override
  public void close() {
    memory.close();
  }
}
