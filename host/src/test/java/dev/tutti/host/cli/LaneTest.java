package dev.tutti.host.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.host.Context;
import dev.tutti.host.Group;
import dev.tutti.host.pool.Candidate;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class LaneTest {

  private static Candidate candidate;

  @BeforeAll
  static void findACandidate() {
    Cell cell = CellSamples.allReduce(8);
    try (Context context = TestAlgorithms.addTo(Context.builder()).open();
        Group group = context.createGroup(cell.topology())) {
      candidate = cell.asked().request(group).explain().best();
    }
  }

  private static Lane lane(double[]... heats) {
    Lane lane = new Lane(candidate, false);
    for (double[] heat : heats) {
      lane.add(heat);
    }
    return lane;
  }

  private static double[] heat(double... micros) {
    return micros;
  }

  @Test
  void whatDisturbsARoundMeetsAllAndCancelsOut() {
    Lane fast = lane(heat(1, 100, 1), heat(2, 2, 50), heat(30, 3, 3));
    Lane slow = lane(heat(1.5, 150, 1.5), heat(3, 3, 75), heat(45, 4.5, 4.5));
    assertThat(slow.to(fast, 0)).isEqualTo(new Ratio(1.5, 1.5, 1.5, 3));
    assertThat(slow.micros()).isEqualTo(3);
  }

  @Test
  void onlyHeatsCountThatBothWereIn() {
    Lane always = lane(heat(1), heat(2), heat(4));
    Lane late = lane(heat(), heat(4), heat(8));
    assertThat(late.to(always, 0)).isEqualTo(new Ratio(2, 2, 2, 2));
    assertThat(late.heatsWith(always, 2)).isEqualTo(1);
    assertThat(late.micros()).isEqualTo(8);
    assertThat(always.to(late, 2).count()).isEqualTo(1);
    assertThat(lane(heat()).isMeasured()).isFalse();
  }
}
