package dev.tutti.host;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import dev.tutti.cli.Main;
import dev.tutti.engine.Engine;
import dev.tutti.plan.GroupPlan;
import dev.tutti.plugin.PluginSet;
import dev.tutti.sdk.Names;
import dev.tutti.simulator.Simulator;
import dev.tutti.testkit.plugin.TestPlugins;
import dev.tutti.verifier.VirtualCluster;
import java.net.URL;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * In every module one can begin to read somewhere: things depend on each other in one direction.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class DependencyCyclesTest {

  private static final int MOST_CLASSES = 3;

  /** The SPI is one thing in several packages: executors take parameters, which have topologies. */
  private static final Set<String> SPI =
      Set.of(
          "dev.tutti.sdk",
          "dev.tutti.sdk.param",
          "dev.tutti.sdk.resource",
          "dev.tutti.sdk.topology",
          "dev.tutti.sdk.trace");

  /** The classes of each module, by its place, read once for all tests. */
  private final Map<String, JavaClasses> modules = new HashMap<>();

  /** Any class of a module represents it. */
  @ParameterizedTest
  @ValueSource(
      classes = {
        Names.class,
        GroupPlan.class,
        Simulator.class,
        VirtualCluster.class,
        TestPlugins.class,
        Engine.class,
        PluginSet.class,
        Context.class,
        Main.class
      })
  void packagesDoNotDependOnEachOther(Class<?> ofModule) {
    assertThat(cycles(graph(ofModule, DependencyCyclesTest::packageOf), 1)).isEmpty();
  }

  private static String packageOf(JavaClass type) {
    String name = type.getPackageName();
    return SPI.contains(name) ? "dev.tutti.sdk" : name;
  }

  /** A sealed type and its permitted types count as one. */
  @ParameterizedTest
  @ValueSource(
      classes = {
        Names.class,
        GroupPlan.class,
        Simulator.class,
        VirtualCluster.class,
        TestPlugins.class,
        Engine.class,
        PluginSet.class,
        Context.class,
        Main.class
      })
  void fewClassesOfAPackageDependOnEachOther(Class<?> ofModule) {
    Map<String, Set<String>> graph = graph(ofModule, DependencyCyclesTest::family);
    graph.forEach((name, others) -> others.removeIf(other -> !isBeside(name, other)));

    assertThat(cycles(graph, MOST_CLASSES)).isEmpty();
  }

  private static boolean isBeside(String name, String other) {
    return name.substring(0, name.lastIndexOf('.'))
        .equals(other.substring(0, other.lastIndexOf('.')));
  }

  /** The outermost class, or the sealed type that permits it. */
  private static String family(JavaClass type) {
    Class<?> outermost = outermost(type.reflect());
    for (Class<?> sealed : supertypes(outermost)) {
      if (sealed.isSealed() && sealed.getPackageName().equals(outermost.getPackageName())) {
        return outermost(sealed).getName();
      }
    }
    return outermost.getName();
  }

  private static List<Class<?>> supertypes(Class<?> type) {
    List<Class<?>> supertypes = new ArrayList<>(List.of(type.getInterfaces()));
    if (type.getSuperclass() != null) {
      supertypes.add(type.getSuperclass());
    }
    return supertypes;
  }

  private static Class<?> outermost(Class<?> type) {
    Class<?> outer = type;
    while (outer.getEnclosingClass() != null) {
      outer = outer.getEnclosingClass();
    }
    return outer;
  }

  private Map<String, Set<String>> graph(Class<?> ofModule, Function<JavaClass, String> node) {
    URL place = ofModule.getProtectionDomain().getCodeSource().getLocation();
    JavaClasses classes =
        modules.computeIfAbsent(place.toString(), _ -> new ClassFileImporter().importUrl(place));
    Map<String, Set<String>> graph = new TreeMap<>();
    for (JavaClass type : classes) {
      if (type.getSimpleName().endsWith("-info")) {
        continue;
      }
      Set<String> others = graph.computeIfAbsent(node.apply(type), _ -> new TreeSet<>());
      for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
        JavaClass target = dependency.getTargetClass().getBaseComponentType();
        if (classes.contain(target.getName())) {
          others.add(node.apply(target));
        }
      }
      others.remove(node.apply(type));
    }
    assertThat(graph).isNotEmpty();
    return graph;
  }

  /** The sets of more than {@code most} nodes in which each node leads to every other. */
  private static List<Set<String>> cycles(Map<String, Set<String>> graph, int most) {
    Map<String, Set<String>> reached = new HashMap<>();
    graph.keySet().forEach(node -> reached.put(node, reachedFrom(node, graph)));
    Set<String> seen = new HashSet<>();
    List<Set<String>> cycles = new ArrayList<>();
    for (String node : graph.keySet()) {
      Set<String> cycle = new TreeSet<>(reached.get(node));
      cycle.removeIf(other -> !reached.getOrDefault(other, Set.of()).contains(node));
      if (cycle.size() > most && seen.add(node)) {
        seen.addAll(cycle);
        cycles.add(cycle);
      }
    }
    return cycles;
  }

  private static Set<String> reachedFrom(String start, Map<String, Set<String>> graph) {
    Set<String> reached = new HashSet<>();
    Deque<String> next = new ArrayDeque<>(graph.get(start));
    while (!next.isEmpty()) {
      String node = next.remove();
      if (reached.add(node)) {
        next.addAll(graph.getOrDefault(node, Set.of()));
      }
    }
    return reached;
  }

  @Test
  void cyclesAreFound() {
    Map<String, Set<String>> graph =
        Map.of(
            "a", Set.of("b"),
            "b", Set.of("c"),
            "c", Set.of("a", "d"),
            "d", Set.of("e"),
            "e", Set.of("d"));

    assertThat(cycles(graph, 1)).containsExactlyInAnyOrder(Set.of("a", "b", "c"), Set.of("d", "e"));
    assertThat(cycles(graph, 2)).containsExactly(Set.of("a", "b", "c"));
    assertThat(cycles(graph, 3)).isEmpty();
  }
}
