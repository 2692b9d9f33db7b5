package dev.tutti.host.planning;

import dev.tutti.engine.Engine;
import dev.tutti.engine.MemoryUse;
import dev.tutti.host.config.HostSettings;
import dev.tutti.host.pool.Candidate;
import dev.tutti.host.pool.Choice;
import dev.tutti.host.watch.Events;
import dev.tutti.plugin.Algorithm;
import dev.tutti.plugin.limit.TimeLimitException;
import dev.tutti.plugin.live.Catalogue;
import dev.tutti.plugin.live.Catalogues;
import dev.tutti.plugin.live.Generation;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.param.OpParam;
import dev.tutti.sdk.topology.Topology;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Takes calls of one group to plans: choose, record, compile. Thread-safe. */
public final class Planner {

  private final long group;
  private final Topology topology;
  private final Catalogues catalogues;
  private final PlanMaker maker;

  /** What 48 bits of an address reach, more than today's systems give a process. */
  private static final long MAX_BUFFER_BYTES = 1L << 48;

  private final HostSettings settings;

  /**
   * Plans for a group.
   *
   * @param group its number
   */
  public Planner(
      long group,
      Topology topology,
      HostSettings settings,
      Catalogues catalogues,
      Engine engine,
      boolean recordsSources) {
    this.group = group;
    this.topology = topology;
    this.catalogues = catalogues;
    this.maker = new PlanMaker(group, topology, settings, engine, recordsSources);
    this.settings = settings;
  }

  /** The request as each rank sees it; null for ranks that take no part. */
  public List<@Nullable OpParam> params(PlanKey key) {
    return maker.params(key, key.parameters());
  }

  /** The number of the catalogue that is served now. */
  public long catalogueNumber() {
    return catalogues.current().number();
  }

  /** The whole decision for a call. */
  public Choice choose(PlanKey key) {
    checkSizes(key);
    checkLayouts(key);
    return attempt(false, (selection, catalogue) -> selection.choose(true), key);
  }

  /**
   * Chooses, records, compiles, and judges what a watched plugin has planned. If that fails and an
   * older version of the plugin takes over, it is tried with that.
   */
  public SelectedPlan plan(PlanKey key) {
    checkSizes(key);
    checkLayouts(key);
    boolean isStrict = key.algorithm() != null;
    return attempt(isStrict, (selection, catalogue) -> planned(key, selection, catalogue), key);
  }

  /**
   * Refuses what no process could run, before any algorithm is asked: the time that algorithms take
   * to plan grows with the number of their rounds and segments.
   */
  private void checkSizes(PlanKey key) {
    for (OpParam param : params(key)) {
      if (param != null) {
        long bytes = Math.max(param.inputBytes(), param.outputBytes());
        if (bytes > MAX_BUFFER_BYTES) {
          throw new TuttiException(
              ErrorCode.INVALID_COUNT,
              "%s needs a buffer of %d bytes on rank %d, and a process can address %d; give fewer"
                  + " elements",
              key.call(),
              bytes,
              param.comm().rank(),
              MAX_BUFFER_BYTES);
        }
      }
    }
  }

  /** Before any algorithm is asked, so that none is blamed. */
  private void checkLayouts(PlanKey key) {
    if (!key.layouts().areContiguous()) {
      key.layouts().check(key.call());
      key.layouts().checkBlocks(params(key), key.call().dataType().size());
    }
  }

  private SelectedPlan planned(PlanKey key, Selection selection, Catalogue catalogue) {
    Events.Choose event = Events.begin(Events.Choose::new);
    Candidate chosen = selection.choose(false).best();
    Events.end(event, () -> SelectedPlan.facts(group, key, params(key), chosen.algorithm()), null);
    CandidatePlan candidate = selection.planOf(chosen);
    Generation generation = catalogue.generationOf(chosen.algorithm());
    if (generation != Generation.PERMANENT) {
      PlanJudge.check(candidate.plan(), candidate.params(), chosen.algorithm());
    }
    generation.planned();
    return new SelectedPlan(
        key,
        candidate.params(),
        chosen.algorithm(),
        candidate.whole(),
        candidate.compiled(),
        MemoryUse.of(candidate.whole()),
        candidate.packing(),
        generation,
        catalogue.number());
  }

