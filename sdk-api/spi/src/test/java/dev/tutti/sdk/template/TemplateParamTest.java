package dev.tutti.sdk.template;

import static dev.tutti.sdk.Refusal.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.Notify;
import dev.tutti.sdk.resource.Slice;
import dev.tutti.sdk.resource.Stream;
import dev.tutti.sdk.resource.TransportMemType;
import java.util.List;
import org.junit.jupiter.api.Test;

class TemplateParamTest {

  private static final DeviceMem INPUT = new DeviceMem(0, TransportMemType.PARAM_INPUT, 100, 40);
  private static final DeviceMem OUTPUT = new DeviceMem(0, TransportMemType.SCRATCH, 0, 40);

  /** Nothing is emitted here. */
  private static final Stream STREAM = new Unused();

  private static final class Unused implements Stream {

    @Override
    public int id() {
      return 0;
    }

    @Override
    public void copy(DeviceMem dst, DeviceMem src) {
      throw new AssertionError();
    }

    @Override
    public void reduce(DeviceMem dst, DeviceMem src, DataType dataType, ReduceOp reduceOp) {
      throw new AssertionError();
    }

    @Override
    public void reduceFrom(
        DeviceMem dst, List<DeviceMem> sources, DataType dataType, ReduceOp reduceOp) {
      throw new AssertionError();
    }

    @Override
    public void post(Notify notify) {
      throw new AssertionError();
    }

    @Override
    public void await(Notify notify) {
      throw new AssertionError();
    }

    @Override
    public void fork(List<Stream> slaves) {
      throw new AssertionError();
    }

    @Override
    public void join(List<Stream> slaves) {
      throw new AssertionError();
    }
  }

  private static TemplateParam param(ReduceOp reduction) {
    return new TemplateParam(
        STREAM, INPUT, OUTPUT, Slice.partition(10, 3, 4), DataType.INT32, reduction);
  }

  @Test
  void slicesAreCountedAroundTheRing() {
    assertThat(param(null).inputSlice(0)).isEqualTo(INPUT.slice(0, 16));
    assertThat(param(null).inputSlice(-1)).isEqualTo(INPUT.slice(28, 12));
    assertThat(param(null).outputSlice(4)).isEqualTo(OUTPUT.slice(16, 12));
  }

  @Test
  void aTemplateThatNeedsAReductionMustGetOne() {
    assertThat(param(ReduceOp.MAX).reduceOp()).isEqualTo(ReduceOp.MAX);
    assertRefused(
        () -> param(null).reduceOp(),
        ErrorCode.INVALID_ARGUMENT,
        "this template needs a reduction");
  }
}
