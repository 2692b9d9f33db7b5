package dev.tutti.plan;

import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.TransportMemType;

/** Says where the memories of a plan lie in other memories. */
public interface Placement {

  /** The place of a span: the same number of bytes, in the memory of any rank and kind. */
  DeviceMem place(DeviceMem span);

  /** The size of a rank's memory of one kind among those that spans are placed in, in bytes. */
  long memSize(int rank, TransportMemType type);
}
