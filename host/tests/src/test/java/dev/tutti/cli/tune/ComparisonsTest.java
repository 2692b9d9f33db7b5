package dev.tutti.cli.tune;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.cli.TestAlgorithms;
import dev.tutti.cli.host.HostUse;
import dev.tutti.host.Context;
import dev.tutti.host.Group;
import dev.tutti.host.pool.Candidate;
import dev.tutti.host.pool.Choice;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ComparisonsTest {

  private static final SweepPoint CELL = SweepPointSamples.allReduce(8);

  private Context context;
  private HostUse host;
  private Choice choice;

  @BeforeEach
  void open() {
    context = TestAlgorithms.addTo(Context.builder()).open();
    host = HostUse.own(context);
    try (Group group = context.createGroup(CELL.topology())) {
      choice = CELL.spec().request(group).explain();
    }
  }

  @AfterEach
  void close() {
    context.close();
  }

  /** States in the order of their probes; the last one is repeated. */
  private static HopStates states(double... probed) {
    Iterator<Double> next = DoubleStream.of(probed).iterator();
    double last = probed[probed.length - 1];
    return new HopStates(List.of(), () -> next.hasNext() ? next.next() : last);
  }

  /** Comparisons of two lanes with the same candidate, so that neither leaves early. */
  private Comparisons comparisons(HopStates states) {
    Candidate best = choice.best();
    return new Comparisons(states, () -> new Comparison(host, CELL, List.of(best, best)));
  }

  @Test
  void eachStateHasARaceOfItsOwn() {
    Comparisons comparisons = comparisons(states(57, 57, 57, 263));
    comparisons.batch();
    comparisons.batch();
    Comparison near = comparisons.present();
    assertThat(comparisons.state()).isEqualTo(57);
    comparisons.batch();
    assertThat(comparisons.state()).isEqualTo(263);
    Comparison far = comparisons.present();
    comparisons.screen(Duration.ZERO);
    assertThat(near.batches()).as("a batch in which the state changed does not count").isEqualTo(2);
    assertThat(far.batches()).isPositive();
    assertThat(comparisons.measured()).containsOnlyKeys(57, 263);
  }

  @Test
  void aStateThatWasSeenTooShortlyDoesNotCount() {
    Comparisons comparisons = comparisons(states(57, 57, 263));
    comparisons.batch();
    comparisons.screen(Duration.ZERO);
    assertThat(comparisons.measured()).containsOnlyKeys(263);
  }

  @Test
  void aMachineThatNeverRestsIsMeasuredNevertheless() {
    double[] restless = DoubleStream.iterate(57, hop -> 320 - hop).limit(60).toArray();
    Comparisons comparisons = comparisons(states(restless));
    comparisons.screen(Duration.ZERO);
    assertThat(comparisons.measured()).isNotEmpty();
  }

  @Test
  void theChoiceIsComparedWhereTheMachineStays() {
    HopStates states = states(57, 57, 57, 263);
    List<CompareResult> results =
        new ChoiceComparisons(host, CELL, choice, states, 1e6).run(Duration.ZERO);
    assertThat(results)
        .singleElement()
        .satisfies(
            result -> {
              assertThat(result.hopNanos()).isEqualTo(263);
              assertThat(result.noise().count()).isGreaterThanOrEqualTo(Ratio.ENOUGH);
            });
  }
}
