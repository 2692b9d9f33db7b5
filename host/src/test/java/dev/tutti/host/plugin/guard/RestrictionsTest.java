package dev.tutti.host.plugin.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.host.plugin.link.LinkCheck;
import dev.tutti.host.plugin.link.LinkReport;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Each entry of the table, broken once: by a class that uses what the entry is about. */
class RestrictionsTest {

  /** Members that newer JDKs have dropped; classes that use them do not link. */
  private static final Set<String> DROPPED = Set.of("java.lang.Thread suspend");

  private final LinkCheck check = new LinkCheck(new Restrictions(), "0.1.0");

  /**
   * What an entry says of one member.
   *
   * @param verdict a capability, {@code never} or {@code free}
   */
  record Entry(String verdict, String owner, String member) {

    String key() {
      return owner + " " + member;
    }

    @Override
    public String toString() {
      return verdict + " " + key();
    }
  }

  static Stream<Entry> entries() {
    return all().filter(entry -> !DROPPED.contains(entry.key()));
  }

  private static Stream<Entry> all() {
    return Restrictions.lines().stream()
        .map(line -> line.split(" ", -1))
        .flatMap(
            words ->
                Arrays.stream(words).skip(2).map(member -> new Entry(words[0], words[1], member)));
  }

  private static Set<String> namedMembers(String owner) {
    Set<String> named = new TreeSet<>();
    all().filter(entry -> entry.owner.equals(owner)).forEach(entry -> named.add(entry.member));
    return named;
  }

  private static List<ClassWithUse> uses(Entry entry) {
    boolean isAll = entry.member.equals("*");
    List<ClassWithUse> uses = new ArrayList<>();
    for (Class<?> type : JdkTypes.of(entry.owner)) {
      Set<String> elsewhere = isAll ? namedMembers(type.getName()) : Set.of();
      if (elsewhere.contains("*") && !type.getName().equals(entry.owner)) {
        continue;
      }
      JdkTypes.members(type)
          .filter(use -> isAll ? !use.isAnyOf(elsewhere) : use.isAnyOf(Set.of(entry.member)))
          .forEach(uses::add);
    }
    return uses;
  }

  @ParameterizedTest
  @MethodSource("entries")
  void usesAreRefusedAsTheEntrySays(Entry entry) {
    List<ClassWithUse> uses = uses(entry);
    assertThat(uses).as("%s is not there", entry).isNotEmpty();
    for (ClassWithUse use : uses) {
      LinkReport report = check.check(use::bytes, List.of("p.A"), Set.of());
      assertThat(report.problems()).as("%s", use).hasSize(entry.verdict.equals("free") ? 0 : 1);
      report.problems().forEach(problem -> assertThat(problem).contains(advice(entry)));
      if (!entry.verdict.equals("never")) {
        LinkReport granted = check.check(use::bytes, List.of("p.A"), Set.of(Capability.values()));
        assertThat(granted.problems()).as("%s", use).isEmpty();
      }
    }
  }

  private static String advice(Entry entry) {
    return entry.verdict.equals("never")
        ? "no plugin may do that"
        : "ask for the capability '" + entry.verdict + "'";
  }

  @ParameterizedTest
  @CsvSource({
    "java.lang.Object, wait()",
    "java.lang.Thread, sleep join",
    "java.util.concurrent.TimeUnit, sleep timedJoin timedWait",
    "java.util.concurrent.Future, get",
    "java.util.concurrent.FutureTask, get",
    "java.util.concurrent.CompletableFuture, get join",
    "java.util.concurrent.ForkJoinTask, get join invoke",
    "java.util.concurrent.ExecutorCompletionService, take",
    "java.util.concurrent.CountDownLatch, await",
    "java.util.concurrent.CyclicBarrier, await",
    "java.util.concurrent.Phaser, arriveAndAwaitAdvance awaitAdvance awaitAdvanceInterruptibly",
    "java.util.concurrent.Exchanger, exchange",
    "java.util.concurrent.Semaphore, acquire acquireUninterruptibly",
    "java.util.concurrent.BlockingQueue, put take",
    "java.util.concurrent.BlockingDeque, putFirst takeLast",
    "java.util.concurrent.TransferQueue, transfer",
    "java.util.concurrent.ArrayBlockingQueue, put take",
    "java.util.concurrent.DelayQueue, take",
    "java.util.concurrent.LinkedBlockingDeque, put take",
    "java.util.concurrent.LinkedBlockingQueue, put take",
    "java.util.concurrent.LinkedTransferQueue, take transfer",
    "java.util.concurrent.PriorityBlockingQueue, take",
    "java.util.concurrent.SynchronousQueue, put take",
    "java.util.concurrent.locks.Condition, await awaitNanos awaitUninterruptibly awaitUntil",
    "java.util.concurrent.locks.LockSupport, park parkNanos parkUntil",
    "java.util.concurrent.locks.AbstractQueuedSynchronizer, acquire acquireShared",
  })
  void whateverWaitsForAnotherThreadNeedsACapability(String owner, String members) {
    for (String member : members.split(" ", -1)) {
      usesAreRefusedAsTheEntrySays(new Entry("threads", owner, member));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "java.lang.Thread, onSpinWait currentThread",
    "java.util.concurrent.ConcurrentHashMap, put computeIfAbsent",
    "java.util.concurrent.ConcurrentLinkedQueue, poll offer",
    "java.util.concurrent.CountDownLatch, countDown",
    "java.util.concurrent.Semaphore, tryAcquire() release",
    "java.util.concurrent.atomic.AtomicInteger, incrementAndGet",
    "java.util.concurrent.locks.ReentrantLock, lock unlock",
  })
  void whatWaitsForNobodyNeedsNone(String owner, String members) {
    for (String member : members.split(" ", -1)) {
      usesAreRefusedAsTheEntrySays(new Entry("free", owner, member));
    }
  }

  @Test
  void onlyWhatTheJdkHasDroppedIsLeftOut() {
    assertThat(all().filter(entry -> uses(entry).isEmpty()).map(Entry::key)).isSubsetOf(DROPPED);
  }
}
