package dev.tutti.host;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;

/** The memory that a context has allocated, found by address. Thread-safe. */
final class MemoryRegistry {

  private final Set<OwnedMemory> all = ConcurrentHashMap.newKeySet();

  /** Empty memory is not in this map: it has no address of its own. */
  private final ConcurrentSkipListMap<Long, OwnedMemory> byAddress = new ConcurrentSkipListMap<>();

  void add(OwnedMemory memory) {
    all.add(memory);
    if (memory.byteSize() > 0) {
      byAddress.put(memory.address(), memory);
    }
  }

  void remove(OwnedMemory memory) {
    all.remove(memory);
    byAddress.remove(memory.address(), memory);
  }

  List<OwnedMemory> all() {
    return List.copyOf(all);
  }

  /** The memory that holds a native segment, or the segment itself. */
  MemorySegment allocationOf(MemorySegment segment) {
    Map.@Nullable Entry<Long, OwnedMemory> found = byAddress.floorEntry(segment.address());
    return found != null && found.getValue().holds(segment) ? found.getValue().segment() : segment;
  }
}
