package dev.tutti.plugins.custom;

import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.param.AllReduceParam;
import dev.tutti.sdk.resource.AlgResourceRequest;
import dev.tutti.sdk.resource.AlgResourceResponse;
import dev.tutti.sdk.resource.TransportMemType;
import java.util.function.Function;

/** The algorithm with other memory, or without its last barrier. */
final class Variant extends CollExecutorBase<AllReduceParam> {

  private final Function<AllReduceParam, PeerMemory> memory;
  private final boolean isClosed;

  private Variant(Function<AllReduceParam, PeerMemory> memory, boolean isClosed) {
    this.memory = memory;
    this.isClosed = isClosed;
  }

  /** With other memory, whatever the mode. */
  static Variant in(TransportMemType operands, TransportMemType parts) {
    return new Variant(param -> new PeerMemory(operands, parts), true);
  }

  /** The algorithm as it is, but without its last barrier. */
  static Variant unclosed() {
    return new Variant(PeerMemory::of, false);
  }

  /** The same without its last barrier. */
  Variant notClosed() {
    return new Variant(memory, false);
  }

  @Override
  public AlgResourceRequest calcResRequest(AllReduceParam param) {
    return memory.apply(param).request(param);
  }

  @Override
  public void orchestrate(AllReduceParam param, AlgResourceResponse resources) {
    Call call = new Call(param, memory.apply(param), resources);
    call.run();
    if (isClosed) {
      call.close();
    }
  }
}
