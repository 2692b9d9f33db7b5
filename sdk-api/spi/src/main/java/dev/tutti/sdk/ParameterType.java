package dev.tutti.sdk;

import dev.tutti.sdk.param.OpParam;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/** Finds the type that an executor class uses for {@code P} of {@link CollExecutorBase}. */
final class ParameterType {

  private static final String SUFFIX = "Param";

  private ParameterType() {}

  /**
   * The operation of an executor class.
   *
   * @throws TuttiException with {@link ErrorCode#PLUGIN_PROVIDER} if the class leaves it open
   */
  static Operation operation(Class<?> executor) {
    Type type = resolve(executor);
    if (type instanceof Class<?> param
        && param.isRecord()
        && OpParam.class.isAssignableFrom(param)) {
      String name = param.getSimpleName();
      String label = name.substring(0, name.length() - SUFFIX.length());
      return Operation.fromLabel(label.toLowerCase(Locale.ROOT));
    }
    throw new TuttiException(
        ErrorCode.PLUGIN_PROVIDER,
        "%s does not say which operation it is for; extend CollExecutorBase<AllReduceParam>, or"
            + " with another parameter record, instead of %s",
        executor.getName(),
        type == CollExecutorBase.class ? "the raw type" : type.getTypeName());
  }

  /** Walks up to the base class and resolves type variables on the way. */
  private static Type resolve(Class<?> executor) {
    Map<TypeVariable<?>, Type> known = new HashMap<>();
    Class<?> at = executor;
    while (at != CollExecutorBase.class) {
      if (!(at.getGenericSuperclass() instanceof ParameterizedType parent)) {
        at = at.getSuperclass();
        continue;
      }
      Class<?> raw = (Class<?>) parent.getRawType();
      Type[] arguments = parent.getActualTypeArguments();
      for (int i = 0; i < arguments.length; i++) {
        Type argument = arguments[i];
        known.put(
            raw.getTypeParameters()[i],
            argument instanceof TypeVariable<?> v ? known.getOrDefault(v, v) : argument);
      }
      at = raw;
    }
    return known.getOrDefault(
        CollExecutorBase.class.getTypeParameters()[0], CollExecutorBase.class);
  }
}
