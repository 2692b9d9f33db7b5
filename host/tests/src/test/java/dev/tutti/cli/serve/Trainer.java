package dev.tutti.cli.serve;

import dev.tutti.host.RankHandle;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ReduceOp;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.CountDownLatch;

/** An application whose ranks sum their gradients, and one of which is kept by its input. */
final class Trainer {

  private static final int SLOW = 2;

  private final CountDownLatch hasInput = new CountDownLatch(1);

  /** The work of each rank. */
  void train(RankHandle rank) {
    float[] gradients = new float[1024];
    for (int step = 0; step < 2; step++) {
      if (rank.rank() == SLOW && step == 1) {
        readInput();
      }
      rank.allReduce(gradients, gradients, ReduceOp.SUM);
    }
  }

  /** Two ranks receive before they send. */
  static void exchange(RankHandle rank) {
    float[] received = new float[1024];
    rank.receive(MemorySegment.ofArray(received), DataType.FLOAT32, 1 - rank.rank());
  }

  private void readInput() {
    try {
      hasInput.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Lets the slow rank go on. */
  void giveInput() {
    hasInput.countDown();
  }
}
