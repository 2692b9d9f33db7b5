package dev.tutti.sdk.resource;

import dev.tutti.sdk.Arguments;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;

/**
 * A request for one link, or for none.
 *
 * @param isValid whether the link is wanted; if not, the other values have no meaning
 * @param localUserRank this rank
 * @param remoteUserRank the peer
 * @param inputMemType the kind of the peer's memory that this rank will mostly read; registered at
 *     both ends
 * @param outputMemType the kind of the peer's memory that this rank will mostly write; registered
 *     at both ends
 * @param notifyNum notifies at each end, {@link Link#PAIRED_NOTIFIES} to {@link #MAX_NOTIFIES}
 */
public record TransportRequest(
    boolean isValid,
    int localUserRank,
    int remoteUserRank,
    TransportMemType inputMemType,
    TransportMemType outputMemType,
    int notifyNum) {

  /** The most notifies one end of a link can have. */
  public static final int MAX_NOTIFIES = 1024;

  /** Checks the ranges. */
  public TransportRequest {
    Arguments.require(inputMemType, "inputMemType");
    Arguments.require(outputMemType, "outputMemType");
    if (isValid && (localUserRank == remoteUserRank || remoteUserRank < 0)) {
      throw new TuttiException(
          ErrorCode.INVALID_RANK,
          "a link must lead to another rank. Actual: from %d to %d",
          localUserRank,
          remoteUserRank);
    }
    if (notifyNum < Link.PAIRED_NOTIFIES || notifyNum > MAX_NOTIFIES) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT,
          "a link has %d to %d notifies at each end. Actual: %d",
          Link.PAIRED_NOTIFIES,
          MAX_NOTIFIES,
          notifyNum);
    }
  }

  /** A wanted link with the notifies that the paired verbs use. */
  public static TransportRequest of(
      int localUserRank,
      int remoteUserRank,
      TransportMemType inputMemType,
      TransportMemType outputMemType) {
    Arguments.require(inputMemType, "inputMemType");
    Arguments.require(outputMemType, "outputMemType");
    return new TransportRequest(
        true, localUserRank, remoteUserRank, inputMemType, outputMemType, Link.PAIRED_NOTIFIES);
  }

  /** No link. */
  public static TransportRequest none(int localUserRank, int remoteUserRank) {
    return new TransportRequest(
        false,
        localUserRank,
        remoteUserRank,
        TransportMemType.CCL_INPUT,
        TransportMemType.CCL_OUTPUT,
        Link.PAIRED_NOTIFIES);
  }

  /** The same with another number of notifies at each end. */
  public TransportRequest withNotifyNum(int newNotifyNum) {
    return newNotifyNum == notifyNum
        ? this
        : new TransportRequest(
            isValid, localUserRank, remoteUserRank, inputMemType, outputMemType, newNotifyNum);
  }

  /** The same with another peer. */
  TransportRequest to(int peer) {
    return new TransportRequest(
        isValid, localUserRank, peer, inputMemType, outputMemType, notifyNum);
  }

  /** Whether two requests of one rank are equal except for their peers. */
  boolean isLike(TransportRequest other) {
    return isValid == other.isValid
        && inputMemType == other.inputMemType
        && outputMemType == other.outputMemType
        && notifyNum == other.notifyNum;
  }
}
