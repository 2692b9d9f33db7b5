package dev.tutti.plan;

import static dev.tutti.plan.Pair.IN;
import static dev.tutti.plan.Pair.OUT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.sdk.DataType;
import dev.tutti.sdk.Protocol;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.Link;
import dev.tutti.sdk.resource.TransportMemType;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The table of {@link Link}: what each paired verb lowers to. */
class PairedVerbsTest {

  private static final String READ = "copy param-output[0+64] = rank 1's param-input[0+64]";
  private static final String WRITE = "copy rank 1's param-output[0+64] = param-input[0+64]";
  private static final String READ_REDUCE =
      "reduce param-output[0+64] = sum int32(itself, rank 1's param-input[0+64])";
  private static final String WRITE_REDUCE =
      "reduce rank 1's param-output[0+64] = sum int32(itself, param-input[0+64])";
  private static final String NOTHING = "";

  private record Row(
      String verb, String direct, String rdma, String rdmaWithoutAck, Consumer<Pair.Side> call) {
    @Override
    public String toString() {
      return verb;
    }
  }

  private static Row row(String verb, String direct, String rdma, Consumer<Pair.Side> call) {
    return new Row(verb, direct, rdma, rdma, call);
  }

  static Stream<Row> table() {
    return Stream.of(
        row("txAck", "post READY", "post READY", s -> s.link().txAck(s.stream())),
        row("rxAck", "await READY", "await READY", s -> s.link().rxAck(s.stream())),
        row(
            "txAsync",
            "post FIN",
            WRITE + "; post FIN",
            s -> s.link().txAsync(s.stream(), OUT, 0, s.input())),
        row(
            "rxAsync",
            "await FIN; " + READ,
            "await FIN",
            s -> s.link().rxAsync(s.stream(), IN, 0, s.output())),
        row(
            "txWithReduce",
            "post FIN",
            WRITE_REDUCE + "; post FIN",
            s ->
                s.link().txWithReduce(s.stream(), OUT, 0, s.input(), DataType.INT32, ReduceOp.SUM)),
        row(
            "rxWithReduce",
            "await FIN; " + READ_REDUCE,
            "await FIN",
            s ->
                s.link().rxWithReduce(s.stream(), IN, 0, s.output(), DataType.INT32, ReduceOp.SUM)),
        row("txData", NOTHING, WRITE, s -> s.link().txData(s.stream(), OUT, 0, s.input())),
        row("txDataSignal", "post FIN", "post FIN", s -> s.link().txDataSignal(s.stream())),
        row(
            "rxData",
            "await FIN; " + READ,
            NOTHING,
            s -> s.link().rxData(s.stream(), IN, 0, s.output())),
        row("rxDataSignal", NOTHING, "await FIN", s -> s.link().rxDataSignal(s.stream())),
        row("txPrepare", "post READY", "await READY", s -> s.link().txPrepare(s.stream())),
        row("rxPrepare", "await READY", "post READY", s -> s.link().rxPrepare(s.stream())),
        row("txDone", "await FIN_ACK", "await FIN_ACK", s -> s.link().txDone(s.stream())),
        row("rxDone", "post FIN_ACK", "post FIN_ACK", s -> s.link().rxDone(s.stream())),
        new Row(
            "rxWaitDone",
            "post FIN_ACK",
            "post FIN_ACK",
            NOTHING,
            s -> s.link().rxWaitDone(s.stream())),
        new Row(
            "txWaitDone",
            "await FIN_ACK",
            "await FIN_ACK",
            NOTHING,
            s -> s.link().txWaitDone(s.stream())),
        row(
            "dataReceivedAck",
            "post FIN_ACK; await FIN_ACK",
            "post FIN_ACK; await FIN_ACK",
            s -> s.link().dataReceivedAck(s.stream())));
  }

  private static String lowered(Row row, Protocol protocol, boolean acknowledges) {
    GroupPlan plan = Pair.record(protocol, acknowledges, row.call, side -> {});
    return String.join("; ", actions(plan.rank(0)));
  }

  private static List<String> actions(RankPlan plan) {
    return Pair.actions(plan).stream()
        .map(text -> text.replaceAll("^(post|await) (\\w+) (to|from) rank \\d$", "$1 $2"))
        .toList();
  }

  @ParameterizedTest
  @MethodSource("table")
  void onADirectLink(Row row) {
    assertThat(lowered(row, Protocol.DIRECT, true)).isEqualTo(row.direct);
    assertThat(lowered(row, Protocol.DIRECT, false)).isEqualTo(row.direct);
  }

