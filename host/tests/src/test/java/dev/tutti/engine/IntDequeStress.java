package dev.tutti.engine;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IIII_Result;
import org.openjdk.jcstress.infra.results.II_Result;

/** The owner and thieves take each element of the deque once, and see what came before it. */
public final class IntDequeStress {

  private IntDequeStress() {}

  /** The owner and a thief want the last element, where alone they compete. */
  @JCStressTest
  @State
  @Outcome(id = "7, -1", expect = Expect.ACCEPTABLE, desc = "the owner has it")
  @Outcome(id = "-1, 7", expect = Expect.ACCEPTABLE, desc = "the thief has it")
  @Outcome(expect = Expect.FORBIDDEN, desc = "taken twice, or lost")
  public static class LastElement {
    private final IntDeque deque = new IntDeque(4);

    public LastElement() {
      deque.push(7);
    }

    @Actor
    public void owner(II_Result result) {
      result.r1 = deque.pop();
    }

    @Actor
    public void thief(II_Result result) {
      result.r2 = deque.steal();
    }
  }

  /** One of two thieves is faster. */
  @JCStressTest
  @State
  @Outcome(id = "7, -1", expect = Expect.ACCEPTABLE, desc = "the first has it")
  @Outcome(id = "-1, 7", expect = Expect.ACCEPTABLE, desc = "the second has it")
  @Outcome(expect = Expect.FORBIDDEN, desc = "taken twice, or lost")
  public static class TwoThieves {
    private final IntDeque deque = new IntDeque(4);

    public TwoThieves() {
      deque.push(7);
    }

    @Actor
    public void first(II_Result result) {
      result.r1 = deque.steal();
    }

    @Actor
    public void second(II_Result result) {
      result.r2 = deque.steal();
    }
  }

  /** The owner empties a deque of two elements, whose indexes are beyond the ring's end. */
  @JCStressTest
  @State
  @Outcome(
      id = {"2, 1, -1, -1", "2, -1, 1, -1", "2, -1, -1, 1", "-1, -1, 1, 2"},
      expect = Expect.ACCEPTABLE,
      desc = "each is taken once")
  @Outcome(expect = Expect.FORBIDDEN, desc = "taken twice, or lost")
  public static class TwoElements {
    private final IntDeque deque = new IntDeque(2);

    public TwoElements() {
      for (int i = 0; i < 3; i++) {
        deque.push(0);
        int _ = deque.steal();
      }
      deque.push(1);
      deque.push(2);
    }

    @Actor
    public void owner(IIII_Result result) {
      result.r1 = deque.pop();
      result.r2 = deque.pop();
    }

    @Actor
    public void thief(IIII_Result result) {
      result.r3 = deque.steal();
      result.r4 = deque.steal();
    }
  }

  /** A thief sees the owner's writes before a push. */
  @JCStressTest
  @State
  @Outcome(id = "-1, 0", expect = Expect.ACCEPTABLE, desc = "too early")
  @Outcome(id = "1, 42", expect = Expect.ACCEPTABLE, desc = "stolen with what came before")
  @Outcome(expect = Expect.FORBIDDEN, desc = "stolen without what came before")
  public static class PushPublishes {
    private final IntDeque deque = new IntDeque(2);
    private int written;

    @Actor
    public void owner() {
      written = 42;
      deque.push(1);
    }

    @Actor
    public void thief(II_Result result) {
      result.r1 = deque.steal();
      result.r2 = result.r1 == IntDeque.EMPTY ? 0 : written;
    }
  }
}
