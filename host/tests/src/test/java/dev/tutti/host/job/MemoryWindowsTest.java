package dev.tutti.host.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.engine.memory.NativeMemory;
import dev.tutti.host.RankTasks;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;

final class MemoryWindowsTest {

  private static final int THREADS = 4;
  private static final int ROUNDS = 2000;

  /** The system soon gives the addresses of freed memory again, to any thread. */
  @Test
  void newMemoryIsKnownAlthoughOtherThreadsFreeMemoryAtItsAddress() throws Exception {
    Queue<Long> freed = new ConcurrentLinkedQueue<>();
    MemoryWindows windows = new MemoryWindows(0, freed::add);
    List<FutureTask<List<Long>>> tasks =
        RankTasks.start(
            THREADS,
            thread -> {
              List<Long> numbers = new ArrayList<>();
              for (int round = 0; round < ROUNDS; round++) {
                try (NativeMemory memory = windows.reserve(NativeMemory.PAGE, 0)) {
                  numbers.add(windows.placeOf(memory.segment()).number());
                }
              }
              return numbers;
            });
    Set<Long> numbers = new HashSet<>();
    for (FutureTask<List<Long>> each : tasks) {
      numbers.addAll(each.get());
    }
    assertThat(numbers).hasSize(THREADS * ROUNDS);
    assertThat(freed).hasSize(THREADS * ROUNDS).containsAll(numbers);
  }
}
