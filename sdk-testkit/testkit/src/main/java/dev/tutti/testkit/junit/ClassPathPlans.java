package dev.tutti.testkit.junit;

import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.verifier.purity.OtherProcesses;
import dev.tutti.verifier.purity.PlanningServer;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The {@code main} of processes that plan with executors of the test class path. A reference to
 * executors names the test class that makes them, or their own classes.
 */
public final class ClassPathPlans {

  private static final String TEST = "test";
  private static final String CLASSES = "classes";
  private static final Duration PLANNING_LIMIT = Duration.ofSeconds(10);

  private ClassPathPlans() {}

  /** Serves the tests that have started this process. */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    PlanningServer.serve(new ClassPath());
  }

  /** Processes that plan with executors of this class path. */
  static OtherProcesses processes() {
    return new OtherProcesses(ClassPathPlans.class, List.of(), PLANNING_LIMIT);
  }

  /** A reference to the executors that a test class makes. */
  static List<String> referenceOf(Class<? extends ExecutorTck> test) {
    return List.of(TEST, test.getName());
  }

  /** A reference to new executors of the same classes. */
  static List<String> referenceOf(Subject subject) {
    List<String> reference = new ArrayList<>(List.of(CLASSES));
    subject.executors().forEach(each -> reference.add(each.getClass().getName()));
    return reference;
  }

  private static final class ClassPath implements PlanningServer.Source {

    @Override
    public List<CollExecutorBase<?>> executors(List<String> reference) throws Exception {
      List<String> names = reference.subList(1, reference.size());
      if (reference.getFirst().equals(TEST)) {
        Constructor<?> constructor = Class.forName(names.getFirst()).getDeclaredConstructor();
        constructor.setAccessible(true);
        return List.copyOf(((ExecutorTck) constructor.newInstance()).executors());
      }
      List<CollExecutorBase<?>> executors = new ArrayList<>();
      for (String name : names) {
        executors.add(Executors.make(Class.forName(name)));
      }
      return executors;
    }

    @Override
    public Optional<Path> location(List<String> reference) {
      return Optional.empty();
    }
  }
}
