package dev.tutti.plan;

import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.resource.AlgResourceRequest;
import dev.tutti.sdk.resource.LevelNSubCommTransport;
import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.resource.SingleSubCommTransport;
import dev.tutti.sdk.resource.TransportMemType;

/**
 * The resources of one rank while its plan is recorded: its request, the sizes of its memories, and
 * its links. The sizes must not change afterwards.
 */
record RankResources(int rank, AlgResourceRequest request, long[] memSizes, LinkTable links) {

  private static final int MEM_TYPES = TransportMemType.values().length;

  /**
   * Gets the request of a rank's executor.
   *
   * @param interner lets ranks share equal parts
   * @throws TuttiException as {@link PlanRecorder#record(String, java.util.List)}
   */
  static RankResources of(RankProgram program, Interner interner) {
    AlgResourceRequest request;
    try {
      request = program.request();
    } catch (RuntimeException | StackOverflowError | LinkageError | AssertionError e) {
      throw program.failed("calcResRequest", e);
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
    return new RankResources(
        program.comm().rank(),
        request,
        interner.longs(memSizes(program, request)),
        LinkTable.of(request.opTransport(), interner));
  }

  private static long[] memSizes(RankProgram program, AlgResourceRequest request) {
    long[] sizes = new long[MEM_TYPES];
    sizes[TransportMemType.CCL_INPUT.ordinal()] = program.comm().cclBufferSize();
    sizes[TransportMemType.CCL_OUTPUT.ordinal()] = program.comm().cclBufferSize();
    sizes[TransportMemType.PARAM_INPUT.ordinal()] = program.inputBytes();
    sizes[TransportMemType.PARAM_OUTPUT.ordinal()] = program.outputBytes();
    sizes[TransportMemType.SCRATCH.ordinal()] = request.scratchMemSize();
    sizes[TransportMemType.AIV_INPUT.ordinal()] = request.aivBufferSize();
    sizes[TransportMemType.AIV_OUTPUT.ordinal()] = request.aivBufferSize();
    return sizes;
  }

  /** Refuses links of another rank, which would connect the wrong pairs. */
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
}
