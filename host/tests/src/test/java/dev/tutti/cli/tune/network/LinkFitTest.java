package dev.tutti.cli.tune.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tutti.simulator.LinkTerms;
import dev.tutti.simulator.PerByte;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** The line through the times of a link. */
final class LinkFitTest {

  private static List<LinkSample> line(double latency, double nanosPerByte, long... sizes) {
    return LongStream.of(sizes)
        .mapToObj(each -> new LinkSample(each, latency + each * nanosPerByte, 1))
        .toList();
  }

  @Test
  void aLineIsFound() {
    List<LinkSample> samples = line(20_000, 0.5, 8, 4096, 1 << 20);
    LinkFit fit = LinkFit.of(samples);

    assertThat(fit.latency()).isCloseTo(20_000, within(0.1));
    assertThat(fit.bytesPerSecond()).isCloseTo(2e9, within(10.0));
    assertThat(fit.terms()).isEqualTo(LinkTerms.of(20_000_000, PerByte.bandwidth(2_000_000_000L)));
    assertThat(fit.error(samples)).isCloseTo(0, within(1e-9));
  }

  @Test
  void shortMessagesCountAsMuchAsLongOnes() {
    // With absolute errors, the long message alone would decide, and the latency would be lost.
    LinkFit fit =
        LinkFit.of(
            List.of(
                new LinkSample(8, 20_000, 1),
                new LinkSample(4096, 20_100, 1),
                new LinkSample(1 << 20, 1_000_000, 1),
                new LinkSample(4 << 20, 5_000_000, 1)));

    assertThat(fit.latency()).isBetween(15_000.0, 21_000.0);
  }

  @Test
  void neitherLatencyNorBandwidthIsNegative() {
    LinkFit noLatency =
        LinkFit.of(List.of(new LinkSample(1024, 1, 1), new LinkSample(1 << 20, 1e6, 1)));

    assertThat(noLatency.latency()).isZero();
    assertThat(noLatency.bytesPerSecond()).isPositive();
  }

  @Test
  void otherWorkDuringShortMessagesDoesNotHideTheBandwidth() {
    LinkFit fit =
        LinkFit.of(
            List.of(
                new LinkSample(8, 9_000_000, 1),
                new LinkSample(4096, 20_000, 1),
                new LinkSample(1 << 20, 600_000, 1),
                new LinkSample(4 << 20, 2_200_000, 1)));

    assertThat(fit.latency()).isBetween(15_000.0, 21_000.0);
    assertThat(fit.bytesPerSecond()).isBetween(1.5e9, 2.5e9);
  }

  @Test
  void timesThatDoNotGrowBoundLatencyAndBandwidth() {
    List<LinkSample> busy = List.of(new LinkSample(8, 900, 1), new LinkSample(1 << 20, 800, 1));

    assertThat(LinkFit.of(busy)).isEqualTo(new LinkFit(800, 800.0 / (1 << 20)));
    assertThat(LinkFit.of(busy.subList(0, 1))).isEqualTo(new LinkFit(900, 900.0 / 8));
  }

  @Test
  void pairsShareABandwidth() {
    MeasuredLink link = MeasuredLink.of("nodeUplink", 2, line(0, 1, 4 << 20));

    assertThat(link.bytesPerSecond()).isCloseTo(2e9, within(10.0));
    assertThat(link.perByte()).isEqualTo(PerByte.bandwidth(2_000_000_000L));
  }
}
