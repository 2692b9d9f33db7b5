package dev.tutti.host.plugin;

import dev.tutti.host.guard.TimeLimit;
import dev.tutti.sdk.AlgParameter;
import dev.tutti.sdk.CollAlgorithm;
import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.Determinism;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.Operation;
import dev.tutti.sdk.TuttiException;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;

/** Turns an executor into an algorithm of the catalogue. */
record AlgorithmReader(TimeLimit limit) {

  private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9-]*");

  /** What the executor itself says. */
  private record Traits(Determinism determinism, List<AlgParameter<?>> parameters) {}

  /**
   * An algorithm that names itself with {@link CollAlgorithm}.
   *
   * @throws TuttiException with {@link ErrorCode#PLUGIN_PROVIDER}
   */
  Algorithm read(CollExecutorBase<?> executor, String plugin, String version) {
    CollAlgorithm annotation = executor.getClass().getAnnotation(CollAlgorithm.class);
    if (annotation == null) {
      throw new TuttiException(
          ErrorCode.PLUGIN_PROVIDER,
          "%s has no name; annotate it with @CollAlgorithm(name = \"...\", summary = \"...\")",
          executor.getClass().getName());
    }
    return read(
        executor,
        plugin,
        version,
        annotation.name(),
        new Algorithm.Description(annotation.summary(), annotation.source(), annotation.formula()));
  }

  /**
   * An algorithm under a given name.
   *
   * @throws TuttiException with {@link ErrorCode#PLUGIN_PROVIDER}
   */
  Algorithm read(
      CollExecutorBase<?> executor,
      String plugin,
      String version,
      String name,
      Algorithm.Description description) {
    if (!NAME.matcher(name).matches()) {
      throw new TuttiException(
          ErrorCode.PLUGIN_PROVIDER,
          "the name of an algorithm must match %s. Actual: '%s' of %s",
          NAME.pattern(),
          name,
          executor.getClass().getName());
    }
    Operation operation = Operation.ofExecutor(executor.getClass());
    Traits traits = traits(executor);
    return new Algorithm(
        operation,
        name,
        plugin,
        version,
        description,
        traits.determinism(),
        traits.parameters(),
        executor);
  }

  private Traits traits(CollExecutorBase<?> executor) {
    String name = executor.getClass().getName();
    try {
      return limit.call(
          "determinism() or parameters() of " + name,
          () ->
              new Traits(
                  Objects.requireNonNull(executor.determinism(), "determinism"),
                  List.copyOf(executor.parameters())));
    } catch (TuttiException e) {
      if (e.code() == ErrorCode.PLUGIN_GUARD) {
        throw e;
      }
      throw new TuttiException(ErrorCode.PLUGIN_PROVIDER, e, "%s", e.getMessage());
    }
  }
}
