package dev.tutti.verifier.run;

import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.resource.DeviceMem;

/**
 * A fault that happens once in a run, when a stream reaches a point. Immutable; more kinds may be
 * added. {@code docs/faults.md} describes what each kind requires of an algorithm.
 */
public sealed interface Fault {

  /** The point at which it happens. */
  Point at();

  /**
   * The stream pauses, and then continues.
   *
   * @param steps the length of the pause in steps of the run; 0 or more
   */
  record Delay(Point at, long steps) implements Fault {
    /** Checks the range. */
    public Delay {
      requireSteps(steps);
    }

    @Override
    public String toString() {
      return "delay of " + steps + " steps at " + at;
    }
  }

  /** The signal of a post never arrives. */
  record Drop(Point at) implements Fault {
    @Override
    public String toString() {
      return "dropped signal at " + at;
    }
  }

  /**
   * The signal of a post arrives twice.
   *
   * @param steps the steps of the run between the first and the second arrival; 0 or more
   */
  record Duplicate(Point at, long steps) implements Fault {
    /** Checks the range. */
    public Duplicate {
      requireSteps(steps);
    }

    @Override
    public String toString() {
      return "duplicated signal, again after " + steps + " steps, at " + at;
    }
  }

  /**
   * The rank dies: all its streams stop. Its memory stays readable and writable, as shared memory
   * of a dead process does.
   */
  record Kill(Point at) implements Fault {
    @Override
    public String toString() {
      return "death of the rank at " + at;
    }
  }

  /**
   * Some memory of any rank is overwritten with a pattern.
   *
   * @param mem the overwritten bytes
   */
  record Fill(Point at, DeviceMem mem) implements Fault {
    @Override
    public String toString() {
      return mem + " overwritten at " + at;
    }
  }

  /** The notify that the action posts or awaits is already set, though no stream has posted it. */
  record Raise(Point at) implements Fault {
    @Override
    public String toString() {
      return "notify set without a post at " + at;
    }
  }

  private static void requireSteps(long steps) {
    if (steps < 0) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT, "steps must be 0 or more. Actual: %d", steps);
    }
  }
}
