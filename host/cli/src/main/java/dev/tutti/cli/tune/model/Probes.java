package dev.tutti.cli.tune.model;

import dev.tutti.base.text.Sentence;
import dev.tutti.engine.CompileOptions.Mode;
import dev.tutti.plan.GroupPlan;
import java.util.ArrayList;
import java.util.List;

/** The probes of a machine model: each of its numbers affects some of them. */
final class Probes {

  private static final long SMALL = 8;
  private static final int[] REPEATS = {1, 8, 64};

  /** The bytes that each probe of bandwidth touches, from the first-level cache to main memory. */
  private static final long[] TOUCHED = {
    16 << 10, 64 << 10, 128 << 10, 256 << 10, 1 << 20, 4 << 20, 12 << 20, 40 << 20, 128 << 20
  };

  private final List<Probe> all = new ArrayList<>();

  private Probes() {}

  static List<Probe> all() {
    Probes probes = new Probes();
    probes.addActions();
    for (long touched : TOUCHED) {
      probes.addBytes(touched);
    }
    probes.addHandOvers();
    probes.addTasklets();
    return List.copyOf(probes.all);
  }

  /** Adds probes whose actions have so few bytes that only the number of actions matters. */
  private void addActions() {
    for (int repeats : REPEATS) {
      add(Sentence.of("%d copies", 2 * repeats), ProbePlans.copies(2, repeats, SMALL));
      add(Sentence.of("%d sums of 2", 2 * repeats), ProbePlans.fusedSums(2, repeats, SMALL));
      add(Sentence.of("%d sums of 4", 4 * repeats), ProbePlans.fusedSums(4, repeats, SMALL));
      add(Sentence.of("%d sums into", 2 * repeats), ProbePlans.sums(2, repeats, SMALL));
    }
  }

  private void addBytes(long touched) {
    String within = Sentence.of(" in %d KiB", touched >> 10);
    for (int ranks = 2; ranks <= 4; ranks += 2) {
      String of = Sentence.of(" of %d ranks", ranks);
      long bytes = touched / (2L * ranks);
      add("copies" + of + within, ProbePlans.copies(ranks, 2, bytes / 2));
      add("sums" + of + within, ProbePlans.fusedSums(ranks, 1, bytes));
      add("sums of parts" + of + within, ProbePlans.partSums(ranks, bytes / ranks));
      add("pushed sums" + of + within, ProbePlans.pushedSums(ranks, bytes / ranks));
      add(
          "pushed sums in place" + of + within,
          ProbePlans.pushedSumsInPlace(ranks, 2 * bytes / ranks));
    }
    add("sums into" + within, ProbePlans.sums(2, 1, touched / 4));
  }

  private void addHandOvers() {
    for (int shift = 0; shift <= 4; shift += 2) {
      long bytes = (32L << 10) << shift;
      int rounds = 32 >> shift;
      String name = Sentence.of("%d turns of %d KiB", rounds, bytes >> 10);
      add(name, ProbePlans.turns(rounds, bytes));
      String relays = Sentence.of("%d relays of %d KiB", rounds, bytes >> 10);
      add(relays, ProbePlans.relays(rounds, bytes));
    }
  }

  private void addTasklets() {
    for (int repeats : new int[] {16, 128}) {
      GroupPlan plan = ProbePlans.copies(4, repeats, 4 << 10);
      all.add(new Probe(Sentence.of("%d tasklets", 4 * repeats), plan, Mode.DYNAMIC));
    }
  }

  private void add(String name, GroupPlan plan) {
    all.add(new Probe(name, plan, Mode.STATIC));
  }
}
