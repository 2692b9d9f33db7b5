package dev.tutti.plugin;

import dev.tutti.base.text.Sentence;
import dev.tutti.plugin.limit.TimeLimit;
import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import dev.tutti.verifier.gate.PluginFailure;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
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
    Offer offer;
    try {
      offer = limit.call(PluginJar.SERVICES, () -> offer(declared.size()));
    } catch (TuttiException e) {
      problems.add(new Problem(e.code(), String.valueOf(e.getMessage())));
      return;
    }
    List<String> offered = new ArrayList<>();
    for (ServiceLoader.Provider<?> provider : offer.providers()) {
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
        problems.add(notOffered(name, offer.errors()));
      }
    }
  }

  /**
   * What the services file offers.
   *
   * @param errors the texts of what went wrong with the others
   */
  private record Offer(List<ServiceLoader.Provider<?>> providers, List<String> errors) {}

  /** All providers whose classes can be loaded; the loader goes on after each error. */
  private Offer offer(int declared) {
    Offer found = new Offer(new ArrayList<>(), new ArrayList<>());
    Iterator<? extends ServiceLoader.Provider<?>> iterator =
        ServiceLoader.load(CollExecutorBase.class, loader).stream().iterator();
    while (found.errors().size() <= declared) {
      try {
        if (!iterator.hasNext()) {
          return found;
        }
        found.providers().add(iterator.next());
      } catch (ServiceConfigurationError | LinkageError e) {
        found.errors().add(String.valueOf(e.getMessage()));
      }
    }
    return found;
  }

  /** What came of the constructor of a provider: one of the two. */
  private record Creation(@Nullable CollExecutorBase<?> executor, @Nullable Problem problem) {}

  private void create(ServiceLoader.Provider<?> provider) {
    String name = provider.type().getName();
    Creation creation;
    try {
      creation = limit.call("the constructor of " + name, () -> creation(name, provider));
    } catch (TuttiException e) {
      creation = new Creation(null, new Problem(String.valueOf(e.getMessage())));
    }
    if (creation.executor() != null) {
      executors.add(creation.executor());
    }
    if (creation.problem() != null) {
      problems.add(creation.problem());
    }
  }

  private static Creation creation(String name, ServiceLoader.Provider<?> provider) {
    try {
      return new Creation((CollExecutorBase<?>) provider.get(), null);
    } catch (ServiceConfigurationError e) {
      Throwable cause = e.getCause();
      if (cause instanceof ExceptionInInitializerError initializer
          && initializer.getCause() instanceof TuttiException guarded) {
        cause = guarded;
      }
      if (cause instanceof TuttiException guarded) {
        RuntimeException copy = PluginFailure.of(guarded);
        return new Creation(null, new Problem(guarded.code(), String.valueOf(copy.getMessage())));
      }
      return new Creation(null, new Problem(ProviderDiagnosis.ofError(name, orElse(cause, e))));
    }
  }

  private static Throwable orElse(@Nullable Throwable cause, Throwable otherwise) {
    return cause == null ? otherwise : cause;
  }

  private Problem notOffered(String name, List<String> errors) {
    String unread =
        Sentence.of(
            "%s was not offered because %s cannot be read%s",
            name, PluginJar.SERVICES, errors.isEmpty() ? "" : " (" + errors.getFirst() + ")");
    try {
      return new Problem(
          limit.call(
              "the class " + name,
              () -> Objects.requireNonNullElse(ProviderDiagnosis.ofClass(name, loader), unread)));
    } catch (TuttiException e) {
      return new Problem(e.code(), String.valueOf(e.getMessage()));
    }
  }
}
