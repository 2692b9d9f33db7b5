package dev.tutti.host.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.host.Await;
import dev.tutti.host.job.OneJvmJob.Link;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The request of one process that the programs of all others end. */
@Timeout(600)
final class JobEndingTest {

  @ParameterizedTest
  @EnumSource(
      value = Link.class,
      names = {"MEMORY", "MESSAGES"})
  void anyProcessAsksAllOthers(Link link) throws Exception {
    AtomicInteger askedItself = new AtomicInteger();
    OneJvmJob.run(
        link,
        3,
        builder -> builder,
        context -> {
          if (context.rte().isLocal(1)) {
            context.onJobEnd(askedItself::incrementAndGet);
            context.endJob();
          } else {
            CountDownLatch isAsked = new CountDownLatch(1);
            context.onJobEnd(isAsked::countDown);
            Await.latch(isAsked);
          }
          return null;
        });
    assertThat(askedItself).hasValue(0);
  }

  @Test
  void aRequestBeforeTheListenerIsNotLost() {
    JobEnding ending = new JobEnding(() -> {});
    AtomicInteger calls = new AtomicInteger();
    ending.isRequested();

    ending.listen(calls::incrementAndGet);
    assertThat(calls).hasValue(1);

    ending.isRequested();
    assertThat(calls).as("one call, however many ask").hasValue(1);
  }
}
