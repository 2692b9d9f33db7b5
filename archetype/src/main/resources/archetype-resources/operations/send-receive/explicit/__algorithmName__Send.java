package ${package};

import dev.tutti.sdk.CollAlgorithm;
import dev.tutti.sdk.Determinism;
import dev.tutti.sdk.ExecMem;
import dev.tutti.sdk.NativeExecutorBase;
import dev.tutti.sdk.param.SendParam;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.Link;
import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.resource.Stream;
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.sdk.topology.CommPlane;

/**
 * The sender of a transfer: it waits until the receiver is ready, and writes to its output.
 *
 * <p>Correct in both workflow modes and over both protocols. Cost for n bytes: {@code α + nβ}. The
 * receiver has the same name, so the host runs the two together.
 *
 * @see ${algorithmName}Receive
 */
@CollAlgorithm(
    name = "${algorithmId}",
    summary = "Writes to the receiver as soon as it is ready: one message for each round",
    formula = "α + nβ")
public final class ${algorithmName}Send extends NativeExecutorBase<SendParam> {

  /**
   * Requests the link of this rank. Both ends must request a link in the same way. Here the link
   * covers the output, which is all that a peer accesses.
   */
  @Override
  protected OpCommTransport calcCommInfo(SendParam param) {
    // The receiver's output in GRAPH mode, the staging buffer in OP_BASE mode.
    TransportMemType output = outputMemType(param);
    return OpCommTransport.pairs(param.comm(), CommPlane.COMBINED, output, output, param.dstRank());
  }

  /**
   * Emits the actions of this rank in one round. Nothing runs here: the actions become part of the
   * plan, which the host checks once and then replays on data.
   */
  @Override
  protected void kernelRun(SendParam param, ExecMem mem) {
    Stream stream = mem.resources().mainStream();
    Link receiver = mem.resources().subComm(CommPlane.COMBINED).link(param.dstRank());
    receiver.await(stream, Link.READY);
    // This rank has no output that names the place, so it names a slice of the peer's output.
    DeviceMem place = receiver.remote(outputMemType(param)).slice(0, mem.input().size());
    receiver.write(stream, place, mem.input());
    receiver.post(stream, Link.FIN); // your output has been written
  }

  /** The algorithm only moves data, so it never changes the bits. */
  @Override
  public Determinism determinism() {
    return Determinism.SAME_SIZES;
  }
}
