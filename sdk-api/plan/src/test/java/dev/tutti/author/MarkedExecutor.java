package dev.tutti.author;

import dev.tutti.sdk.ExecMem;
import dev.tutti.sdk.NativeExecutorBase;
import dev.tutti.sdk.param.AllReduceParam;
import dev.tutti.sdk.resource.AlgResourceRequest;
import dev.tutti.sdk.resource.OpCommTransport;

/** Copies, or fails in one of its methods, and records the line on which it did so. */
public final class MarkedExecutor extends NativeExecutorBase<AllReduceParam> {

  /** The method that fails. */
  public enum Fault {
    NONE,
    CALC_RES_REQUEST,
    KERNEL_RUN
  }

  private final Fault fault;
  private int line;

  public MarkedExecutor(Fault fault) {
    this.fault = fault;
  }

  /** The line of the copy or of the failure, as plans and messages name it. */
  public String line(String method) {
    return "MarkedExecutor.%s(MarkedExecutor.java:%d)".formatted(method, line);
  }

  @Override
  public AlgResourceRequest calcResRequest(AllReduceParam param) {
    if (fault == Fault.CALC_RES_REQUEST) {
      line = here() + 1;
      throw new IllegalStateException("100% wrong");
    }
    return super.calcResRequest(param);
  }

  @Override
  protected OpCommTransport calcCommInfo(AllReduceParam param) {
    return OpCommTransport.none();
  }

  @Override
  protected void kernelRun(AllReduceParam param, ExecMem mem) {
    if (fault == Fault.KERNEL_RUN) {
      line = here() + 1;
      throw new IllegalStateException("100% wrong");
    }
    line = here() + 1;
    mem.resources().mainStream().copy(mem.output(), mem.input());
  }

  private static int here() {
    return StackWalker.getInstance().walk(f -> f.skip(1).findFirst()).orElseThrow().getLineNumber();
  }
}
