package dev.tutti.cli.tune;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.cli.TestAlgorithms;
import dev.tutti.host.Context;
import dev.tutti.host.Group;
import dev.tutti.host.pool.Candidate;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class CandidateSamplesTest {

  private static Candidate candidate;

  @BeforeAll
  static void findACandidate() {
    SweepPoint cell = SweepPointSamples.allReduce(8);
    try (Context context = TestAlgorithms.addTo(Context.builder()).open();
        Group group = context.createGroup(cell.topology())) {
      candidate = cell.spec().request(group).explain().best();
    }
  }

  private static CandidateSamples samples(double[]... batches) {
    CandidateSamples samples = new CandidateSamples(candidate, false);
    for (double[] batch : batches) {
      samples.add(batch);
    }
    return samples;
  }

  private static double[] batch(double... micros) {
    return micros;
  }

  @Test
  void whatDisturbsARoundMeetsAllAndCancelsOut() {
    CandidateSamples fast = samples(batch(1, 100, 1), batch(2, 2, 50), batch(30, 3, 3));
    CandidateSamples slow = samples(batch(1.5, 150, 1.5), batch(3, 3, 75), batch(45, 4.5, 4.5));
    assertThat(slow.to(fast, 0)).isEqualTo(new Ratio(1.5, 1.5, 1.5, 3));
    assertThat(slow.micros()).isEqualTo(3);
  }

  @Test
  void onlyBatchesCountThatBothWereIn() {
    CandidateSamples always = samples(batch(1), batch(2), batch(4));
    CandidateSamples late = samples(batch(), batch(4), batch(8));
    assertThat(late.to(always, 0)).isEqualTo(new Ratio(2, 2, 2, 2));
    assertThat(late.batchesWith(always, 2)).isEqualTo(1);
    assertThat(late.micros()).isEqualTo(8);
    assertThat(always.to(late, 2).count()).isEqualTo(1);
    assertThat(samples(batch()).isMeasured()).isFalse();
  }
}
