package dev.tutti.testkit.calls;

import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.Operation;
import dev.tutti.sdk.TuttiException;
import dev.tutti.verifier.gate.Breach;
import dev.tutti.verifier.gate.Gate;
import dev.tutti.verifier.gate.GateLimits;
import dev.tutti.verifier.gate.Outcome;
import dev.tutti.verifier.gate.PluginFailure;
import dev.tutti.verifier.matrix.CollectiveCase;
import dev.tutti.verifier.rule.Finding;
import dev.tutti.verifier.rule.Rule;
import java.lang.reflect.Constructor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Reports the forbidden calls that an executor really makes while it plans: rule PUR-3. It loads
 * the classes of the plugin once more, watches every such call, and plans all ranks of some cases.
 * It watches calls to other libraries, but not calls inside them.
 */
public final class CallReport {

  /** The processor time that the executors may take for all cases. */
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private CallReport() {}

  /**
   * The forbidden calls of one executor.
   *
   * @param executor its class, which needs a constructor without parameters
   * @param cases the requests to plan; calls also count in a case that the executor refuses or
   *     fails to plan
   * @return a finding for each line and callee; empty if there is none
   * @throws TuttiException with {@link ErrorCode#INVALID_ARGUMENT} if the class cannot be
   *     instantiated or has no class file
   */
  public static List<Finding> of(Class<?> executor, List<CollectiveCase> cases) {
    return of(List.of(executor), cases, LIMIT);
  }

  /**
   * The forbidden calls of executors of one plugin that work together, such as a sender and a
   * receiver.
   *
   * @param limit the processor time they may take in total; if they exceed it, the report has their
   *     calls until then and a finding about the limit
   * @see #of(Class, List)
   */
  public static List<Finding> of(
      List<? extends Class<?>> executors, List<CollectiveCase> cases, Duration limit) {
    WatchingLoader loader = WatchingLoader.of(executors.getFirst());
    // Loads the class here, outside the gate: it cannot be loaded without Byte Buddy.
    Class<?> _ = CallWeaver.class;
    Questions questions = new Questions(cases);
    Outcome<Boolean> outcome =
        Gate.of(GateLimits.of(limit))
            .runUninterrupted(
                () -> {
                  questions.askAll(watched(loader, executors));
                  return true;
                });
    if (outcome instanceof Outcome.Threw<Boolean> threw) {
      throw threw.copy();
    }
    List<Finding> findings = new ArrayList<>();
    loader.calls().forEach(call -> findings.add(call.toFinding()));
    if (outcome instanceof Outcome.Stopped<Boolean> stopped) {
      findings.add(
          new Finding(
              stopped.breach().kind() == Breach.Kind.MEMORY
                  ? Rule.PLANNING_TOO_LARGE
                  : Rule.PLANNING_TOO_LONG,
              "%s, asked for %d cases, %s; it was at %s"
                  .formatted(
                      executors.getFirst().getName(),
                      cases.size(),
                      stopped.breach().text(),
                      questions.current())));
    }
    return findings;
  }

  private static Map<Operation, CollExecutorBase<?>> watched(
      WatchingLoader loader, List<? extends Class<?>> executors) {
    Map<Operation, CollExecutorBase<?>> watched = new EnumMap<>(Operation.class);
    for (Class<?> executor : executors) {
      watched.put(Operation.ofExecutor(executor), make(loader, executor));
    }
    return watched;
  }

  private static CollExecutorBase<?> make(WatchingLoader loader, Class<?> executor) {
    try {
      Constructor<?> constructor =
          Class.forName(executor.getName(), true, loader).getDeclaredConstructor();
      constructor.setAccessible(true);
      return (CollExecutorBase<?>) constructor.newInstance();
    } catch (ReflectiveOperationException | LinkageError | ClassCastException e) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT,
          "%s must be an executor with a constructor without parameters. Actual: %s",
          executor.getName(),
          PluginFailure.of(e));
    }
  }
}
