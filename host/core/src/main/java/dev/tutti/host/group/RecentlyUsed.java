package dev.tutti.host.group;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Values that were used last, up to a number of bytes, and a few whatever their size. Not
 * thread-safe.
 *
 * @param <K> what they are found by
 * @param <V> what is kept
 */
public final class RecentlyUsed<K, V> {

  private final int few;
  private final long maxBytes;
  private final Map<K, Kept<V>> kept = new LinkedHashMap<>(16, 0.75f, true);
  private long bytes;

  private record Kept<V>(V value, long bytes, Runnable whenDropped) {}

  /**
   * Keeps values.
   *
   * @param few so many, 1 or more, are kept whatever their size
   * @param maxBytes of all together, if there are more
   */
  public RecentlyUsed(int few, long maxBytes) {
    this.few = few;
    this.maxBytes = maxBytes;
  }

  /** The value of a key; null if it is not kept. */
  public @Nullable V find(K key) {
    Kept<V> found = kept.get(key);
    return found == null ? null : found.value;
  }

  /**
   * Keeps a value, and drops others.
   *
   * @param itsBytes about how much memory it takes
   * @param whenDropped is run when it is kept no longer
   */
  public void keep(K key, V value, long itsBytes, Runnable whenDropped) {
    Kept<V> old = kept.put(key, new Kept<>(value, itsBytes, whenDropped));
    bytes += itsBytes;
    if (old != null) {
      dropped(old);
    }
    Iterator<Kept<V>> eldest = kept.values().iterator();
    while (bytes > maxBytes && kept.size() > few) {
      dropped(eldest.next());
      eldest.remove();
    }
  }

  private void dropped(Kept<V> one) {
    bytes -= one.bytes;
    one.whenDropped.run();
  }
}
