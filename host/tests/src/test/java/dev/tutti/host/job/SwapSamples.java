package dev.tutti.host.job;

import dev.tutti.plugin.live.LiveSamples;
import dev.tutti.sdk.CollAlgorithm;
import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.Protocol;
import dev.tutti.sdk.Support;
import dev.tutti.sdk.WorkflowMode;
import dev.tutti.sdk.param.AllReduceParam;
import dev.tutti.sdk.param.OpParam;
import dev.tutti.sdk.param.ReceiveParam;
import dev.tutti.sdk.param.SendParam;
import dev.tutti.sdk.resource.AlgResourceRequest;
import dev.tutti.sdk.resource.AlgResourceResponse;
import dev.tutti.sdk.resource.Link;
import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.resource.Stream;
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.sdk.topology.CommPlane;

/** Algorithms that send, and some that fail in one way each. */
public final class SwapSamples {

  /** The system property of a process in which {@link SumThatFailsInOneProcess} fails. */
  static final String FAILS = "tutti.test.fails";

  /** The size from which some algorithms fail; admission does not try such sizes. */
  static final int LARGE = 100_000;

  /** The most ranks of all algorithms here, so that a version is examined in a moment. */
  private static final int MOST_RANKS = 3;

  private static final Support TOO_MANY = Support.no("takes few ranks, as tests do");

  private SwapSamples() {}

  /** Pulls the inputs of a few ranks. */
  @CollAlgorithm(name = "pull", summary = "Every rank of a few reduces the inputs of all.")
  public static class Sum extends LiveSamples.Right {
    @Override
    public Support supports(AllReduceParam param) {
      return param.comm().rankSize() <= MOST_RANKS ? super.supports(param) : TOO_MANY;
    }
  }

  /** Fails when there is much data, in a process whose system property says so. */
  @CollAlgorithm(name = "pull", summary = "Fails in one process.")
  public static final class SumThatFailsInOneProcess extends Sum {
    @Override
    public AlgResourceRequest calcResRequest(AllReduceParam param) {
      if (param.outputBytes() >= LARGE && Boolean.getBoolean(FAILS)) {
        throw new IllegalStateException("not in this process");
      }
      return super.calcResRequest(param);
    }
  }

  /** Tells the receiver where the data is. */
  @CollAlgorithm(name = "move", summary = "The receiver reads.")
  public static class Send extends CollExecutorBase<SendParam> {
    @Override
    public Support supports(SendParam param) {
      return readable(param.comm());
    }

    @Override
    public AlgResourceRequest calcResRequest(SendParam param) {
      return linkTo(param.dstRank(), param);
    }

    @Override
    public void orchestrate(SendParam param, AlgResourceResponse resources) {
      Link link = resources.subComm(CommPlane.COMBINED).link(param.dstRank());
      link.post(resources.mainStream(), Link.READY);
      link.await(resources.mainStream(), Link.FIN);
    }
  }

  /** The same, but not for much data. */
  @CollAlgorithm(name = "move", summary = "Fails when there is much data.")
  public static final class SendThatFailsWhenLarge extends Send {
    @Override
    public AlgResourceRequest calcResRequest(SendParam param) {
      if (param.inputBytes() >= LARGE) {
        throw new IllegalStateException("too much to send");
      }
      return super.calcResRequest(param);
    }
  }

  /** Reads from the sender. */
  @CollAlgorithm(name = "move", summary = "Reads from the sender.")
  public static final class Receive extends CollExecutorBase<ReceiveParam> {
    @Override
    public Support supports(ReceiveParam param) {
      return readable(param.comm());
    }

    @Override
    public AlgResourceRequest calcResRequest(ReceiveParam param) {
      return linkTo(param.srcRank(), param);
    }

    @Override
    public void orchestrate(ReceiveParam param, AlgResourceResponse resources) {
      Link link = resources.subComm(CommPlane.COMBINED).link(param.srcRank());
      Stream stream = resources.mainStream();
      link.await(stream, Link.READY);
      link.read(stream, resources.paramOutputMem(), link.remote(TransportMemType.PARAM_INPUT));
      link.post(stream, Link.FIN);
    }
  }

  private static AlgResourceRequest linkTo(int peer, OpParam param) {
    return AlgResourceRequest.of(
        OpCommTransport.pairs(
            param.comm(),
            CommPlane.COMBINED,
            TransportMemType.PARAM_INPUT,
            TransportMemType.PARAM_OUTPUT,
            peer));
  }

  private static Support readable(CommInfo comm) {
    if (comm.rankSize() > MOST_RANKS) {
      return TOO_MANY;
    }
    return comm.protocol() == Protocol.DIRECT && comm.mode() == WorkflowMode.GRAPH
        ? Support.yes()
        : Support.no("the receiver reads the sender's own buffer");
  }
}
