package dev.tutti.sdk.plan;

import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.param.OpParam;
import dev.tutti.sdk.resource.AlgResourceRequest;
import dev.tutti.sdk.resource.LevelNSubCommTransport;
import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.resource.SingleSubCommTransport;
import dev.tutti.sdk.resource.TransportMemType;
import java.util.ArrayList;
import java.util.List;

/**
 * Asks executors what they need and records what they emit, for all ranks of a group. Immutable and
 * thread-safe.
 *
 * <pre>{@code
 * GroupPlan plan = new PlanRecorder().record("ring", executor, param);
 * }</pre>
 */
public final class PlanRecorder {

  /** The most actions one rank may emit unless set otherwise. */
  public static final int DEFAULT_MAX_ACTIONS = 1 << 24;

  private static final int MAX_LISTED = 8;

  private final boolean recordsSources;
  private final int maxActions;

  /** Records source lines, and at most {@link #DEFAULT_MAX_ACTIONS} actions a rank. */
  public PlanRecorder() {
    this(true, DEFAULT_MAX_ACTIONS);
  }

  private PlanRecorder(boolean recordsSources, int maxActions) {
    this.recordsSources = recordsSources;
    this.maxActions = maxActions;
  }

  /** The same with or without source lines; without them recording is many times faster. */
  public PlanRecorder withSources(boolean isWanted) {
    return new PlanRecorder(isWanted, maxActions);
  }

  /** The same with another limit on the actions of one rank. */
  public PlanRecorder withMaxActions(int actions) {
    return new PlanRecorder(recordsSources, actions);
  }

  /**
   * Records an operation in which every rank runs one executor.
   *
   * @param name what the plan is for
   * @param executor the algorithm
   * @param param the request as any rank sees it; the other ranks' views are derived from it, so
   *     the operation must be one whose counts are the same on all ranks
   * @throws TuttiException as {@link #record(String, List)}
   */
  public <P extends OpParam> GroupPlan record(String name, CollExecutorBase<P> executor, P param) {
    List<RankProgram> programs = new ArrayList<>();
    for (int rank = 0; rank < param.comm().rankSize(); rank++) {
      // withComm returns the record it is called on, as every implementation of OpParam does.
      @SuppressWarnings("unchecked")
      P view = (P) param.withComm(param.comm().withRank(rank));
      programs.add(RankProgram.of(executor, view));
    }
    return record(name, programs);
  }

  /**
   * Records an operation.
   *
   * @param name what the plan is for
   * @param programs each rank's part, in rank order
   * @throws TuttiException with {@link ErrorCode#INVALID_ARGUMENT} if the programs are not those of
   *     all ranks in order, {@link ErrorCode#EXECUTOR_FAILED} if an executor throws or returns
   *     null, {@link ErrorCode#LINK_MISMATCH} if two ranks disagree about a link, {@link
   *     ErrorCode#RESOURCE_MISMATCH} or {@link ErrorCode#OUT_OF_BOUNDS} if an executor uses what it
   *     has not
   */
  public GroupPlan record(String name, List<RankProgram> programs) {
    checkOrder(programs);
    List<Resources> resources = new ArrayList<>();
    for (RankProgram program : programs) {
      resources.add(resources(program));
    }
    checkLinks(resources);
    List<RankPlan> plans = new ArrayList<>();
    boolean inPlace = programs.stream().anyMatch(RankProgram::inPlace);
    for (int rank = 0; rank < programs.size(); rank++) {
      RankProgram program = programs.get(rank);
      RankRecording recording =
          new RankRecording(rank, resources, recordsSources, maxActions, inPlace);
      orchestrate(program, recording);
      plans.add(recording.finish());
    }
    return new GroupPlan(name, inPlace, plans);
  }

  private static void checkOrder(List<RankProgram> programs) {
    for (int rank = 0; rank < programs.size(); rank++) {
      CommInfo comm = programs.get(rank).comm();
      if (comm.rank() != rank || comm.rankSize() != programs.size()) {
        throw new TuttiException(
            ErrorCode.INVALID_ARGUMENT,
            "there must be one program for each rank, in rank order. Actual: program %d of %d is"
                + " that of rank %d of %d",
            rank,
            programs.size(),
            comm.rank(),
            comm.rankSize());
      }
    }
  }

  /** What one rank has: its request, the sizes of its memories, and its links. */
  record Resources(AlgResourceRequest request, long[] memSizes, LinkTable links) {}

