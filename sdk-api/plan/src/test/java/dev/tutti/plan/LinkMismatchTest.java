package dev.tutti.plan;

import static dev.tutti.plan.Pair.IN;
import static dev.tutti.plan.Pair.OUT;
import static dev.tutti.plan.Refusal.assertRefused;
import static dev.tutti.plan.Refusal.refusalOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.author.OneSidedExecutor;
import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.Protocol;
import dev.tutti.sdk.resource.AlgResourceRequest;
import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.sdk.topology.CommPlane;
import dev.tutti.sdk.topology.RankList;
import dev.tutti.sdk.topology.Topology;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class LinkMismatchTest {

  /** Two ranks request links, each in its own way. */
  private static GroupPlan record(
      UnaryOperator<OpCommTransport.Builder> rank0, UnaryOperator<OpCommTransport.Builder> rank1) {
    ScriptedExecutor executor =
        new ScriptedExecutor(
            param ->
                AlgResourceRequest.of(
                    (param.comm().rank() == 0 ? rank0 : rank1)
                        .apply(OpCommTransport.builder(param.comm()))
                        .build()),
            (param, resources) -> {});
    return new PlanRecorder().record("links", executor, Pair.PARAM);
  }

  private static OpCommTransport.Builder ring(OpCommTransport.Builder links) {
    return links.ring(CommPlane.COMBINED, IN, OUT);
  }

  private static void assertDisagree(UnaryOperator<OpCommTransport.Builder> rank1, String manner) {
    assertRefused(
        () -> record(LinkMismatchTest::ring, rank1),
        ErrorCode.LINK_MISMATCH,
        "links do not match: rank 0 and rank 1 ask for different links to each other in combined"
            + " sub-communicator 0: (direct, 3 notifies, memory param-input and param-output) and ("
            + manner
            + ")");
  }

  @Test
  void matchingLinksAreNumberedInTheOrderOfPlaneSubCommunicatorAndPeer() {
    ScriptedExecutor executor =
        new ScriptedExecutor(
            param ->
                AlgResourceRequest.of(
                    OpCommTransport.builder(param.comm())
                        .subComm(CommPlane.COMBINED, 1, RankList.of(2, 1, 0), IN, OUT, 0, 1, 2)
                        .mesh(CommPlane.COMBINED, IN, OUT)
                        .mesh(CommPlane.LEVEL0, IN, OUT)
                        .build()),
            (param, resources) -> {});
    RankPlan plan =
        new PlanRecorder()
            .record("links", executor, Pair.PARAM.withComm(CommInfo.of(0, Topology.flat(3))))
            .rank(1);

    StringBuilder links = new StringBuilder();
    for (int link = 0; link < plan.linkCount(); link++) {
      links
          .append(plan.linkPlane(link))
          .append(plan.linkSubComm(link))
          .append('>')
          .append(plan.linkPeer(link))
          .append(' ');
    }
    assertThat(links.toString())
        .isEqualTo("LEVEL00>0 LEVEL00>2 COMBINED0>0 COMBINED0>2 COMBINED1>0 COMBINED1>2 ");
  }

  @Test
  void aLinkWithoutItsReverseIsRefused() {
    assertRefused(
        () -> record(LinkMismatchTest::ring, links -> links),
        ErrorCode.LINK_MISMATCH,
        "links do not match: rank 0 asks for a link to rank 1 in combined sub-communicator 0, but"
            + " rank 1 does not ask for the reverse");
  }

  @Test
  void theLineThatAsksForALinkWithoutItsReverseIsNamed() {
    assertRefused(
        () -> new PlanRecorder().record("links", new OneSidedExecutor(false), Pair.PARAM),
        ErrorCode.LINK_MISMATCH,
        "links do not match: rank 0 asks for a link to rank 1 in combined sub-communicator 0 at "
            + lineOf("// rank 0")
            + ", but rank 1 does not ask for the reverse");
  }

  @Test
  void bothLinesOfADisagreementAreNamed() {
    assertRefused(
        () -> new PlanRecorder().record("links", new OneSidedExecutor(true), Pair.PARAM),
        ErrorCode.LINK_MISMATCH,
        "links do not match: rank 0 and rank 1 ask for different links to each other in combined"
            + " sub-communicator 0: (direct, 3 notifies, memory param-input and param-output) at "
            + lineOf("// rank 0")
            + " and (direct, 3 notifies, memory scratch and param-output) at "
            + lineOf("// peers")
            + "");
  }

  private static String lineOf(String mark) {
    Path source = Path.of("src/test/java/dev/tutti/author/OneSidedExecutor.java");
    try {
      String text = Files.readString(source);
      long line = text.substring(0, text.indexOf(mark)).lines().count();
      return "OneSidedExecutor.calcCommInfo(OneSidedExecutor.java:%d)".formatted(line);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void anExecutorThatCannotBeAskedTwiceIsRefusedWithoutALine() {
    AtomicInteger asked = new AtomicInteger();
    ScriptedExecutor executor =
        new ScriptedExecutor(
            param -> {
              if (asked.getAndIncrement() >= Pair.PARAM.comm().rankSize()) {
                throw new IllegalStateException("asked too often");
              }
              OpCommTransport.Builder links = OpCommTransport.builder(param.comm());
              return AlgResourceRequest.of(
                  param.comm().rank() == 0 ? ring(links).build() : links.build());
            },
            (param, resources) -> {});

    assertRefused(
        () -> new PlanRecorder().record("links", executor, Pair.PARAM),
        ErrorCode.LINK_MISMATCH,
        "links do not match: rank 0 asks for a link to rank 1 in combined sub-communicator 0, but"
            + " rank 1 does not ask for the reverse");
    assertThat(asked).hasValue(3);
  }

  @Test
  void aReverseInAnotherPlaneIsNoReverse() {
    assertRefused(
        () -> record(LinkMismatchTest::ring, links -> links.ring(CommPlane.LEVEL0, IN, OUT)),
        ErrorCode.LINK_MISMATCH,
        "links do not match: rank 0 asks for a link to rank 1 in combined sub-communicator 0, but"
            + " rank 1 does not ask for the reverse; rank 1 asks for a link to rank 0 in level0"
            + " sub-communicator 0, but rank 0 does not ask for the reverse");
  }

  @Test
  void differentMemoryIsRefused() {
    assertDisagree(
        links -> links.ring(CommPlane.COMBINED, IN, TransportMemType.SCRATCH),
        "direct, 3 notifies, memory param-input and scratch");
  }

  @Test
  void differentNotifiesAreRefused() {
    assertDisagree(
        links -> links.notifyNum(4).ring(CommPlane.COMBINED, IN, OUT),
        "direct, 4 notifies, memory param-input and param-output");
  }

  @Test
  void differentProtocolsAreRefused() {
    assertDisagree(
        links -> links.protocol(Protocol.RDMA).ring(CommPlane.COMBINED, IN, OUT),
        "rdma, 3 notifies, memory param-input and param-output");
  }

  @Test
  void differentAcknowledgementIsRefused() {
    assertDisagree(
        links -> ring(links.supportDataReceivedAck(false)),
        "direct, 3 notifies, memory param-input and param-output, without acknowledgement");
  }

  @Test
  void aLinkOutOfTheGroupIsRefused() {
    assertRefused(
        () ->
            record(
                links -> links.subComm(CommPlane.COMBINED, 1, RankList.of(0, 9), IN, OUT, 1),
                links -> links),
        ErrorCode.LINK_MISMATCH,
        "links do not match: rank 0 asks for a link to rank 9, but the group has 2 ranks");
  }

  @Test
  void atMostEightMismatchesAreListed() {
    ScriptedExecutor executor =
        new ScriptedExecutor(
            param ->
                AlgResourceRequest.of(
                    param.comm().rank() == 0
                        ? OpCommTransport.mesh(param.comm(), CommPlane.COMBINED, IN, OUT)
                        : OpCommTransport.none()),
            (param, resources) -> {});
    String message =
        refusalOf(
                () ->
                    new PlanRecorder()
                        .record(
                            "links",
                            executor,
                            Pair.PARAM.withComm(CommInfo.of(0, Topology.flat(20)))))
            .getMessage();

    assertThat(message.split("does not ask", -1)).hasSize(9);
    assertThat(message).endsWith("; …");
  }

  @Test
  void linksInTheNameOfAnotherRankAreRefused() {
    ScriptedExecutor executor =
        new ScriptedExecutor(
            param ->
                AlgResourceRequest.of(
                    OpCommTransport.ring(param.comm().withRank(0), CommPlane.COMBINED, IN, OUT)),
            (param, resources) -> {});

    assertRefused(
        () -> new PlanRecorder().record("links", executor, Pair.PARAM),
        ErrorCode.RESOURCE_MISMATCH,
        "calcResRequest of dev.tutti.plan.ScriptedExecutor asked rank 0's links for rank 1;"
            + " build them from param.comm()");
  }
}
