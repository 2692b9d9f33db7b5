package dev.tutti.plugin.link;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Counts the paths from a class to its ancestors. The JVM follows each path recursively when it
 * links the class. So interfaces that all extend two others double its work with each step, and a
 * long chain of superclasses overflows its stack. Not thread-safe.
 */
final class Ancestry {

  /** The largest number of paths, far more than any class of the JDK has. */
  static final int MOST_WAYS = 1_000;

  static final int MOST_STEPS = 100;

  private static final int TOO_MANY = MOST_WAYS + 1;

  private final Function<String, @Nullable TypeShape> types;
  private final Map<String, Integer> ways = new HashMap<>();

  Ancestry(Function<String, @Nullable TypeShape> types) {
    this.types = types;
  }

  /** Whether a class has too many ancestors for the JVM, or is its own ancestor. */
  boolean isTooLarge(String name) {
    return ways(name, 0) > MOST_WAYS;
  }

  /** Counts the paths; the depth bounds the recursion. */
  private int ways(String name, int depth) {
    Integer known = ways.get(name);
    if (known != null) {
      return known;
    }
    TypeShape type = depth > MOST_STEPS ? null : types.apply(name);
    if (type == null) {
      return depth > MOST_STEPS ? TOO_MANY : 1;
    }
    int sum = type.superName() == null ? 1 : ways(type.superName(), depth + 1);
    for (String each : type.interfaces()) {
      sum = Math.min(TOO_MANY, sum + ways(each, depth + 1));
    }
    ways.put(name, sum);
    return sum;
  }
}
