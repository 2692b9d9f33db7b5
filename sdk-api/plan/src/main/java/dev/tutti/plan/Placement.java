package dev.tutti.plan;

import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.TransportMemType;

/** Maps the memories of a plan to other memories. */
public interface Placement {

  /** The place of a span: the same number of bytes, in the memory of any rank and kind. */
  DeviceMem place(DeviceMem span);

  /**
   * The size in bytes of a rank's memory of one kind, among the memories that spans are mapped to.
   */
  long memSize(int rank, TransportMemType type);
}
