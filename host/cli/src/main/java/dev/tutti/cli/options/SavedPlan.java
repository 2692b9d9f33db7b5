package dev.tutti.cli.options;

import dev.tutti.base.text.Sentence;
import dev.tutti.host.call.CollectiveCall;
import dev.tutti.plan.GroupPlan;
import dev.tutti.plan.PlanExecutor;
import dev.tutti.plan.PlanJson;
import dev.tutti.plugin.Algorithm;
import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.Determinism;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.Operation;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.Support;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.WorkflowMode;
import dev.tutti.sdk.param.OpParam;
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.sdk.topology.Topology;
import dev.tutti.simulator.text.ReadProblem;
import dev.tutti.verifier.matrix.CollectiveCase;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * A plan file, as {@code tutti plan --format json} writes it, and the request of its plan.
 * Immutable.
 */
public final class SavedPlan {

  /** The name of its algorithm. */
  public static final String NAME = "plan";

  /** The options that have no effect on a plan file, because it has one plan for one request. */
  private static final Set<String> NEEDLESS =
      Set.of(
          "--ranks",
          "--topology",
          "--count",
          "--bytes",
          "--type",
          "--op",
          "--root",
          "--src",
          "--dst",
          "--algorithm",
          "--param",
          "--mode",
          "--protocol",
          "--determinism",
          "--in-place",
          "--ccl-buffer",
          "--plugins",
          "--live",
          "--state",
          "--operation",
          "--compare",
          "--replay",
          "--full",
          "--seed",
          "--out-of-place",
          "--coverage");

  private final Path file;
  private final GroupPlan plan;
  private final String request;
  private final @Nullable OperationSpec spec;

  private SavedPlan(Path file, PlanJson.Content content) {
    this.file = file;
    this.plan = content.plan();
    this.request = content.request();
    this.spec = request.isEmpty() ? null : RequestWords.parse(request);
  }

  /**
   * Reads a file.
   *
   * @throws TuttiException with {@link ErrorCode#INVALID_ARGUMENT} if it cannot be read, has no
   *     plan, or names a request that does not belong to the plan
   */
  public static SavedPlan read(Path file) {
    PlanJson.Content content;
    try (Reader source = Files.newBufferedReader(file)) {
      content = PlanJson.read(source);
    } catch (IOException e) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT,
          e,
          "the plan file %s cannot be read: %s",
          file,
          ReadProblem.of(file, e));
    } catch (TuttiException e) {
      throw new TuttiException(ErrorCode.INVALID_ARGUMENT, e, "%s: %s", file, e.getMessage());
    }
    String request = content.request();
    try {
      SavedPlan saved = new SavedPlan(file, content);
      if (saved.hasSpec()) {
        saved.requireFit();
      }
      return saved;
    } catch (TuttiException e) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT,
          e,
          "%s: the field \"request\" is '%s': %s",
          file,
          request,
          e.getMessage());
    }
  }

  private void requireFit() {
    OperationSpec known = spec();
    if (known.topology().rankSize() != plan.rankSize()) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT,
          "that is for %d ranks, and the plan is for %d",
          known.topology().rankSize(),
          plan.rankSize());
    }
    for (OpParam param : params()) {
      if (param != null) {
        Support support = executor(param.operation()).supports(param);
        if (!support.isSupported()) {
          throw new TuttiException(ErrorCode.INVALID_ARGUMENT, "%s", support.reason());
        }
      }
    }
  }

  /**
   * Refuses options that have no meaning for a plan file.
   *
   * @param kept the names of the options that the command uses
   * @throws TuttiException with {@link ErrorCode#INVALID_ARGUMENT}
   */
  public void requireAlone(CommandSpec command, String... kept) {
    for (OptionSpec option : command.commandLine().getParseResult().matchedOptions()) {
      for (String name : option.names()) {
        if (NEEDLESS.contains(name) && !List.of(kept).contains(name)) {
          throw new TuttiException(
              ErrorCode.INVALID_ARGUMENT,
              "%s holds one plan for one request; leave out %s",
              file,
              name);
        }
      }
    }
  }

  /** The file of the plan. */
  public Path file() {
    return file;
  }

  /** The plan. */
  public GroupPlan plan() {
    return plan;
  }

  /** The request of the plan, as text in the file; empty if the file has none. */
  public String request() {
    return request;
  }

  /** Whether the file has the request of the plan. */
  public boolean hasSpec() {
    return spec != null;
  }

  /**
   * The request of the plan.
   *
   * @throws TuttiException with {@link ErrorCode#INVALID_ARGUMENT} if the file has none
   */
  public OperationSpec spec() {
    if (spec == null) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT,
          "%s does not say what the plan is for; write after its name a field such as \"request\":"
              + " \"allreduce --ranks %d --count 1000 --type float32 --op sum\"",
          file,
          plan.rankSize());
    }
    return spec;
  }

  /** The topology; all ranks are on one node if the file has no request. */
  public Topology topology() {
    return spec == null ? Topology.flat(plan.rankSize()) : spec.topology();
  }

  /** The group as rank 0 sees it. */
  public CommInfo comm() {
    WorkflowMode mode = spec().options().mode();
    CommInfo comm =
        CommInfo.of(0, topology())
            .withMode(mode == null ? WorkflowMode.GRAPH : mode)
            .withCclBufferSize(cclBufferSize());
    return spec().options().protocols().in(comm);
  }

  /** The bytes of each rank's staging buffers. */
  public long cclBufferSize() {
    return plan.rank(0).memSize(TransportMemType.CCL_INPUT);
  }

  /** Each rank's request; null for ranks that take no part. */
  public List<@Nullable OpParam> params() {
    OperationSpec known = spec();
    List<@Nullable OpParam> params =
        UniformCalls.params(known.call(), known.topology(), known.isInPlace());
    params.replaceAll(
        param -> param == null ? null : param.withComm(comm().withRank(param.comm().rank())));
    return params;
  }

  /** The operations of the ranks: one, or both sides of a transfer. */
  public List<Operation> operations() {
    return spec().call().isTransfer()
        ? List.of(Operation.SEND, Operation.RECEIVE)
        : List.of(spec().call().operation());
  }

  /** The file in place of an algorithm, for each operation: {@code file:plan.json}. */
  public List<Algorithm> algorithms() {
    return operations().stream()
        .map(
            operation ->
                new Algorithm(
                    operation,
                    String.valueOf(file.getFileName()),
                    "file",
                    "",
                    Algorithm.Description.NONE,
                    Determinism.NONE,
                    List.of(),
                    executor(operation)))
        .toList();
  }

  /** An executor that gives this plan for one of its operations. */
  public <P extends OpParam> PlanExecutor<P> executor(Operation operation) {
    return PlanExecutor.of(plan, operation);
  }

  /**
   * The request of the plan as a case, for display only: a case of a V form has other counts, and a
   * case of a transfer sends to the next rank.
   */
  public CollectiveCase asCase() {
    CollectiveCall call = spec().call();
    ReduceOp op = call.reduceOp() == null ? ReduceOp.SUM : call.reduceOp();
    return CollectiveCase.of(operations().getFirst(), topology())
        .withComm(comm())
        .withCount(Math.max(call.count(), call.maxCount()))
        .withReduction(call.dataType(), op)
        .withRoot(call.root())
        .withInPlace(plan.inPlace());
  }

  @Override
  public String toString() {
    return Sentence.of("%s (%s)", file, plan);
  }
}
