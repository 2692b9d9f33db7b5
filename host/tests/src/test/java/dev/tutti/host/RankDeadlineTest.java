package dev.tutti.host;

import static java.util.concurrent.TimeUnit.MINUTES;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.base.idle.ManualClock;
import dev.tutti.base.idle.Waiting;
import dev.tutti.host.status.GroupStatus;
import dev.tutti.sdk.param.BarrierParam;
import dev.tutti.sdk.resource.AlgResourceRequest;
import dev.tutti.sdk.resource.AlgResourceResponse;
import dev.tutti.sdk.resource.SubCommInfo;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(600)
final class RankDeadlineTest {

  private static final Duration DEADLINE = Duration.ofSeconds(10);
  private static final Duration ALMOST = Duration.ofSeconds(9);

  private final ManualClock clock = new ManualClock();
  private final CountDownLatch isPlanning = new CountDownLatch(1);
  private final CountDownLatch mayPlan = new CountDownLatch(1);
  private final Context context =
      HostAccess.waiting(
              Context.builder().workers(1).algorithm("held", new Held()), new Waiting(clock, 2))
          .deadline(DEADLINE)
          .open();
  private final Group group = context.createGroup(2);

  /** A barrier that is planned when the test says so. */
  private final class Held extends SampleAlgorithms.Pulling<BarrierParam> {

    @Override
    public AlgResourceRequest calcResRequest(BarrierParam param) {
      isPlanning.countDown();
      Await.latch(mayPlan);
      return super.calcResRequest(param);
    }

    @Override
    protected void pull(BarrierParam param, AlgResourceResponse resources, SubCommInfo comm) {}
  }

  @AfterEach
  void close() {
    mayPlan.countDown();
    context.close();
  }

  private FutureTask<Void> call(int rank) {
    FutureTask<Void> call = new FutureTask<>(() -> group.rank(rank).barrier(), null);
    Thread.ofPlatform().daemon().start(call);
    return call;
  }

  /** A rank that waited long for the last one does not fail for that once all are there. */
  @Test
  void anOperationHasTheWholeTimeFromTheMomentAllHaveStartedIt() {
    FutureTask<Void> first = call(0);
    Await.until(() -> group.status().state() == GroupStatus.State.MEETING);
    clock.advance(ALMOST);
    FutureTask<Void> last = call(1);
    Await.latch(isPlanning);
    clock.advance(ALMOST);
    mayPlan.countDown();
    assertThat(first).succeedsWithin(5, MINUTES);
    assertThat(last).succeedsWithin(5, MINUTES);
  }
}
