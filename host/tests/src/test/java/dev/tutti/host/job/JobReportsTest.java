package dev.tutti.host.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.host.Await;
import dev.tutti.host.Context;
import dev.tutti.host.Errors;
import dev.tutti.host.Group;
import dev.tutti.host.SampleAlgorithms;
import dev.tutti.host.job.OneJvmJob.Link;
import dev.tutti.host.status.GroupStatus;
import dev.tutti.host.status.ProcessReport;
import dev.tutti.host.status.ProcessReport.ServedPlugin;
import dev.tutti.host.status.ProcessStatus;
import dev.tutti.host.status.RankStatus;
import dev.tutti.sdk.ErrorCode;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every process of a job can ask all of them what they are doing. */
@Timeout(600)
final class JobReportsTest {

  private static final Duration PATIENCE = Duration.ofMillis(1);
  private static final Duration LONG = Duration.ofMinutes(5);

  @ParameterizedTest
  @EnumSource(
      value = Link.class,
      names = {"MEMORY", "MESSAGES"})
  void anyProcessSeesWhatTheRanksOfAllAreDoing(Link link) throws Exception {
    CountDownLatch isSeen = new CountDownLatch(1);
    OneJvmJob.run(
        link,
        3,
        builder -> builder,
        context -> {
          Group group = context.createGroup(3);
          if (context.rte().isLocal(0)) {
            group.rank(0).barrier();
          } else if (context.rte().isLocal(1)) {
            Await.until(() -> doing(context, 0).contains("barrier"));
            List<ProcessStatus> all = context.jobStatus(PATIENCE, LONG);
            assertThat(all).extracting(ProcessStatus::silence).containsOnly("");
            assertThat(all)
                .extracting(ProcessStatus::ranks)
                .containsExactly(List.of(0), List.of(1), List.of(2));
            assertThat(all)
                .extracting(ProcessStatus::process)
                .containsOnly(ProcessHandle.current().pid());
            assertThat(all.getLast().report().orElseThrow().groups())
                .singleElement()
                .satisfies(each -> assertThat(each.rankSize()).isEqualTo(3));
            isSeen.countDown();
            group.rank(1).barrier();
          } else {
            Await.latch(isSeen);
            group.rank(2).barrier();
          }
          return null;
        });
  }

  /** What a process reports about the only group and one of its ranks. */
  private static String doing(Context context, int rank) {
    return context.jobStatus(PATIENCE, LONG).get(rank).report().orElseThrow().groups().stream()
        .flatMap(group -> group.ranks().stream())
        .filter(each -> each.rank() == rank)
        .map(RankStatus::doing)
        .findFirst()
        .orElse("");
  }

  @Test
  void aProcessThatHasLeftIsNamed() throws Exception {
    OneJvmJob.run(
        Link.MESSAGES,
        3,
        builder -> builder,
        context -> {
          if (context.rte().isLocal(0)) {
            Await.until(
                () ->
                    context.jobStatus(PATIENCE, LONG).get(2).silence().equals("has left the job"));
            assertThat(context.jobStatus(PATIENCE, LONG).get(2).report()).isEmpty();
          }
          return null;
        });
  }

  @Test
  void ranksOfOneProcessAreReportedWithoutAJob() {
    try (Context context = SampleAlgorithms.context();
        Group group = context.createGroup(2)) {
      assertThat(context.jobStatus(PATIENCE, LONG))
          .singleElement()
          .satisfies(
              only -> {
                assertThat(only.ranks()).isEmpty();
                assertThat(only.silence()).isEmpty();
                assertThat(only.report().orElseThrow().groups())
                    .extracting(GroupStatus::title)
                    .containsExactly(group.toString());
              });
      assertThat(
              Errors.message(
                  ErrorCode.INVALID_ARGUMENT, () -> context.jobStatus(PATIENCE, Duration.ZERO)))
          .contains("longer than zero");
    }
  }

  @Test
  void aReportIsReadAsItWasWritten() {
    RankStatus waiting =
        new RankStatus(1, "rank 1", RankStatus.State.WAITING, "waits ü", List.of(0, 2), "A.java:7");
    ProcessReport report =
        new ProcessReport(
            Instant.ofEpochMilli(1_700_000_000_123L),
            1L << 40,
            12,
            List.of(new ServedPlugin("org.example", "1.0", 3)),
            List.of(
                new GroupStatus(
                    7,
                    "group of 3 ranks",
                    3,
                    GroupStatus.State.MEETING,
                    "waiting",
                    List.of(waiting))));

    byte[] body = ReportBody.of(report);

    assertThat(ReportBody.read(new BodyReader(body))).isEqualTo(report);
    for (int length = 0; length < body.length; length++) {
      byte[] part = Arrays.copyOf(body, length);
      Errors.message(ErrorCode.INVALID_STATE, () -> ReportBody.read(new BodyReader(part)));
    }
    String text = new String(body, StandardCharsets.ISO_8859_1);
    byte[] other = text.replace("WAITING", "WAXTING").getBytes(StandardCharsets.ISO_8859_1);
    assertThat(
            Errors.message(ErrorCode.INVALID_STATE, () -> ReportBody.read(new BodyReader(other))))
        .contains("WAXTING");
  }
}
