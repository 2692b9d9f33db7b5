package dev.tutti.engine.kernel;

import dev.tutti.plan.work.Work;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.TuttiException;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Gives the kernel of each data type and reduction, and copies bytes.
 *
 * <p>A JVM has one kernel for each pair, because it has one compiled code for each loop.
 */
public final class Kernels {

  private static final boolean VECTORS =
      ModuleLayer.boot().findModule("jdk.incubator.vector").isPresent();

  private static final WarmUp WARM_UP = new WarmUp();

  private static final ConcurrentMap<Pair, Entry> ENTRIES = new ConcurrentHashMap<>();

  private static final ConcurrentMap<Division, ReduceKernel> DIVISIONS = new ConcurrentHashMap<>();

  private record Pair(DataType type, ReduceOp op) {}

  private record Division(DataType type, int divisor) {}

  /** The time between two looks at a kernel that becomes faster. */
  private static final long LOOK_MILLIS = 100;

  /** A kernel, and its warm-up; null if it already has its full speed. */
  private record Entry(ReduceKernel kernel, WarmUp.@Nullable Ascent ascent) {}

  private Kernels() {}

  /**
   * The kernel of a type and a reduction. It works at once. A background thread prepares its
   * vectorised path, and the kernel becomes faster when that is ready; the results are the same.
   *
   * @throws dev.tutti.sdk.TuttiException with {@link dev.tutti.sdk.ErrorCode#UNSUPPORTED_TYPE} if
   *     the reduction does not support the type
   */
  public static ReduceKernel of(DataType type, ReduceOp op) {
    return entry(type, op).kernel();
  }

  /**
   * A kernel that divides instead of reducing: {@link ReduceKernel#reduce} is {@code dst[i] =
   * src[i] / divisor}, integers towards zero, floats rounded once.
   *
   * @param divisor 1 or more
   */
  public static ReduceKernel dividing(DataType type, int divisor) {
    return DIVISIONS.computeIfAbsent(
        new Division(type, divisor),
        key -> {
          Element element = Elements.dividing(type, divisor);
          Lanes lanes =
              HiddenCopy.of(ScalarLanes.class, new ScalarLanes.Data(element, type.size()));
          return AdaptiveKernel.dividing(type, Lanes.ofAllSizes(lanes));
        });
  }

  /**
   * Waits until the kernel of a type and a reduction runs at its full speed.
   *
   * @return whether it does; {@code false} after {@code timeout}, or after an interrupt, which
   *     leaves the flag set
   * @throws dev.tutti.sdk.TuttiException as {@link #of}
   */
  public static boolean warm(DataType type, ReduceOp op, Duration timeout) {
    WarmUp.Ascent ascent = entry(type, op).ascent();
    try {
      return ascent == null || isDone(ascent.ask(), timeout.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    } catch (ExecutionException e) {
      throw new TuttiException(
          ErrorCode.RUN_FAILED, e, "the kernel %s of %s cannot be warmed up", op, type);
    }
  }

  /** Waits for a kernel, and tells how much of the timeout has passed. */
  private static boolean isDone(Future<?> kernel, long timeoutMillis)
      throws InterruptedException, ExecutionException {
    int looks = Math.toIntExact(Math.max(1, timeoutMillis / LOOK_MILLIS));
    try (Work work = Work.begin("preparing kernels", looks)) {
      for (int look = 0; look < looks; look++) {
        try {
          kernel.get(LOOK_MILLIS, TimeUnit.MILLISECONDS);
          return true;
        } catch (TimeoutException e) {
          work.step();
        }
      }
      return kernel.isDone();
    }
  }

  /**
   * Copies {@code bytes} bytes between two segments; overlapping ranges are copied as if through a
   * temporary buffer.
   */
  public static void copy(
      MemorySegment dst, long dstOffset, MemorySegment src, long srcOffset, long bytes) {
    MemorySegment.copy(src, srcOffset, dst, dstOffset, bytes);
  }

  private static Entry entry(DataType type, ReduceOp op) {
    op.requireSupports(type);
    return ENTRIES.computeIfAbsent(new Pair(type, op), pair -> start(type, op));
  }

  private static Entry start(DataType type, ReduceOp op) {
    Lanes scalar = scalar(type, op);
    Lanes[] scalars = Lanes.ofAllSizes(scalar);
    AdaptiveKernel kernel = new AdaptiveKernel(type, op, scalars);
    WarmUp.Ascent ascent = null;
    if (type == DataType.FLOAT16) {
      ascent = WARM_UP.start(kernel, scalars, () -> float16(op, scalar));
    } else if (VECTORS) {
      ascent = WARM_UP.start(kernel, scalars, () -> VectorFactory.of(type, op, scalar));
    }
    return new Entry(kernel, ascent);
  }

  /** The lanes that every JVM can run. */
  static Lanes scalar(DataType type, ReduceOp op) {
    ScalarLanes.Data data = new ScalarLanes.Data(Elements.of(type, op), type.size());
    return HiddenCopy.of(ScalarLanes.class, data);
  }

  /** The lanes of float16 for each size class; every JVM can run them. */
  static Lanes[] float16(ReduceOp op, Lanes scalar) {
    Float16Lanes.Operator operator =
        switch (op) {
          case SUM -> (a, b) -> a + b;
          case PROD -> (a, b) -> a * b;
          case MAX -> Math::max;
          case MIN -> Math::min;
          case BAND, BOR, BXOR -> throw new IllegalArgumentException(op.label());
        };
    Lanes[] lanes = Lanes.ofAllSizes(scalar);
    lanes[Lanes.SIZE_CLASSES - 1] = HiddenCopy.of(Float16Lanes.class, operator);
    return lanes;
  }
}
