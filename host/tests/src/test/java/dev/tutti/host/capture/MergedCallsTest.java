package dev.tutti.host.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tutti.host.call.CallOptions;
import dev.tutti.host.call.CollectiveCall;
import dev.tutti.host.call.Layout;
import dev.tutti.host.call.Protocols;
import dev.tutti.host.group.ChosenPlan;
import dev.tutti.host.job.BodyReader;
import dev.tutti.host.job.BodyWriter;
import dev.tutti.host.job.MemoryWindows;
import dev.tutti.host.job.Windows;
import dev.tutti.host.topology.RankNames;
import dev.tutti.sdk.AlgOptions;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.Determinism;
import dev.tutti.sdk.WorkflowMode;
import org.junit.jupiter.api.Test;

/** Captured operations that not all ranks have are noticed, and transfers are fully described. */
final class MergedCallsTest {

  private static final MemoryWindows WINDOWS = Windows.ofRank(0);
  private static final CaptureOrder ORDER = new CaptureOrder(3, 0, 7, 0);

  private static final CallDescription TRANSFER =
      new CallDescription(
          CollectiveCall.sendReceive(DataType.INT16, 12, 2, 1),
          CallOptions.defaults()
              .withAlgorithm("some:algorithm")
              .withParameters(AlgOptions.none().with("chunk", 4))
              .withMode(WorkflowMode.OP_BASE)
              .withProtocols(Protocols.parse("rdma,level0=direct"))
              .withDeterminism(Determinism.SAME_RANKS)
              .withTag("a tag")
              .withLayouts(
                  Layout.indexed(new long[] {1, 3, 2}, new long[] {9, 0, 5}).withExtent(12),
                  Layout.contiguous()),
          new ChosenPlan("some:algorithm", "1.2", AlgOptions.none(), WorkflowMode.GRAPH, "abc"));

  private static void add(MergedCalls merged, int rank, boolean isDescribed) {
    BodyWriter body = new BodyWriter().number(0).number(1).number(rank).number(1);
    ORDER.write(body);
    body.number(0).number(0).number(isDescribed ? 1 : 0);
    if (isDescribed) {
      TRANSFER.write(body);
    }
    merged.addOther(new BodyReader(body.bytes()), OtherMemory.shared(WINDOWS));
  }

  @Test
  void aTransferComesAsItWasTold() {
    MergedCalls merged = new MergedCalls(4);
    add(merged, 2, true);
    add(merged, 1, false);
    MergedCalls.Merged call = merged.all(RankNames.ofWorld()).get(ORDER);
    assertThat(call).isNotNull();
    assertThat(call.call()).isEqualTo(TRANSFER.call());
    assertThat(call.options()).isEqualTo(TRANSFER.options());
    assertThat(call.chosen()).isEqualTo(TRANSFER.chosen());
  }

  @Test
  void aTransferThatOnlyItsSourceHasIsNoticed() {
    MergedCalls merged = new MergedCalls(4);
    add(merged, 2, true);
    assertThatThrownBy(() -> merged.all(RankNames.ofWorld()))
        .hasMessage(
            "the capture was abandoned on all ranks, because only rank 2 captured transfer of 12"
                + " int16 from rank 2 to rank 1; the group is still usable");
  }

  @Test
  void anOperationThatThisRankShouldHaveIsNoticed() {
    MergedCalls merged = new MergedCalls(4);
    add(merged, 1, false);
    add(merged, 3, false);
    assertThatThrownBy(() -> merged.all(RankNames.ofWorld()))
        .hasMessageContaining(
            "because only rank 1, rank 3 captured an operation that other ranks did not");
  }

  @Test
  void noOperationIsNoCapture() {
    assertThatThrownBy(() -> new MergedCalls(2).all(RankNames.ofWorld()))
        .hasMessageContaining("nothing was captured");
  }
}
