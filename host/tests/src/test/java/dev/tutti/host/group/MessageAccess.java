package dev.tutti.host.group;

import java.lang.reflect.Field;
import java.util.Map;

/** Access of tests to the calls that ranks have agreed on. */
public final class MessageAccess {

  private MessageAccess() {}

  /** Makes a rank forget all calls that it has agreed on with others. */
  public static void forgetAll(MessageBindings known) throws ReflectiveOperationException {
    Object agreed = field(MessageBindings.class, "agreed").get(known);
    ((Map<?, ?>) field(RecentlyUsed.class, "kept").get(agreed)).clear();
  }

  private static Field field(Class<?> of, String name) throws NoSuchFieldException {
    Field field = of.getDeclaredField(name);
    field.setAccessible(true);
    return field;
  }
}
