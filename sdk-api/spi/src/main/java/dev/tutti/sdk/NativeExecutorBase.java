package dev.tutti.sdk;

import dev.tutti.sdk.param.BarrierParam;
import dev.tutti.sdk.param.OpParam;
import dev.tutti.sdk.resource.AlgResourceRequest;
import dev.tutti.sdk.resource.AlgResourceResponse;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.resource.Slice;
import dev.tutti.sdk.resource.TransportMemType;
import java.util.List;

/**
 * A base class for executors that does the standard work for both workflow modes. The author
 * requests the links and writes one kernel.
 *
 * <p>In GRAPH mode the kernel runs once, on the caller's memory. In OP_BASE mode the caller's
 * memory is private, so the operation runs in rounds. Each round copies a slice of each input block
 * into the CCL input, runs the kernel, and copies the result out of the CCL output.
 *
 * @param <P> the parameter record of the operation
 */
public abstract class NativeExecutorBase<P extends OpParam> extends CollExecutorBase<P> {

  /** For subclasses. */
  protected NativeExecutorBase() {}

  /** Bytes of scratch memory; 0 by default. */
  protected long calcScratchMemSize(P param) {
    return 0;
  }

  /** The number of slave streams; 0 by default. */
  protected int calcStreamNum(P param) {
    return 0;
  }

  /** The number of notifies between this rank's streams; two for each slave stream by default. */
  protected int calcNotifyNum(P param, int streamNum) {
    return 2 * streamNum;
  }

  /** Bytes of each AIV memory; 0 by default. */
  protected long calcAivBufferSize(P param) {
    return 0;
  }

  /**
   * The links of this rank. They should register {@link #inputMemType} and {@link #outputMemType}.
   */
  protected abstract OpCommTransport calcCommInfo(P param);

  /**
   * Emits one round. When the last action of the main stream is done, the round's output is
   * complete and no peer accesses this rank's memory of this round any more.
   *
   * @param param the request as this rank sees it
   * @param mem the memory of this round; never empty on all ranks, except for a barrier
   */
  protected abstract void kernelRun(P param, ExecMem mem);

  @Override
  public AlgResourceRequest calcResRequest(P param) {
    Arguments.require(param, "param");
    if (rounds(param) == 0) {
      return AlgResourceRequest.none();
    }
    int streamNum = calcStreamNum(param);
    return new AlgResourceRequest(
        calcScratchMemSize(param),
        streamNum,
        calcNotifyNum(param, streamNum),
        calcAivBufferSize(param),
        calcCommInfo(param));
  }

  @Override
  public void orchestrate(P param, AlgResourceResponse resources) {
    Arguments.require(param, "param");
    Arguments.require(resources, "resources");
    BlockLayout layout = BlockLayout.of(param);
    if (rounds(param) == 0) {
      return;
    }
    if (param.comm().mode() == WorkflowMode.GRAPH || layout.maxCount() == 0) {
      kernelRun(param, wholeOf(param, layout, resources));
      return;
    }
    long perRound = layout.countPerRound(param.comm());
    for (long done = 0; done < layout.maxCount(); done += perRound) {
      runRound(param, layout, resources, done, perRound);
    }
  }

  private ExecMem wholeOf(P param, BlockLayout layout, AlgResourceResponse resources) {
    return new ExecMem(
        resources,
        layout.maxCount(),
        resources.paramInputMem(),
        resources.paramOutputMem(),
        ExecMem.pack(layout.input(), 0, layout.maxCount(), layout.elementSize()),
        ExecMem.pack(layout.output(), 0, layout.maxCount(), layout.elementSize()),
        param.inPlace());
  }

  private void runRound(
      P param, BlockLayout layout, AlgResourceResponse resources, long done, long perRound) {
    int elementSize = layout.elementSize();
    List<Slice> input = ExecMem.pack(layout.input(), done, perRound, elementSize);
    List<Slice> output = ExecMem.pack(layout.output(), done, perRound, elementSize);
    ExecMem mem =
        new ExecMem(
            resources,
            Math.min(perRound, layout.maxCount() - done),
            resources.cclInputMem().slice(0, ExecMem.total(input)),
            resources.cclOutputMem().slice(0, ExecMem.total(output)),
            input,
            output,
            false);
    long blockStart = 0;
    for (int block = 0; block < input.size(); block++) {
      DeviceMem staged = mem.inputBlock(block);
      if (staged.size() > 0) {
        resources
            .mainStream()
            .copy(
                staged,
                resources.paramInputMem().slice((blockStart + done) * elementSize, staged.size()));
      }
      blockStart += layout.input().get(block);
    }
    kernelRun(param, mem);
    blockStart = 0;
    for (int block = 0; block < output.size(); block++) {
      DeviceMem staged = mem.outputBlock(block);
      if (staged.size() > 0) {
        resources
            .mainStream()
            .copy(
                resources.paramOutputMem().slice((blockStart + done) * elementSize, staged.size()),
                staged);
      }
      blockStart += layout.output().get(block);
    }
  }

  /** The kind of memory of {@link ExecMem#input()}: CCL_INPUT in OP_BASE mode, else PARAM_INPUT. */
  protected static TransportMemType inputMemType(OpParam param) {
    return param.comm().mode() == WorkflowMode.OP_BASE
        ? TransportMemType.CCL_INPUT
        : TransportMemType.PARAM_INPUT;
  }

  /**
   * The kind of memory of {@link ExecMem#output()}: CCL_OUTPUT in OP_BASE mode, else PARAM_OUTPUT.
   */
  protected static TransportMemType outputMemType(OpParam param) {
    return param.comm().mode() == WorkflowMode.OP_BASE
        ? TransportMemType.CCL_OUTPUT
        : TransportMemType.PARAM_OUTPUT;
  }

  /**
   * The most elements of one block that {@link #kernelRun} gets in one round; use it to size
   * scratch memory.
   */
  protected static long maxCountPerRound(OpParam param) {
    BlockLayout layout = BlockLayout.of(param);
    return param.comm().mode() == WorkflowMode.OP_BASE
        ? layout.countPerRound(param.comm())
        : layout.maxCount();
  }

  /**
   * The number of calls of {@link #kernelRun}: 0 if no rank has an element, 1 in GRAPH mode and for
   * a barrier.
   */
  protected static long rounds(OpParam param) {
    if (param instanceof BarrierParam) {
      return 1;
    }
    BlockLayout layout = BlockLayout.of(param);
    if (layout.maxCount() == 0 || param.comm().mode() == WorkflowMode.GRAPH) {
      return Math.min(1, layout.maxCount());
    }
    return Math.ceilDiv(layout.maxCount(), layout.countPerRound(param.comm()));
  }

  /** Whether {@link ExecMem#input()} and {@link ExecMem#output()} are one memory. */
  protected static boolean isKernelInPlace(OpParam param) {
    return param.inPlace() && param.comm().mode() == WorkflowMode.GRAPH;
  }
}
