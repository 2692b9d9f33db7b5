package dev.tutti.plan;

import static dev.tutti.plan.Refusal.assertRefused;
import static dev.tutti.plan.Refusal.refusalOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.io.Reader;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class PlanJsonErrorsTest {

  /** A correct file that the tests break in one place each. */
  private static final String FILE =
      """
      {
        "format": "tutti-plan/1",
        "name": "file",
        "inPlace": false,
        "ranks": [
          {
            "rank": 0, "streams": 2, "notifies": 1, "memory": {"scratch": 64, "aiv-input": 64},
            "links": [
              {"plane": "level0", "subComm": 0, "peer": 1, "protocol": "direct", "ack": true,
               "notifies": 3, "input": "scratch", "output": "scratch"}
            ],
            "plans": [{"streams": 1, "notifies": 0, "memory": {}, "actions": []}],
            "lines": ["A.b(A.java:1)"],
            "actions": [
              {"kind": "copy", "stream": 0, "dst": [0, "aiv-input", 0], "src": [1, "scratch", 60], "bytes": 4, "line": 0},
              {"kind": "reduce-from", "stream": 1, "dst": [0, "scratch", 0], "srcs": [[0, "scratch", 8], [1, "scratch", 0]], "bytes": 8, "type": "int32", "op": "band", "line": 0},
              {"kind": "post", "stream": 0, "link": 0, "notify": 2, "line": 0},
              {"kind": "await", "stream": 0, "notify": 0, "line": 0},
              {"kind": "nested", "stream": 0, "plan": 0, "line": 0}
            ]
          },
          {
            "rank": 1, "streams": 1, "notifies": 0, "memory": {"scratch": 64},
            "links": [
              {"plane": "level0", "subComm": 0, "peer": 0, "protocol": "direct", "ack": true, "notifies": 3, "input": "scratch", "output": "scratch"}
            ],
            "plans": [{"streams": 1, "notifies": 0, "memory": {}, "actions": []}],
            "actions": [{"kind": "nested", "stream": 0, "plan": 0}]
          }
        ]
      }
      """;

  @Test
  void theFileIsCorrect() {
    assertThat(PlanJson.fromJson(FILE).actionCount()).isEqualTo(4);
  }

  private static Arguments broken(String find, String replacement, String message) {
    return Arguments.of(find, replacement, message);
  }

  static Stream<Arguments> malformed() {
    return Stream.of(
        broken(
            "\"file\",", "\"file\"", "line 4, column 3 ($): ',' or '}' must follow. Actual: '\"'"),
        broken(
            "\"inPlace\": false",
            "\"inPlace\" false",
            "line 4, column 13 ($): ':' must follow a field name. Actual: 'f'"),
        broken(
            "false",
            "FALSE",
            "line 4, column 14 ($.inPlace): inPlace must be true or false. Actual: 'F'"),
        broken("false", "flase", "line 4, column 14 ($.inPlace): inPlace must be true or false"),
        broken(
            "\"file\"",
            "null",
            "line 3, column 11 ($.name): the name is expected here. Actual: 'n'"),
        broken(
            "\"file\"",
            "'file'",
            "line 3, column 11 ($.name): the name is expected here. Actual: '''"),
        broken(
            "\"file\"",
            "\"fi\nle\"",
            "line 3, column 11 ($.name): a string must escape control characters. Actual: character"
                + " U+000A"),
        broken(
            "\"file\"",
            "\"\\x\"",
            "line 3, column 11 ($.name): an escape must be one of \\\" \\\\ \\/ \\b \\f \\n \\r \\t"
                + " \\u. Actual: \\ and 'x'"),
        broken(
            "\"file\"",
            "\"\\u00g0\"",
            "line 3, column 11 ($.name): four hexadecimal digits must follow \\u. Actual: 'g'"),
        broken(
            "\"line\": 0}\n",
            "\"line\": 0},\n",
            "line 20, column 7 ($.ranks[0].actions[4]): a comma must not stand before ']'; remove"
                + " it"),
        broken(
            "[0, \"aiv-input\", 0]",
            "{}",
            "line 15, column 46 ($.ranks[0].actions[0].dst): an array is expected here. Actual:"
                + " '{'"),
        broken(
            "\"streams\": 2,",
            "\"streams\": 2, // two\n",
            "line 7, column 32 ($.ranks[0]): a field name is expected here. Actual: '/'"));
  }

  static Stream<Arguments> numbers() {
    return Stream.of(
        broken(
            "\"streams\": 2",
            "\"streams\": 0",
            "($.ranks[0].streams): streams must be a whole number from 1 to 4096." + " Actual: 0"),
        broken(
            "\"streams\": 2",
            "\"streams\": 2.0",
            "($.ranks[0].streams): streams must be a whole number from 1 to 4096."
                + " Actual: 2.0"),
        broken(
            "\"streams\": 2",
            "\"streams\": 02",
            "($.ranks[0].streams): streams must be a whole number from 1 to 4096." + " Actual: 02"),
        broken(
            "\"streams\": 2",
            "\"streams\": 1e1",
            "($.ranks[0].streams): streams must be a whole number from 1 to 4096."
                + " Actual: 1e1"),
        broken(
            "\"streams\": 2",
            "\"streams\": \"2\"",
            "($.ranks[0].streams): streams must be a whole number. Actual: '\"'"),
        broken(
            "\"notifies\": 1,",
            "\"notifies\": -1,",
            "($.ranks[0].notifies): notifies must be a whole number from 0 to"
                + " 2147483647. Actual: -1"),
        broken(
            "\"scratch\": 64,",
            "\"scratch\": 9223372036854775808,",
            "($.ranks[0].memory.scratch): the size of a memory must be a whole"
                + " number from 0 to 9223372036854775807. Actual: 9223372036854775808"),
        broken(
            "\"rank\": 1",
            "\"rank\": 2",
            "($.ranks[1].rank): the rank, equal to its place in the list, must be"
                + " a whole number from 1 to 1. Actual: 2"),
        broken(
            "\"bytes\": 4",
            "\"bytes\": 0",
            "($.ranks[0].actions[0].bytes): bytes must be a whole number from 1"
                + " to 9223372036854775807. Actual: 0"),
        broken(
            "\"bytes\": 8",
            "\"bytes\": 6",
            "($.ranks[0].actions[1]): bytes must be a multiple of the 4 bytes of"
                + " int32. Actual: 6"),
        broken(
            "\"stream\": 1",
            "\"stream\": 2",
            "($.ranks[0].actions[1].stream): stream must be a whole number from 0"
                + " to 1. Actual: 2"),
        broken(
            "\"link\": 0",
            "\"link\": 1",
            "($.ranks[0].actions[2].link): link must be a whole number from 0 to"
                + " 0. Actual: 1"),
        broken(
            "\"notify\": 2",
            "\"notify\": 3",
            "($.ranks[0].actions[2]): notify must be less than the 3 notifies of"
                + " the link. Actual: 3"),
        broken(
            "\"notify\": 0",
            "\"notify\": 1",
            "($.ranks[0].actions[3]): notify must be less than the 1 notifies of"
                + " the plan. Actual: 1"),
        broken(
            "\"plan\": 0, \"line\"",
            "\"plan\": 1, \"line\"",
            "($.ranks[0].actions[4].plan): plan must be a whole number from 0 to"
                + " 0. Actual: 1"),
        broken(
            "60], \"bytes\": 4, \"line\": 0",
            "60], \"bytes\": 4, \"line\": 1",
            "($.ranks[0].actions[0].line): line must be a whole number from 0 to"
                + " 0. Actual: 1"),
        broken(
            "\"scratch\", 60]",
            "\"scratch\", 9223372036854775807]",
            "($.ranks[0].actions[0]): an operand must end below 2^63 bytes."
                + " Actual: offset 9223372036854775807 and 4 bytes"),
        broken(
            "\"notifies\": 3,",
            "\"notifies\": 2,",
            "($.ranks[0].links[0].notifies): notifies of a link must be a whole"
                + " number from 3 to 1024. Actual: 2"),
        broken(
            "\"peer\": 1",
            "\"peer\": 0",
            "($.ranks[0].links[0].peer): a link must lead to another rank. Actual:" + " 0"));
  }

  static Stream<Arguments> names() {
    return Stream.of(
        broken(
            "tutti-plan/1",
            "tutti-plan/2",
            "($.format): the format must be 'tutti-plan/1'. Actual:"
                + " 'tutti-plan/2'; write the plan again with this version"),
        broken(
            "\"inPlace\"",
            "\"inplace\"",
            "($.inplace): unknown field of a plan file 'inplace'; did you mean"
                + " 'inPlace'? (known: format, name, request, inPlace, ranks)"),
        broken(
            "\"streams\": 2",
            "\"stream\": 2",
            "($.ranks[0].stream): unknown field of a rank 'stream'; did you mean"
                + " 'streams'? (known: rank, streams, notifies, memory, links, plans, lines,"
                + " actions)"),
        broken(
            "\"ack\"",
            "\"acks\"",
            "($.ranks[0].links[0].acks): unknown field of a link 'acks'; did you"
                + " mean 'ack'? (known: plane, subComm, peer, protocol, ack, notifies, input,"
                + " output)"),
        broken(
            "\"op\"",
            "\"ops\"",
            "($.ranks[0].actions[1].ops): unknown field of an action 'ops'; did"
                + " you mean 'op'? (known: kind, stream, dst, src, srcs, bytes, type, op, link,"
                + " notify, plan, line)"),
        broken(
            "\"reduce-from\"",
            "\"reduce_from\"",
            "($.ranks[0].actions[1].kind): unknown action kind 'reduce_from'; did"
                + " you mean 'reduce-from'? (known: copy, reduce, reduce-from, post, await,"
                + " nested)"),
        broken(
            "\"int32\"",
            "\"in32\"",
            "($.ranks[0].actions[1].type): unknown data type 'in32'; did you"
                + " mean 'int32'? (known: int8, int16, int32, int64, uint8, uint16, uint32, uint64,"
                + " float16, bfloat16, float32, float64)"),
        broken(
            "\"band\"",
            "\"sun\"",
            "($.ranks[0].actions[1].op): unknown reduction 'sun'; did you mean"
                + " 'sum'? (known: sum, prod, max, min, band, bor, bxor)"),
        broken(
            "{\"scratch\": 64, ",
            "{\"scrach\": 64, ",
            "($.ranks[0].memory.scrach): unknown memory kind 'scrach'; did you"
                + " mean 'scratch'? (known: ccl-input, ccl-output, param-input, param-output,"
                + " scratch, aiv-input, aiv-output)"),
        broken(
            "\"level0\"",
            "\"LEVEL0\"",
            "($.ranks[0].links[0].plane): unknown plane 'LEVEL0'; did you mean"
                + " 'level0'? (known: level0, level1, level2, combined)"),
        broken(
            "\"direct\"",
            "\"directly\"",
            "($.ranks[0].links[0].protocol): unknown protocol 'directly'; did you"
                + " mean 'direct'? (known: direct, rdma)"));
  }

  static Stream<Arguments> fields() {
    return Stream.of(
        broken(
            "\"name\": \"file\",",
            "",
            "($): a plan file must have the fields name, inPlace and ranks, and a" + " rank"),
        broken(
            "\"name\": \"file\",",
            "\"name\": \"file\", \"name\": \"file\",",
            "($): the field 'name' appears twice; remove one"),
        broken(
            "\"memory\": {\"scratch\": 64},",
            "",
            "($.ranks[1].actions): the fields streams, notifies and memory must come before"
                + " 'actions'"),
        broken("\"rank\": 1, ", "", "($.ranks[1]): the field 'rank' is missing; add it"),
        broken(
            "\"actions\": [{\"kind\": \"nested\", \"stream\": 0, \"plan\": 0}]",
            "\"lines\": []",
            "($.ranks[1]): the field 'actions' is missing; add it"),
        broken(
            "\"plan\": 0}]\n",
            "\"plan\": 0}], \"lines\": []\n",
            "($.ranks[1].lines): 'lines' must come before 'actions'; move it"),
        broken(
            "[{\"streams\": 1,",
            "[{\"rank\": 0, \"streams\": 1,",
            "($.ranks[0].plans[0].rank): a nested plan has no field 'rank';" + " remove it"),
        broken(
            "\"output\": \"scratch\"}\n      ],\n      \"plans\": [{\"streams\": 1,",
            "\"output\": \"scratch\", \"peer\": 2}\n      ],\n      \"plans\": [{\"streams\": 1,",
            "($.ranks[0].links[0]): the field 'peer' appears twice; remove one"),
        broken(
            "\"subComm\": 0, \"peer\": 1,",
            "\"subComm\": 0,",
            "($.ranks[0].links[0]): a link must have the fields plane, subComm,"
                + " peer, protocol, ack, notifies, input and output"),
        broken(
            "{\"kind\": \"post\", ",
            "{",
            "($.ranks[0].actions[2]): an action must have the field 'kind'"),
        broken(
            "\"notify\": 2, ",
            "",
            "($.ranks[0].actions[2]): action 'post' must have the field 'notify';" + " add it"),
        broken(
            "\"notify\": 2, ",
            "\"notify\": 2, \"bytes\": 9, ",
            "($.ranks[0].actions[2]): action 'post' has no field 'bytes'; remove" + " it"),
        broken(
            "\"bytes\": 4, \"line\": 0",
            "\"bytes\": 4",
            "($.ranks[0].actions[0]): action 'copy' must have the field 'line';" + " add it"),
        broken(
            "\"plan\": 0}]\n",
            "\"plan\": 0, \"line\": 0}]\n",
            "($.ranks[1].actions[0].line): 'line' is not allowed here: the plan has no lines"),
        broken(
            "[0, \"aiv-input\", 0]",
            "[0, \"aiv-input\"]",
            "($.ranks[0].actions[0].dst[1]): an operand must have three entries:"
                + " rank, memory kind and offset"),
        broken(
            "[0, \"aiv-input\", 0]",
            "[0, \"aiv-input\", 0, 4]",
            "($.ranks[0].actions[0].dst[3]): an operand must have three entries:"
                + " rank, memory kind and offset"),
        broken(
            "[[0, \"scratch\", 8], [1, \"scratch\", 0]]",
            "[[0, \"scratch\", 8]]",
            "($.ranks[0].actions[1]): reduce-from must have two sources or more." + " Actual: 1"),
        broken(
            "\"type\": \"int32\"",
            "\"type\": \"float32\"",
            "($.ranks[0].actions[1]): reduction band takes integer types only."
                + " Actual: float32"));
  }

  /** Errors that need the plans of all ranks; they name no line. */
  static Stream<Arguments> ofTheGroup() {
    return Stream.of(
        broken(
            "[1, \"scratch\", 60]",
            "[1, \"scratch\", 61]",
            "($.ranks[0].actions[0]): rank 1 scratch[61, 65) reaches beyond that memory, which has"
                + " 64 bytes"),
        broken(
            "[0, \"aiv-input\", 0]",
            "[0, \"aiv-output\", 0]",
            "($.ranks[0].actions[0]): rank 0 aiv-output[0, 4) reaches beyond that memory, which has"
                + " 0 bytes"),
        broken(
            "[1, \"scratch\", 60]",
            "[1, \"aiv-input\", 60]",
            "($.ranks[0].actions[0]): no link registers aiv-input memory of rank 1; add one to"
                + " 'links'"),
        broken(
            "[1, \"scratch\", 60]",
            "[7, \"scratch\", 60]",
            "($.ranks[0].actions[0]): the group has 2 ranks. Actual operand: rank 7 scratch[60, 64)"),
        broken(
            "[0, \"aiv-input\", 0]",
            "[1, \"scratch\", 0]",
            "($.ranks[0].actions[0]): source or destination must be memory of rank 0. Actual: rank"
                + " 1 scratch[60, 64), rank 1 scratch[0, 4)"),
        broken(
            "\"dst\": [0, \"scratch\", 0]",
            "\"dst\": [1, \"scratch\", 40]",
            "($.ranks[0].actions[1]): source or destination must be memory of rank 0. Actual: rank"
                + " 0 scratch[8, 16), rank 1 scratch[40, 48)"),
        broken(
            "[0, \"scratch\", 8]",
            "[0, \"scratch\", 4]",
            "($.ranks[0].actions[1]): source and destination must not overlap. Actual: rank 0"
                + " scratch[4, 12), rank 0 scratch[0, 8)"),
        broken(
            "\"peer\": 1",
            "\"peer\": 5",
            "($.ranks[0]): the link to rank 5 in level0 sub-communicator 0 leads nowhere: the group"
                + " has 2 ranks"),
        broken(
            "\"subComm\": 0, \"peer\": 1",
            "\"subComm\": 1, \"peer\": 1",
            "($.ranks[0]): the link to rank 1 in level0 sub-communicator 1 must have its reverse at"
                + " $.ranks[1], with equal protocol, ack, notifies, input and output"),
        broken(
            "\"ack\": true,\n",
            "\"ack\": false,\n",
            "($.ranks[0]): the link to rank 1 in level0 sub-communicator 0 must have its reverse at"
                + " $.ranks[1], with equal protocol, ack, notifies, input and output"),
        broken(
            "[{\"kind\": \"nested\", \"stream\": 0, \"plan\": 0}]",
            "[]",
            "($.ranks[0]): all ranks must run the same number of nested plans; some run 1"),
        broken(
            "\"notifies\": 0, \"memory\": {}, \"actions\": []}],\n      \"lines\"",
            "\"notifies\": 0, \"memory\": {\"scratch\": 65}, \"actions\": []}],\n      \"lines\"",
            "($.ranks[0].actions[4]): the nested plan needs 65 bytes of scratch memory, but this"
                + " plan has 64"));
  }

  @ParameterizedTest
  @MethodSource("malformed")
  void aMalformedFileIsRefusedWithLineColumnAndPath(
      String find, String replacement, String message) {
    assertRefused(
        () -> PlanJson.fromJson(changed(find, replacement)),
        ErrorCode.INVALID_PLAN,
        "plan file, " + message);
  }

  @ParameterizedTest
  @MethodSource({"numbers", "names"})
  void aWrongValueIsRefusedWhereItStands(String find, String replacement, String message) {
    TuttiException refusal = refusalOf(() -> PlanJson.fromJson(changed(find, replacement)));

    assertThat(refusal.code()).isEqualTo(ErrorCode.INVALID_PLAN);
    assertThat(withoutPosition(refusal)).isEqualTo("plan file, " + message);
    assertThat(refusal).hasMessageStartingWith("plan file, line " + lineOf(find) + ",");
  }

  @ParameterizedTest
  @MethodSource("fields")
  void missingAndSurplusFieldsAreRefused(String find, String replacement, String message) {
    TuttiException refusal = refusalOf(() -> PlanJson.fromJson(changed(find, replacement)));

    assertThat(refusal.code()).isEqualTo(ErrorCode.INVALID_PLAN);
    assertThat(withoutPosition(refusal)).isEqualTo("plan file, " + message);
  }

  private static String changed(String find, String replacement) {
    assertThat(FILE).contains(find);
    return FILE.replaceFirst(Pattern.quote(find), Matcher.quoteReplacement(replacement));
  }

  private static String withoutPosition(TuttiException refusal) {
    return refusal.getMessage().replaceFirst("line \\d+, column \\d+ ", "");
  }

  private static long lineOf(String find) {
    return 1
        + FILE.substring(0, FILE.indexOf(find)).lines().count()
        - (FILE.charAt(FILE.indexOf(find) - 1) == '\n' ? 0 : 1);
  }

  @ParameterizedTest
  @MethodSource("ofTheGroup")
  void aFileWhoseRanksDoNotFitIsRefusedWithPath(String find, String replacement, String message) {
    assertRefused(
        () -> PlanJson.fromJson(changed(find, replacement)),
        ErrorCode.INVALID_PLAN,
        "plan file " + message);
  }

  @Test
  void aLinkThatStandsTwiceIsRefused() {
    String link =
        FILE.lines().filter(line -> line.contains("\"peer\": 0")).findFirst().orElseThrow();

    assertRefused(
        () -> PlanJson.fromJson(FILE.replace(link, link + "," + link.strip())),
        ErrorCode.INVALID_PLAN,
        "plan file, line 26, column 7 ($.ranks[1].links[1]): the link to rank 0 in level0"
            + " sub-communicator 0 appears twice; remove one");
  }

  @Test
  void aFusedReductionLoadsFromPeersOverDirectLinksOnly() {
    assertRefused(
        () -> PlanJson.fromJson(FILE.replace("\"direct\"", "\"rdma\"")),
        ErrorCode.INVALID_PLAN,
        "plan file ($.ranks[0].actions[1]): no direct link registers scratch memory of rank 1; add"
            + " one to 'links'");
  }

  @Test
  void inPlaceAnOutputOverlapsItsInput() {
    String file =
        """
        {"format": "tutti-plan/1", "name": "", "inPlace": true, "ranks": [{"rank": 0, "streams": 1,
         "notifies": 0, "memory": {"param-input": 8, "param-output": 8}, "actions": [{"kind": "copy",
         "stream": 0, "dst": [0, "param-output", 0], "src": [0, "param-input", 4], "bytes": 4}]}]}
        """;
    String overlapping = file.replace("\"param-input\", 4]", "\"param-input\", 0]");

    assertThat(PlanJson.fromJson(file).actionCount()).isEqualTo(1);
    assertThat(PlanJson.fromJson(overlapping.replace("true", "false")).actionCount()).isEqualTo(1);
    assertRefused(
        () -> PlanJson.fromJson(overlapping),
        ErrorCode.INVALID_PLAN,
        "plan file ($.ranks[0].actions[0]): source and destination must not overlap. Actual: rank 0"
            + " param-input[0, 4), rank 0 param-output[0, 4)");
  }

  @ParameterizedTest
  @ValueSource(strings = {"{}", "{\"name\": \"x\"}"})
  void aFileBeginsWithItsFormat(String text) {
    assertThat(refusalOf(() -> PlanJson.fromJson(text)))
        .hasMessageEndingWith(
            "a plan file must begin with the field \"format\": \"tutti-plan/1\"; write one with"
                + " 'tutti plan --format json', or with PlanJson");
  }

  @Test
  void everyPrefixOfAFileIsRefused() {
    String file = FILE.strip();
    for (int length = 0; length < file.length(); length++) {
      String prefix = file.substring(0, length);
      assertThat(refusalOf(() -> PlanJson.fromJson(prefix)).code())
          .isEqualTo(ErrorCode.INVALID_PLAN);
    }
  }

  @Test
  void nothingMayFollowThePlan() {
    assertRefused(
        () -> PlanJson.fromJson(FILE + "{}"),
        ErrorCode.INVALID_PLAN,
        "plan file, line 32, column 1 ($): the text must end here. Actual: '{'");
    assertRefused(
        () -> PlanJson.fromJson("\ufeff" + FILE),
        ErrorCode.INVALID_PLAN,
        "plan file, line 1, column 1 ($): an object is expected here. Actual: character U+FEFF");
  }

  @ParameterizedTest
  @ValueSource(strings = {"[", "{\"a\":", "{\"format\":[", "\"", "9", "\\"})
  void endlessRepetitionNeitherHangsNorOverflowsTheStack(String piece) {
    String text = piece.repeat(200_000);
    for (String file :
        List.of(
            text,
            changed("\"file\"", text),
            changed("\"copy\"", text),
            changed("\"copy\"", "\"" + text),
            changed("\"stream\": 0", "\"stream\": " + text),
            changed("[0, \"aiv", text))) {
      assertThat(refusalOf(() -> PlanJson.fromJson(file)))
          .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_PLAN))
          .satisfies(e -> assertThat(e.getMessage()).hasSizeLessThan(500));
    }
  }

  @Test
  void plansNestedTooDeepAreRefused() {
    String nested =
        "{\"streams\": 1, \"notifies\": 0, \"memory\": {}, \"actions\": [{\"kind\": \"nested\","
            + " \"stream\": 0, \"plan\": %d}]}";
    StringBuilder plans =
        new StringBuilder("{\"streams\": 1, \"notifies\": 0, \"memory\": {}, \"actions\": []}");
    for (int level = 0; level < 100; level++) {
      plans.append(", ").append(nested.formatted(level));
    }
    assertRefused(
        () ->
            PlanJson.fromJson(
                "{\"format\": \"tutti-plan/1\", \"name\": \"\", \"inPlace\": false, \"ranks\":"
                    + " [{\"rank\": 0, \"plans\": ["
                    + plans
                    + "]}]}"),
        ErrorCode.INVALID_PLAN,
        "plans can be nested 64 levels deep at most; the plan of rank 0 goes deeper, so make one"
            + " long sequence instead of sequences of sequences");
  }

  /** An endless text: a beginning, then the same part again and again. */
  private static Reader endless(String start, String repeated) {
    return new Reader() {
      private long position;

      @Override
      public int read(char[] target, int offset, int length) {
        for (int i = 0; i < length; i++) {
          target[offset + i] =
              position < start.length()
                  ? start.charAt((int) position)
                  : repeated.charAt((int) ((position - start.length()) % repeated.length()));
          position++;
        }
        return length;
      }

      @Override
      public void close() {}
    };
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      ignoreLeadingAndTrailingWhitespace = false,
      quoteCharacter = '#',
      value = {
        "{\"format\": \"|x|a string has at most 16384 characters",
        "{\"|x|a string has at most 16384 characters",
        "{\"format\": \"tutti-plan/1\", \"name\": \"|\\u0041|a string has at most 16384",
        "{\"format\": \"tutti-plan/1\", \"ranks\": [{\"rank\": |9|must be a whole number",
        "{| |at most 1048576 whitespace characters may follow each other",
        "{\"format\": \"tutti-plan/1\", \"ranks\": [{\"lines\": [\"a\"|, \"a\"|a list has at most"
            + " 16777216 entries",
        "{\"format\": \"tutti-plan/1\", \"ranks\": [{\"plans\": |[|an object is expected here",
      })
  void aTextWithoutEndIsRefused(String start, String repeated, String message) {
    assertThatThrownBy(() -> PlanJson.fromJson(endless(start, repeated)))
        .isInstanceOf(TuttiException.class)
        .hasMessageContaining(message)
        .satisfies(e -> assertThat(e.getMessage()).hasSizeLessThan(1000));
  }
}
