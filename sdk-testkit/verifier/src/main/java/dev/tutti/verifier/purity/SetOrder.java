package dev.tutti.verifier.purity;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * The order in which a process iterates over the tables of {@code Set.of} and {@code Map.of}:
 * around the table in one direction or the other, from a place that the JVM chooses when it starts.
 *
 * <p>For any two elements of any table, one of {@linkplain #others three other orders} reverses
 * their order in this process. So a plan that depends on the order of a set differs in one of them,
 * even if it depends only on two neighboring elements.
 *
 * @param isUpwards whether iteration goes from lower to higher slots
 * @param start where iteration begins, as a share of the table: 0 to 1, exclusive
 */
record SetOrder(boolean isUpwards, double start) {

  private static final String TABLES = "java.util.ImmutableCollections";

  /** The JDK's methods that depend on the order. */
  private static final List<String> WALKING =
      List.of("$Set12::*", "$Set12$1::*", "$SetN$SetNIterator::*", "$MapN$MapNIterator::*");

  private static final String MEMORY = "jdk.internal.misc";
  private static final int PROBE = 4096;

  /** The order of this process. */
  static SetOrder here() {
    // The table has twice as many slots as elements, so each even number is in the slot of its
    // value.
    Integer[] even = IntStream.range(0, PROBE).mapToObj(i -> 2 * i).toArray(Integer[]::new);
    Iterator<Integer> walk = Set.of(even).iterator();
    int first = walk.next();
    int second = walk.next();
    boolean isUpwards = second == (first + 2) % (2 * PROBE);
    return new SetOrder(isUpwards, first / (2.0 * PROBE));
  }

  /**
   * Three orders. The opposite direction from the same place reverses all pairs except those with
   * the last element. Both directions from the opposite place reverse these.
   */
  List<SetOrder> others() {
    double opposite = (start + 0.5) % 1;
    return List.of(
        new SetOrder(!isUpwards, start),
        new SetOrder(!isUpwards, opposite),
        new SetOrder(isUpwards, opposite));
  }

  /** Options of a JVM in which orders can be {@linkplain #take set}. */
  static List<String> jvmOptions() {
    Module module = SetOrder.class.getModule();
    List<String> options = new ArrayList<>();
    options.add(
        "--add-exports=java.base/%s=%s"
            .formatted(MEMORY, module.isNamed() ? module.getName() : "ALL-UNNAMED"));
    // Compiled code would keep the order that it was compiled with.
    options.add("-XX:CompileCommand=quiet");
    for (String walking : WALKING) {
      options.add("-XX:CompileCommand=exclude," + TABLES + walking);
      options.add("-XX:CompileCommand=dontinline," + TABLES + walking);
    }
    return options;
  }

  /**
   * Sets this order in the current process. A JVM with another implementation of the tables keeps
   * the random order of its start.
   */
  void take() {
    try {
      Memory memory = new Memory();
      memory.put("SALT32L", "putLong", long.class, Math.round(start * (1L << 32)));
      memory.put("REVERSE", "putBoolean", boolean.class, true);
      if (here().isUpwards != isUpwards) {
        memory.put("REVERSE", "putBoolean", boolean.class, false);
      }
    } catch (ReflectiveOperationException | IllegalAccessError e) {
      // The order stays random.
    }
  }

  /** The inverse of {@link #toString}. */
  static SetOrder of(String text) {
    int colon = text.indexOf(':');
    return new SetOrder(
        text.substring(0, colon).equals("up"), Double.parseDouble(text.substring(colon + 1)));
  }

  @Override
  public String toString() {
    return (isUpwards ? "up:" : "down:") + start;
  }

  /** Access to the JDK's constants through its internal class, by reflection. */
  private static final class Memory {
    private final Class<?> type = Class.forName(MEMORY + ".Unsafe");
    private final Object unsafe = type.getMethod("getUnsafe").invoke(null);

    Memory() throws ReflectiveOperationException {}

    void put(String name, String setter, Class<?> kind, Object value)
        throws ReflectiveOperationException {
      Field field = Class.forName(TABLES).getDeclaredField(name);
      Object base = type.getMethod("staticFieldBase", Field.class).invoke(unsafe, field);
      Object offset = type.getMethod("staticFieldOffset", Field.class).invoke(unsafe, field);
      Method put = type.getMethod(setter, Object.class, long.class, kind);
      put.invoke(unsafe, base, offset, value);
    }
  }
}
