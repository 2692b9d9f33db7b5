package dev.tutti.host.pool;

import dev.tutti.base.text.Sentence;
import dev.tutti.host.pool.rules.ChoiceRule;
import dev.tutti.host.pool.rules.Rules;
import dev.tutti.host.pool.rules.Ruling;
import dev.tutti.plugin.Algorithm;
import dev.tutti.plugin.limit.TimeLimit;
import dev.tutti.sdk.AlgOptions;
import dev.tutti.sdk.Arguments;
import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.Determinism;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.Names;
import dev.tutti.sdk.Operation;
import dev.tutti.sdk.Support;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.param.OpParam;
import dev.tutti.verifier.gate.PluginText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * All algorithms of a context, and the choice among them.
 *
 * <p>The order is total and the same on every rank. Algorithms that declare a cost come first,
 * ordered by their time for the request with {@link #ALPHA}, {@link #BETA} and {@link #GAMMA}.
 * Ties, and algorithms without a cost, are ordered by the strength of their determinism, then by
 * qualified name. A group has better estimates, because it uses the plans themselves. Thread-safe.
 */
public final class PlanPool {

  /** Seconds of one message step between ranks of one JVM. */
  public static final double ALPHA = 2e-7;

  /** Seconds to move one byte over a link. */
  public static final double BETA = 2e-11;

  /** Seconds to reduce one byte. */
  public static final double GAMMA = 2e-11;

  private final List<Algorithm> algorithms;
  private final TimeLimit limit;

  /**
   * A pool.
   *
   * @param algorithms in the order in which they are listed
   * @param limit the longest time for one executor to answer
   */
  public PlanPool(List<Algorithm> algorithms, Duration limit) {
    Arguments.require(algorithms, "algorithms");
    Arguments.require(limit, "limit");

    this.algorithms = List.copyOf(algorithms);
    this.limit = TimeLimit.ofShortCalls(limit);
  }

  /** All algorithms, sorted by operation, name and plugin. */
  public List<Algorithm> algorithms() {
    return algorithms;
  }

  /** The algorithms of one operation, sorted by name and plugin. */
  public List<Algorithm> algorithms(Operation operation) {
    Arguments.require(operation, "operation");

    return algorithms.stream().filter(each -> each.operation() == operation).toList();
  }

  /**
   * The algorithm with a name.
   *
   * @param name the plain name, or {@code "plugin-id:name"}
   * @throws TuttiException with {@link ErrorCode#UNKNOWN_NAME}, suggesting the nearest one; {@link
   *     ErrorCode#PLUGIN_DUPLICATE} if several plugins have an algorithm with that plain name
   */
  public Algorithm find(Operation operation, String name) {
    Arguments.require(operation, "operation");
    Arguments.require(name, "name");

    List<Algorithm> known = algorithms(operation);
    boolean isQualified = name.indexOf(':') >= 0;
    List<Algorithm> found =
        known.stream()
            .filter(each -> (isQualified ? each.qualifiedName() : each.name()).equals(name))
            .toList();
    if (found.isEmpty()) {
      Stream<String> names =
          known.stream().map(isQualified ? Algorithm::qualifiedName : Algorithm::name);
      throw Names.unknown(operation.label() + " algorithm", name, names.distinct().toList());
    }
    if (found.size() > 1) {
      throw new TuttiException(
          ErrorCode.PLUGIN_DUPLICATE,
          "%d plugins have an algorithm '%s' for %s; ask for %s",
          found.size(),
          name,
          operation.label(),
          found.stream().map(Algorithm::qualifiedName).collect(Collectors.joining(" or ")));
    }
    return found.getFirst();
  }

  /** As {@link #choose(OpParam, String, Rules)}, without rules. */
  public Choice choose(OpParam param, @Nullable String name) {
    Arguments.require(param, "param");

    return choose(param, name, Rules.none());
  }

  /**
   * Considers the algorithms for a request: all algorithms of its operation, or only the named one.
   * An executor that throws when it is asked is a candidate that does not accept the request.
   *
   * @param param the request, as any one rank sees it
   * @param name the algorithm's name, or null for the best one
   * @param rules the rules to follow; for a named algorithm, only whether they deny it
   * @throws TuttiException as {@link #find}; {@link ErrorCode#EXECUTOR_FAILED} if the named
   *     algorithm throws when it is asked; {@link ErrorCode#UNKNOWN_NAME} or {@link
   *     ErrorCode#INVALID_ARGUMENT} if it does not support the given parameters; {@link
   *     ErrorCode#UNKNOWN_NAME} if a rule pins an algorithm that does not exist
   */
  public Choice choose(OpParam param, @Nullable String name, Rules rules) {
    Arguments.require(param, "param");
    Arguments.require(rules, "rules");

    Ruling ruling = rules.on(param, algorithms(param.operation()));
    return choose(param, name, rules, ruling, (algorithm, failure) -> {});
  }

  /**
   * As {@link #choose(OpParam, String, Rules)}, for a request that represents others.
   *
   * @param ruling the rules that apply to the request that the caller made
   * @param failed gets each algorithm that threw when it was asked, except with {@link
   *     ErrorCode#UNSUPPORTED}
   */
  public Choice choose(
      OpParam param,
      @Nullable String name,
      Rules rules,
      Ruling ruling,
      BiConsumer<Algorithm, TuttiException> failed) {
    Arguments.require(param, "param");
    Arguments.require(rules, "rules");
    Arguments.require(ruling, "ruling");
    Arguments.require(failed, "failed");

    List<Algorithm> known = algorithms(param.operation());
    List<Candidate> candidates = new ArrayList<>();
    if (name != null) {
      Algorithm named = find(param.operation(), name);
      param.options().check(named.parameters());
      candidates.add(ask(named, param, ruling.forNamed()));
    } else {
      requireKnown(ruling.pin(), known, param.operation());
      for (Algorithm algorithm : known) {
        candidates.add(candidate(algorithm, param, ruling, failed));
        for (AlgOptions variant : variants(algorithm, param, ruling, rules)) {
          candidates.add(candidate(algorithm, param.withOptions(variant), ruling, failed));
        }
      }
    }
    return Choice.of(words(param), candidates);
  }

  private static void requireKnown(
      @Nullable ChoiceRule pin, List<Algorithm> known, Operation operation) {
    if (pin != null && known.stream().noneMatch(pin::names)) {
      String wanted = pin.algorithms().getFirst();
      boolean isQualified = wanted.indexOf(':') >= 0;
      Stream<String> names =
          known.stream().map(isQualified ? Algorithm::qualifiedName : Algorithm::name);
      throw Names.unknown(
          operation.label() + " algorithm of " + pin.origin(), wanted, names.distinct().toList());
    }
  }

  /** The measured choices of parameters, unless the caller or a rule has set parameters. */
  private static List<AlgOptions> variants(
      Algorithm algorithm, OpParam param, Ruling ruling, Rules rules) {
    return ruling.parameters(algorithm, param.options()).values().isEmpty()
        ? rules.profile().variants(param, algorithm)
        : List.of();
  }

  private Candidate candidate(
      Algorithm algorithm,
      OpParam param,
      Ruling ruling,
      BiConsumer<Algorithm, TuttiException> failed) {
    OpParam ruled = param.withOptions(ruling.parameters(algorithm, param.options()));
    try {
      ruled.options().check(algorithm.parameters());
    } catch (TuttiException e) {
      return rejected(algorithm, ruled, String.valueOf(e.getMessage()));
    }
    try {
      return ask(algorithm, ruled, ruling)
          .ruled(ruling.precedence(algorithm), ruling.reason(algorithm));
    } catch (TuttiException e) {
      if (e.code() != ErrorCode.UNSUPPORTED) {
        failed.accept(algorithm, e);
      }
      return rejected(algorithm, ruled, String.valueOf(e.getMessage()));
    }
  }

  private Candidate ask(Algorithm algorithm, OpParam param, Ruling ruling) {
    String refusal = ruling.refusal(algorithm);
    if (!refusal.isEmpty()) {
      return rejected(algorithm, param, refusal);
    }
    Determinism required = param.comm().determinism();
    if (!algorithm.determinism().satisfies(required)) {
      return rejected(
          algorithm,
          param,
          Sentence.of(
              "promises determinism %s, less than %s",
              algorithm.determinism().label(), required.label()));
    }
    return limit.call(
        "supports() or cost() of " + algorithm, () -> ask(algorithm, executor(algorithm), param));
  }

  private static Candidate ask(
      Algorithm algorithm, CollExecutorBase<OpParam> executor, OpParam param) {
    Support support = executor.supports(param);
    if (!support.isSupported()) {
      return rejected(algorithm, param, PluginText.cut(support.reason()));
    }
    double seconds =
        executor
            .cost(param)
            .map(cost -> cost.seconds(ALPHA, BETA, GAMMA))
            .orElse(Double.POSITIVE_INFINITY);
    return Candidate.supported(algorithm, param.options(), seconds);
  }

  /**
   * The executor, typed for any request of its operation.
   *
   * @param algorithm an algorithm whose operation is that of the requests it will get
   */
  @SuppressWarnings("unchecked")
  public static CollExecutorBase<OpParam> executor(Algorithm algorithm) {
    Arguments.require(algorithm, "algorithm");

    // The operation was derived from the type argument, and each operation has one record.
    return (CollExecutorBase<OpParam>) algorithm.executor();
  }

  private static Candidate rejected(Algorithm algorithm, OpParam param, String reason) {
    return Candidate.rejected(algorithm, param.options(), reason);
  }

  /** A request in words. */
  public static String words(OpParam param) {
    Arguments.require(param, "param");

    return Sentence.of(
        "%s of %d bytes on %d ranks, %s, %s",
        param.operation().label(),
        param.messageBytes(),
        param.comm().rankSize(),
        param.comm().mode().label(),
        protocols(param.comm()));
  }

  private static String protocols(CommInfo comm) {
    StringBuilder text = new StringBuilder(comm.protocol().label());
    comm.planeProtocols()
        .forEach(
            (plane, protocol) ->
                text.append(",").append(plane.label()).append("=").append(protocol.label()));
    return text.toString();
  }
}
