package dev.tutti.sdk.resource;

import dev.tutti.sdk.Arguments;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;

/**
 * The resources that one rank needs to run one request. Immutable.
 *
 * @param scratchMemSize bytes of scratch memory
 * @param streamNum slave streams, besides the main stream; at most {@link #MAX_STREAMS}
 * @param notifyNum notifies between this rank's own streams; at least two for each slave stream,
 *     and at most {@link #MAX_NOTIFIES}
 * @param aivBufferSize bytes of each of the two AIV memories
 * @param opTransport links to peers
 */
public record AlgResourceRequest(
    long scratchMemSize,
    int streamNum,
    int notifyNum,
    long aivBufferSize,
    OpCommTransport opTransport) {

  /** The most slave streams of one rank. */
  public static final int MAX_STREAMS = 4095;

  /** The most notifies between the streams of one rank. */
  public static final int MAX_NOTIFIES = 1 << 16;

  /** Checks the ranges. */
  public AlgResourceRequest {
    Arguments.require(opTransport, "opTransport");
    if (scratchMemSize < 0 || aivBufferSize < 0) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT,
          "scratchMemSize and aivBufferSize must be 0 or more bytes. Actual: %d and %d",
          scratchMemSize,
          aivBufferSize);
    }
    if (streamNum < 0 || streamNum > MAX_STREAMS) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT,
          "streamNum must be 0 to %d. Actual: %d",
          MAX_STREAMS,
          streamNum);
    }
    if (notifyNum < 2 * streamNum) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT,
          "notifyNum must be at least two for each slave stream. Actual: notifyNum=%d, streamNum=%d",
          notifyNum,
          streamNum);
    }
    if (notifyNum > MAX_NOTIFIES) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT,
          "notifyNum must be at most %d. Actual: %d",
          MAX_NOTIFIES,
          notifyNum);
    }
  }

  /** Links only: no scratch, no slave streams. */
  public static AlgResourceRequest of(OpCommTransport opTransport) {
    Arguments.require(opTransport, "opTransport");
    return new AlgResourceRequest(0, 0, 0, 0, opTransport);
  }

  /** No resources. */
  public static AlgResourceRequest none() {
    return of(OpCommTransport.none());
  }

  /** The same with another size of scratch memory, in bytes. */
  public AlgResourceRequest withScratchMemSize(long bytes) {
    return new AlgResourceRequest(bytes, streamNum, notifyNum, aivBufferSize, opTransport);
  }

  /** The same with another number of slave streams, and two notifies for each. */
  public AlgResourceRequest withStreamNum(int streams) {
    return new AlgResourceRequest(
        scratchMemSize, streams, 2 * Math.max(0, streams), aivBufferSize, opTransport);
  }

  /** The same with another number of notifies. */
  public AlgResourceRequest withNotifyNum(int notifies) {
    return new AlgResourceRequest(scratchMemSize, streamNum, notifies, aivBufferSize, opTransport);
  }

  /** The same with another size of each AIV memory, in bytes. */
  public AlgResourceRequest withAivBufferSize(long bytes) {
    return new AlgResourceRequest(scratchMemSize, streamNum, notifyNum, bytes, opTransport);
  }
}
