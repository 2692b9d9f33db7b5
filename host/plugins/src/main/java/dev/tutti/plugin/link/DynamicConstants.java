package dev.tutti.plugin.link;

import java.lang.classfile.constantpool.DynamicConstantPoolEntry;
import java.lang.classfile.constantpool.LoadableConstantEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The constants of a class that methods compute at their first use. Their arguments may be such
 * constants, too, and code that follows them, such as the JVM, does so recursively. So the nesting
 * must be limited and without cycles.
 */
final class DynamicConstants {

  /** The deepest nesting; the compiler of the JDK needs two. */
  static final int MOST_NESTED = 16;

  private DynamicConstants() {}

  /** Whether some constants are nested too deep, or in a cycle. */
  static boolean areTooDeep(Collection<DynamicConstantPoolEntry> constants, Effort effort) {
    Map<Integer, DynamicConstantPoolEntry> open = new HashMap<>();
    constants.forEach(each -> open.put(each.index(), each));
    for (int depth = 0; depth < MOST_NESTED && !open.isEmpty(); depth++) {
      List<Integer> settled = new ArrayList<>();
      for (DynamicConstantPoolEntry each : open.values()) {
        List<LoadableConstantEntry> arguments = each.bootstrap().arguments();
        effort.spend(1 + arguments.size());
        if (arguments.stream().noneMatch(it -> open.containsKey(it.index()))) {
          settled.add(each.index());
        }
      }
      open.keySet().removeAll(settled);
    }
    return !open.isEmpty();
  }

  /** All other constants that a constant depends on, each once. */
  static List<PoolEntry> parts(DynamicConstantPoolEntry constant, Effort effort) {
    List<PoolEntry> parts = new ArrayList<>();
    Set<Integer> seen = new HashSet<>(Set.of(constant.index()));
    Deque<DynamicConstantPoolEntry> open = new ArrayDeque<>(List.of(constant));
    while (!open.isEmpty()) {
      DynamicConstantPoolEntry next = open.removeFirst();
      parts.add(next.bootstrap().bootstrapMethod());
      effort.spend(1 + next.bootstrap().arguments().size());
      for (LoadableConstantEntry argument : next.bootstrap().arguments()) {
        if (seen.add(argument.index())) {
          if (argument instanceof DynamicConstantPoolEntry dynamic) {
            open.add(dynamic);
          } else {
            parts.add(argument);
          }
        }
      }
    }
    return parts;
  }
}
