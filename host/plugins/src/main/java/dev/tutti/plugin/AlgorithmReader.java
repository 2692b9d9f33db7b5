package dev.tutti.plugin;

import dev.tutti.plan.PlanExecutor;
import dev.tutti.plugin.limit.TimeLimit;
import dev.tutti.sdk.AlgParameter;
import dev.tutti.sdk.CollAlgorithm;
import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.Determinism;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.Operation;
import dev.tutti.sdk.TuttiException;
import dev.tutti.verifier.gate.PluginText;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/** Turns an executor into an algorithm of the catalogue. */
record AlgorithmReader(TimeLimit limit) {

  private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9-]*");

  /** The largest number of parameters of one algorithm. */
  private static final int MAX_PARAMETERS = 64;

  /** The name and the description in the annotation of an executor. */
  private record Label(String name, Algorithm.Description description) {}

  /** The answers of the executor itself. */
  private record Traits(
      Operation operation, Determinism determinism, List<AlgParameter<?>> parameters) {}

  /**
   * An algorithm that names itself with {@link CollAlgorithm}.
   *
   * @throws TuttiException with {@link ErrorCode#PLUGIN_PROVIDER}
   */
  Algorithm read(CollExecutorBase<?> executor, String plugin, String version) {
    Label label = ask("the annotation", executor, () -> label(executor.getClass()));
    return read(executor, plugin, version, label.name(), label.description());
  }

  private static Label label(Class<?> type) {
    CollAlgorithm annotation = type.getAnnotation(CollAlgorithm.class);
    if (annotation == null) {
      throw new TuttiException(
          ErrorCode.PLUGIN_PROVIDER,
          "%s has no name; annotate it with @CollAlgorithm(name = \"...\", summary = \"...\")",
          type.getName());
    }
    return new Label(
        PluginText.cut(annotation.name()),
        new Algorithm.Description(
            PluginText.cut(annotation.summary()),
            PluginText.cut(annotation.source()),
            PluginText.cut(annotation.formula())));
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
    Traits traits = ask("determinism() or parameters()", executor, () -> traits(executor));
    return new Algorithm(
        traits.operation(),
        name,
        plugin,
        version,
        description,
        traits.determinism(),
        traits.parameters(),
        executor);
  }

  private static Traits traits(CollExecutorBase<?> executor) {
    Operation operation =
        executor instanceof PlanExecutor<?> plan
            ? plan.operation()
            : Operation.ofExecutor(executor.getClass());
    Determinism determinism = Objects.requireNonNull(executor.determinism(), "determinism");
    List<AlgParameter<?>> parameters = new ArrayList<>();
    for (AlgParameter<?> each : executor.parameters()) {
      parameters.add(checked(each));
      if (parameters.size() > MAX_PARAMETERS) {
        throw new TuttiException(
            ErrorCode.PLUGIN_PROVIDER,
            "an algorithm may have %d parameters. Actual: more, of %s",
            MAX_PARAMETERS,
            executor.getClass().getName());
      }
    }
    return new Traits(operation, determinism, List.copyOf(parameters));
  }

  private static AlgParameter<?> checked(AlgParameter<?> parameter) {
    for (String text : List.of(parameter.name(), parameter.summary(), parameter.range())) {
      if (!PluginText.isShort(text)) {
        throw new TuttiException(
            ErrorCode.PLUGIN_PROVIDER,
            "the texts of a parameter must be shorter. Actual: %s",
            PluginText.cut(text));
      }
    }
    return parameter;
  }

  /** Asks an executor about itself; an error is a defect of its provider. */
  private <T> T ask(String what, CollExecutorBase<?> executor, Supplier<T> question) {
    try {
      return limit.call(what + " of " + executor.getClass().getName(), question);
    } catch (TuttiException e) {
      if (e.code() == ErrorCode.PLUGIN_GUARD || e.code() == ErrorCode.PLUGIN_PROVIDER) {
        throw e;
      }
      throw new TuttiException(ErrorCode.PLUGIN_PROVIDER, e, "%s", e.getMessage());
    }
  }
}
