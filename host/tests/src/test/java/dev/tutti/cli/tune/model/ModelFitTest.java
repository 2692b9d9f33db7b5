package dev.tutti.cli.tune.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tutti.engine.CompileOptions;
import dev.tutti.engine.Engine;
import dev.tutti.engine.EngineConfig;
import dev.tutti.engine.machine.MachineModel;
import dev.tutti.engine.machine.MachineModel.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Times that a known model gives lead back to that model, also if some of them are disturbed. */
final class ModelFitTest {

  private static final MachineModel USUAL = MachineModel.defaults();

  /** Another machine: slow hand-overs, fast caches. */
  private static final MachineModel OTHER =
      new MachineModel(
          6,
          15,
          2,
          4000,
          900,
          30,
          0.002,
          0.0007,
          0.02,
          0.03,
          List.of(
              new Level(32 << 10, 0.0015, 0.004),
              new Level(768 << 10, 0.003, 0.006),
              new Level(12 << 20, 0.012, 0.017),
              new Level(128 << 20, 0.04, 0.05)));

  /** The times of the probes under a model, each disturbed by a factor. */
  private static List<ProbeSample> samples(MachineModel model, Random noise, double spread) {
    List<ProbeSample> samples = new ArrayList<>();
    try (Engine engine = new Engine(EngineConfig.defaults().withWorkers(2))) {
      for (Probe probe : Probes.all()) {
        var compiled =
            engine.compile(probe.plan(), CompileOptions.defaults().withMode(probe.mode()));
        double nanos = compiled.estimate(model).nanos();
        samples.add(
            new ProbeSample(
                probe.name(), compiled, nanos * Math.exp(spread * noise.nextGaussian()), 1));
      }
    }
    return samples;
  }

  @Test
  void exactTimesLeadToTheirModel() {
    List<ProbeSample> samples = samples(OTHER, new Random(1), 0);
    assertThat(ModelFit.error(samples, USUAL)).isGreaterThan(0.15);
    assertThat(ModelFit.error(samples, OTHER)).isZero();

    MachineModel fitted = ModelFit.fit(samples, USUAL);

    assertThat(ModelFit.error(samples, fitted)).isLessThan(0.02);
    assertThat(ModelFit.errorOfOthers(samples, USUAL)).isLessThan(0.05);
    assertThat(fitted.handOver()).isBetween(800.0, 950.0);
    assertThat(fitted.tasklet()).isBetween(22.0, 50.0);
  }

  @Test
  void noiseAndSingleDisturbedTimesHardlyMatter() {
    List<ProbeSample> exact = samples(OTHER, new Random(1), 0);
    List<ProbeSample> disturbed = new ArrayList<>(samples(OTHER, new Random(2), 0.05));
    for (int i = 0; i < disturbed.size(); i += 12) {
      ProbeSample sample = disturbed.get(i);
      disturbed.set(i, new ProbeSample(sample.name(), sample.compiled(), 5 * sample.nanos(), 1));
    }
    MachineModel fitted = ModelFit.fit(disturbed, USUAL);
    assertThat(ModelFit.error(exact, fitted)).isLessThan(0.1);
    assertThat(ModelFit.fit(disturbed, USUAL)).isEqualTo(fitted);
  }

  @Test
  void withoutATimeTheModelStaysAsItIs() {
    MachineModel fitted = ModelFit.fit(List.of(), USUAL);
    assertThat(ModelVector.logarithms(fitted))
        .containsExactly(ModelVector.logarithms(USUAL), within(1e-9));
  }

  /** Each number of a model counts in some probe, else nothing could be said of it. */
  @Test
  void everyNumberOfAModelChangesTheTimeOfAProbe() {
    List<ProbeSample> samples = samples(USUAL, new Random(1), 0);
    double[] usual = ModelVector.logarithms(USUAL);
    for (int number = 0; number < usual.length; number++) {
      double[] changed = usual.clone();
      changed[number] += 1;
      assertThat(ModelFit.error(samples, ModelVector.model(changed, USUAL)))
          .as("number %d", number)
          .isPositive();
    }
    assertThat(samples).extracting(ProbeSample::name).doesNotHaveDuplicates();
  }
}
