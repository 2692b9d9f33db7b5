package dev.tutti.plugin.live;

import dev.tutti.base.idle.Clock;
import dev.tutti.plugin.Algorithm;
import dev.tutti.plugin.PluginSet;
import dev.tutti.sdk.TuttiException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The one reference to what is served, and who uses it. A change is one write of that reference;
 * nobody waits for it. Thread-safe.
 *
 * <p>Who plans enters the catalogue he plans with, and looks once more whether it is still the
 * current one; so a thread that publishes another catalogue sees all users of the old one, or they
 * see the new one. Runs need no such count: a group shows what it runs, and looks whether that is
 * retired after it has shown it.
 */
public final class Catalogues {

  private static final long POLL_NANOS = 200_000;

  /** The listener for failures. */
  public interface Observer {

    /**
     * A plan of a generation could not be made, or broke a rule.
     *
     * @return whether another version serves now, so that planning again may help
     */
    boolean planFailed(Generation generation, TuttiException failure);

    /** A run of a generation's plan failed; its group is poisoned. */
    void runFailed(Generation generation, TuttiException failure);

    /**
     * An algorithm failed while plans were compared, for the first time in its term of service.
     *
     * @param what a sentence without its end
     */
    void passedOver(String what);
  }

  private static final Observer NOBODY =
      new Observer() {
        @Override
        public boolean planFailed(Generation generation, TuttiException failure) {
          return false;
        }

        @Override
        public void runFailed(Generation generation, TuttiException failure) {
          // A fixed set of plugins has nothing to go back to.
        }

        @Override
        public void passedOver(String what) {
          // Kept here, for those who ask.
        }
      };

  private final List<PassedOver> passedOver = new CopyOnWriteArrayList<>();
  private final Set<PlanUser> users = ConcurrentHashMap.newKeySet();
  private final Observer observer;
  private final Clock clock;
  private volatile Catalogue current;

  /** A reference to a first catalogue; drains look again and again by the clock. */
  Catalogues(Catalogue first, Observer observer, Clock clock) {
    this.clock = clock;
    this.current = first;
    this.observer = observer;
  }

  /** Plugins that never change. */
  public static Catalogues fixed(PluginSet plugins) {
    return new Catalogues(Catalogue.fixed(plugins), NOBODY, Clock.system());
  }

  /** What is served now. */
  public Catalogue current() {
    return current;
  }

  /** What is served now, held until {@link #leave}. */
  public Catalogue enter() {
    while (true) {
      Catalogue entered = current;
      entered.enter();
      if (entered == current) {
        return entered;
      }
      entered.leave();
    }
  }

  /** Ends what {@link #enter} began. */
  public void leave(Catalogue entered) {
    entered.leave();
  }

  /** Adds a user whose runs a drain waits for. */
  public void join(PlanUser user) {
    users.add(user);
  }

  /** Removes a user that runs nothing any more. */
  public void part(PlanUser user) {
    users.remove(user);
  }

  /**
   * Tells that planning with a generation failed. Not to be called between {@link #enter} and
   * {@link #leave}.
   *
   * @return whether another version serves now
   */
  public boolean planFailed(Generation generation, TuttiException failure) {
    generation.failed();
    return observer.planFailed(generation, failure);
  }

  /**
   * The same of a plan that was only compared with others. It counts if another version serves now;
   * if not, {@link #passedOver} counts it, and the generation is kept: further failures like it do
   * not delay callers with another try.
   */
  public boolean comparedPlanFailed(Generation generation, TuttiException failure) {
    if (generation.isKept()) {
      return generation.isRetired();
    }
    boolean isReplaced = observer.planFailed(generation, failure);
    if (isReplaced) {
      generation.failed();
    } else {
      // Not before the try: a caller that fails meanwhile waits for its outcome.
      generation.keep();
    }
    return isReplaced;
  }

  /**
   * Reports that an algorithm failed while it was compared with others, when it was asked or when
   * its plan was made, and that the call continues without it. The first time in each term of
   * service counts as a failure of the plugin.
   */
  public void passedOver(Generation generation, Algorithm algorithm, TuttiException failure) {
    PassedOver next = PassedOver.of(generation, algorithm, failure);
    synchronized (passedOver) {
      if (generation.isRetired() || passedOver.stream().anyMatch(next::isOf)) {
        return;
      }
      passedOver.add(next);
    }
    if (generation != Generation.PERMANENT) {
      generation.failed();
    }
    observer.passedOver(next.toString());
  }

  /** What has been passed over of what serves now, a sentence without its end for each. */
  public List<String> passedOver() {
    return passedOver.stream().map(PassedOver::toString).toList();
  }

  /** The same of one generation. */
  List<String> passedOver(Generation generation) {
    return passedOver.stream()
        .filter(each -> each.generation() == generation)
        .map(PassedOver::toString)
        .toList();
  }

  /** Tells that a run failed. */
  public void runFailed(Generation generation, TuttiException failure) {
    generation.failed();
    observer.runFailed(generation, failure);
  }

  /**
   * Serves another catalogue from now on.
   *
   * @return the one before
   */
  Catalogue publish(Catalogue next) {
    Catalogue old = current;
    current = next;
    // After the reference, so that a thread that sees the mark finds the next catalogue.
    for (Generation each : old.generations()) {
      if (next.generationsByPlugin().get(each.plugin()) != each) {
        each.retire();
      }
    }
    synchronized (passedOver) {
      passedOver.removeIf(each -> each.generation().isRetired());
    }
    return old;
  }

  /** Those who run a plan of the generation. */
  List<PlanUser> running(Generation generation) {
    return users.stream().filter(user -> user.isRunning(generation)).toList();
  }

  /**
   * Waits until no thread plans with a replaced catalogue, or runs a plan of a generation that was
   * retired with it.
   *
   * @return whether that came about in time
   */
  boolean drain(Catalogue replaced, List<Generation> retired, Duration deadline) {
    return clock.awaitUntil(
        () -> !replaced.isInUse() && retired.stream().noneMatch(this::isRunning),
        deadline.toNanos(),
        POLL_NANOS);
  }

  private boolean isRunning(Generation generation) {
    return users.stream().anyMatch(user -> user.isRunning(generation));
  }
}
