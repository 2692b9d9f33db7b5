package dev.tutti.cli;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Arrays;

/**
 * The main class of the processes that this program starts; it starts another main class. So all
 * processes have the same main module, which the class cache requires.
 */
public final class ChildMain {

  private ChildMain() {}

  /**
   * Starts a class.
   *
   * @param arguments the name of the class, and its arguments
   * @throws Throwable the exception of the class, or the reason why it cannot be started
   */
  public static void main(String[] arguments) throws Throwable {
    Class<?> main = Class.forName(arguments[0]);
    MethodHandles.lookup()
        .findStatic(main, "main", MethodType.methodType(void.class, String[].class))
        .invokeExact(Arrays.copyOfRange(arguments, 1, arguments.length));
  }
}
