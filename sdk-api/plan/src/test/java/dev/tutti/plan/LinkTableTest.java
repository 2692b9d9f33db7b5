package dev.tutti.plan;

import static dev.tutti.plan.Pair.IN;
import static dev.tutti.plan.Pair.OUT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.Protocol;
import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.sdk.topology.CommPlane;
import dev.tutti.sdk.topology.Topology;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

class LinkTableTest {

  private static final int PEERS = 8;

  /** Some links of each of several sub-communicators, in random order. */
  private static List<LinkTable.Entry> randomLinks(Random random) {
    List<LinkTable.Entry> links = new ArrayList<>();
    for (CommPlane plane : CommPlane.values()) {
      for (int subComm = 0; subComm < 3; subComm++) {
        for (int peer = 0; peer < PEERS; peer++) {
          if (random.nextInt(3) == 0) {
            links.add(new LinkTable.Entry(randomKind(plane, subComm, random), peer));
          }
        }
      }
    }
    Collections.shuffle(links, random);
    return links;
  }

  private static LinkKind randomKind(CommPlane plane, int subComm, Random random) {
    TransportMemType[] types = TransportMemType.values();
    return new LinkKind(
        plane,
        subComm,
        random.nextInt(3) == 0 ? Protocol.DIRECT : Protocol.RDMA,
        random.nextBoolean(),
        random.nextInt(3, 6),
        types[random.nextInt(types.length)],
        types[random.nextInt(types.length)]);
  }

  @RepeatedTest(20)
  void everyLinkIsFoundByItsKey(RepetitionInfo repetition) {
    List<LinkTable.Entry> links = randomLinks(new Random(repetition.getCurrentRepetition()));
    LinkTable table = LinkTable.of(links, new Interner());

    assertThat(table.size()).isEqualTo(links.size());
    int found = 0;
    for (CommPlane plane : CommPlane.values()) {
      for (int subComm = 0; subComm < 3; subComm++) {
        for (int peer = 0; peer < PEERS; peer++) {
          int link = table.find(plane, subComm, peer);
          if (link >= 0) {
            assertThat(link).as("links are in the order of their keys").isEqualTo(found++);
            assertThat(links).contains(new LinkTable.Entry(table.kind(link), table.peer(link)));
          }
        }
      }
    }
    assertThat(found).isEqualTo(links.size());
    assertThat(table.find(CommPlane.LEVEL0, 3, 0)).isEqualTo(-1);
  }

  @RepeatedTest(20)
  void memoryCanBeLoadedOverAnyDirectLinkThatRegistersIt(RepetitionInfo repetition) {
    List<LinkTable.Entry> links = randomLinks(new Random(repetition.getCurrentRepetition()));
    LinkTable table = LinkTable.of(links, new Interner());

    for (int peer = 0; peer <= PEERS; peer++) {
      for (TransportMemType type : TransportMemType.values()) {
        int wanted = peer;
        boolean isLoadable =
            links.stream()
                .anyMatch(
                    link ->
                        link.peer() == wanted
                            && link.kind().isDirect()
                            && link.kind().registers(type));
        assertThat(table.loads(peer, type)).as("%s of %d", type, peer).isEqualTo(isLoadable);
      }
    }
  }

  @Test
  void linksOfOneSubCommunicatorCanBeAskedForInDifferentWays() {
    CommInfo comm = CommInfo.of(0, Topology.flat(5));
    OpCommTransport transport =
        OpCommTransport.builder(comm)
            .pairs(CommPlane.COMBINED, IN, OUT, 1)
            .pairs(CommPlane.COMBINED, IN, IN, 2)
            .pairs(CommPlane.COMBINED, OUT, IN, 3)
            .notifyNum(7)
            .pairs(CommPlane.COMBINED, OUT, IN, 4)
            .build();
    LinkTable table = LinkTable.of(transport, new Interner());

    assertThat(table.kind(0)).isEqualTo(combined(3, IN, OUT));
    assertThat(table.kind(1)).isEqualTo(combined(3, IN, IN));
    assertThat(table.kind(2)).isEqualTo(combined(3, OUT, IN));
    assertThat(table.kind(3)).isEqualTo(combined(7, OUT, IN));
  }

  private static LinkKind combined(int notifies, TransportMemType input, TransportMemType output) {
    return new LinkKind(CommPlane.COMBINED, 0, Protocol.DIRECT, true, notifies, input, output);
  }

  @Test
  void tablesAreEqualIfTheirLinksAre() {
    List<LinkTable.Entry> links = randomLinks(new Random(1));
    List<LinkTable.Entry> reversed = new ArrayList<>(links);
    Collections.reverse(reversed);
    LinkTable table = LinkTable.of(links, new Interner());

    assertThat(LinkTable.of(reversed, new Interner()))
        .isEqualTo(table)
        .hasSameHashCodeAs(table)
        .isNotEqualTo(table.without(0))
        .isNotEqualTo(LinkTable.EMPTY);
  }

  @Test
  void withoutALinkTheOthersMoveUp() {
    LinkTable table = LinkTable.of(randomLinks(new Random(2)), new Interner());
    LinkTable shorter = table.without(3);

    assertThat(shorter.size()).isEqualTo(table.size() - 1);
    assertThat(shorter.peer(2)).isEqualTo(table.peer(2));
    assertThat(shorter.peer(3)).isEqualTo(table.peer(4));
    assertThat(shorter.kind(3)).isEqualTo(table.kind(4));
  }

  @Test
  void moreLinksThanActionsCanNameAreRefused() {
    LinkKind kind = randomKind(CommPlane.COMBINED, 0, new Random(3));
    List<LinkTable.Entry> links =
        Collections.nCopies(LinkTable.MAX_LINKS + 1, new LinkTable.Entry(kind, 1));

    Refusal.assertRefused(
        () -> LinkTable.of(links, new Interner()),
        ErrorCode.RESOURCE_MISMATCH,
        "a rank can ask for at most 2097152 links. Actual: 2097153");
  }
}
