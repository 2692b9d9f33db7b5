package ${package};

import dev.tutti.sdk.CollAlgorithm;
import dev.tutti.sdk.Determinism;
import dev.tutti.sdk.ExecMem;
import dev.tutti.sdk.NativeExecutorBase;
import dev.tutti.sdk.param.ReceiveParam;
import dev.tutti.sdk.resource.Link;
import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.resource.Stream;
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.sdk.topology.CommPlane;

/**
 * The receiver of a transfer: it allows the sender to write, and waits until the sender has.
 *
 * <p>Correct in both workflow modes and over both protocols. Cost for n bytes: {@code α + nβ}. The
 * sender has the same name, so the host runs the two together.
 *
 * @see ${algorithmName}Send
 */
@CollAlgorithm(
    name = "${algorithmId}",
    summary = "Lets the sender write to its output: one message for each round",
    formula = "α + nβ")
public final class ${algorithmName}Receive extends NativeExecutorBase<ReceiveParam> {

  /**
   * Requests the link of this rank. Both ends must request a link in the same way. Here the link
   * covers the output, which is all that a peer accesses.
   */
  @Override
  protected OpCommTransport calcCommInfo(ReceiveParam param) {
    // The caller's output in GRAPH mode, the staging buffer in OP_BASE mode.
    TransportMemType output = outputMemType(param);
    return OpCommTransport.pairs(param.comm(), CommPlane.COMBINED, output, output, param.srcRank());
  }

  /**
   * Emits the actions of this rank in one round. Nothing runs here: the actions become part of the
   * plan, which the host checks once and then replays on data.
   */
  @Override
  protected void kernelRun(ReceiveParam param, ExecMem mem) {
    Stream stream = mem.resources().mainStream();
    Link sender = mem.resources().subComm(CommPlane.COMBINED).link(param.srcRank());
    sender.post(stream, Link.READY); // my output may be written
    sender.await(stream, Link.FIN); // and has been
  }

  /** The algorithm only moves data, so it never changes the bits. */
  @Override
  public Determinism determinism() {
    return Determinism.SAME_SIZES;
  }
}
