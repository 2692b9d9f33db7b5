package dev.tutti.mutation;

import dev.tutti.sdk.CollAlgorithm;
import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.Operation;
import dev.tutti.sdk.TuttiException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.TreeMap;

/** The algorithms on the class path. */
final class KnownAlgorithms {

  private KnownAlgorithms() {}

  /**
   * The executors of each algorithm by its operation and name: one executor, or the sender and the
   * receiver of a transfer.
   *
   * @param part a text that the names contain
   * @throws TuttiException with {@link ErrorCode#INVALID_ARGUMENT} if there are none
   */
  static Map<String, List<CollExecutorBase<?>>> named(String part) {
    Map<String, List<CollExecutorBase<?>>> algorithms = new TreeMap<>();
    for (CollExecutorBase<?> executor : ServiceLoader.load(CollExecutorBase.class)) {
      Operation operation = Operation.ofExecutor(executor.getClass());
      CollAlgorithm algorithm = executor.getClass().getAnnotation(CollAlgorithm.class);
      String family = operation == Operation.RECEIVE ? Operation.SEND.label() : operation.label();
      String name = algorithm == null ? executor.getClass().getSimpleName() : algorithm.name();
      List<CollExecutorBase<?>> executors =
          algorithms.computeIfAbsent(family + " " + name, key -> new ArrayList<>());
      executors.add(operation == Operation.SEND ? 0 : executors.size(), executor);
    }
    algorithms.keySet().removeIf(name -> !name.contains(part));
    if (algorithms.isEmpty()) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT,
          "there are no algorithms to judge; put the jars of plugins on the class path");
    }
    return algorithms;
  }
}
