package dev.tutti.engine.kernel;

import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Locale;

/**
 * Copies of a class that differ in one constant.
 *
 * <p>A copy is a hidden class whose static final fields come from its class data. The just-in-time
 * compiler therefore sees the operation of a loop as a constant, and has a separate profile for
 * that loop: one source text has the speed of a loop per type and operation. (A vector operation in
 * a variable is 18 times slower.)
 */
final class HiddenCopy {

  private HiddenCopy() {}

  /** The only instance of a new copy of {@code template}, whose constructor has no parameters. */
  static <T extends Lanes> Lanes of(Class<T> template, Object data) {
    try {
      MethodHandles.Lookup copy =
          MethodHandles.lookup().defineHiddenClassWithClassData(bytesOf(template), data, true);
      MethodType noArguments = MethodType.methodType(void.class);
      return (Lanes) copy.findConstructor(copy.lookupClass(), noArguments).invoke();
    } catch (Throwable e) {
      throw new IllegalStateException(
          String.format(Locale.ROOT, "cannot make a copy of %s for %s", template, data), e);
    }
  }

  /** The data of the copy to which the lookup {@code caller} belongs. */
  static <D> D dataOf(MethodHandles.Lookup caller, Class<D> type) {
    try {
      return MethodHandles.classData(caller, "_", type);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException("a lookup without the right to read its class data", e);
    }
  }

  private static byte[] bytesOf(Class<?> template) throws IOException {
    String file = template.getSimpleName() + ".class";
    try (InputStream in = template.getResourceAsStream(file)) {
      if (in == null) {
        throw new IOException(file + " is not beside its package");
      }
      return in.readAllBytes();
    }
  }
}
