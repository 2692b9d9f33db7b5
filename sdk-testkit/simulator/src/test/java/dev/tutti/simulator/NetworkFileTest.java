package dev.tutti.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.withinPercentage;

import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.topology.CommPlane;
import dev.tutti.sdk.topology.Topology;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NetworkFileTest {

  private static final String EXAMPLE =
      """
      {
        "format": "tutti-network/1",
        "topology": {"pods": [[8, 8], [8, 4]]},
        "sharing": "max-min",
        "levels": {
          "level0": {"latency": "0.5 us", "overhead": "50 ns", "bandwidth": "200 GB/s"},
          "level1": {"latency": "1.5 us", "bandwidth": "200 Gbit/s", "port": "own"},
          "level2": {"latency": "3 us"}
        },
        "nodeUplink": "100 GB/s",
        "oversubscription": "3:2",
        "reduction": "50 GB/s",
        "copy": "1 TiB/s",
        "notify": "200 ns",
        "localNotify": "10 ns"
      }
      """;

  private static String with(String field) {
    return "{\"format\": \"tutti-network/1\", " + field + "}";
  }

  @Test
  void everyTermIsReadInItsUnit() {
    assertIsExample(NetworkFile.parse(EXAMPLE));
  }

  @Test
  void aWrittenModelIsReadAgain() {
    String text = NetworkFile.text(NetworkFile.parse(EXAMPLE));

    assertIsExample(NetworkFile.parse(text));
    for (NetworkModel each : List.of(NetworkModel.cluster(), NetworkModel.machine())) {
      String written = NetworkFile.text(each);
      assertThat(NetworkFile.text(NetworkFile.parse(written))).isEqualTo(written);
    }
    assertThat(NetworkFile.parse(NetworkFile.text(NetworkModel.cluster())).nodeUplink())
        .isEqualTo(NetworkModel.cluster().nodeUplink());
    assertThat(NetworkFile.text(NetworkModel.builder().build())).doesNotContain("bandwidth");
  }

  @ParameterizedTest
  @CsvSource({
    "0, 1, 1",
    "1, 1, 1000000000000000",
    "1, 3, 1000000000000000000",
    "9223372036854775807, 1, 9223372036854775807",
    "4611686018427387903, 7, 4611686018427387902",
    "4611686018427387903, 1000000000000000, 1",
  })
  void extremeTimesAndBandwidthsAreReadAgain(long latency, long picoseconds, long bytes) {
    LinkTerms terms = LinkTerms.of(latency, new PerByte(picoseconds, bytes));
    NetworkModel model = NetworkModel.builder().level(CommPlane.LEVEL0, terms).build();

    LinkTerms read = NetworkFile.parse(NetworkFile.text(model)).level(CommPlane.LEVEL0);

    assertThat(read.latency()).isEqualTo(latency);
    assertThat(read.beta().value()).isCloseTo(terms.beta().value(), withinPercentage(1e-6));
  }

  @Test
  void aBandwidthThatIsRoundedToNothingIsNotWritten() {
    NetworkModel model =
        NetworkModel.builder().reduction(new PerByte(4_000_000_000_000_000_000L, 1)).build();

    assertThatThrownBy(() -> NetworkFile.text(model))
        .isInstanceOf(TuttiException.class)
        .hasMessageContaining("below a thousandth of a byte per second. Actual: reduction of 4");
  }

  @Test
  void whatTheFormatCannotSayIsNotWritten() {
    NetworkModel model =
        NetworkModel.builder()
            .level(CommPlane.LEVEL0, LinkTerms.of(1, PerByte.of(1)))
            .level(CommPlane.LEVEL1, LinkTerms.of(1, PerByte.FREE))
            .build();

    assertThatThrownBy(() -> NetworkFile.text(model))
        .isInstanceOf(TuttiException.class)
        .hasMessageContaining("cannot say that bytes are free at level1");
  }

  private static void assertIsExample(NetworkModel model) {
    assertThat(model.topology())
        .contains(Topology.pods(List.of(new int[] {8, 8}, new int[] {8, 4})));
    assertThat(model.sharing()).isEqualTo(Sharing.MAX_MIN);
    assertThat(model.level(CommPlane.LEVEL0))
        .isEqualTo(new LinkTerms(500_000, 50_000, PerByte.of(5), false));
    assertThat(model.level(CommPlane.LEVEL1))
        .isEqualTo(new LinkTerms(1_500_000, 50_000, PerByte.of(40), true));
    assertThat(model.level(CommPlane.LEVEL2))
        .isEqualTo(new LinkTerms(3_000_000, 50_000, PerByte.of(40), false));
    assertThat(model.nodeUplink()).contains(PerByte.of(10));
    assertThat(model.oversubscription()).isEqualTo(1.5);
    assertThat(model.reduction()).isEqualTo(PerByte.of(20));
    assertThat(model.copy()).isEqualTo(PerByte.bandwidth(1L << 40));
    assertThat(model.notifyTime()).isEqualTo(200_000);
    assertThat(model.localNotifyTime()).isEqualTo(10_000);
  }

  @Test
  void whatIsLeftOutIsFree() {
    NetworkModel model = NetworkFile.parse("{\"format\": \"tutti-network/1\"}");
    assertThat(model.topology()).isEmpty();
    assertThat(model.sharing()).isEqualTo(Sharing.NONE);
    assertThat(model.level(CommPlane.LEVEL2)).isEqualTo(LinkTerms.of(0, PerByte.FREE));
    assertThat(model.reduction()).isEqualTo(PerByte.FREE);
  }

  @Test
  void ranksCanBeDealtToEqualNodesAndPods() {
    assertThat(topology("{\"ranks\": 5}")).isEqualTo(Topology.flat(5));
    assertThat(topology("{\"nodes\": [8, 4]}")).isEqualTo(Topology.nodes(8, 4));
    assertThat(topology("{\"ranks\": 11, \"ranksPerNode\": 4}")).isEqualTo(Topology.nodes(4, 4, 3));
    assertThat(topology("{\"ranks\": 11, \"ranksPerNode\": 2, \"nodesPerPod\": 4}"))
        .isEqualTo(Topology.pods(List.of(new int[] {2, 2, 2, 2}, new int[] {2, 1})));
  }

  private static Topology topology(String text) {
    return NetworkFile.parse(with("\"topology\": " + text)).topology().orElseThrow();
  }

  private static void refuses(String field, ErrorCode code, String message) {
    assertThatThrownBy(() -> NetworkFile.parse(with(field)))
        .isInstanceOfSatisfying(TuttiException.class, e -> assertThat(e.code()).isEqualTo(code))
        .hasMessage("network file, line 1, " + message);
  }

  @Test
  void unknownNamesAreRefusedWithTheNearestOne() {
    refuses(
        "\"nodeUplnk\": \"1 GB/s\"",
        ErrorCode.UNKNOWN_NAME,
        "column 44 ($.nodeUplnk): unknown field 'nodeUplnk'; did you mean 'nodeUplink'? (known:"
            + " format, topology, sharing, levels, nodeUplink, oversubscription, reduction, copy,"
            + " notify, localNotify)");
    refuses(
        "\"sharing\": \"maxmin\"",
        ErrorCode.UNKNOWN_NAME,
        "column 42 ($.sharing): unknown sharing 'maxmin'; did you mean 'max-min'? (known: none,"
            + " max-min)");
    refuses(
        "\"levels\": {\"level3\": {}}",
        ErrorCode.UNKNOWN_NAME,
        "column 52 ($.levels.level3): unknown field 'level3'; did you mean 'level0'? (known:"
            + " level0, level1, level2)");
    refuses(
        "\"levels\": {\"level0\": {\"latency\": \"1 ums\"}}",
        ErrorCode.UNKNOWN_NAME,
        "column 64 ($.levels.level0.latency): unknown unit of time 'ums'; did you mean 'us'?"
            + " (known: ps, ns, us, µs, ms, s)");
    refuses(
        "\"levels\": {\"level0\": {\"port\": \"mine\"}}",
        ErrorCode.UNKNOWN_NAME,
        "column 61 ($.levels.level0.port): unknown port 'mine' (known: own, shared)");
  }

  @Test
  void valuesOutOfTheirRangeAreRefused() {
    refuses(
        "\"notify\": \"0.0001 ns\"",
        ErrorCode.INVALID_ARGUMENT,
        "column 41 ($.notify): must be a whole number of picoseconds. Actual: 0.0001 ns");
    refuses(
        "\"notify\": \"5\"",
        ErrorCode.INVALID_ARGUMENT,
        "column 41 ($.notify): must be a time with its unit, for example \"1.5 us\". Actual: \"5\"");
    refuses(
        "\"notify\": 5",
        ErrorCode.INVALID_ARGUMENT,
        "column 41 ($.notify): must be a string. Actual: 5");
    refuses(
        "\"copy\": \"0 GB/s\"",
        ErrorCode.INVALID_ARGUMENT,
        "column 39 ($.copy): must be more than 0; leave the field out for no limit");
    refuses(
        "\"oversubscription\": \"2\"",
        ErrorCode.INVALID_ARGUMENT,
        "column 51 ($.oversubscription): must be the ratio of the capacity below to the capacity"
            + " above, for example \"2:1\". Actual: \"2\"");
    refuses(
        "\"topology\": {\"ranks\": 0}",
        ErrorCode.INVALID_ARGUMENT,
        "column 53 ($.topology.ranks): must be a whole number from 1 to 16777216. Actual: 0");
    refuses(
        "\"topology\": {\"pods\": [[]]}",
        ErrorCode.INVALID_ARGUMENT,
        "column 52 ($.topology.pods): a pod must have at least one node");
    refuses(
        "\"topology\": {\"ranks\": 4, \"nodes\": [4]}",
        ErrorCode.INVALID_ARGUMENT,
        "column 43 ($.topology): must have one of 'pods', 'nodes' and 'ranks'. Actual: [ranks,"
            + " nodes]");
  }

  @Test
  void uplinksThatNobodySharesAreRefused() {
    assertThatThrownBy(() -> NetworkFile.parse(with("\"nodeUplink\": \"1 GB/s\"")))
        .hasMessageEndingWith("set sharing to max-min");
  }

  @Test
  void anotherFormatIsRefused() {
    assertThatThrownBy(() -> NetworkFile.parse("{\"format\": \"tutti-network/2\"}"))
        .hasMessageEndingWith("must be \"tutti-network/1\". Actual: \"tutti-network/2\"");
    assertThatThrownBy(() -> NetworkFile.parse("{}"))
        .hasMessage("network file, line 1, column 1 ($): the field 'format' is missing");
  }

  @Test
  void aFileIsNamedInItsErrors(@TempDir Path directory) throws Exception {
    Path file = Files.writeString(directory.resolve("cluster.json"), "{");
    assertThatThrownBy(() -> NetworkFile.read(file)).hasMessageStartingWith(file.toString());
    assertThatThrownBy(() -> NetworkFile.read(directory.resolve("none.json")))
        .isInstanceOf(TuttiException.class)
        .hasMessageEndingWith("none.json cannot be read: there is no such file; check the path");
  }

  @Test
  void theExampleOfTheDocumentationIsReadable() throws Exception {
    String page = Files.readString(Path.of("..", "..", "docs", "simulator.md"));
    int start = page.indexOf("```json\n") + "```json\n".length();
    NetworkModel model = NetworkFile.parse(page.substring(start, page.indexOf("```", start)));
    assertThat(model.topology().orElseThrow().rankSize()).isEqualTo(64);
    assertThat(model.sharing()).isEqualTo(Sharing.MAX_MIN);
  }
}
