package dev.tutti.testkit.junit;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Finds the type arguments with which a class implements an interface. */
final class TypeArguments {

  private TypeArguments() {}

  /**
   * The argument for a type parameter.
   *
   * @param type a class that implements the interface, directly or not
   * @param target the interface
   * @param index the number of its type parameter
   * @return empty if the class leaves it open
   */
  static Optional<Class<?>> of(Class<?> type, Class<?> target, int index) {
    Map<TypeVariable<?>, Type> known = new HashMap<>();
    collect(type, known);
    Type argument = target.getTypeParameters()[index];
    while (argument instanceof TypeVariable<?> variable && known.containsKey(variable)) {
      argument = known.get(variable);
    }
    return argument instanceof Class<?> found ? Optional.of(found) : Optional.empty();
  }

  private static void collect(@Nullable Type type, Map<TypeVariable<?>, Type> known) {
    Class<?> raw;
    if (type instanceof ParameterizedType generic) {
      raw = (Class<?>) generic.getRawType();
      Type[] arguments = generic.getActualTypeArguments();
      for (int i = 0; i < arguments.length; i++) {
        known.put(raw.getTypeParameters()[i], arguments[i]);
      }
    } else if (type instanceof Class<?> plain) {
      raw = plain;
    } else {
      return;
    }
    collect(raw.getGenericSuperclass(), known);
    Arrays.stream(raw.getGenericInterfaces()).forEach(each -> collect(each, known));
  }
}
