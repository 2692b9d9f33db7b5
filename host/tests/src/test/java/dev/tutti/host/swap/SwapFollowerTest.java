package dev.tutti.host.swap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tutti.base.idle.Clock;
import dev.tutti.host.RankTasks;
import dev.tutti.host.job.Job;
import dev.tutti.host.job.JobIdentity;
import dev.tutti.host.job.OneJvmNetwork;
import dev.tutti.plugin.live.FollowedPlugins;
import dev.tutti.plugin.live.LiveSettings;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A process that serves what rank 0 decides. */
@Timeout(600)
final class SwapFollowerTest {

  private static final long PATIENCE = Duration.ofMinutes(5).toNanos();

  @Test
  void aLeaderThatIsLostBeforeItHasSentPluginsIsALoss(@TempDir Path directory) throws Exception {
    OneJvmNetwork network = new OneJvmNetwork(2, 0);
    List<FutureTask<Job>> joining = RankTasks.start(2, process -> join(network, process));
    Job leader = joining.get(0).get(5, TimeUnit.MINUTES);
    Job follower = joining.get(1).get(5, TimeUnit.MINUTES);

    leader.close();

    try (FollowedPlugins plugins =
        new FollowedPlugins(LiveSettings.of(directory, directory), List.of())) {
      assertThatThrownBy(
              () -> SwapFollower.follow(follower, plugins, Clock.system(), PATIENCE, PATIENCE))
          .isInstanceOfSatisfying(
              TuttiException.class,
              error -> assertThat(error.code()).isEqualTo(ErrorCode.PEER_LOST))
          .hasMessageContaining("rank 0 is lost");
    }
    follower.leave(PATIENCE);
  }

  private static Job join(OneJvmNetwork network, int process) {
    JobIdentity same = new JobIdentity(Map.of());
    return Job.join(network.world(process), 1, same, Clock.system(), PATIENCE);
  }
}
