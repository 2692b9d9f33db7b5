package dev.tutti.sdk;

import dev.tutti.sdk.resource.AlgResourceResponse;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.Slice;
import java.util.AbstractList;
import java.util.List;

/**
 * The memory of one round of a {@link NativeExecutorBase}: the caller's memory in GRAPH mode, a
 * slice of the CCL buffers in OP_BASE mode. Blocks are contiguous. What a block is depends on the
 * operation: the whole vector for all-reduce, one rank's share for all-gather.
 */
public final class ExecMem {

  private final AlgResourceResponse resources;
  private final long count;
  private final DeviceMem input;
  private final DeviceMem output;
  private final List<Slice> inputSlices;
  private final List<Slice> outputSlices;
  private final boolean inPlace;

  ExecMem(
      AlgResourceResponse resources,
      long count,
      DeviceMem input,
      DeviceMem output,
      List<Slice> inputSlices,
      List<Slice> outputSlices,
      boolean inPlace) {
    this.resources = resources;
    this.count = count;
    this.input = input;
    this.output = output;
    this.inputSlices = inputSlices;
    this.outputSlices = outputSlices;
    this.inPlace = inPlace;
  }

  /** Streams, notifies, links and scratch. */
  public AlgResourceResponse resources() {
    return resources;
  }

  /** The most elements of any block of any rank in this round; equal on all ranks. */
  public long count() {
    return count;
  }

  /** This round's input. */
  public DeviceMem input() {
    return input;
  }

  /** This round's output. */
  public DeviceMem output() {
    return output;
  }

  /** Scratch memory, the same in every round. */
  public DeviceMem scratch() {
    return resources.scratchMem();
  }

  /** Whether input and output are one memory in this round. */
  public boolean inPlace() {
    return inPlace;
  }

  /** The blocks of the input, in order, relative to {@link #input()}. */
  public List<Slice> inputSlices() {
    return inputSlices;
  }

  /** The blocks of the output, in order, relative to {@link #output()}. */
  public List<Slice> outputSlices() {
    return outputSlices;
  }

  /** One block of the input. */
  public DeviceMem inputBlock(int block) {
    return input.slice(inputSlices.get(block));
  }

  /** One block of the output. */
  public DeviceMem outputBlock(int block) {
    return output.slice(outputSlices.get(block));
  }

  /**
   * The part of each block that belongs to a round, packed one after another.
   *
   * @param counts elements of each block of the whole operation
   * @param done elements of each block in earlier rounds
   * @param most elements of each block in this round, at most
   */
  static List<Slice> pack(List<Long> counts, long done, long most, int elementSize) {
    long[] starts = new long[counts.size() + 1];
    for (int i = 0; i < counts.size(); i++) {
      long inRound = Math.max(0, Math.min(most, counts.get(i) - done));
      starts[i + 1] = starts[i] + inRound * elementSize;
    }
    return new Packed(starts);
  }

  /** Consecutive slices, each from one start to the next. */
  private static final class Packed extends AbstractList<Slice> {
    private final long[] starts;

    Packed(long[] starts) {
      this.starts = starts;
    }

    @Override
    public Slice get(int index) {
      return new Slice(starts[index], starts[index + 1] - starts[index]);
    }

    @Override
    public int size() {
      return starts.length - 1;
    }
  }

  /** The end of the last slice. */
  static long total(List<Slice> slices) {
    return slices.isEmpty() ? 0 : slices.getLast().offset() + slices.getLast().size();
  }
}
