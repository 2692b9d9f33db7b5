package dev.tutti.host.planning;

import dev.tutti.engine.Engine;
import dev.tutti.host.config.HostSettings;
import dev.tutti.host.planning.PlanningOutcome.Chosen;
import dev.tutti.host.planning.PlanningOutcome.Failed;
import dev.tutti.host.planning.PlanningOutcome.Refused;
import dev.tutti.host.pool.Choice;
import dev.tutti.host.pool.PlanPool;
import dev.tutti.plugin.Algorithm;
import dev.tutti.plugin.live.Catalogue;
import dev.tutti.plugin.live.Catalogues;
import dev.tutti.plugin.live.Generation;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.param.OpParam;
import dev.tutti.sdk.topology.Topology;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Makes plans for the calls of one group: it chooses an algorithm, records its plan, and compiles
 * it. Thread-safe.
 */
public final class GroupPlanner {

  private final long group;
  private final Topology topology;
  private final Catalogues catalogues;
  private final PlanMaker maker;

  /** The range of a 48-bit address, which is more than today's systems give a process. */
  private static final long MAX_BUFFER_BYTES = 1L << 48;

  private final HostSettings settings;
  private final Choices choices = new Choices();

  /** The algorithms of the catalogue that was used last. */
  private volatile @Nullable Pool pool;

  private record Pool(long catalogue, PlanPool pool) {}

  /**
   * Makes plans for a group.
   *
   * @param group the number of the group
   */
  public GroupPlanner(
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
    return attempt(key, false, PlanningAttempt::explain);
  }

  /** Chooses an algorithm, makes its plan, and judges the plan if its plugin is watched. */
  public SelectedPlan plan(PlanKey key) {
    checkSizes(key);
    checkLayouts(key);
    return attempt(key, key.algorithm() != null, PlanningAttempt::plan);
  }

  /**
   * Refuses sizes that no process could run. It does so before it asks any algorithm, because the
   * planning time grows with the number of rounds and segments.
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

  /**
   * Checks layouts before any algorithm is asked, so that errors in them do not count as failures
   * of an algorithm.
   */
  private void checkLayouts(PlanKey key) {
    key.check();
    if (!key.layouts().areContiguous()) {
      key.layouts().checkBlocks(params(key), key.call().dataType().size());
    }
  }

  /**
   * Does some work with the algorithms that are served now, and tries again as often as the policy
   * allows.
   *
   * @param isStrict whether the chosen algorithm must not be passed over
   */
  private <T> T attempt(
      PlanKey key, boolean isStrict, Function<PlanningAttempt, PlanningOutcome<T>> work) {
    PlanningFailurePolicy policy = new PlanningFailurePolicy(catalogues, key, isStrict);
    while (true) {
      switch (once(key, policy.passedOver(), work)) {
        case Chosen<T> chosen -> {
          policy.tell(chosen.unanswered());
          return chosen.value();
        }
        case Failed<T> failed -> policy.retryOrThrow(failed);
        case Refused<T> refused -> throw policy.giveUp(refused);
      }
    }
  }

  /** Does the work once, with one catalogue, which is held during the attempt. */
  private <T> PlanningOutcome<T> once(
      PlanKey key,
      Map<Algorithm, TuttiException> passedOver,
      Function<PlanningAttempt, PlanningOutcome<T>> work) {
    Catalogue catalogue = catalogues.enter();
    try {
      return work.apply(
          new PlanningAttempt(
              key,
              chosenAs(key),
              group,
              topology,
              catalogue,
              pool(catalogue),
              maker,
              settings,
              choices,
              passedOver));
    } finally {
      catalogues.leave(catalogue);
    }
  }

  /**
   * The call by which an algorithm is chosen: the smallest of its size class, or the call itself if
   * it names an algorithm or its layouts are not contiguous.
   */
  private static PlanKey chosenAs(PlanKey key) {
    boolean isOfClass = key.algorithm() == null && key.layouts().areContiguous();
    return isOfClass ? key.withCall(SizeClass.of(key.call())) : key;
  }

  /** The algorithms of a catalogue; drops the known plans of the previous catalogue. */
  private PlanPool pool(Catalogue catalogue) {
    Pool known = pool;
    if (known == null || known.catalogue() != catalogue.number()) {
      maker.known().clear();
      List<Algorithm> algorithms = catalogue.plugins().algorithms();
      known = new Pool(catalogue.number(), new PlanPool(algorithms, settings.planningLimit()));
      pool = known;
    }
    return known.pool();
  }

  /** The number of known plan structures. */
  public int structures() {
    return maker.known().size();
  }

  /** The heap size of these structures in bytes. */
  public long structureBytes() {
    return maker.known().heapBytes();
  }

  public void runFailed(Generation generation, TuttiException failure) {
    catalogues.runFailed(generation, failure);
  }
}
