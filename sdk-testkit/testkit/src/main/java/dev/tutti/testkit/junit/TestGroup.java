package dev.tutti.testkit.junit;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The standard tests of a provider that has none of its own.
 *
 * @param name for example {@code "allreduce ring (org.example.RingAllReduce)"}
 * @param type the provider; null if it cannot be loaded
 * @param tests in the order in which they should run
 */
record TestGroup(String name, @Nullable Class<?> type, List<NamedTest> tests) {

  TestGroup {
    tests = List.copyOf(tests);
  }
}
