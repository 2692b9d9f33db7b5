package dev.tutti.host.group;

import dev.tutti.plugin.live.Generation;
import dev.tutti.sdk.TuttiException;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;

/** One run at a time has the slot of a group, and poison is never lost. */
public final class RunSlotStress {

  private static final int REFUSED = 0;
  private static final int TAKEN = 1;

  private RunSlotStress() {}

  private static final class User extends SlotHolder {
    @Override
    public boolean uses(Generation generation) {
      return false;
    }

    @Override
    public String doing() {
      return "running a test";
    }
  }

  private static int take(RunSlot slot) {
    try {
      return slot.acquire(new User()) ? TAKEN : REFUSED;
    } catch (TuttiException e) {
      return REFUSED;
    }
  }

  private static int close(RunSlot slot) {
    try {
      return slot.close() ? TAKEN : REFUSED;
    } catch (TuttiException e) {
      return REFUSED;
    }
  }

  /** Two callers at once. */
  @JCStressTest
  @State
  @Outcome(
      id = {"1, 0", "0, 1"},
      expect = Expect.ACCEPTABLE,
      desc = "one runs")
  @Outcome(expect = Expect.FORBIDDEN, desc = "both run, or none does")
  public static class TwoCallers {
    private final RunSlot slot = new RunSlot();

    @Actor
    public void first(II_Result result) {
      result.r1 = take(slot);
    }

    @Actor
    public void second(II_Result result) {
      result.r2 = take(slot);
    }
  }

  /** A run ends while the group is poisoned: nothing runs afterwards. */
  @JCStressTest
  @State
  @Outcome(id = "0", expect = Expect.ACCEPTABLE, desc = "the poison is in place")
  @Outcome(expect = Expect.FORBIDDEN, desc = "a run begins in a poisoned group")
  public static class PoisonAtTheEndOfARun {
    private final RunSlot slot = new RunSlot();

    public PoisonAtTheEndOfARun() {
      take(slot);
    }

    @Actor
    public void runner() {
      slot.release();
    }

    @Actor
    public void poisoner() {
      slot.poison("a test");
    }

    @Arbiter
    public void next(I_Result result) {
      result.r1 = take(slot);
    }
  }

  /** A group is closed while a thread begins a run, and nothing runs in it once it is closed. */
  @JCStressTest
  @State
  @Outcome(
      id = {"1, 0, 0", "0, 1, 0"},
      expect = Expect.ACCEPTABLE,
      desc = "it runs, or it is closed")
  @Outcome(expect = Expect.FORBIDDEN, desc = "it runs though it is closed, or neither")
  public static class CloseAtTheBeginOfARun {
    private final RunSlot slot = new RunSlot();

    @Actor
    public void runner(III_Result result) {
      result.r1 = take(slot);
    }

    @Actor
    public void closer(III_Result result) {
      result.r2 = close(slot);
    }

    @Arbiter
    public void next(III_Result result) {
      result.r3 = take(slot);
    }
  }
}
