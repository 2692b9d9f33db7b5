package dev.tutti.testkit.junit;

import java.lang.reflect.Modifier;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.platform.commons.JUnitException;
import org.junit.platform.engine.EngineDiscoveryRequest;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.UniqueId;
import org.junit.platform.engine.discovery.ClassSelector;
import org.junit.platform.engine.discovery.ClasspathRootSelector;
import org.junit.platform.engine.discovery.UniqueIdSelector;

/**
 * Finds the providers to test for a discovery request.
 *
 * <p>The id of a provider names the test class that it runs along with, so the id alone is enough
 * to find the provider again.
 */
final class ProviderDiscovery {

  private static final String WITH = "with";

  private final EngineDiscoveryRequest request;
  private final ProvidersDescriptor engine;

  /** The selected classes of each directory. */
  private final Map<Path, Set<Class<?>>> selected = new LinkedHashMap<>();

  private final Map<Path, ClassLoader> loaders = new LinkedHashMap<>();
  private final Set<String> names = new HashSet<>();

  ProviderDiscovery(EngineDiscoveryRequest request, ProvidersDescriptor engine) {
    this.request = request;
    this.engine = engine;
  }

  void run() {
    for (ClassSelector selector : request.getSelectorsByType(ClassSelector.class)) {
      try {
        select(selector.getJavaClass());
      } catch (JUnitException e) {
        // There is no such class; the engine of that class reports it.
      }
    }
    ClassLoader context = Thread.currentThread().getContextClassLoader();
    Set<Path> whole = new HashSet<>();
    for (ClasspathRootSelector root : request.getSelectorsByType(ClasspathRootSelector.class)) {
      Path directory = Path.of(root.getClasspathRoot());
      loaders.putIfAbsent(directory, context);
      selected.putIfAbsent(directory, new HashSet<>());
      whole.add(directory);
    }
    List<UniqueId> ids = selectIds(context);
    selected.forEach((directory, classes) -> add(directory, classes, whole.contains(directory)));
    if (!ids.isEmpty()) {
      prune(ids);
    }
  }

  private void select(Class<?> type) {
    TestClasses.directoryOf(type)
        .ifPresent(
            directory -> {
              loaders.putIfAbsent(directory, type.getClassLoader());
              selected.computeIfAbsent(directory, key -> new HashSet<>()).add(type);
            });
  }

  /** Selects the test classes that ids of this engine name; returns those ids. */
  private List<UniqueId> selectIds(ClassLoader loader) {
    List<UniqueId> ids = new ArrayList<>();
    for (UniqueIdSelector selector : request.getSelectorsByType(UniqueIdSelector.class)) {
      UniqueId id = selector.getUniqueId();
      if (!id.hasPrefix(engine.getUniqueId())) {
        continue;
      }
      for (UniqueId.Segment segment : id.getSegments()) {
        if (segment.getType().equals(WITH)) {
          try {
            select(Class.forName(segment.getValue(), false, loader));
            ids.add(id);
          } catch (ClassNotFoundException e) {
            // The id comes from another build; no provider has it.
          }
        }
      }
    }
    return ids;
  }

  private void add(Path directory, Set<Class<?>> classes, boolean isWhole) {
    ClassLoader loader = loaders.get(directory);
    if (loader == null || !UntestedProviders.exist(loader)) {
      return;
    }
    List<Class<?>> tests = TestClasses.in(directory, loader);
    if (tests.stream().anyMatch(ProviderDiscovery::takesOver)) {
      return;
    }
    TestClasses.first(tests)
        .filter(first -> isWhole || classes.contains(first))
        .ifPresent(
            first -> {
              UniqueId parent = engine.getUniqueId().append(WITH, first.getName());
              for (TestGroup group : UntestedProviders.find(tests, loader, engine.processes())) {
                if (names.add(group.name())) {
                  UniqueId id = parent.append("provider", group.name());
                  engine.addChild(new ProviderDescriptor(id, group));
                }
              }
            });
  }

  private static boolean takesOver(Class<?> type) {
    return ProvidersTck.class.isAssignableFrom(type) && !Modifier.isAbstract(type.getModifiers());
  }

  /** Keeps the descriptors that the ids name, and their ancestors and descendants. */
  private void prune(List<UniqueId> ids) {
    List<TestDescriptor> all = new ArrayList<>(engine.getDescendants());
    for (TestDescriptor descriptor : all) {
      UniqueId own = descriptor.getUniqueId();
      if (ids.stream().noneMatch(id -> own.hasPrefix(id) || id.hasPrefix(own))) {
        descriptor.removeFromHierarchy();
      }
    }
  }
}
