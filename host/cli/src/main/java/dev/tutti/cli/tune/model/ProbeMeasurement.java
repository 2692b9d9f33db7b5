package dev.tutti.cli.tune.model;

import dev.tutti.cli.measure.Distribution;
import dev.tutti.cli.measure.MeasurementRounds;
import dev.tutti.engine.Binding;
import dev.tutti.engine.CompileOptions;
import dev.tutti.engine.CompiledPlan;
import dev.tutti.engine.Engine;
import dev.tutti.engine.memory.NativeMemory;
import dev.tutti.plan.GroupPlan;
import dev.tutti.sdk.resource.TransportMemType;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Measures probes in {@link MeasurementRounds} on the same memory. A time is the lower quartile
 * over rounds, because disturbances make times longer, never shorter.
 */
public final class ProbeMeasurement {

  private static final Duration WARM_UP = Duration.ofMillis(10);
  private static final int MIN_ROUNDS = 5;
  private static final int MAX_ROUNDS = 101;
  private static final long RUN_LIMIT = TimeUnit.HOURS.toNanos(1);
  private static final long ALIGNMENT = 4096;

  private final Engine engine;
  private final List<Probe> probes = Probes.all();

  /** Measures on the workers of an engine. */
  public ProbeMeasurement(Engine engine) {
    this.engine = engine;
  }

  /**
   * Measures as many rounds as the time allows, but at least five.
   *
   * @param progress receives the elapsed part of the time in percent
   */
  public List<ProbeSample> measure(Duration budget, IntConsumer progress) {
    long bytes = probes.stream().mapToLong(probe -> bytes(probe.plan())).max().orElse(ALIGNMENT);
    try (NativeMemory memory = NativeMemory.allocate(bytes)) {
      memory.segment().fill((byte) 0);
      List<Binding> bindings = new ArrayList<>();
      for (Probe probe : probes) {
        CompiledPlan compiled =
            engine.compile(probe.plan(), CompileOptions.defaults().withMode(probe.mode()));
        bindings.add(engine.bind(compiled, places(probe.plan(), memory.segment())));
      }
      return samples(bindings, times(bindings, budget, progress));
    }
  }

  private static long room(long bytes) {
    return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  }

  private static long bytes(GroupPlan plan) {
    return plan.ranks().stream()
        .mapToLong(
            rank ->
                room(rank.memSize(TransportMemType.PARAM_INPUT))
                    + room(rank.memSize(TransportMemType.PARAM_OUTPUT)))
        .sum();
  }

  private static @Nullable MemorySegment[][] places(GroupPlan plan, MemorySegment memory) {
    @Nullable MemorySegment[][] places =
        new MemorySegment[plan.rankSize()][TransportMemType.values().length];
    long at = 0;
    for (int rank = 0; rank < plan.rankSize(); rank++) {
      for (TransportMemType type :
          List.of(TransportMemType.PARAM_INPUT, TransportMemType.PARAM_OUTPUT)) {
        long size = plan.rank(rank).memSize(type);
        places[rank][type.ordinal()] = memory.asSlice(at, size);
        at += room(size);
      }
    }
    return places;
  }

  /** The times of one run in nanoseconds, by probe and round. */
  private static List<double[]> times(
      List<Binding> bindings, Duration budget, IntConsumer progress) {
    long start = System.nanoTime();
    long most = Math.max(1, budget.toNanos());
    MeasurementRounds rounds =
        new MeasurementRounds(
            bindings.stream().map(binding -> (Runnable) () -> binding.run(RUN_LIMIT)).toList());
    rounds.warmUp(WARM_UP);
    return rounds.run(
        round -> {
          long past = System.nanoTime() - start;
          progress.accept((int) Math.min(99, 100.0 * past / most));
          return round < MIN_ROUNDS || (round < MAX_ROUNDS && past < most);
        });
  }

  private List<ProbeSample> samples(List<Binding> bindings, List<double[]> times) {
    List<ProbeSample> samples = new ArrayList<>();
    for (int probe = 0; probe < probes.size(); probe++) {
      Distribution nanos = Distribution.of(times.get(probe));
      double low = nanos.quantile(0.25);
      samples.add(
          new ProbeSample(
              probes.get(probe).name(),
              bindings.get(probe).compiled(),
              low,
              nanos.quantile(0.75) / low));
    }
    return samples;
  }
}
