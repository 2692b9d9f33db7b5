package dev.tutti.host.cli;

import static org.assertj.core.api.Assertions.assertThat;

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

class RacesTest {

  private static final Cell CELL = CellSamples.allReduce(8);

  private Context context;
  private HostUse host;
  private Choice choice;

  @BeforeEach
  void open() {
    context = TestAlgorithms.addTo(Context.builder()).open();
    host = HostUse.own(context);
    try (Group group = context.createGroup(CELL.topology())) {
      choice = CELL.asked().request(group).explain();
    }
  }

  @AfterEach
  void close() {
    context.close();
  }

  /** States as they are probed, the last one again and again. */
  private static HopStates states(double... probed) {
    Iterator<Double> next = DoubleStream.of(probed).iterator();
    double last = probed[probed.length - 1];
    return new HopStates(List.of(), () -> next.hasNext() ? next.next() : last);
  }

  /** Of two lanes with the same candidate, so that neither is sent away early. */
  private Races races(HopStates states) {
    Candidate best = choice.best();
    return new Races(states, () -> new Race(host, CELL, List.of(best, best)));
  }

  @Test
  void eachStateHasARaceOfItsOwn() {
    Races races = races(states(57, 57, 57, 263));
    races.heat();
    races.heat();
    Race near = races.present();
    assertThat(races.state()).isEqualTo(57);
    races.heat();
    assertThat(races.state()).isEqualTo(263);
    Race far = races.present();
    races.screen(Duration.ZERO);
    assertThat(near.heats()).as("a heat in which the state changed does not count").isEqualTo(2);
    assertThat(far.heats()).isPositive();
    assertThat(races.measured()).containsOnlyKeys(57, 263);
  }

  @Test
  void aStateThatWasSeenTooShortlyDoesNotCount() {
    Races races = races(states(57, 57, 263));
    races.heat();
    races.screen(Duration.ZERO);
    assertThat(races.measured()).containsOnlyKeys(263);
  }

  @Test
  void aMachineThatNeverRestsIsMeasuredNevertheless() {
    double[] restless = DoubleStream.iterate(57, hop -> 320 - hop).limit(60).toArray();
    Races races = races(states(restless));
    races.screen(Duration.ZERO);
    assertThat(races.measured()).isNotEmpty();
  }

  @Test
  void theChoiceIsComparedWhereTheMachineStays() {
    HopStates states = states(57, 57, 57, 263);
    List<CompareResult> results =
        new CompareTrials(host, CELL, choice, states, 1e6).run(Duration.ZERO);
    assertThat(results)
        .singleElement()
        .satisfies(
            result -> {
              assertThat(result.hopNanos()).isEqualTo(263);
              assertThat(result.noise().count()).isGreaterThanOrEqualTo(Ratio.ENOUGH);
            });
  }
}
