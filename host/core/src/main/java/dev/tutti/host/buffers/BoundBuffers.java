package dev.tutti.host.buffers;

import dev.tutti.engine.Binding;
import dev.tutti.engine.Engine;
import dev.tutti.engine.memory.FileMappings;
import dev.tutti.engine.memory.NativeMemory;
import dev.tutti.host.planning.Packing;
import dev.tutti.host.planning.SelectedPlan;
import dev.tutti.host.topology.RankNames;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.resource.TransportMemType;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * The buffers of a request and their binding to its plan. Buffers that peers cannot reach, and
 * those in mapped files, are staged, unless they are arrays or files that the plan only copies. Not
 * thread-safe.
 */
public final class BoundBuffers implements AutoCloseable {

  private final RankNames names;
  private final FileMappings mappings;
  private final SelectedPlan planned;
  private final Binding binding;
  private CallerBuffers buffers;
  private @Nullable BufferStaging staging;

  /** The packed data of buffers whose layout is not contiguous. */
  private @Nullable NativeMemory packed;

  /**
   * The buffers of the last binding, as the caller gave them: binding the same buffers again costs
   * almost nothing.
   */
  private @Nullable MemorySegment[] givenInputs;

  private @Nullable MemorySegment[] givenOutputs;

  /**
   * Binds checked buffers.
   *
   * @param memory the group's memory for the plan; the caller's buffers are filled in here
   */
  public BoundBuffers(
      Engine engine,
      RankNames names,
      FileMappings mappings,
      SelectedPlan planned,
      CallerBuffers buffers,
      @Nullable MemorySegment[][] memory,
      @Nullable MemorySegment[] givenInputs,
      @Nullable MemorySegment[] givenOutputs) {
    this.names = names;
    this.mappings = mappings;
    this.planned = planned;
    this.buffers = buffers;
    this.staging = stage(buffers);
    this.givenInputs = givenInputs.clone();
    this.givenOutputs = givenOutputs.clone();
    try {
      Packing packing = planned.packing();
      this.binding = packing == null ? bound(engine, memory) : boundPacked(engine, memory, packing);
      binding.guard(touchesFiles());
    } catch (Throwable t) {
      close();
      throw t;
    }
  }

  private Binding bound(Engine engine, @Nullable MemorySegment[][] memory) {
    for (int rank = 0; rank < memory.length; rank++) {
      memory[rank][TransportMemType.PARAM_INPUT.ordinal()] = input(rank);
      memory[rank][TransportMemType.PARAM_OUTPUT.ordinal()] = output(rank);
    }
    return engine.bind(planned.compiled(), memory);
  }

  private Binding boundPacked(Engine engine, @Nullable MemorySegment[][] memory, Packing packing) {
    @Nullable MemorySegment[] inputs = new MemorySegment[memory.length];
    @Nullable MemorySegment[] outputs = new MemorySegment[memory.length];
    for (int rank = 0; rank < memory.length; rank++) {
      inputs[rank] = input(rank);
      outputs[rank] = output(rank);
    }
    NativeMemory own = NativeMemory.allocate(packing.packedBytes());
    packed = own;
    return engine.bind(planned.compiled(), memory, packing.views(inputs, outputs, own.segment()));
  }

  private @Nullable BufferStaging stage(CallerBuffers checked) {
    return checked.areTakenBy(planned)
        ? null
        : BufferStaging.of(checked, planned.key().keepsOutput());
  }

  /** In place, a rank that has only an output uses it as its input, too, and vice versa. */
  private @Nullable MemorySegment input(int rank) {
    MemorySegment input = staging == null ? buffers.inputs()[rank] : staging.inputs()[rank];
    return input == null && buffers.inPlace() ? reachableOutput(rank) : input;
  }

  private @Nullable MemorySegment output(int rank) {
    MemorySegment output = reachableOutput(rank);
    return output == null && buffers.inPlace() ? input(rank) : output;
  }

  private @Nullable MemorySegment reachableOutput(int rank) {
    return staging == null ? buffers.outputs()[rank] : staging.outputs()[rank];
  }

  public CallerBuffers buffers() {
    return buffers;
  }

  /** The inputs of the last binding, as the caller gave them. */
  public @Nullable MemorySegment[] givenInputs() {
    return givenInputs;
  }

  public @Nullable MemorySegment[] givenOutputs() {
    return givenOutputs;
  }

  public Binding binding() {
    return binding;
  }

  public boolean isStaged() {
    return staging != null;
  }

  /** Replaces the buffers; if they are refused, nothing changes. */
  public void rebind(@Nullable MemorySegment[] inputs, @Nullable MemorySegment[] outputs) {
    if (SegmentComparison.areSameViews(inputs, givenInputs)
        && SegmentComparison.areSameViews(outputs, givenOutputs)) {
      return;
    }
    CallerBuffers checked = check(planned, inputs, outputs, names, mappings);
    @Nullable MemorySegment[] oldInputs = new MemorySegment[inputs.length];
    @Nullable MemorySegment[] oldOutputs = new MemorySegment[inputs.length];
    for (int rank = 0; rank < inputs.length; rank++) {
      oldInputs[rank] = input(rank);
      oldOutputs[rank] = output(rank);
    }
    BufferStaging old = staging;
    staging = stage(checked);
    buffers = checked;
    givenInputs = inputs.clone();
    givenOutputs = outputs.clone();
    for (int rank = 0; rank < inputs.length; rank++) {
      if (!SegmentComparison.isSameView(oldInputs[rank], input(rank))
          || !SegmentComparison.isSameView(oldOutputs[rank], output(rank))) {
        // In place, the output is checked against the input, so the input comes first.
        bind(rank, TransportMemType.PARAM_INPUT, input(rank));
        bind(rank, TransportMemType.PARAM_OUTPUT, output(rank));
      }
    }
    binding.guard(touchesFiles());
    if (old != null) {
      old.close();
    }
  }

  /** Whether the plan itself touches mapped files, and not only the copies around it. */
  private boolean touchesFiles() {
    return staging == null && !buffers.files().isEmpty();
  }

  /** Checks other buffers for a plan. */
  public static CallerBuffers check(
      SelectedPlan planned,
      @Nullable MemorySegment[] inputs,
      @Nullable MemorySegment[] outputs,
      RankNames names,
      FileMappings mappings) {
    CallerBuffers checked =
        CallerBuffers.check(planned.params(), inputs, outputs, planned.key(), names, mappings);
    if (checked.inPlace() != planned.key().inPlace()) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT,
          "the request is %s, and its new buffers must be too; otherwise build another request",
          planned.key().inPlace() ? "in place" : "not in place");
    }
    return checked;
  }

  private void bind(int rank, TransportMemType type, @Nullable MemorySegment segment) {
    Packing packing = planned.packing();
    if (segment == null) {
      return;
    }
    if (packing == null) {
      binding.rebind(rank, type, segment);
    } else if (packing.view(rank, type) >= 0) {
      binding.rebind(packing.view(rank, type), segment);
    }
  }

  /** Checks that all memory is alive and fills the copies. Allocates nothing. */
  public void beforeRun() {
    buffers.requireAlive();
    if (staging != null) {
      staging.before();
    }
  }

  /** Copies the results back. */
  public void afterRun() {
    if (staging != null) {
      staging.after();
    }
  }

  @Override
  public void close() {
    if (staging != null) {
      staging.close();
      staging = null;
    }
    if (packed != null) {
      packed.close();
      packed = null;
    }
  }
}
