package dev.tutti.host.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tutti.host.Await;
import dev.tutti.host.Context;
import dev.tutti.host.Rte;
import dev.tutti.host.SampleAlgorithms;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests which processes may join a job. */
@Timeout(600)
final class JobEntranceTest {

  private static @Nullable TuttiException open(Rte rte, Duration patience) {
    try (Context context =
        SampleAlgorithms.addTo(Context.builder())
            .rte(rte)
            .joinDeadline(patience)
            .deadline(Duration.ofSeconds(1))
            .open()) {
      return null;
    } catch (TuttiException e) {
      return e;
    }
  }

  private static FutureTask<@Nullable TuttiException> opening(Rte rte, Duration patience) {
    FutureTask<@Nullable TuttiException> task = new FutureTask<>(() -> open(rte, patience));
    Thread.ofPlatform().daemon().start(task);
    return task;
  }

  /** A visitor that connects as soon as rank 0 listens, and sends nothing. */
  private static SocketChannel visitor(Path directory) {
    UnixDomainSocketAddress door = UnixDomainSocketAddress.of(directory.resolve("leader.sock"));
    AtomicReference<SocketChannel> visitor = new AtomicReference<>();
    Await.until(
        () -> {
          try {
            visitor.set(SocketChannel.open(door));
            return true;
          } catch (IOException e) {
            return false;
          }
        });
    return visitor.get();
  }

  private static TuttiException end(FutureTask<@Nullable TuttiException> task) throws Exception {
    TuttiException error = task.get(5, TimeUnit.MINUTES);
    assertThat(error).isNotNull();
    return error;
  }

  @Test
  void aProcessThatNeverComesIsNamed() throws Exception {
    Path directory = OneJvmJob.newDirectory();
    Duration patience = Duration.ofMillis(300);
    FutureTask<@Nullable TuttiException> leader =
        opening(Rte.process(0, 3, directory, OneJvmJob.TOKEN), patience);
    FutureTask<@Nullable TuttiException> other =
        opening(Rte.process(2, 3, directory, OneJvmJob.TOKEN), Duration.ofSeconds(3));
    assertThat(end(leader).code()).isEqualTo(ErrorCode.JOB_REFUSED);
    assertThat(end(leader))
        .hasMessageContaining("of 3 processes of the job did not join within 0.3 s: ");
    // It was informed, or came too late.
    if (!other.isDone()) {
      assertThat(end(leader)).hasMessageMatching("(?s).*: rank 1(, rank 2)?");
    }
    assertThat(end(other).code()).isEqualTo(ErrorCode.JOB_REFUSED);
    OneJvmJob.requireNothingLeft(directory);
  }

  @Test
  void withoutRank0NobodyIsThere() throws Exception {
    Path directory = OneJvmJob.newDirectory();
    TuttiException error =
        end(opening(Rte.process(1, 2, directory, OneJvmJob.TOKEN), Duration.ofMillis(50)));
    assertThat(error.code()).isEqualTo(ErrorCode.JOB_REFUSED);
    assertThat(error).hasMessageContaining("nothing listens on " + directory);
    OneJvmJob.requireNothingLeft(directory);
  }

  @Test
  void whoIsToldToEndDoesNotWaitForRank0() throws Exception {
    Path directory = OneJvmJob.newDirectory();
    Thread.currentThread().interrupt();

    TuttiException error = open(Rte.process(1, 2, directory, OneJvmJob.TOKEN), OneJvmJob.PATIENCE);

    assertThat(Thread.interrupted()).isTrue();
    assertThat(error).hasMessageContaining("this process was told to end");
    OneJvmJob.requireNothingLeft(directory);
  }

  @Test
  void strangersAreRefusedAndTheOthersComeIn() throws Exception {
    Path directory = OneJvmJob.newDirectory();
    Rte first = Rte.process(0, 2, directory, OneJvmJob.TOKEN);
    FutureTask<@Nullable TuttiException> leader = opening(first, OneJvmJob.PATIENCE);
    SocketChannel silent = visitor(directory);
    String otherToken = OneJvmJob.TOKEN.replace('0', '1');
    Duration patience = OneJvmJob.PATIENCE;
    assertThat(end(opening(Rte.process(1, 2, directory, otherToken), patience)))
        .hasMessageContaining("the token is not that of this job");
    assertThat(end(opening(Rte.process(1, 3, directory, OneJvmJob.TOKEN), patience)))
        .hasMessageContaining("is rank 1 of 3, and rank 0 expects 2");
    assertThat(end(opening(first, patience)))
        .hasMessageContaining("another process may be rank 0 of this job already");
    TuttiException withoutPlugins =
        JobMistakesTest.errorOf(
            () ->
                Context.builder()
                    .rte(Rte.process(1, 2, directory, OneJvmJob.TOKEN))
                    .open()
                    .close());
    assertThat(withoutPlugins)
        .hasMessageContaining("must have the same plugins, but rank 1 differs from rank 0")
        .hasMessageContaining("actual none");
    FutureTask<@Nullable TuttiException> right =
        opening(Rte.process(1, 2, directory, OneJvmJob.TOKEN), patience);
    assertThat(right.get(5, TimeUnit.MINUTES)).isNull();
    assertThat(leader.get(5, TimeUnit.MINUTES)).isNull();
    assertThat(silent.read(ByteBuffer.allocate(1)))
        .as("who says nothing is sent away")
        .isEqualTo(-1);
    silent.close();
    OneJvmJob.requireNothingLeft(directory);
  }

  @Test
  void aDirectoryThatOthersCanEnterIsRefused() throws Exception {
    Path directory = OneJvmJob.newDirectory();
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-x---"));
    assertThatThrownBy(
            () ->
                Context.builder().rte(Rte.process(0, 2, directory, OneJvmJob.TOKEN)).open().close())
        .hasMessageContaining("open to their user only (mode 0700)");
    OneJvmJob.requireNothingLeft(directory);
  }

  @Test
  void halfAnEnvironmentIsRefused() {
    assertThatThrownBy(() -> JobPlace.of(name -> JobPlace.RANK.equals(name) ? "0" : null))
        .hasMessageContaining("TUTTI_RANK is set, so this process is a rank of a job, but");
    assertThat(JobPlace.of(name -> null)).isNull();
  }
}
