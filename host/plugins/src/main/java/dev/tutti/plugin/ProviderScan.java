package dev.tutti.plugin;

import dev.tutti.base.text.Sentence;
import dev.tutti.plugin.limit.TimeLimit;
import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import dev.tutti.verifier.gate.PluginFailure;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/**
 * Creates the providers of one plugin that {@link ServiceLoader} finds. Each failed provider
 * becomes a problem and does not hide the others. Not thread-safe.
 */
final class ProviderScan {

  private final ClassLoader loader;
  private final TimeLimit limit;
  private final ProviderDiagnosis diagnosis;
  private final List<CollExecutorBase<?>> executors = new ArrayList<>();
  private final List<Problem> problems = new ArrayList<>();

  /** A problem of a provider. */
  record Problem(ErrorCode code, String message) {

    Problem(String message) {
      this(ErrorCode.PLUGIN_PROVIDER, message);
    }
  }

  private ProviderScan(ClassLoader loader, TimeLimit limit, ProviderDiagnosis diagnosis) {
    this.loader = loader;
    this.limit = limit;
    this.diagnosis = diagnosis;
  }

  /** A scan of a jar with its own class loader. */
  static ProviderScan ofJar(PartitionClassLoader loader, TimeLimit limit) {
    return new ProviderScan(loader, limit, ProviderDiagnosis.IN_JAR);
  }

  /** A scan of the application's class path or module path. */
  static ProviderScan ofPath(ClassLoader loader, TimeLimit limit) {
    return new ProviderScan(loader, limit, ProviderDiagnosis.ON_PATH);
  }

  /** The problems of the providers that do not work. */
  List<Problem> problems() {
    return problems;
  }

  /** The algorithms of the providers that work. */
  List<Algorithm> algorithms(AlgorithmReader reader, PluginManifest manifest) {
    List<Algorithm> found = new ArrayList<>();
    for (CollExecutorBase<?> executor : executors) {
      try {
        found.add(reader.read(executor, manifest.id(), manifest.version()));
      } catch (TuttiException e) {
        problems.add(new Problem(e.code(), String.valueOf(e.getMessage())));
      } catch (LinkageError e) {
        problems.add(new Problem(diagnosis.ofError(executor.getClass().getName(), e)));
      }
    }
    return found;
  }

  /**
   * Finds the providers of a jar, and creates them.
   *
   * @param declared the names in the services file
   * @param unusable the names whose classes do not link; they are skipped
   */
  void run(List<String> declared, Collection<String> unusable) {
    if (unusable.containsAll(declared)) {
      return;
    }
    ProviderOffer offer;
    try {
      offer =
          limit.call(
              PluginJar.SERVICES,
              () ->
                  ProviderOffer.of(
                      ServiceLoader.load(CollExecutorBase.class, loader), declared.size()));
    } catch (TuttiException e) {
      problems.add(new Problem(e.code(), String.valueOf(e.getMessage())));
      return;
    }
    // The parent is the platform loader, whose providers do not belong to this plugin.
    take(offer.of(type -> loader.equals(type.getClassLoader())), declared, unusable);
  }

  /**
   * Creates providers.
   *
   * @param offer the providers that were found
   * @param declared the names that the plugin declares
   * @param unusable the names that are skipped
   */
  void take(ProviderOffer offer, List<String> declared, Collection<String> unusable) {
    List<String> offered = new ArrayList<>();
    for (ServiceLoader.Provider<?> provider : offer.providers()) {
      offered.add(provider.type().getName());
      if (!unusable.contains(provider.type().getName())) {
        create(provider);
      }
    }
    for (String name : declared) {
      if (!offered.contains(name) && !unusable.contains(name)) {
        problems.add(notOffered(name, offer.errors()));
      }
    }
  }

  /** The result of the constructor of a provider: one of the two. */
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

  private Creation creation(String name, ServiceLoader.Provider<?> provider) {
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
      return new Creation(null, new Problem(diagnosis.ofError(name, orElse(cause, e))));
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
              () -> Objects.requireNonNullElse(diagnosis.ofClass(name, loader), unread)));
    } catch (TuttiException e) {
      return new Problem(e.code(), String.valueOf(e.getMessage()));
    }
  }
}
