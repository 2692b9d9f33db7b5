package dev.tutti.testkit.calls;

import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.Operation;
import dev.tutti.sdk.TuttiException;
import dev.tutti.testkit.matrix.CollectiveCase;
import dev.tutti.testkit.rule.Finding;
import dev.tutti.testkit.rule.Rule;
import java.lang.reflect.Constructor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Says which forbidden calls an executor really makes while it answers: rule PUR-3. The classes of
 * its plugin are loaded once more with every such call watched, and asked for all ranks of some
 * cases. Calls inside other libraries are not watched; calls of them are.
 */
public final class CallReport {

  /** How long the executors may take to answer all cases. */
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private CallReport() {}

  /**
   * The forbidden calls of one executor.
   *
   * @param executor its class, which needs a constructor without parameters
   * @param cases what it is asked for; what it refuses or fails to plan counts as asked
   * @return a finding for each line and callee; empty if there is none
   * @throws TuttiException with {@link ErrorCode#INVALID_ARGUMENT} if the class cannot be made or
   *     has no class file
   */
  public static List<Finding> of(Class<?> executor, List<CollectiveCase> cases) {
    return of(List.of(executor), cases, LIMIT);
  }

  /**
   * The forbidden calls of executors of one plugin that work together, as a sender and a receiver
   * do.
   *
   * @param limit how long they may take in all; what they have called until then is reported, and
   *     that they have not come to an end
   * @see #of(Class, List)
   */
  public static List<Finding> of(
      List<? extends Class<?>> executors, List<CollectiveCase> cases, Duration limit) {
    WatchingLoader loader = WatchingLoader.of(executors.getFirst());
    Map<Operation, CollExecutorBase<?>> watched = new EnumMap<>(Operation.class);
    for (Class<?> executor : executors) {
      watched.put(Operation.ofExecutor(executor), make(loader, executor));
    }
    Questions questions = new Questions(watched, cases);
    Thread asking = Thread.ofPlatform().daemon().name("tutti-call-report").start(questions::askAll);
    boolean isDone = join(asking, limit);
    // Before the interrupt: an executor that heeds it comes to the next case.
    String current = questions.current();
    if (!isDone) {
      questions.stop();
      asking.interrupt();
    }
    List<Finding> findings = new ArrayList<>();
    loader.calls().forEach(call -> findings.add(call.toFinding()));
    if (!isDone) {
      findings.add(
          new Finding(
              Rule.PLANNING_TOO_LONG,
              "%s has not answered %d cases within %d ms; it was at %s"
                  .formatted(
                      executors.getFirst().getName(), cases.size(), limit.toMillis(), current)));
    }
    return findings;
  }

  /** Whether the thread has ended within the limit. */
  private static boolean join(Thread asking, Duration limit) {
    try {
      return asking.join(limit);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
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
          e,
          "%s must be an executor with a constructor without parameters. Actual: %s",
          executor.getName(),
          e);
    }
  }
}
