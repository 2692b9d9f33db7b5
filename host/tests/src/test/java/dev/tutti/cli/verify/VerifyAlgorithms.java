package dev.tutti.cli.verify;

import dev.tutti.sdk.CollAlgorithm;
import dev.tutti.sdk.ExecMem;
import dev.tutti.sdk.NativeExecutorBase;
import dev.tutti.sdk.Support;
import dev.tutti.sdk.param.AllReduceParam;
import dev.tutti.sdk.resource.OpCommTransport;

/** Algorithms that only a verification is interested in. */
public final class VerifyAlgorithms {

  private VerifyAlgorithms() {}

  /** Plans until somebody stops it. */
  @CollAlgorithm(name = "endless", summary = "Never ends to plan")
  static final class Endless extends NativeExecutorBase<AllReduceParam> {

    @Override
    protected OpCommTransport calcCommInfo(AllReduceParam param) {
      return OpCommTransport.none();
    }

    @Override
    protected void kernelRun(AllReduceParam param, ExecMem mem) {
      while (!Thread.currentThread().isInterrupted()) {
        Thread.onSpinWait();
      }
    }
  }

  /** Takes nothing. */
  @CollAlgorithm(name = "refusing", summary = "Takes nothing")
  public static final class Refusing extends NativeExecutorBase<AllReduceParam> {

    @Override
    public Support supports(AllReduceParam param) {
      return Support.no("takes nothing");
    }

    @Override
    protected OpCommTransport calcCommInfo(AllReduceParam param) {
      return OpCommTransport.none();
    }

    @Override
    protected void kernelRun(AllReduceParam param, ExecMem mem) {
      throw new IllegalStateException("never asked");
    }
  }
}
