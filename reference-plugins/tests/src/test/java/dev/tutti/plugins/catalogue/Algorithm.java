package dev.tutti.plugins.catalogue;

import dev.tutti.plan.GroupPlan;
import dev.tutti.plan.PlanRecorder;
import dev.tutti.plan.RankProgram;
import dev.tutti.sdk.AlgOptions;
import dev.tutti.sdk.AlgParameter;
import dev.tutti.sdk.CollAlgorithm;
import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.Cost;
import dev.tutti.sdk.Operation;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.param.OpParam;
import dev.tutti.sdk.topology.Topology;
import dev.tutti.simulator.Diagram;
import dev.tutti.verifier.Step;
import dev.tutti.verifier.matrix.CollectiveCase;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One algorithm of a plugin.
 *
 * @param family the plugin's name
 */
record Algorithm(
    CollExecutorBase<?> executor, Operation operation, CollAlgorithm about, String family) {

  /** Groups for pictures; the first that an algorithm takes is drawn. */
  private static final List<String> TOPOLOGIES = List.of("6", "8", "4", "2");

  private static final List<String> NODES = List.of("3+3", "4+4", "2+2");

  /** All on the class path, by operation and name. */
  static List<Algorithm> all() {
    List<Algorithm> all = new ArrayList<>();
    for (CollExecutorBase<?> executor : ServiceLoader.load(CollExecutorBase.class)) {
      all.add(of(executor));
    }
    all.sort(Comparator.comparing(Algorithm::operation).thenComparing(Algorithm::name));
    return all;
  }

  private static Algorithm of(CollExecutorBase<?> executor) {
    CollAlgorithm about =
        Objects.requireNonNull(executor.getClass().getAnnotation(CollAlgorithm.class));
    String[] packages = executor.getClass().getPackageName().split("\\.");
    return new Algorithm(
        executor, Operation.ofExecutor(executor.getClass()), about, packages[packages.length - 1]);
  }

  String name() {
    return about.name();
  }

  String picture() {
    return operation.label() + "-" + name() + ".svg";
  }

  /** The usual shapes of groups, and those that the algorithm itself names. */
  List<String> shapes(List<String> usual) {
    return Stream.concat(usual.stream(), Stream.of(about.shapes())).distinct().toList();
  }

  /** A plan of a small group, drawn. */
  String draw() {
    List<String> topologies = name().contains("hierarchical") ? NODES : TOPOLOGIES;
    for (String topology : shapes(topologies)) {
      GroupPlan plan = plan(Topology.parse(topology));
      if (plan != null) {
        return Diagram.toSvg(plan);
      }
    }
    throw new IllegalStateException(operation.label() + " " + name() + " takes no small group");
  }

  /** This algorithm as a step of a sequence, if it supports the request. */
  Optional<Step<?>> step(OpParam param) {
    CollExecutorBase<OpParam> own = executorFor(param);
    return own.supports(param).isSupported()
        ? Optional.of(new Step<>(own, param))
        : Optional.empty();
  }

  /** The executors of the requests of some ranks, each once. */
  List<CollExecutorBase<?>> executors(List<OpParam> params) {
    List<CollExecutorBase<?>> executors = new ArrayList<>();
    for (OpParam param : params) {
      if (executors.stream().noneMatch(each -> each == executorFor(param))) {
        executors.add(executorFor(param));
      }
    }
    return executors;
  }

  boolean supports(OpParam param) {
    return executorFor(param).supports(param).isSupported();
  }

  Optional<Cost> cost(OpParam param) {
    return executorFor(param).cost(param);
  }

  /** The defaults, and for each parameter the values that make plans different. */
  List<AlgOptions> options() {
    List<AlgParameter<?>> parameters = executor.parameters();
    List<AlgOptions> all = new ArrayList<>(List.of(AlgOptions.none()));
    for (AlgParameter<?> parameter : parameters) {
      for (String value : values(parameter)) {
        AlgOptions options = AlgOptions.none().with(parameter.name(), value);
        if (isValid(options, parameters)) {
          all.add(options);
        }
      }
    }
    return all;
  }

  /** Some are no values of the parameter. Pieces are not so small that nobody adds them up. */
  private static List<String> values(AlgParameter<?> parameter) {
    return parameter.name().endsWith("bytes")
        ? List.of("128", "1500")
        : List.of("2", "128", "1500", "one-stage", "two-stage");
  }

  private static boolean isValid(AlgOptions options, List<AlgParameter<?>> parameters) {
    try {
      options.check(parameters);
      return true;
    } catch (TuttiException e) {
      return false;
    }
  }

  private @Nullable GroupPlan plan(Topology topology) {
    List<RankProgram> programs =
        programs(CollectiveCase.of(operation, topology).withCount(count(topology.rankSize())));
    return programs.isEmpty()
        ? null
        : new PlanRecorder().record(operation.label() + " " + name(), programs);
  }

  /** What each rank runs; empty if some rank's request is not taken. */
  List<RankProgram> programs(CollectiveCase c) {
    List<RankProgram> programs = new ArrayList<>();
    for (int rank = 0; rank < c.comm().rankSize(); rank++) {
      OpParam param = c.params().get(rank);
      if (param == null) {
        programs.add(RankProgram.idle(c.comm().withRank(rank)));
        continue;
      }
      CollExecutorBase<OpParam> own = executorFor(param);
      if (!own.supports(param).isSupported()) {
        return List.of();
      }
      programs.add(RankProgram.of(own, param));
    }
    return programs;
  }

  /** Vectors and blocks of some kibibytes; longer ones where pipelines show their segments. */
  private long count(int ranks) {
    return switch (operation) {
      case REDUCE, BROADCAST -> 8192L * ranks;
      case ALL_REDUCE, SCAN, EXCLUSIVE_SCAN -> 512L * ranks;
      default -> 512;
    };
  }

  /** This executor, or that of the other half of a transfer. */
  @SuppressWarnings("unchecked") // an executor takes the parameters of its operation
  private CollExecutorBase<OpParam> executorFor(OpParam param) {
    if (param.operation() == operation) {
      return (CollExecutorBase<OpParam>) executor;
    }
    return (CollExecutorBase<OpParam>)
        all().stream()
            .filter(other -> other.operation == param.operation() && other.name().equals(name()))
            .findFirst()
            .orElseThrow()
            .executor;
  }
}
