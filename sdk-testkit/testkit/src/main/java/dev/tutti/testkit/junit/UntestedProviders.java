package dev.tutti.testkit.junit;

import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.Operation;
import dev.tutti.sdk.TuttiException;
import dev.tutti.verifier.matrix.Matrix;
import dev.tutti.verifier.matrix.MatrixCases;
import dev.tutti.verifier.planning.AlgorithmName;
import dev.tutti.verifier.purity.OtherProcesses;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The project's providers that no test class names, with their standard tests. Providers in jars
 * are left out, because their own builds test them.
 */
final class UntestedProviders {

  private final Set<Class<?>> tested;
  private final OtherProcesses processes;
  private final List<TestGroup> groups = new ArrayList<>();

  /** Halves of transfers by operation and algorithm. */
  private final Map<String, Class<?>> halves = new LinkedHashMap<>();

  private UntestedProviders(Set<Class<?>> tested, OtherProcesses processes) {
    this.tested = tested;
    this.processes = processes;
  }

  /**
   * The groups, in the order of the services files.
   *
   * @param tests the classes that may name executors
   * @param loader sees the services files
   * @param processes for the standard tests
   */
  static List<TestGroup> find(List<Class<?>> tests, ClassLoader loader, OtherProcesses processes) {
    UntestedProviders providers = new UntestedProviders(TestedExecutors.of(tests), processes);
    Iterator<? extends ServiceLoader.Provider<?>> all =
        ServiceLoader.load(CollExecutorBase.class, loader).stream().iterator();
    while (providers.addNext(all)) {}
    providers.addTransfers();
    return providers.groups;
  }

  /** Whether a loader sees any provider, valid or not, outside of jars. */
  static boolean exist(ClassLoader loader) {
    try {
      return ServiceLoader.load(CollExecutorBase.class, loader).stream()
          .map(ServiceLoader.Provider::type)
          .map(TestClasses::directoryOf)
          .anyMatch(Optional::isPresent);
    } catch (ServiceConfigurationError e) {
      return true;
    }
  }

  private boolean addNext(Iterator<? extends ServiceLoader.Provider<?>> all) {
    try {
      if (!all.hasNext()) {
        return false;
      }
      add(all.next().type());
    } catch (ServiceConfigurationError e) {
      groups.add(broken("META-INF/services/" + CollExecutorBase.class.getName(), null, e));
    }
    return true;
  }

  private void add(Class<?> provider) {
    if (tested.contains(provider) || TestClasses.directoryOf(provider).isEmpty()) {
      return;
    }
    Operation operation;
    try {
      operation = Operation.ofExecutor(provider);
    } catch (TuttiException e) {
      groups.add(broken(provider.getName(), provider, e));
      return;
    }
    if (operation == Operation.SEND || operation == Operation.RECEIVE) {
      halves.put(operation + " " + AlgorithmName.of(provider), provider);
    } else {
      addGroup(operation, provider, List.of(provider));
    }
  }

  private void addTransfers() {
    halves.forEach(
        (key, half) -> {
          String algorithm = AlgorithmName.of(half);
          Class<?> receiver = halves.get(Operation.RECEIVE + " " + algorithm);
          boolean isSend = key.startsWith(Operation.SEND + " ");
          if (isSend && receiver != null) {
            addGroup(Operation.SEND, half, List.of(half, receiver));
          } else if (isSend || !halves.containsKey(Operation.SEND + " " + algorithm)) {
            groups.add(
                broken(
                    key + " (" + half.getName() + ")",
                    half,
                    new AssertionError(
                        "%s cannot be tested alone: there is no executor for %s of the name '%s'; add it, or test"
                                .formatted(half.getName(), isSend ? "receive" : "send", algorithm)
                            + " both with SendReceiveTck")));
          }
        });
  }

  private void addGroup(Operation operation, Class<?> provider, List<Class<?>> types) {
    String name = "%s %s (%s)".formatted(operation, AlgorithmName.of(provider), provider.getName());
    try {
      Subject subject =
          new Subject(types.stream().<CollExecutorBase<?>>map(Executors::make).toList());
      StandardTest standard =
          new StandardTest(
              subject,
              MatrixCases.covering(Matrix.standard(subject.executors())),
              new Refusals.Undeclared(),
              settings -> settings,
              ClassPathPlans.referenceOf(subject),
              processes);
      groups.add(new TestGroup(name, provider, standard.tests().toList()));
    } catch (TuttiException e) {
      groups.add(broken(name, provider, e));
    }
  }

  private static TestGroup broken(String name, @Nullable Class<?> type, Throwable problem) {
    NamedTest test =
        new NamedTest(
            "can be tested",
            publisher -> {
              throw new AssertionError(problem.getMessage(), problem);
            });
    return new TestGroup(name, type, List.of(test));
  }
}
