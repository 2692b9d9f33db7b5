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
 * The reference to the current catalogue, and its users. A change is one write of that reference;
 * no thread waits for it. Thread-safe.
 *
 * <p>A thread that plans enters the catalogue, and then checks again whether it is still the
 * current one. So a thread that publishes another catalogue sees all users of the old one, or those
 * users see the new one. Runs need no such count: a group first publishes what it runs, and then
 * checks whether that is retired.
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
     * An algorithm failed while plans were compared, for the first time in its generation.
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
          // A fixed set of plugins has no older versions.
        }

        @Override
        public void passedOver(String what) {
          // The list of this class is enough.
        }
      };

  private final List<PassedOver> passedOver = new CopyOnWriteArrayList<>();
  private final Set<PlanUser> users = ConcurrentHashMap.newKeySet();
  private final Observer observer;
  private final Clock clock;
  private volatile Catalogue current;

  /** Starts with a catalogue; drains poll by the clock. */
  Catalogues(Catalogue first, Observer observer, Clock clock) {
    this.clock = clock;
    this.current = first;
    this.observer = observer;
  }

  /** Plugins that never change. */
  public static Catalogues fixed(PluginSet plugins) {
    return new Catalogues(Catalogue.fixed(plugins), NOBODY, Clock.system());
  }

  /** The current catalogue. */
  public Catalogue current() {
    return current;
  }

  /** The current catalogue, held until {@link #leave}. */
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

  /** Removes a user that no longer runs plans. */
  public void part(PlanUser user) {
    users.remove(user);
  }

  /**
   * Reports that planning with a generation failed. Must not be called between {@link #enter} and
   * {@link #leave}.
   *
   * @return whether another version serves now
   */
  public boolean planFailed(Generation generation, TuttiException failure) {
    generation.failed();
    return observer.planFailed(generation, failure);
  }

  /**
   * The same for a plan that was only compared with others. The failure counts if another version
   * serves now. If not, {@link #passedOver} counts it, and the generation is kept, so that further
   * such failures do not delay callers with more attempts.
   */
  public boolean comparedPlanFailed(Generation generation, TuttiException failure) {
    if (generation.isKept()) {
      return generation.isRetired();
    }
    boolean isReplaced = observer.planFailed(generation, failure);
    if (isReplaced) {
      generation.failed();
    } else {
      // After the attempt: a caller that fails meanwhile waits for its outcome.
      generation.keep();
    }
    return isReplaced;
  }

  /**
   * Reports that an algorithm failed while it was compared with others, when it was asked or when
   * its plan was made, and that the call continues without it. The first time in each generation
   * counts as a failure of the plugin.
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

  /** The serving algorithms that were passed over, a sentence without its end for each. */
  public List<String> passedOver() {
    return passedOver.stream().map(PassedOver::toString).toList();
  }

  /** The same for one generation. */
  List<String> passedOver(Generation generation) {
    return passedOver.stream()
        .filter(each -> each.generation() == generation)
        .map(PassedOver::toString)
        .toList();
  }

  /** Reports a failed run. */
  public void runFailed(Generation generation, TuttiException failure) {
    generation.failed();
    observer.runFailed(generation, failure);
  }

  /**
   * Serves another catalogue from now on.
   *
   * @return the previous one
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

  /** The users that run a plan of the generation. */
  List<PlanUser> running(Generation generation) {
    return users.stream().filter(user -> user.isRunning(generation)).toList();
  }

  /**
   * Waits until no thread plans with a replaced catalogue, or runs a plan of a generation that was
   * retired with it.
   *
   * @return whether this happened in time
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
