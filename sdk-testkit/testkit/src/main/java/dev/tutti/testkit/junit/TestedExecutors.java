package dev.tutti.testkit.junit;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Finds the executors that test classes name: in the TCKs they implement and in annotations. */
final class TestedExecutors {

  private final Set<Class<?>> found = new HashSet<>();

  private TestedExecutors() {}

  static Set<Class<?>> of(List<Class<?>> tests) {
    TestedExecutors tested = new TestedExecutors();
    tests.forEach(tested::add);
    return tested.found;
  }

  private void add(Class<?> test) {
    if (!Modifier.isAbstract(test.getModifiers())) {
      if (CollectiveTck.class.isAssignableFrom(test)) {
        addArgument(test, CollectiveTck.class, 1, "executor");
      }
      if (SendReceiveTck.class.isAssignableFrom(test)) {
        addArgument(test, SendReceiveTck.class, 0, "sender");
        addArgument(test, SendReceiveTck.class, 1, "receiver");
      }
    }
    try {
      for (Method method : test.getDeclaredMethods()) {
        CollectiveTest annotation = method.getAnnotation(CollectiveTest.class);
        if (annotation != null) {
          found.addAll(Arrays.asList(annotation.value()));
        }
      }
    } catch (LinkageError e) {
      // The test refers to a missing class, so it cannot run.
    }
  }

  /** Adds the type argument, and the return type of an overriding method. */
  private void addArgument(Class<?> test, Class<?> tck, int index, String method) {
    TypeArguments.of(test, tck, index).ifPresent(found::add);
    try {
      found.add(test.getMethod(method).getReturnType());
    } catch (NoSuchMethodException | LinkageError e) {
      // There is only the type argument.
    }
  }
}
