package dev.tutti.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.host.Await;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;

class IntDequeTest {

  /** The number of rounds in which the owner waits for a thief, however busy the machine is. */
  private static final int ROUNDS_WITH_THEFTS = 20;

  @Test
  void theOwnerTakesTheYoungestAndThievesTheOldest() {
    IntDeque deque = new IntDeque(4);
    deque.push(1);
    deque.push(2);
    deque.push(3);
    assertThat(deque.pop()).isEqualTo(3);
    assertThat(deque.steal()).isEqualTo(1);
    assertThat(deque.pop()).isEqualTo(2);
    assertThat(deque.pop()).isEqualTo(IntDeque.EMPTY);
    assertThat(deque.steal()).isEqualTo(IntDeque.EMPTY);
  }

  @Test
  void everyElementIsTakenOnceWhateverTheThievesDo() throws InterruptedException {
    int items = 200_000;
    int room = 64;
    IntDeque deque = new IntDeque(room);
    AtomicIntegerArray taken = new AtomicIntegerArray(items);
    AtomicBoolean isOver = new AtomicBoolean();
    AtomicInteger stolen = new AtomicInteger();
    List<Thread> thieves = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      thieves.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    while (!isOver.get()) {
                      int item = deque.steal();
                      take(taken, item);
                      if (item != IntDeque.EMPTY) {
                        stolen.getAndIncrement();
                      }
                    }
                  }));
    }
    int inside = 0;
    int stolenBefore = 0;
    for (int item = 0; item < items; item++) {
      deque.push(item);
      if (++inside == room) {
        if (item < ROUNDS_WITH_THEFTS * room) {
          int before = stolenBefore;
          Await.until(() -> stolen.get() > before);
        }
        while (inside > 0) {
          take(taken, deque.pop());
          inside--;
        }
        for (int left = deque.pop(); left != IntDeque.EMPTY; left = deque.pop()) {
          take(taken, left);
        }
        stolenBefore = stolen.get();
      }
    }
    for (int left = deque.pop(); left != IntDeque.EMPTY; left = deque.pop()) {
      take(taken, left);
    }
    isOver.set(true);
    for (Thread thief : thieves) {
      thief.join();
    }
    assertThat(stolen).hasValueGreaterThanOrEqualTo(ROUNDS_WITH_THEFTS);
    for (int item = 0; item < items; item++) {
      assertThat(taken.get(item)).as("item %d", item).isEqualTo(1);
    }
  }

  private static void take(AtomicIntegerArray taken, int item) {
    if (item != IntDeque.EMPTY) {
      taken.incrementAndGet(item);
    }
  }
}