  private static Resources resources(RankProgram program) {
    AlgResourceRequest request;
    try {
      request = program.request();
    } catch (RuntimeException | StackOverflowError | LinkageError | AssertionError e) {
      throw failed(program, "calcResRequest", e);
    }
    if (request == null) {
      throw new TuttiException(
          ErrorCode.EXECUTOR_FAILED,
          "calcResRequest of %s returned null for rank %d; return AlgResourceRequest.none() if"
              + " nothing is needed",
          program.executorName(),
          program.comm().rank());
    }
    checkOwner(program, request.opTransport());
    long[] sizes = new long[TransportMemType.values().length];
    sizes[TransportMemType.CCL_INPUT.ordinal()] = program.comm().cclBufferSize();
    sizes[TransportMemType.CCL_OUTPUT.ordinal()] = program.comm().cclBufferSize();
    sizes[TransportMemType.PARAM_INPUT.ordinal()] = program.inputBytes();
    sizes[TransportMemType.PARAM_OUTPUT.ordinal()] = program.outputBytes();
    sizes[TransportMemType.SCRATCH.ordinal()] = request.scratchMemSize();
    sizes[TransportMemType.AIV_INPUT.ordinal()] = request.aivBufferSize();
    sizes[TransportMemType.AIV_OUTPUT.ordinal()] = request.aivBufferSize();
    return new Resources(request, sizes, LinkTable.of(request.opTransport()));
  }

  /** Links asked for in the name of another rank would connect the wrong pairs. */
  private static void checkOwner(RankProgram program, OpCommTransport transport) {
    int rank = program.comm().rank();
    for (LevelNSubCommTransport level : transport.levels().values()) {
      for (SingleSubCommTransport subComm : level.subComms()) {
        if (subComm.localUserRank() != rank) {
          throw new TuttiException(
              ErrorCode.RESOURCE_MISMATCH,
              "calcResRequest of %s asked rank %d's links for rank %d; build them from"
                  + " param.comm()",
              program.executorName(),
              subComm.localUserRank(),
              rank);
        }
      }
    }
  }

  private static void orchestrate(RankProgram program, RankRecording recording) {
    try {
      program.orchestrate(recording);
    } catch (RuntimeException | StackOverflowError | LinkageError | AssertionError e) {
      throw failed(program, "orchestrate", e);
    }
  }

  /** An executor's own coded error keeps its code; everything else becomes EXECUTOR_FAILED. */
  private static TuttiException failed(RankProgram program, String method, Throwable e) {
    ErrorCode code = e instanceof TuttiException t ? t.code() : ErrorCode.EXECUTOR_FAILED;
    String line = SourceLines.firstOutsideSdk(e);
    return new TuttiException(
        code,
        e,
        "%s of %s failed for rank %d%s: %s",
        method,
        program.executorName(),
        program.comm().rank(),
        line.isEmpty() ? "" : " at " + line,
        e instanceof TuttiException ? e.getMessage() : e.toString());
  }

  /** Every link must have its reverse, asked for in the same way. */
  private static void checkLinks(List<Resources> resources) {
    List<String> problems = new ArrayList<>();
    for (int rank = 0; rank < resources.size(); rank++) {
      LinkTable links = resources.get(rank).links();
      for (int link = 0; link < links.size() && problems.size() < MAX_LISTED; link++) {
        checkLink(rank, links.entry(link), resources, problems);
      }
    }
    if (!problems.isEmpty()) {
      throw new TuttiException(
          ErrorCode.LINK_MISMATCH,
          "links do not match: %s%s",
          String.join("; ", problems),
          problems.size() == MAX_LISTED ? "; …" : "");
    }
  }

  private static void checkLink(
      int rank, LinkTable.Entry entry, List<Resources> resources, List<String> problems) {
    if (entry.peer() >= resources.size()) {
      problems.add(
          "rank %d asks for a link to rank %d, but the group has %d ranks"
              .formatted(rank, entry.peer(), resources.size()));
      return;
    }
    LinkTable reverse = resources.get(entry.peer()).links();
    int found = reverse.find(entry.plane(), entry.subComm(), rank);
    if (found < 0) {
      problems.add(
          "rank %d asks for a link to rank %d in %s, but rank %d does not ask for the reverse"
              .formatted(rank, entry.peer(), entry.key(), entry.peer()));
    } else if (rank < entry.peer() && !entry.matches(reverse.entry(found))) {
      problems.add(
          "the link between rank %d and rank %d in %s is asked for as (%s) by one and (%s) by the"
                  .formatted(
                      rank,
                      entry.peer(),
                      entry.key(),
                      entry.manner(),
                      reverse.entry(found).manner())
              + " other");
    }
  }
}
