package dev.tutti.host.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.base.idle.Clock;
import dev.tutti.engine.message.MessageWorld;
import dev.tutti.host.Await;
import dev.tutti.host.RankTasks;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests how processes leave a job. The close of a world waits for all processes, so a process that
 * has lost one must not wait for it.
 */
@Timeout(600)
final class JobLeaveTest {

  private static final long PATIENCE = OneJvmJob.PATIENCE.toNanos();

  private static Job join(MessageWorld world) {
    return Job.join(world, 1, new JobIdentity(Map.of()), Clock.system(), PATIENCE);
  }

  /** Two processes, of which the second has a world of its own. */
  private static List<FutureTask<Job>> joining(OneJvmNetwork network, MessageWorld second) {
    return RankTasks.start(2, process -> join(process == 0 ? network.world(0) : second));
  }

  private static Job joined(FutureTask<Job> task) throws Exception {
    return task.get(5, TimeUnit.MINUTES);
  }

  @Test
  void aWorldIsAbandonedBeforeAnybodySeesTheLoss() throws Exception {
    OneJvmNetwork network = new OneJvmNetwork(2, 0);
    Job[] job = new Job[1];
    AtomicBoolean wasSeen = new AtomicBoolean();
    List<FutureTask<Job>> joining =
        joining(network, network.world(1, () -> wasSeen.set(job[0].hasLost(0)), () -> {}));
    job[0] = joined(joining.get(1));

    // A process that ends without leaving.
    joined(joining.get(0)).close();

    Await.until(() -> job[0].hasLost(0));
    assertThat(job[0].isAbandoned()).isTrue();
    assertThat(wasSeen).isFalse();
    job[0].leave(PATIENCE);
  }

  /** Else they would hear that the first process has left, not why. */
  @Test
  void theFirstProcessTellsOfALossBeforeItsOwnCallersSeeIt() throws Exception {
    OneJvmNetwork network = new OneJvmNetwork(3, 0);
    Job[] third = new Job[1];
    AtomicBoolean hasHeard = new AtomicBoolean();
    Runnable hears =
        () -> {
          long second = TimeUnit.SECONDS.toNanos(1);
          hasHeard.set(Clock.system().awaitUntil(() -> third[0].hasLost(1), 10 * second, second));
        };
    MessageWorld first = network.world(0, hears, () -> {});
    List<FutureTask<Job>> joining =
        RankTasks.start(3, process -> join(process == 0 ? first : network.world(process)));
    third[0] = joined(joining.get(2));
    Job told = joined(joining.get(0));

    joined(joining.get(1)).close();

    Await.until(() -> told.hasLost(1));
    assertThat(hasHeard).isTrue();
    FutureTask<@Nullable Void> left = leaving(third[0]);
    told.leave(PATIENCE);
    left.get(5, TimeUnit.MINUTES);
  }

  @Test
  void noWorldIsClosedWhileAnotherProcessMayBeLost() throws Exception {
    OneJvmNetwork network = new OneJvmNetwork(2, 0);
    AtomicBoolean isLeaving = new AtomicBoolean();
    AtomicBoolean wasEarly = new AtomicBoolean();
    List<FutureTask<Job>> joining =
        joining(network, network.world(1, () -> {}, () -> wasEarly.set(!isLeaving.get())));
    Job first = joined(joining.get(0));
    Job second = joined(joining.get(1));
    FutureTask<@Nullable Void> left = leaving(second);

    Await.until(() -> !first.isPresent(1));
    isLeaving.set(true);
    first.leave(PATIENCE);

    left.get(5, TimeUnit.MINUTES);
    assertThat(wasEarly).isFalse();
  }

  @Test
  void whoeverWaitsToLeaveHearsOfALoss() throws Exception {
    OneJvmNetwork network = new OneJvmNetwork(2, 0);
    List<FutureTask<Job>> joining = joining(network, network.world(1));
    Job first = joined(joining.get(0));
    Job second = joined(joining.get(1));
    FutureTask<@Nullable Void> left = leaving(second);

    Await.until(() -> !first.isPresent(1));
    first.close();

    left.get(1, TimeUnit.MINUTES);
    assertThat(second.isAbandoned()).isTrue();
  }

  @Test
  void theFirstProcessFreesTheMemoryOfGroupsThatNobodyHasClosed(@TempDir Path directory)
      throws IOException {
    JobPlace place = new JobPlace(0, 1, directory, OneJvmJob.TOKEN);
    Job job = Job.join(place, new JobIdentity(Map.of()), Clock.system(), PATIENCE);
    long before = memories();

    JobGroup open = job.groups().create("a group", new int[] {0}, "", PATIENCE);
    assertThat(open.number()).isPositive();
    assertThat(memories()).isEqualTo(before + 1);

    job.leave(PATIENCE);
    assertThat(memories()).isEqualTo(before);
  }

  /** The descriptors of memory that this process shares with others. */
  private static long memories() throws IOException {
    try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
      return descriptors.filter(JobLeaveTest::isMemory).count();
    }
  }

  private static boolean isMemory(Path descriptor) {
    try {
      return Files.readSymbolicLink(descriptor).toString().contains("memfd:tutti");
    } catch (IOException e) {
      // It was closed in the meantime.
      return false;
    }
  }

  private static FutureTask<@Nullable Void> leaving(Job job) {
    FutureTask<@Nullable Void> left =
        new FutureTask<>(
            () -> {
              job.leave(PATIENCE);
              return null;
            });
    Thread.ofPlatform().daemon().start(left);
    return left;
  }
}
