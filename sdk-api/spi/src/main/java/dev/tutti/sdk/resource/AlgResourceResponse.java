package dev.tutti.sdk.resource;

import dev.tutti.sdk.Arguments;
import dev.tutti.sdk.topology.CommPlane;
import java.util.List;

/**
 * The resources of one rank: memory handles, streams, notifies and links. Implemented by the host;
 * methods may be added.
 */
public interface AlgResourceResponse {

  /** This rank's memory of one kind; may be of size 0. */
  DeviceMem mem(TransportMemType type);

  /** The staging buffer for inputs. */
  default DeviceMem cclInputMem() {
    return mem(TransportMemType.CCL_INPUT);
  }

  /** The staging buffer for outputs. */
  default DeviceMem cclOutputMem() {
    return mem(TransportMemType.CCL_OUTPUT);
  }

  /** The caller's input. */
  default DeviceMem paramInputMem() {
    return mem(TransportMemType.PARAM_INPUT);
  }

  /** The caller's output. */
  default DeviceMem paramOutputMem() {
    return mem(TransportMemType.PARAM_OUTPUT);
  }

  /** Scratch memory. */
  default DeviceMem scratchMem() {
    return mem(TransportMemType.SCRATCH);
  }

  /** Input memory that every peer may load and store. */
  default DeviceMem aivInputMem() {
    return mem(TransportMemType.AIV_INPUT);
  }

  /** Output memory that every peer may load and store. */
  default DeviceMem aivOutputMem() {
    return mem(TransportMemType.AIV_OUTPUT);
  }

  /** The main stream: the operation begins and ends there. */
  Stream mainStream();

  /**
   * The slave streams, in order; each begins with an await of the main stream and ends with a post.
   */
  List<Stream> slaveStreams();

  /** One notify per slave stream, with which the main stream starts it. */
  List<Notify> notifiesMainToSlave();

  /** One notify per slave stream, with which it signals the main stream that it is done. */
  List<Notify> notifiesSlaveToMain();

  /** All notifies in order: main to slave, slave to main, then the others. */
  List<Notify> notifies();

  /** The requested links; {@link #subComm} returns the established ones. */
  OpCommTransport opTransport();

  /**
   * A sub-communicator with its links.
   *
   * @param plane the level
   * @param index the index in the level; 0 is the plane of the topology
   * @throws dev.tutti.sdk.TuttiException with code RESOURCE_MISMATCH if it was not requested
   */
  SubCommInfo subComm(CommPlane plane, int index);

  /** The plane of the topology at a level, with its links. */
  default SubCommInfo subComm(CommPlane plane) {
    Arguments.require(plane, "plane");
    return subComm(plane, 0);
  }
}