  /**
   * Works with what is served now. When a plan cannot be made, it works once more: with the older
   * version if one takes over, else without that algorithm, for the whole group. That is so if the
   * algorithm finds while it plans that it does not support the call, if its plan breaks a rule,
   * and if the plan was only to be compared; the last two are told as a defect of the plugin. What
   * else goes wrong with the chosen algorithm is told to the caller.
   *
   * @param isStrict whether nothing may be done without that algorithm
   */
  private <T> T attempt(boolean isStrict, BiFunction<Selection, Catalogue, T> work, PlanKey key) {
    Map<Algorithm, TuttiException> failures = new LinkedHashMap<>();
    while (true) {
      Catalogue catalogue = catalogues.enter();
      Selection selection = new Selection(key, topology, catalogue, maker, settings, failures);
      TuttiException failure;
      try {
        T result = within(catalogue, () -> work.apply(selection, catalogue));
        tellOfFailuresToAnswer(selection, catalogue);
        return result;
      } catch (TuttiException e) {
        failure = e;
      }
      Algorithm failed = selection.working();
      boolean isUnsupported = failure.code() == ErrorCode.UNSUPPORTED;
      boolean isDefect = !isUnsupported && isDefect(selection.isComparing(), failure);
      if (failed == null || !(isUnsupported || isDefect)) {
        throw isUnsupported ? rootOf(failure, key, selection, failures.values()) : failure;
      }
      boolean isOneOfMany = selection.isComparing() || (!isStrict && isRejected(failure));
      if (isDefect && isReplaced(selection.generation(), isOneOfMany, failure)) {
        continue;
      }
      boolean isPassedOver = !isStrict && (isUnsupported || isOneOfMany);
      if (!isPassedOver || failures.put(failed, failure) != null) {
        throw failure;
      }
      if (isDefect) {
        catalogues.passedOver(selection.generation(), failed, failure);
      }
    }
  }

  private static boolean isRejected(TuttiException failure) {
    return failure.code() == ErrorCode.PLUGIN_REJECTED;
  }

  /** Works with a catalogue that was entered, and leaves it. */
  private <T> T within(Catalogue catalogue, Supplier<T> work) {
    try {
      return work.get();
    } finally {
      catalogues.leave(catalogue);
    }
  }

  /**
   * Tells of algorithms that could not even say whether they take the call, which others serve. If
   * an older version takes over, it does so from the next call on.
   */
  private void tellOfFailuresToAnswer(Selection selection, Catalogue catalogue) {
    selection
        .failuresToAnswer()
        .forEach(
            (algorithm, failure) -> {
              Generation generation = catalogue.generationOf(algorithm);
              if (isDefect(true, failure) && !isReplaced(generation, true, failure)) {
                catalogues.passedOver(generation, algorithm, failure);
              }
            });
  }

  /** Whether an older version serves now. */
  private boolean isReplaced(Generation generation, boolean isComparing, TuttiException failure) {
    if (generation == Generation.PERMANENT || !isFaultOfPlugin(failure)) {
      return false;
    }
    return isComparing
        ? catalogues.comparedPlanFailed(generation, failure)
        : catalogues.planFailed(generation, failure);
  }

  /**
   * Whether it was not the caller or the machine. A plan that is compared is not what the caller
   * asked for, so whatever else goes wrong with it is its plugin's doing.
   */
  private static boolean isDefect(boolean isComparing, TuttiException failure) {
    return isFaultOfPlugin(failure)
        || (isComparing
            && failure.code() != ErrorCode.OUT_OF_MEMORY
            && failure.code() != ErrorCode.INVALID_STATE);
  }

  /**
   * If nothing is left because of failures: that the time limit was the reason, or else the first
   * failure to plan that says more than 'unsupported'.
   */
  private static TuttiException rootOf(
      TuttiException last,
      PlanKey key,
      Selection selection,
      Collection<TuttiException> failuresToPlan) {
    List<TuttiException> failures =
        Stream.concat(selection.failuresToAnswer().values().stream(), failuresToPlan.stream())
            .filter(each -> each.code() != ErrorCode.UNSUPPORTED)
            .toList();
    if (!failures.isEmpty() && failures.stream().allMatch(TimeLimitException.class::isInstance)) {
      return overTime(key, failures);
    }
    return failuresToPlan.stream().filter(failures::contains).findFirst().orElse(last);
  }

  private static TuttiException overTime(PlanKey key, List<TuttiException> failures) {
    return new TuttiException(
        ErrorCode.EXECUTOR_FAILED,
        failures.getFirst(),
        "the planning limit ended the choice for %s before any algorithm was planned: %d did not"
            + " answer in time, and no other takes it; give a longer limit, with planningLimit of"
            + " the context or --planning-limit of a command. The first: %s",
        key.call(),
        failures.size(),
        failures.getFirst().getMessage());
  }

  public void runFailed(Generation generation, TuttiException failure) {
    catalogues.runFailed(generation, failure);
  }

  /** Whether the plugin is to blame, and not the caller or the machine. */
  private static boolean isFaultOfPlugin(TuttiException e) {
    return switch (e.code()) {
      case EXECUTOR_FAILED,
          RESOURCE_MISMATCH,
          LINK_MISMATCH,
          DEADLOCK,
          INVALID_PLAN,
          PLAN_TOO_LARGE,
          OUT_OF_BOUNDS,
          PLUGIN_GUARD,
          PLUGIN_REJECTED ->
          true;
      default -> false;
    };
  }
}
