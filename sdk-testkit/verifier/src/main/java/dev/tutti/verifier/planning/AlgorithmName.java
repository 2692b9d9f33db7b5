package dev.tutti.verifier.planning;

import dev.tutti.sdk.CollAlgorithm;
import dev.tutti.sdk.CollExecutorBase;

/** The names of executors in messages. */
public final class AlgorithmName {

  private AlgorithmName() {}

  /** The algorithm's name, or the name of the class if it has none. */
  public static String of(Class<?> executor) {
    CollAlgorithm annotation = executor.getAnnotation(CollAlgorithm.class);
    return annotation == null ? executor.getSimpleName() : annotation.name();
  }

  /** The algorithm's name with its class, for example {@code "ring (RingAllReduce)"}. */
  public static String withClass(CollExecutorBase<?> executor) {
    String name = of(executor.getClass());
    String type = executor.getClass().getSimpleName();
    return name.equals(type) ? name : name + " (" + type + ")";
  }
}
