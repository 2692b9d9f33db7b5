package dev.tutti.verifier.purity;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * The order in which a process walks over the tables of {@code Set.of} and {@code Map.of}: round a
 * circle, one way or the other, from a place that the JVM chooses as it starts.
 *
 * <p>For any two elements of any table there is one among {@linkplain #others three other orders}
 * in which the two come the other way round than here. So a plan that depends on such an order is
 * another one somewhere, even if it depends on two neighbours only.
 *
 * @param isUpwards whether slots follow each other as they are numbered
 * @param start where a walk begins, as a share of the table: 0 to 1, exclusive
 */
record SetOrder(boolean isUpwards, double start) {

  private static final String TABLES = "java.util.ImmutableCollections";

  /** The methods that look at the order. */
  private static final List<String> WALKING =
      List.of("$Set12::*", "$Set12$1::*", "$SetN$SetNIterator::*", "$MapN$MapNIterator::*");

  private static final String MEMORY = "jdk.internal.misc";
  private static final int PROBE = 4096;

  /** The order of this process. */
  static SetOrder here() {
    // In a table of twice as many slots, each whole number stands in the slot of its value.
    Integer[] even = IntStream.range(0, PROBE).mapToObj(i -> 2 * i).toArray(Integer[]::new);
    Iterator<Integer> walk = Set.of(even).iterator();
    int first = walk.next();
    int second = walk.next();
    boolean isUpwards = second == (first + 2) % (2 * PROBE);
    return new SetOrder(isUpwards, first / (2.0 * PROBE));
  }

  /**
   * The other way round from the same place, which turns round all pairs but those with the last
   * element; and both ways round from the opposite place, which turn round these.
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
    // Compiled code would keep the order it was compiled with.
    options.add("-XX:CompileCommand=quiet");
    for (String walking : WALKING) {
      options.add("-XX:CompileCommand=exclude," + TABLES + walking);
      options.add("-XX:CompileCommand=dontinline," + TABLES + walking);
    }
    return options;
  }

  /**
   * Gives this process the order. A JVM that keeps its tables in another way than those of today
   * keeps the order of its start, which is left to chance.
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
      // Left to chance.
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

  /** The JDK's own access to its constants, by names that only this class knows. */
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
