package dev.tutti.host.buffers;

import dev.tutti.engine.memory.FileMappings;
import dev.tutti.host.planning.Layouts;
import dev.tutti.host.planning.Packing;
import dev.tutti.host.planning.PlanKey;
import dev.tutti.host.planning.SelectedPlan;
import dev.tutti.host.topology.RankNames;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.param.OpParam;
import dev.tutti.sdk.resource.TransportMemType;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The caller's buffers of one request: checked and cut to the size that the operation needs. A
 * buffer is null if the operation does not need it. Immutable.
 *
 * @param inputs one entry per rank
 * @param outputs one entry per rank
 * @param inPlace whether input and output are the same memory
 * @param scopes the scopes that keep the buffers alive, each once
 * @param files the buffers that lie in mapped files
 */
public record CallerBuffers(
    @Nullable MemorySegment[] inputs,
    @Nullable MemorySegment[] outputs,
    boolean inPlace,
    MemorySegment.Scope[] scopes,
    Set<MemorySegment> files) {

  /** A thread that owns no arena, so memory that it may use is open to every thread. */
  private static final Thread STRANGER = Thread.ofPlatform().unstarted(() -> {});

  /**
   * Checks buffers against an operation.
   *
   * @param params the operation as each rank sees it; null for ranks that take no part
   * @param inputs one entry per rank, at least as large as needed
   * @param outputs one entry per rank, at least as large as needed
   * @param key the call, for its type and layouts
   * @param names the names of the ranks in messages
   * @param mappings finds out which buffers lie in mapped files
   * @throws TuttiException with one of the codes 101 and 106 to 108
   */
  public static CallerBuffers check(
      List<@Nullable OpParam> params,
      @Nullable MemorySegment[] inputs,
      @Nullable MemorySegment[] outputs,
      PlanKey key,
      RankNames names,
      FileMappings mappings) {
    int ranks = params.size();
    checkLength("inputs", inputs, ranks);
    checkLength("outputs", outputs, ranks);
    @Nullable MemorySegment[] in = new MemorySegment[ranks];
    @Nullable MemorySegment[] out = new MemorySegment[ranks];
    Layouts layouts = key.layouts();
    int size = key.call().dataType().size();
    key.check();
    Set<MemorySegment.Scope> scopes = new LinkedHashSet<>();
    for (int rank = 0; rank < ranks; rank++) {
      OpParam param = params.get(rank);
      if (param != null) {
        in[rank] =
            checked(
                "input", names.name(rank), inputs[rank], layouts.inputBytes(param, size), scopes);
        out[rank] =
            checked(
                "output",
                names.name(rank),
                outputs[rank],
                layouts.outputBytes(param, size),
                scopes);
        checkWritable(names.name(rank), out[rank]);
      }
    }
    boolean inPlace = Aliasing.check(params, in, out, names);
    return new CallerBuffers(
        in,
        out,
        inPlace,
        scopes.toArray(new MemorySegment.Scope[0]),
        mappings.among(sharedOf(in, out)));
  }

  /**
   * The buffers that every thread may touch. The others are copied whole by the thread that owns
   * them.
   */
  private static List<@Nullable MemorySegment> sharedOf(
      @Nullable MemorySegment[] inputs, @Nullable MemorySegment[] outputs) {
    List<@Nullable MemorySegment> shared = new ArrayList<>(2 * inputs.length);
    for (int rank = 0; rank < inputs.length; rank++) {
      for (MemorySegment buffer : new @Nullable MemorySegment[] {inputs[rank], outputs[rank]}) {
        if (buffer != null && !needsStaging(buffer)) {
          shared.add(buffer);
        }
      }
    }
    return shared;
  }

  private static void checkLength(String what, @Nullable MemorySegment[] segments, int ranks) {
    if (segments.length != ranks) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT,
          "%s must have one entry per rank. Actual: %d entries, %d ranks",
          what,
          segments.length,
          ranks);
    }
  }

  private static @Nullable MemorySegment checked(
      String what,
      String rank,
      @Nullable MemorySegment segment,
      long bytes,
      Set<MemorySegment.Scope> scopes) {
    requireSize(what, rank, segment, bytes);
    if (segment == null || bytes == 0) {
      return null;
    }
    requireUsable(what, rank, segment);
    scopes.add(segment.scope());
    return segment.asSlice(0, bytes);
  }

  /**
   * Refuses a buffer that is smaller than its operation needs.
   *
   * @param what the role of the buffer, input or output
   * @param rank the name of the rank in messages
   */
  public static void requireSize(
      String what, String rank, @Nullable MemorySegment segment, long bytes) {
    if (bytes > 0 && (segment == null || segment.byteSize() < bytes)) {
      throw new TuttiException(
          ErrorCode.BUFFER_TOO_SMALL,
          "the %s of %s must have %d bytes. Actual: %s",
          what,
          rank,
          bytes,
          segment == null ? "no buffer" : segment.byteSize() + " bytes");
    }
  }

  /**
   * Refuses a buffer whose memory is gone, or that the calling thread must not touch.
   *
   * @throws TuttiException with {@link ErrorCode#BUFFER_UNAVAILABLE}
   */
  public static void requireUsable(String what, String rank, @Nullable MemorySegment segment) {
    if (segment == null) {
      return;
    }
    if (!segment.scope().isAlive()) {
      throw new TuttiException(
          ErrorCode.BUFFER_UNAVAILABLE,
          "the memory of the %s of %s was freed; keep its arena open while requests use it",
          what,
          rank);
    }
    if (!segment.isAccessibleBy(Thread.currentThread())) {
      throw new TuttiException(
          ErrorCode.BUFFER_UNAVAILABLE,
          "the %s of %s is in a confined arena of another thread; use a shared arena, or"
              + " Context.allocate",
          what,
          rank);
    }
  }

  private static void checkWritable(String rank, @Nullable MemorySegment output) {
    if (output != null && output.isReadOnly()) {
      throw new TuttiException(
          ErrorCode.BUFFER_TOO_SMALL,
          "the output of %s is read-only; give a writable buffer",
          rank);
    }
  }

  /** The input of a rank's plan; in place, its output if it has no input. */
  public @Nullable MemorySegment input(int rank) {
    return inputs[rank] == null && inPlace ? outputs[rank] : inputs[rank];
  }

  /** The output of a rank's plan; in place, its input if it has no output. */
  public @Nullable MemorySegment output(int rank) {
    return outputs[rank] == null && inPlace ? inputs[rank] : outputs[rank];
  }

  /** Whether peers cannot reach a buffer, so that it must be copied. */
  public static boolean needsStaging(MemorySegment segment) {
    return !segment.isNative() || !isShared(segment);
  }

  /** Whether every thread may touch a buffer. Every thread may touch arrays. */
  public static boolean isShared(MemorySegment segment) {
    return segment.isAccessibleBy(STRANGER);
  }

  /**
   * Whether a buffer is copied rather than used directly. It is if peers cannot reach it, or if it
   * lies in a mapped file: the file's pages can vanish, and then any access other than the JVM's
   * own copies would crash the JVM.
   */
  public boolean isPrivate(MemorySegment buffer) {
    return needsStaging(buffer) || files.contains(buffer);
  }

  /**
   * Whether a plan can use the buffers directly: all threads can reach each of them, or it is an
   * array or a mapped file that the plan only copies.
   */
  public boolean areTakenBy(SelectedPlan planned) {
    boolean areTaken = true;
    for (int rank = 0; rank < inputs.length; rank++) {
      areTaken &= isTakenBy(planned, input(rank), rank, TransportMemType.PARAM_INPUT);
      areTaken &= isTakenBy(planned, output(rank), rank, TransportMemType.PARAM_OUTPUT);
    }
    return areTaken;
  }

  private boolean isTakenBy(
      SelectedPlan planned, @Nullable MemorySegment buffer, int rank, TransportMemType type) {
    if (buffer == null || !isPrivate(buffer)) {
      return true;
    }
    Packing packing = planned.packing();
    boolean takesArray =
        packing == null
            ? planned.compiled().takesArrays(rank, type)
            : packing.view(rank, type) < 0
                || planned.compiled().takesArray(packing.view(rank, type));
    return isShared(buffer) && takesArray;
  }

  /** Refuses buffers whose memory is gone. Allocates nothing. */
  void requireAlive() {
    for (MemorySegment.Scope scope : scopes) {
      if (!scope.isAlive()) {
        throw new TuttiException(
            ErrorCode.BUFFER_UNAVAILABLE,
            "the memory of a buffer was freed; keep its arena open while requests use it, or rebind"
                + " the request");
      }
    }
  }
}
