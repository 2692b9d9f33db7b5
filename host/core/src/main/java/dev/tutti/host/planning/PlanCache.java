package dev.tutti.host.planning;

import dev.tutti.host.status.PlanCacheStats;
import java.util.Iterator;
import java.util.LinkedHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The plans of a group by what they depend on. When they take too many bytes, it drops those that
 * were used longest ago; requests keep theirs. Confined by the lock of its group.
 */
public final class PlanCache {

  private static final long MAX_BYTES = 128 << 20;

  private final LinkedHashMap<PlanKey, SelectedPlan> plans = new LinkedHashMap<>(16, 0.75f, true);
  private int clones;
  private long actions;
  private long bytes;
  private long hits;
  private long misses;
  private long evictions;

  /** The plan of a key, unless what is served has changed so that it would be another one. */
  public @Nullable SelectedPlan find(PlanKey key, long catalogue) {
    SelectedPlan found = plans.get(key);
    if (found != null && !found.isCurrent(catalogue)) {
      plans.remove(key);
      dropped(found);
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
    SelectedPlan old = plans.put(planned.key(), planned);
    if (old != null) {
      dropped(old);
    }
    actions += planned.plan().actionCount();
    bytes += planned.heapBytes();
    if (planned.cloned() != null) {
      clones++;
    }
    Iterator<SelectedPlan> eldest = plans.values().iterator();
    while (plans.size() > 1 && bytes > MAX_BYTES) {
      dropped(eldest.next());
      eldest.remove();
      evictions++;
    }
  }

  private void dropped(SelectedPlan plan) {
    actions -= plan.plan().actionCount();
    bytes -= plan.heapBytes();
    if (plan.cloned() != null) {
      clones--;
    }
  }

  /**
   * What it holds and did.
   *
   * @param structures the structures of its plans
   * @param structureBytes bytes that they take
   */
  public PlanCacheStats stats(int structures, long structureBytes) {
    return new PlanCacheStats(
        plans.size(), structures, clones, actions, bytes + structureBytes, hits, misses, evictions);
  }

  public void clear() {
    plans.clear();
    actions = 0;
    bytes = 0;
    clones = 0;
  }
}
