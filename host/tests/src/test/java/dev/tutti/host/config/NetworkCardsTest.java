package dev.tutti.host.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.sdk.topology.CommPlane;
import dev.tutti.sdk.topology.Topology;
import dev.tutti.simulator.NetworkModel;
import dev.tutti.simulator.PerByte;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The network cards that Linux reports. */
final class NetworkCardsTest {

  @TempDir private Path system;

  private void write(String file, String text) throws IOException {
    Path path = system.resolve(file);
    Files.createDirectories(path.getParent());
    Files.writeString(path, text + "\n");
  }

  private void card(String name, String type, String state, String speed) throws IOException {
    write("net/" + name + "/type", type);
    write("net/" + name + "/operstate", state);
    write("net/" + name + "/speed", speed);
  }

  private void port(String name, String state, String rate) throws IOException {
    write("infiniband/" + name + "/ports/1/state", state);
    write("infiniband/" + name + "/ports/1/rate", rate);
  }

  private String read() {
    return NetworkCards.of(system).map(NetworkCards::toString).orElse("none");
  }

  private NetworkModel model() {
    return NetworkCards.of(system).orElseThrow().model();
  }

  private static PerByte gigabits(int number) {
    return PerByte.bandwidth(number * 125_000_000L);
  }

  @Test
  void withoutRdmaTheFastestCardInUseCounts() throws IOException {
    card("lo", "772", "unknown", "");
    card("eth0", "1", "up", "10000");
    card("eth1", "1", "up", "25000");
    card("eth2", "1", "down", "100000");
    card("br0", "1", "up", "200000");
    Files.createDirectory(system.resolve("net/br0/bridge"));

    assertThat(read()).isEqualTo("a card of 25 Gbit/s without RDMA");
    assertThat(model().level(CommPlane.LEVEL1).beta()).isEqualTo(gigabits(25));
    assertThat(model().nodeUplink()).contains(gigabits(25));
    assertThat(model().level(CommPlane.LEVEL1).latency()).isEqualTo(10_000_000);
  }

  @Test
  void allCardsWithRdmaThatAreActiveCountTogether() throws IOException {
    card("eth0", "1", "up", "400000");
    port("mlx5_0", "4: ACTIVE", "200 Gb/sec (4X HDR)");
    port("mlx5_1", "4: ACTIVE", "200 Gb/sec (4X HDR)");
    port("mlx5_2", "1: DOWN", "10 Gb/sec (4X SDR)");

    assertThat(read()).isEqualTo("2 cards of 200 Gbit/s with RDMA");
    NetworkModel usual = NetworkModel.cluster();
    assertThat(model().level(CommPlane.LEVEL1)).isEqualTo(usual.level(CommPlane.LEVEL1));
    assertThat(model().nodeUplink()).contains(gigabits(400));
  }

  @ParameterizedTest
  @CsvSource({
    "-1, a card of 10 Gbit/s without RDMA",
    "'', a card of 10 Gbit/s without RDMA",
    "many, a card of 10 Gbit/s without RDMA",
    "2500, a card of 2.5 Gbit/s without RDMA",
    "100, a card of 100 Mbit/s without RDMA"
  })
  void aCardOfAnySpeedCounts(String speed, String expected) throws IOException {
    card("eth0", "1", "up", speed);
    assertThat(read()).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({
    "2.5 Gb/sec (1X SDR), a card of 2.5 Gbit/s with RDMA",
    "56 Gb/sec (4X FDR), a card of 56 Gbit/s with RDMA",
    "'', a card of 10 Gbit/s with RDMA"
  })
  void aPortOfAnyRateCounts(String rate, String expected) throws IOException {
    port("mlx5_0", "4: ACTIVE", rate);
    assertThat(read()).isEqualTo(expected);
  }

  @Test
  void aMachineMayReportNothing() {
    assertThat(read()).isEqualTo("none");
  }

  @Test
  void onlyJobsOnSeveralMachinesUseTheCards() {
    Optional<Topology> machines = Optional.of(Topology.nodes(2, 2));
    HostSettings given = HostSettings.DEFAULTS.with(values -> values.networkOrigin = "file a");

    assertThat(HostSettings.DEFAULTS.onMachines(Optional.empty()).networkOrigin())
        .isEqualTo("built in");
    assertThat(given.onMachines(machines).networkOrigin()).isEqualTo("file a");
    assertThat(HostSettings.DEFAULTS.onMachines(machines).networkOrigin())
        .isEqualTo(NetworkCards.found().map(NetworkCards::toString).orElse("built in"));
  }
}
