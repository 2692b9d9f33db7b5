package dev.tutti.cli.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tutti.sdk.Operation;
import java.util.EnumMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class BandwidthTest {

  private static final double EXACT = 1e-12;

  @Test
  void algorithmBandwidthIsBytesOverTimeInPowersOfTen() {
    assertThat(Bandwidth.algorithm(1_000_000, 1000)).isCloseTo(1.0, within(EXACT));
    assertThat(Bandwidth.algorithm(64 << 20, 6710.8864)).isCloseTo(10.0, within(EXACT));
    assertThat(Bandwidth.algorithm(0, 5)).isZero();
    assertThat(Bandwidth.algorithm(8, 0)).isZero();
  }

  /** The table of nccl-tests' PERFORMANCE.md for four ranks. */
  @Test
  void busFactorsAreThoseOfNcclTests() {
    Map<Operation, Double> expected = new EnumMap<>(Operation.class);
    expected.put(Operation.ALL_REDUCE, 2 * 3 / 4.0);
    expected.put(Operation.REDUCE_SCATTER, 3 / 4.0);
    expected.put(Operation.ALL_GATHER, 3 / 4.0);
    expected.put(Operation.ALL_TO_ALL, 3 / 4.0);
    expected.put(Operation.GATHER, 3 / 4.0);
    expected.put(Operation.SCATTER, 3 / 4.0);
    expected.put(Operation.BROADCAST, 1.0);
    expected.put(Operation.REDUCE, 1.0);
    expected.put(Operation.SEND, 1.0);

    expected.forEach(
        (operation, factor) ->
            assertThat(Bandwidth.busFactor(operation, 4))
                .as(operation.label())
                .isCloseTo(factor, within(EXACT)));
  }

  @Test
  void oneRankNeedsNoBus() {
    assertThat(Bandwidth.busFactor(Operation.ALL_REDUCE, 1)).isZero();
  }
}
