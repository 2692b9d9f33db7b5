package dev.tutti.host.group;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The most recently used values, up to a number of bytes. A few values are kept whatever their
 * size. Not thread-safe.
 *
 * @param <K> the keys
 * @param <V> the values
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
   * @param few the number of values, 1 or more, that are kept whatever their size
   * @param maxBytes the largest total size if there are more values
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
   * Keeps a value, and drops others if necessary.
   *
   * @param itsBytes the approximate size of its memory
   * @param whenDropped runs when the value is dropped
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
