package dev.tutti.host.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.tutti.host.Await;
import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class TcpEndpointTest {

  /** An address for documentation, which no machine has. */
  private static final String ADDRESS = "198.51.100.77";

  private static final String NAME = "tt" + ProcessHandle.current().pid();

  private static final String LOOPBACK = InetAddress.getLoopbackAddress().getHostAddress();

  private static boolean isDone(String... command) throws InterruptedException {
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      return process.waitFor(1, TimeUnit.MINUTES) && process.exitValue() == 0;
    } catch (IOException e) {
      return false;
    }
  }

  private static List<NetworkInterface> interfaces() {
    try {
      return Collections.list(NetworkInterface.getNetworkInterfaces());
    } catch (SocketException e) {
      throw new AssertionError(e);
    }
  }

  /** Networks of containers come and go while a job starts. */
  @Test
  void anInterfaceThatIsRemovedMeanwhileIsLeftOut() throws Exception {
    assumeThat(isDone("ip", "link", "add", NAME, "type", "veth", "peer", "name", NAME + "p"))
        .as("this user may add network interfaces")
        .isTrue();
    try {
      assertThat(isDone("ip", "addr", "add", ADDRESS + "/32", "dev", NAME)).isTrue();
      assertThat(isDone("ip", "link", "set", NAME, "up")).isTrue();
      assertThat(isDone("ip", "link", "set", NAME + "p", "up")).isTrue();
      Await.until(() -> TcpEndpoint.addresses(interfaces()).contains(ADDRESS));
      List<NetworkInterface> interfaces = interfaces();
      assertThat(TcpEndpoint.addresses(interfaces)).contains(ADDRESS).last().isEqualTo(LOOPBACK);
      assertThat(isDone("ip", "link", "del", NAME)).isTrue();

      assertThat(TcpEndpoint.addresses(interfaces)).doesNotContain(ADDRESS).contains(LOOPBACK);
    } finally {
      boolean ignored = isDone("ip", "link", "del", NAME);
    }
  }
}
