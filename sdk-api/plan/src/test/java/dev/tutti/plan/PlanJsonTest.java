package dev.tutti.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tutti.author.RingAllReduce;
import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.sdk.topology.Topology;
import java.io.ByteArrayInputStream;
import java.io.FilterReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class PlanJsonTest {

  static List<GroupPlan> plans() {
    return SamplePlans.all();
  }

  @ParameterizedTest
  @MethodSource("plans")
  void whatIsReadEqualsWhatWasWritten(GroupPlan plan) {
    GroupPlan read = PlanJson.fromJson(PlanJson.toJson(plan));

    assertThat(read).isEqualTo(plan);
    assertThat(read.digest()).isEqualTo(plan.digest());
    assertThat(PlanJson.toJson(read)).isEqualTo(PlanJson.toJson(plan));
    for (int rank = 0; rank < plan.rankSize(); rank++) {
      assertSameSources(read.rank(rank), plan.rank(rank));
    }
  }

  @Test
  void aFileMaySayWhatThePlanIsFor() throws IOException {
    GroupPlan plan = SamplePlans.everything();
    PlanJson.Content content = new PlanJson.Content(plan, "allreduce --ranks 2");
    StringBuilder text = new StringBuilder();

    PlanJson.write(content, text);

    assertThat(text.toString()).contains("\n  \"request\": \"allreduce --ranks 2\",\n");
    assertThat(PlanJson.read(new StringReader(text.toString()))).isEqualTo(content);
    assertThat(PlanJson.read(new StringReader(PlanJson.toJson(plan))).request()).isEmpty();
    assertThatThrownBy(
            () -> PlanJson.fromJson(text.toString().replace("\"allreduce --ranks 2\"", "7")))
        .hasMessageContaining("the request is expected here");
  }

  private static void assertSameSources(RankPlan read, RankPlan plan) {
    assertThat(read.hasSources()).isEqualTo(plan.hasSources());
    for (int action = 0; action < plan.actionCount(); action++) {
      assertThat(read.source(action)).isEqualTo(plan.source(action));
      if (plan.kind(action) == ActionKind.NESTED) {
        assertSameSources(read.nested(action), plan.nested(action));
      }
    }
  }

  @Test
  void theFormatIsStable() {
    GroupPlan plan =
        Pair.record(s -> s.link().read(s.stream(), s.output(), s.link().remote(Pair.IN)), s -> {});

    assertThat(PlanJson.toJson(plan))
        .isEqualTo(
            """
            {
              "format": "tutti-plan/1",
              "name": "pair",
              "inPlace": false,
              "ranks": [
                {
                  "rank": 0,
                  "streams": 2,
                  "notifies": 2,
                  "memory": {"ccl-input": 4194304, "ccl-output": 4194304, "param-input": 64, "param-output": 64},
                  "links": [
                    {"plane": "combined", "subComm": 0, "peer": 1, "protocol": "direct", "ack": true, "notifies": 5, "input": "param-input", "output": "param-output"}
                  ],
                  "actions": [
                    {"kind": "copy", "stream": 0, "dst": [0, "param-output", 0], "src": [1, "param-input", 0], "bytes": 64}
                  ]
                },
                {
                  "rank": 1,
                  "streams": 2,
                  "notifies": 2,
                  "memory": {"ccl-input": 4194304, "ccl-output": 4194304, "param-input": 64, "param-output": 64},
                  "links": [
                    {"plane": "combined", "subComm": 0, "peer": 0, "protocol": "direct", "ack": true, "notifies": 5, "input": "param-input", "output": "param-output"}
                  ],
                  "actions": []
                }
              ]
            }
            """);
  }

  @Test
  void everyKindOfActionHasItsFields() {
    assertThat(PlanJson.toJson(SamplePlans.everything()).lines().map(String::strip))
        .contains(
            "{\"kind\": \"post\", \"stream\": 0, \"notify\": 0},",
            "{\"kind\": \"reduce\", \"stream\": 2, \"dst\": [0, \"param-output\", 32], \"src\": [0,"
                + " \"param-input\", 0], \"bytes\": 32, \"type\": \"bfloat16\", \"op\": \"prod\"},",
            "{\"kind\": \"reduce-from\", \"stream\": 0, \"dst\": [0, \"param-output\", 0],"
                + " \"srcs\": [[0, \"param-input\", 0], [1, \"param-input\", 8], [0,"
                + " \"param-output\", 0]], \"bytes\": 8, \"type\": \"uint64\", \"op\": \"bxor\"},",
            "{\"kind\": \"await\", \"stream\": 2, \"link\": 1, \"notify\": 6},");
    assertThat(PlanJson.toJson(SamplePlans.nested()).lines().map(String::strip))
        .contains("{\"kind\": \"nested\", \"stream\": 0, \"plan\": 2},");
  }

  @Test
  void aPlanThatRunsTwiceIsWrittenOnce() {
    String json = PlanJson.toJson(SamplePlans.nested());

    // For each of two ranks: the ring once, everything once, their sequence once, and the rank's.
    assertThat(json.split("\"actions\"", -1)).hasSize(1 + 2 * 4);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "\"quoted\" \\ back/slash",
        "line\nbreak\ttab\u0000nul\u007f",
        "ring ⊕ größe 環 🎶",
        "lone \ud800 surrogate \udc00",
        "\udc00\ud800",
        "%s %n"
      })
  void anyNameIsKept(String name) throws IOException {
    GroupPlan plan = new GroupPlan(name, false, List.of(new RankPlanBuilder(0).build()));
    byte[] utf8 = PlanJson.toJson(plan).getBytes(StandardCharsets.UTF_8);
    Reader reader = new InputStreamReader(new ByteArrayInputStream(utf8), StandardCharsets.UTF_8);

    assertThat(PlanJson.fromJson(reader)).isEqualTo(plan);
  }

  @Test
  void fieldsAreReadInAnyOrderAndLayout() {
    String json =
        """
        {"format":"tutti-plan/1","ranks":[{"memory":{"scratch":9},"links":[],"plans":[],"lines":[],\r
        \t"notifies":0,"streams":1,"rank":0,"actions":[
        {"bytes":4,"src":[0,"scratch",5],"dst":[0,"scr\\u0061tch",0],"stream":0,"kind":"copy"}]}],
        "inPlace":true,"name":"\\u006E\\/\\b\\f\\n\\r\\t\\"\\\\"}""";
    String withoutLines = json.replace("\"lines\":[],", "");
    GroupPlan plan = PlanJson.fromJson(withoutLines);

    assertThat(plan.name()).isEqualTo("n/\b\f\n\r\t\"\\");
    assertThat(plan.inPlace()).isTrue();
    assertThat(plan.rank(0).describe(0)).isEqualTo("copy scratch[0+4] = scratch[5+4]");
    assertThat(plan.rank(0).memSize(TransportMemType.SCRATCH)).isEqualTo(9);
  }

  @Test
  void linksAreNumberedByTheirPlaceInTheFile() {
    GroupPlan plan = SamplePlans.everything();
    String json = PlanJson.toJson(plan);
    List<String> links = json.lines().filter(line -> line.contains("\"plane\"")).limit(2).toList();
    String swapped =
        json.replaceFirst(
                "(?s)\\Q" + links.get(0) + "\n" + links.get(1) + "\\E",
                links.get(1) + ",\n" + links.get(0).substring(0, links.get(0).length() - 1))
            .replace("\"link\": 0", "\"link\": x");
    int rank1 = swapped.indexOf("\"rank\": 1");
    String rank0 =
        swapped
            .substring(0, rank1)
            .replace("\"link\": 1", "\"link\": 0")
            .replace("\"link\": x", "\"link\": 1");
    String rest = swapped.substring(rank1).replace("\"link\": x", "\"link\": 0");

    assertThat(rank0 + rest).isNotEqualTo(json);
    assertThat(PlanJson.fromJson(rank0 + rest)).isEqualTo(plan);
  }

  @Test
  void aLargePlanIsWrittenAndReadInPieces() throws IOException {
    GroupPlan plan =
        new PlanRecorder()
            .withSources(false)
            .record(
                "large",
                new RingAllReduce(),
                Pair.PARAM.withComm(CommInfo.of(0, Topology.flat(100))));
    LongestPiece target = new LongestPiece();
    PlanJson.write(plan, target);

    assertThat(plan.actionCount()).isGreaterThan(100_000);
    assertThat(target.longest).isLessThan(20_000);
    assertThat(PlanJson.fromJson(trickling(target.text.toString()))).isEqualTo(plan);
  }

  /** Collects text and records the longest piece. */
  private static final class LongestPiece implements Appendable {
    private final StringBuilder text = new StringBuilder();
    private int longest;

    @Override
    public Appendable append(CharSequence piece) {
      longest = Math.max(longest, piece.length());
      text.append(piece);
      return this;
    }

    @Override
    public Appendable append(CharSequence piece, int start, int end) {
      return append(piece.subSequence(start, end));
    }

    @Override
    public Appendable append(char c) {
      return append(String.valueOf(c));
    }
  }

  /** A source that gives few characters at a time. */
  private static Reader trickling(String text) {
    return new FilterReader(new StringReader(text)) {
      @Override
      public int read(char[] buffer, int offset, int length) throws IOException {
        return super.read(buffer, offset, Math.min(length, 7));
      }
    };
  }

  @Test
  void failuresOfTargetAndSourceComeOutAsTheyAre() {
    Reader broken =
        new FilterReader(new StringReader("")) {
          @Override
          public int read(char[] buffer, int offset, int length) throws IOException {
            throw new IOException("unplugged");
          }
        };

    assertThatThrownBy(() -> PlanJson.fromJson(broken))
        .isInstanceOf(IOException.class)
        .hasMessage("unplugged");
    assertThatThrownBy(
            () ->
                PlanJson.write(
                    SamplePlans.ring(),
                    new LongestPieceOf(
                        () -> {
                          throw new UncheckedIOException(new IOException("full"));
                        })))
        .isInstanceOf(UncheckedIOException.class);
  }

  /** Runs a task instead of writing text. */
  private record LongestPieceOf(Runnable failure) implements Appendable {
    @Override
    public Appendable append(CharSequence piece) {
      failure.run();
      return this;
    }

    @Override
    public Appendable append(CharSequence piece, int start, int end) {
      return append(piece);
    }

    @Override
    public Appendable append(char c) {
      return append("" + c);
    }
  }

  @Test
  void theSourceIsReadToItsEndAndNotClosed() throws IOException {
    boolean[] isClosed = new boolean[1];
    Reader source =
        new FilterReader(new StringReader(PlanJson.toJson(SamplePlans.ring()) + " \n\t")) {
          @Override
          public void close() {
            isClosed[0] = true;
          }
        };
    PlanJson.fromJson(source);

    assertThat(source.read()).isEqualTo(-1);
    assertThat(isClosed[0]).isFalse();
  }

  @Test
  void everyMemoryKindFitsTheOperandsOfAPlan() {
    assertThat(IntStream.of(TransportMemType.values().length).max().getAsInt())
        .as("three bits of an operand hold the kind")
        .isLessThanOrEqualTo(8);
  }
}
