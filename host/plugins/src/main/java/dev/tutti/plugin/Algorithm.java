package dev.tutti.plugin;

import dev.tutti.sdk.AlgParameter;
import dev.tutti.sdk.Arguments;
import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.Determinism;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.Operation;
import dev.tutti.sdk.TuttiException;
import java.util.Comparator;
import java.util.List;

/** One algorithm for one operation, from a plugin. Immutable, except for the end of its plugin. */
public final class Algorithm {

  /** Orders by operation, name and plugin. */
  static final Comparator<Algorithm> ORDER =
      Comparator.comparing(Algorithm::operation)
          .thenComparing(Algorithm::name)
          .thenComparing(Algorithm::plugin);

  private final Operation operation;
  private final String name;
  private final String plugin;
  private final String version;
  private final Description description;
  private final Determinism determinism;
  private final List<AlgParameter<?>> parameters;
  private final ExecutorRef executor;

  /**
   * The author's description of an algorithm.
   *
   * @param summary one sentence
   * @param source the paper or system it comes from; may be empty
   * @param formula its cost as text; may be empty
   */
  public record Description(String summary, String source, String formula) {
    /** Refuses null. */
    public Description {
      Arguments.require(summary, "summary");
      Arguments.require(source, "source");
      Arguments.require(formula, "formula");
    }

    /** The empty description. */
    public static final Description NONE = new Description("", "", "");
  }

  /**
   * An algorithm.
   *
   * @param operation the operation
   * @param name the name its author gave it, for example {@code "ring"}
   * @param plugin the id of its plugin
   * @param version the version of its plugin
   * @param description its author's description
   * @param determinism its promise about reproducible bits
   * @param parameters its parameters
   * @param executor the executor
   */
  public Algorithm(
      Operation operation,
      String name,
      String plugin,
      String version,
      Description description,
      Determinism determinism,
      List<AlgParameter<?>> parameters,
      CollExecutorBase<?> executor) {
    Arguments.require(operation, "operation");
    Arguments.require(name, "name");
    Arguments.require(plugin, "plugin");
    Arguments.require(version, "version");
    Arguments.require(description, "description");
    Arguments.require(determinism, "determinism");
    Arguments.require(parameters, "parameters");
    Arguments.require(executor, "executor");

    this.operation = operation;
    this.name = name;
    this.plugin = plugin;
    this.version = version;
    this.description = description;
    this.determinism = determinism;
    this.parameters = List.copyOf(parameters);
    this.executor = new ExecutorRef(plugin + ":" + name, executor);
  }

  /** The operation. */
  public Operation operation() {
    return operation;
  }

  /** The name its author gave it, for example {@code "ring"}. */
  public String name() {
    return name;
  }

  /** The id of its plugin. */
  public String plugin() {
    return plugin;
  }

  /** The version of its plugin. */
  public String version() {
    return version;
  }

  /** One sentence. */
  public String summary() {
    return description.summary();
  }

  /** The paper or system it comes from; may be empty. */
  public String source() {
    return description.source();
  }

  /** Its cost as text; may be empty. */
  public String formula() {
    return description.formula();
  }

  /** Its promise about reproducible bits. */
  public Determinism determinism() {
    return determinism;
  }

  /** Its parameters. */
  public List<AlgParameter<?>> parameters() {
    return parameters;
  }

  /**
   * The executor. Do not keep it: it holds the classes of its plugin.
   *
   * @throws TuttiException with {@link ErrorCode#PLUGIN_REMOVED} once the plugin is unloaded
   */
  public CollExecutorBase<?> executor() {
    return executor.get();
  }

  /** Releases the executor, because its plugin is unloaded. */
  void unload() {
    executor.clear();
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