  @ParameterizedTest
  @MethodSource("table")
  void onAnRdmaLinkThatAcknowledgesReceivedData(Row row) {
    assertThat(lowered(row, Protocol.RDMA, true)).isEqualTo(row.rdma);
  }

  @ParameterizedTest
  @MethodSource("table")
  void onAnRdmaLinkWithoutAcknowledgement(Row row) {
    assertThat(lowered(row, Protocol.RDMA, false)).isEqualTo(row.rdmaWithoutAck);
  }

  @Test
  void theTableHasEveryPairedVerb() {
    Set<String> verbs = new TreeSet<>();
    for (var method : Link.class.getMethods()) {
      if (method.getName().matches("(tx|rx|data)[A-Z].*")) {
        verbs.add(method.getName());
      }
    }
    assertThat(table().map(Row::verb)).containsExactlyInAnyOrderElementsOf(verbs);
  }

  @ParameterizedTest
  @EnumSource
  void offsetsNameTheSpanAtTheOtherSide(Protocol protocol) {
    GroupPlan plan =
        Pair.record(
            protocol,
            true,
            s -> s.link().txAsync(s.stream(), OUT, 32, s.input().slice(8, 16)),
            s -> s.link().rxAsync(s.stream(), IN, 8, s.output().slice(32, 16)));

    String moved =
        protocol == Protocol.RDMA
            ? Pair.actions(plan.rank(0)).getFirst()
            : Pair.actions(plan.rank(1)).getLast();
    assertThat(moved)
        .isEqualTo(
            protocol == Protocol.RDMA
                ? "copy rank 1's param-output[32+16] = param-input[8+16]"
                : "copy param-output[32+16] = rank 0's param-input[8+16]");
  }

  // ---- HCCL's send executor

  /** The sequence that HCCL's send executor emits on both sides for each chunk. */
  private static void chunk(Pair.Side side, DeviceMem sent, DeviceMem received) {
    side.link().txAck(side.stream());
    side.link().rxAck(side.stream());
    side.link().txAsync(side.stream(), OUT, 0, sent);
    side.link().rxAsync(side.stream(), IN, 0, received);
    side.link().rxWaitDone(side.stream());
    side.link().txWaitDone(side.stream());
  }

  private static GroupPlan sendAndReceive(Protocol protocol, boolean acknowledges) {
    return Pair.record(
        protocol,
        acknowledges,
        sender -> chunk(sender, sender.input(), sender.output().slice(0, 0)),
        receiver -> chunk(receiver, receiver.input().slice(0, 0), receiver.output()));
  }

  @Test
  void hcclsSendSequencePullsOnADirectLink() {
    GroupPlan plan = sendAndReceive(Protocol.DIRECT, true);

    assertThat(actions(plan.rank(0)))
        .containsExactly(
            "post READY", "await READY", "post FIN", "await FIN", "post FIN_ACK", "await FIN_ACK");
    assertThat(actions(plan.rank(1)))
        .containsExactly(
            "post READY",
            "await READY",
            "post FIN",
            "await FIN",
            "copy param-output[0+64] = rank 0's param-input[0+64]",
            "post FIN_ACK",
            "await FIN_ACK");
  }

  @Test
  void hcclsSendSequencePushesOnAnRdmaLink() {
    GroupPlan plan = sendAndReceive(Protocol.RDMA, true);

    assertThat(actions(plan.rank(0)))
        .containsExactly(
            "post READY",
            "await READY",
            WRITE,
            "post FIN",
            "await FIN",
            "post FIN_ACK",
            "await FIN_ACK");
    assertThat(actions(plan.rank(1)))
        .containsExactly(
            "post READY", "await READY", "post FIN", "await FIN", "post FIN_ACK", "await FIN_ACK");
  }

  @Test
  void hcclsSendSequenceEndsWithTheDataWithoutAcknowledgement() {
    GroupPlan plan = sendAndReceive(Protocol.RDMA, false);

    assertThat(actions(plan.rank(0)))
        .containsExactly("post READY", "await READY", WRITE, "post FIN", "await FIN");
    assertThat(actions(plan.rank(1)))
        .containsExactly("post READY", "await READY", "post FIN", "await FIN");
  }

  @Test
  void emptyTransfersNeedNoRegisteredMemory() {
    GroupPlan plan =
        Pair.record(
            Protocol.RDMA,
            true,
            s -> s.link().txAsync(s.stream(), TransportMemType.SCRATCH, 99, s.input().slice(0, 0)),
            s -> {});

    assertThat(actions(plan.rank(0))).containsExactly("post FIN");
  }
}
