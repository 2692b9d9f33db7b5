package dev.tutti.host.plugin;

import dev.tutti.host.guard.TimeLimit;
import dev.tutti.host.text.Sentence;
import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/**
 * Finds the providers of one jar with {@link ServiceLoader}. Every provider that fails becomes a
 * sentence; it does not hide the others. Not thread-safe.
 */
final class ProviderScan {

  private final PartitionClassLoader loader;
  private final TimeLimit limit;
  private final List<CollExecutorBase<?>> executors = new ArrayList<>();
  private final List<Problem> problems = new ArrayList<>();

  /** What is wrong with a provider. */
  record Problem(ErrorCode code, String message) {

    Problem(String message) {
      this(ErrorCode.PLUGIN_PROVIDER, message);
    }
  }

  ProviderScan(PartitionClassLoader loader, TimeLimit limit) {
    this.loader = loader;
    this.limit = limit;
  }

  /** One instance of each provider that works. */
  List<CollExecutorBase<?>> executors() {
    return executors;
  }

  /** What is wrong with the others. */
  List<Problem> problems() {
    return problems;
  }

  /**
   * Looks for providers.
   *
   * @param declared the names in the services file
   * @param unusable those of them whose classes do not link; they are passed over
   */
  void run(List<String> declared, Collection<String> unusable) {
    if (unusable.containsAll(declared)) {
      return;
    }
    List<String> offered = new ArrayList<>();
    List<Throwable> errors = new ArrayList<>();
    for (ServiceLoader.Provider<?> provider : providers(declared.size(), errors)) {
      // The platform loader is the parent; what it might offer is not this plugin's.
      if (provider.type().getClassLoader() == loader) {
        offered.add(provider.type().getName());
        if (!unusable.contains(provider.type().getName())) {
          create(provider);
        }
      }
    }
    for (String name : declared) {
      if (!offered.contains(name) && !unusable.contains(name)) {
        problems.add(new Problem(notOffered(name, errors)));
      }
    }
  }

  /** All providers whose classes can be loaded; the loader goes on after each error. */
  @SuppressWarnings("rawtypes")
  private List<ServiceLoader.Provider<CollExecutorBase>> providers(
      int declared, List<Throwable> errors) {
    List<ServiceLoader.Provider<CollExecutorBase>> found = new ArrayList<>();
    Iterator<ServiceLoader.Provider<CollExecutorBase>> iterator =
        ServiceLoader.load(CollExecutorBase.class, loader).stream().iterator();
    while (errors.size() <= declared) {
      try {
        if (!iterator.hasNext()) {
          return found;
        }
        found.add(iterator.next());
      } catch (ServiceConfigurationError | LinkageError e) {
        errors.add(e);
      }
    }
    return found;
  }

  private void create(ServiceLoader.Provider<?> provider) {
    String name = provider.type().getName();
    try {
      executors.add(
          limit.call("the constructor of " + name, () -> (CollExecutorBase<?>) provider.get()));
    } catch (TuttiException e) {
      problems.add(problem(name, e));
    }
  }

  private static Problem problem(String name, TuttiException failure) {
    Throwable thrown =
        failure.getCause() instanceof ServiceConfigurationError e ? e.getCause() : null;
    if (thrown instanceof ExceptionInInitializerError e && e.getCause() instanceof TuttiException) {
      thrown = e.getCause();
    }
    if (thrown instanceof TuttiException guarded) {
      return new Problem(guarded.code(), String.valueOf(guarded.getMessage()));
    }
    return new Problem(
        thrown == null
            ? String.valueOf(failure.getMessage())
            : ProviderDiagnosis.ofError(name, thrown));
  }

  private String notOffered(String name, List<Throwable> errors) {
    @Nullable String problem = ProviderDiagnosis.ofClass(name, loader);
    if (problem != null) {
      return problem;
    }
    return Sentence.of(
        "%s was not offered because %s cannot be read%s",
        name,
        PluginJar.SERVICES,
        errors.isEmpty() ? "" : " (" + errors.getFirst().getMessage() + ")");
  }
}
