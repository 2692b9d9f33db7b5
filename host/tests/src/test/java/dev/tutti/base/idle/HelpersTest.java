package dev.tutti.base.idle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.host.Await;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Helpers take part in all work, however it comes, and are called only for work of their kind. */
class HelpersTest {

  private static final String NAME = "helpers-test-";
  private static final int WORKERS = 4;

  private final Helpers helpers = new Helpers(NAME, WORKERS, Waiting.system(), 1_000, 10_000);

  /** The numbers of the helpers that checked a piece of work which they could do nothing in. */
  private final Set<Integer> seen = ConcurrentHashMap.newKeySet();

  @AfterEach
  void close() {
    helpers.close();
  }

  private boolean look(int worker) {
    seen.add(worker);
    return false;
  }

  private static List<Thread> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith(NAME))
        .toList();
  }

  private static void awaitSleep() {
    Await.until(
        () -> threads().stream().allMatch(thread -> thread.getState() == Thread.State.WAITING));
  }

  @Test
  void keptWorkWakesAllHelpersButTheOneForLeftWork() {
    awaitSleep();

    helpers.publishKept(this::look);

    Await.until(() -> seen.size() == WORKERS - 1);
    awaitSleep();
    assertThat(seen).containsExactlyInAnyOrder(1, 2, 3);
  }

  @Test
  void leftWorkWakesOneHelper() {
    awaitSleep();

    helpers.publishLeft(this::look);

    Await.until(() -> !seen.isEmpty());
    awaitSleep();
    assertThat(seen).hasSize(1);
  }

  /** As many helpers as workers, because the owners of left work do something else. */
  @Test
  void leftWorkHasAsManyHelpersAsWorkers() throws InterruptedException {
    awaitSleep();
    Set<Integer> inKept = ConcurrentHashMap.newKeySet();
    helpers.publishKept(
        worker -> {
          inKept.add(worker);
          return false;
        });
    CountDownLatch arrivals = new CountDownLatch(WORKERS);

    int place =
        helpers.publishLeft(
            worker -> {
              if (seen.add(worker)) {
                helpers.callOne();
                arrivals.countDown();
                Await.until(() -> arrivals.getCount() == 0);
              }
              return false;
            });

    arrivals.await();
    helpers.withdraw(place);
    awaitSleep();
    assertThat(seen).containsExactlyInAnyOrder(1, 2, 3, 4);
    assertThat(inKept).containsExactlyInAnyOrder(1, 2, 3);
  }

  @Test
  void noCallIsLost() {
    AtomicInteger asked = new AtomicInteger();
    AtomicInteger answered = new AtomicInteger();
    int place =
        helpers.publishLeft(
            worker -> {
              int question = asked.get();
              return answered.getAndSet(question) != question;
            });
    for (int call = 1; call <= 20_000; call++) {
      int question = call;
      asked.set(question);
      helpers.callOne();
      Await.spin(() -> answered.get() == question);
      if (call % 1_000 == 0) {
        awaitSleep();
      }
    }
    helpers.withdraw(place);
    assertThat(answered).hasValue(20_000);
  }

  @Test
  void sharedWorkIsCheckedWithoutACall() {
    AtomicInteger looks = new AtomicInteger();
    SharedWork work =
        worker -> {
          looks.getAndIncrement();
          return false;
        };
    assertThat(helpers.helpShared()).isFalse();

    helpers.share(work);
    Await.until(() -> looks.get() > 1_000);

    assertThat(helpers.helpShared()).isFalse();
    helpers.unshare(work);
    awaitSleep();
    int last = looks.get();
    assertThat(helpers.helpShared()).isFalse();
    assertThat(looks).hasValue(last);
  }

  /** The JVM interrupts a thread that uses memory which is freed. */
  @Test
  void anInterruptedHelperSleepsAndWorksOn() {
    for (int round = 0; round < 10; round++) {
      threads().forEach(Thread::interrupt);
      awaitSleep();
      seen.clear();
      int place = helpers.publishKept(this::look);
      Await.until(() -> seen.size() == WORKERS - 1);
      helpers.withdraw(place);
      awaitSleep();
    }
    assertThat(threads()).hasSize(WORKERS);
  }

  /** There is room for 64 pieces of work of each kind. */
  @Test
  void workWithoutAPlaceGetsNoHelp() {
    for (int each = 0; each < 64; each++) {
      assertThat(helpers.publishKept(worker -> false)).isNotNegative();
      assertThat(helpers.publishLeft(worker -> false)).isNotNegative();
    }
    assertThat(helpers.publishKept(worker -> false)).isEqualTo(-1);
    assertThat(helpers.publishLeft(worker -> false)).isEqualTo(-1);
    helpers.withdraw(-1);
  }

  @Test
  void oneWorkerHasNoHelpers() {
    try (Helpers none = new Helpers("none-", 1, Waiting.system(), 0, 0)) {
      assertThat(none.areThereAny()).isFalse();
      assertThat(none.publishKept(worker -> false)).isEqualTo(-1);
      assertThat(none.publishLeft(worker -> false)).isEqualTo(-1);
      none.callOne();
    }
    assertThat(helpers.areThereAny()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void theThreadsEndWhenTheyAreClosed(boolean areAsleep) {
    if (areAsleep) {
      awaitSleep();
    }
    helpers.close();
    Await.until(() -> threads().isEmpty());
    assertThat(threads()).isEmpty();
  }
}
