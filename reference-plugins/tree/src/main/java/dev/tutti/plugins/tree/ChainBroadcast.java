package dev.tutti.plugins.tree;

import dev.tutti.plugins.template.Push;
import dev.tutti.sdk.AlgParameter;
import dev.tutti.sdk.CollAlgorithm;
import dev.tutti.sdk.Cost;
import dev.tutti.sdk.Determinism;
import dev.tutti.sdk.ExecMem;
import dev.tutti.sdk.NativeExecutorBase;
import dev.tutti.sdk.param.BroadcastParam;
import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.resource.SubCommInfo;
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.sdk.topology.CommPlane;
import java.util.List;
import java.util.Optional;

/**
 * Chain broadcast: each rank passes the vector on to the next in segments. All ranks work at the
 * same time, on different segments.
 *
 * <p>Source: the chain and pipeline broadcasts of Open MPI. Cost for p ranks, n bytes and s
 * segments: {@code (p-2+s)(α + n/s·β)}.
 */
@CollAlgorithm(
    name = "chain",
    summary = "In segments from rank to rank: every rank sends and gets each byte once",
    source = "Open MPI, chain broadcast",
    formula = "(p-2+s)(α + n/s·β) for s segments")
public final class ChainBroadcast extends NativeExecutorBase<BroadcastParam> {

  @Override
  public List<AlgParameter<?>> parameters() {
    return List.of(Segments.SEGMENT_BYTES);
  }

  @Override
  protected OpCommTransport calcCommInfo(BroadcastParam param) {
    TransportMemType output = outputMemType(param);
    return Chain.of(param.comm(), param.root()).links(param.comm(), output, output);
  }

  @Override
  protected void kernelRun(BroadcastParam param, ExecMem mem) {
    Chain chain = Chain.of(param.comm(), param.root());
    SubCommInfo comm = mem.resources().subComm(CommPlane.COMBINED);
    Push push = new Push(mem.resources().mainStream());
    Relay relay =
        new Relay(
            push,
            chain.isFirst() ? List.of() : List.of(comm.link(chain.previous())),
            chain.isLast() ? List.of() : List.of(comm.link(chain.next())));
    relay.run(
        chain.isFirst() ? mem.input() : mem.output(),
        mem.output(),
        segments(param).of(mem.count(), param.dataType()));
    if (chain.isFirst() && !mem.inPlace()) {
      push.stream().copy(mem.output(), mem.input());
    }
  }

  private static Segments segments(BroadcastParam param) {
    return Segments.of(param, param.messageBytes(), param.comm().rankSize() - 1);
  }

  @Override
  public Optional<Cost> cost(BroadcastParam param) {
    return Optional.of(
        segments(param)
            .chainCost(
                param.comm().rankSize(), param.count(), maxCountPerRound(param), param.dataType()));
  }

  /** Elements are only copied. */
  @Override
  public Determinism determinism() {
    return Determinism.SAME_SIZES;
  }
}
