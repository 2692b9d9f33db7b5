package dev.tutti.host.plugin;

import dev.tutti.sdk.AlgParameter;
import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.Determinism;
import dev.tutti.sdk.Operation;
import java.util.List;

/**
 * One algorithm for one operation, out of a plugin. Immutable.
 *
 * @param operation the operation
 * @param name the name its author gave it, for example {@code "ring"}
 * @param plugin the id of its plugin
 * @param version the version of its plugin
 * @param summary one sentence
 * @param source the paper or system it comes from; may be empty
 * @param formula its cost as text; may be empty
 * @param determinism what it promises about bits
 * @param parameters its parameters
 * @param executor the executor
 */
public record Algorithm(
    Operation operation,
    String name,
    String plugin,
    String version,
    String summary,
    String source,
    String formula,
    Determinism determinism,
    List<AlgParameter<?>> parameters,
    CollExecutorBase<?> executor) {

  /** Takes an immutable copy. */
  public Algorithm {
    parameters = List.copyOf(parameters);
  }

  /** The name that no other algorithm of the operation has: {@code "plugin-id:name"}. */
  public String qualifiedName() {
    return plugin + ":" + name;
  }

  /** The operation and the qualified name. */
  @Override
  public String toString() {
    return operation.label() + " " + qualifiedName();
  }
}
