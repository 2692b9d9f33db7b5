package dev.tutti.host.planning;

import dev.tutti.host.status.PlanCacheStats;
import org.jspecify.annotations.Nullable;

/**
 * The plans of a group by their keys. To keep recently used plans, the cache has two generations.
 * Each use of a plan moves it to the young generation. When that generation reaches half of the
 * allowed bytes, it becomes the old one, and the previous old one is dropped. Requests keep their
 * own plans. Guarded by the lock of its group.
 */
public final class PlanCache {

  private static final long MAX_BYTES = 128 << 20;

  private PlanTable young = new PlanTable();
  private PlanTable old = new PlanTable();
  private long youngBytes;
  private int clones;
  private long actions;
  private long bytes;
  private long hits;
  private long misses;
  private long evictions;

  /**
   * The plan of a key; null if there is none, or if the served plugins have changed so that another
   * plan might be made now.
   */
  public @Nullable SelectedPlan find(PlanKey key, long catalogue) {
    SelectedPlan found = young.find(key);
    if (found == null) {
      found = old.remove(key);
      if (found != null) {
        putYoung(found);
      }
    }
    if (found != null && !found.isCurrent(catalogue)) {
      young.remove(key);
      youngBytes -= found.heapBytes();
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

  /** Keeps a plan, whatever its size. */
  public void add(SelectedPlan planned) {
    SelectedPlan same = young.remove(planned.key());
    if (same != null) {
      youngBytes -= same.heapBytes();
      dropped(same);
    }
    actions += planned.plan().actionCount();
    bytes += planned.heapBytes();
    clones += planned.cloned() == null ? 0 : 1;
    putYoung(planned);
  }

  private void putYoung(SelectedPlan planned) {
    if (youngBytes + planned.heapBytes() > MAX_BYTES / 2) {
      old.forEach(this::dropped);
      evictions += old.size();
      old = young;
      young = new PlanTable();
      youngBytes = 0;
    }
    young.add(planned);
    youngBytes += planned.heapBytes();
  }

  private void dropped(SelectedPlan plan) {
    actions -= plan.plan().actionCount();
    bytes -= plan.heapBytes();
    clones -= plan.cloned() == null ? 0 : 1;
  }

  /**
   * The contents and counters of the cache.
   *
   * @param structures the number of known plan structures
   * @param structureBytes the heap size of these structures
   */
  public PlanCacheStats stats(int structures, long structureBytes) {
    return new PlanCacheStats(
        young.size() + old.size(),
        structures,
        clones,
        actions,
        bytes + structureBytes,
        hits,
        misses,
        evictions);
  }

  public void clear() {
    young = new PlanTable();
    old = new PlanTable();
    youngBytes = 0;
    actions = 0;
    bytes = 0;
    clones = 0;
  }
}
