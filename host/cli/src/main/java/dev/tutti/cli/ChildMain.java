package dev.tutti.cli;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Arrays;

/**
 * Starts another main class of this program, in processes that the program starts: they then have
 * its main module, which the cache of loaded classes asks for.
 */
public final class ChildMain {

  private ChildMain() {}

  /**
   * Starts a class.
   *
   * @param arguments its name, and its arguments
   * @throws Throwable what it throws, or why it cannot be started
   */
  public static void main(String[] arguments) throws Throwable {
    Class<?> main = Class.forName(arguments[0]);
    MethodHandles.lookup()
        .findStatic(main, "main", MethodType.methodType(void.class, String[].class))
        .invokeExact(Arrays.copyOfRange(arguments, 1, arguments.length));
  }
}
