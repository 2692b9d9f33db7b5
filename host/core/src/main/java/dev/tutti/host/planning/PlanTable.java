package dev.tutti.host.planning;

import dev.tutti.host.call.CollectiveCall;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Plans by their keys. Not thread-safe. */
final class PlanTable {

  /*
   * Programs call few shapes with many counts. A map of keys would read a node, a key and a call of
   * each plan before it reaches the plan; with thousands of plans, none of these is in the caches
   * of a processor. So plans that differ only in their count have a table of their own, which reads
   * two numbers per plan. The shapes themselves are few and stay in the caches.
   */
  private final Map<PlanKey, PlansByCount> byShape = new HashMap<>();
  private int size;

  @Nullable SelectedPlan find(PlanKey key) {
    PlansByCount plans = byShape.get(shape(key));
    return plans == null ? null : plans.find(key.call().count());
  }

  /** Adds a plan; there must be none with the same key. */
  void add(SelectedPlan plan) {
    PlanKey key = plan.key();
    byShape.computeIfAbsent(shape(key), shape -> new PlansByCount()).add(key.call().count(), plan);
    size++;
  }

  /** Removes and returns the plan of a key; null if there is none. */
  @Nullable SelectedPlan remove(PlanKey key) {
    PlansByCount plans = byShape.get(shape(key));
    SelectedPlan removed = plans == null ? null : plans.remove(key.call().count());
    size -= removed == null ? 0 : 1;
    return removed;
  }

  int size() {
    return size;
  }

  void forEach(Consumer<SelectedPlan> action) {
    byShape.values().forEach(plans -> plans.forEach(action));
  }

  /** The key without its count. The counts of a call that has several belong to its shape. */
  private static PlanKey shape(PlanKey key) {
    CollectiveCall call = key.call();
    boolean isUniform = call.counts().isEmpty() && call.items().isEmpty();
    return isUniform ? key.withCall(call.withCounts(count -> 0)) : key;
  }

  /** The plans of one shape: open addressing, at most half full. */
  private static final class PlansByCount {

    private long[] counts = new long[8];
    private @Nullable SelectedPlan[] plans = new SelectedPlan[8];
    private int size;

    @Nullable SelectedPlan find(long count) {
      return plans[place(count)];
    }

    /** The place of a count, or the free place where it belongs. */
    private int place(long count) {
      int place = home(count);
      while (plans[place] != null && counts[place] != count) {
        place = next(place);
      }
      return place;
    }

    private int home(long count) {
      long spread = count * 0x9E3779B97F4A7C15L;
      return (int) (spread >>> 32) & (counts.length - 1);
    }

    private int next(int place) {
      return (place + 1) & (counts.length - 1);
    }

    void add(long count, SelectedPlan plan) {
      if (2 * (size + 1) > counts.length) {
        grow();
      }
      put(count, plan);
      size++;
    }

    private void put(long count, SelectedPlan plan) {
      int place = place(count);
      counts[place] = count;
      plans[place] = plan;
    }

    private void grow() {
      @Nullable SelectedPlan[] old = plans;
      counts = new long[2 * old.length];
      plans = new SelectedPlan[2 * old.length];
      for (SelectedPlan plan : old) {
        if (plan != null) {
          put(plan.key().call().count(), plan);
        }
      }
    }

    @Nullable SelectedPlan remove(long count) {
      int place = place(count);
      SelectedPlan removed = plans[place];
      if (removed != null) {
        plans[place] = null;
        size--;
        closeGap(next(place));
      }
      return removed;
    }

    /** Puts the plans after a removed one where a search finds them. */
    private void closeGap(int start) {
      for (int place = start; plans[place] != null; place = next(place)) {
        SelectedPlan plan = Objects.requireNonNull(plans[place]);
        plans[place] = null;
        put(counts[place], plan);
      }
    }

    void forEach(Consumer<SelectedPlan> action) {
      Arrays.stream(plans).filter(Objects::nonNull).forEach(action);
    }
  }
}
