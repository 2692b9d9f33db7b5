package dev.tutti.plugin.process;

import dev.tutti.base.text.Sentence;
import dev.tutti.plugin.Algorithm;
import dev.tutti.plugin.PluginInstance;
import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.Operation;
import dev.tutti.verifier.purity.OtherProcesses;
import dev.tutti.verifier.purity.PlanningServer;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Plans that other processes make with the algorithms of plugin jars. */
public final class JarPlans {

  /** The number of words in a reference to one algorithm. */
  private static final int WORDS = 3;

  private static final Duration CONSTRUCTORS = Duration.ofSeconds(30);

  private JarPlans() {}

  /**
   * The processes, which start at their first request.
   *
   * @param planningLimit the longest time for a plan
   */
  public static OtherProcesses processes(Duration planningLimit) {
    return new OtherProcesses(JarPlans.class, ChildOptions.quickStart(), planningLimit);
  }

  /**
   * The words with which such a process finds an algorithm; the words of several algorithms make
   * one reference.
   *
   * @param jar the file that the algorithm was loaded from
   */
  public static List<String> reference(Algorithm algorithm, Path jar) {
    return List.of(
        jar.toAbsolutePath().toString(), algorithm.operation().label(), algorithm.name());
  }

  /** Serves the process that has started this one. */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    PlanningServer.serve(new Jars());
  }

  /** The jars that are loaded in this process. */
  private static final class Jars implements PlanningServer.Source {

    private final Map<Path, PluginInstance> loaded = new HashMap<>();

    @Override
    public List<CollExecutorBase<?>> executors(List<String> reference) {
      List<CollExecutorBase<?>> executors = new ArrayList<>();
      for (int at = 0; at + WORDS <= reference.size(); at += WORDS) {
        Path jar = Path.of(reference.get(at));
        PluginInstance plugin =
            loaded.computeIfAbsent(jar, file -> PluginInstance.load(file, file, CONSTRUCTORS));
        executors.add(
            executor(plugin, Operation.fromLabel(reference.get(at + 1)), reference.get(at + 2)));
      }
      return executors;
    }

    private static CollExecutorBase<?> executor(
        PluginInstance plugin, Operation operation, String name) {
      return plugin.plugin().algorithms().stream()
          .filter(each -> each.operation() == operation && each.name().equals(name))
          .findFirst()
          .orElseThrow(
              () ->
                  new IllegalStateException(
                      Sentence.of("%s has no algorithm %s for %s", plugin, name, operation)))
          .executor();
    }

    @Override
    public Optional<Path> location(List<String> reference) {
      return Optional.of(Path.of(reference.getFirst()));
    }
  }
}
