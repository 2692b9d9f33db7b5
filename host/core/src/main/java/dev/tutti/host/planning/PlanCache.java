package dev.tutti.host.planning;

import dev.tutti.host.status.PlanCacheStats;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The plans of a group by what they depend on. It holds two generations: a plan that is used is in
 * the young one, and when that takes half of the bytes there are, it becomes the old one, and what
 * was in the old one is dropped. So a plan is kept if it was used not long ago, and finding one
 * changes nothing. Requests keep theirs. Confined by the lock of its group.
 */
public final class PlanCache {

  private static final long MAX_BYTES = 128 << 20;

  private Map<PlanKey, SelectedPlan> young = new HashMap<>();
  private Map<PlanKey, SelectedPlan> old = new HashMap<>();
  private long youngBytes;
  private int clones;
  private long actions;
  private long bytes;
  private long hits;
  private long misses;
  private long evictions;

  /** The plan of a key, unless what is served has changed so that it would be another one. */
  public @Nullable SelectedPlan find(PlanKey key, long catalogue) {
    SelectedPlan found = young.get(key);
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

  /** Keeps a plan, and at least this one. */
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
      old.values().forEach(this::dropped);
      evictions += old.size();
      old = young;
      young = new HashMap<>();
      youngBytes = 0;
    }
    young.put(planned.key(), planned);
    youngBytes += planned.heapBytes();
  }

  private void dropped(SelectedPlan plan) {
    actions -= plan.plan().actionCount();
    bytes -= plan.heapBytes();
    clones -= plan.cloned() == null ? 0 : 1;
  }

  /**
   * What it holds and did.
   *
   * @param structures the structures of its plans
   * @param structureBytes bytes that they take
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
    young.clear();
    old.clear();
    youngBytes = 0;
    actions = 0;
    bytes = 0;
    clones = 0;
  }
}
