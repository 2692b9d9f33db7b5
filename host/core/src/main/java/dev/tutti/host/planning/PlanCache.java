package dev.tutti.host.planning;

import dev.tutti.host.status.PlanCacheStats;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The plans of a group by what they depend on. When it holds too many plans, or too many actions,
 * it drops those that were used longest ago; requests keep theirs. Confined by the lock of its
 * group.
 */
public final class PlanCache {

  private static final int MAX_PLANS = 256;
  private static final long MAX_ACTIONS = 16_000_000;

  private final LinkedHashMap<PlanKey, SelectedPlan> plans = new LinkedHashMap<>(16, 0.75f, true);
  private long actions;
  private long hits;
  private long misses;
  private long evictions;

  /** The plan of a key, unless what is served has changed so that it would be another one. */
  public @Nullable SelectedPlan find(PlanKey key, long catalogue) {
    SelectedPlan found = plans.get(key);
    if (found != null && !found.isCurrent(catalogue)) {
      plans.remove(key);
      actions -= found.plan().actionCount();
      found = null;
    }
    if (found == null) {
      misses++;
    } else {
      hits++;
    }
    return found;
  }

  /** Keeps a plan, and at least this one. */
  public void add(SelectedPlan planned) {
    if (plans.put(planned.key(), planned) == null) {
      actions += planned.plan().actionCount();
    }
    Iterator<Map.Entry<PlanKey, SelectedPlan>> eldest = plans.entrySet().iterator();
    while (plans.size() > 1 && (plans.size() > MAX_PLANS || actions > MAX_ACTIONS)) {
      actions -= eldest.next().getValue().plan().actionCount();
      eldest.remove();
      evictions++;
    }
  }

  public PlanCacheStats stats() {
    return new PlanCacheStats(plans.size(), actions, hits, misses, evictions);
  }

  public void clear() {
    plans.clear();
    actions = 0;
  }
}
