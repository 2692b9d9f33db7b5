package dev.tutti.simulator.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tutti.plan.json.JsonWriter;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JsonTest {

  private static Json parse(String text) {
    return Json.parse("file", text);
  }

  private static void refuses(String text, String message) {
    assertThatThrownBy(() -> parse(text))
        .isInstanceOfSatisfying(
            TuttiException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT))
        .hasMessage("file, " + message);
  }

  @Test
  void whatIsWrittenIsRead() {
    StringBuilder target = new StringBuilder();
    JsonWriter text = new JsonWriter(target);
    text.open('{').name("a \"b\" \\").value("x\n\u007f\ud800é€\ud83d\ude00");
    text.line(0).name("n").value(-5).name("d").value(1.5e-7).name("f").value(true);
    text.name("list").open('[').decimal(1_234_567, 6).decimal(5, 3).value(7);
    text.line(0).open('{').close('}').close(']').close('}').finish();
    Json json = parse(target.toString());
    assertThat(json.field("a \"b\" \\").text()).isEqualTo("x\n\u007f\ud800é€\ud83d\ude00");
    assertThat(json.field("n").wholeNumber(-9, 9)).isEqualTo(-5);
    assertThat(json.field("d").number().doubleValue()).isEqualTo(1.5e-7);
    assertThat(json.field("f").flag()).isTrue();
    assertThat(json.field("list").items().subList(0, 3).stream().map(Json::number))
        .map(Object::toString)
        .containsExactly("1.234567", "0.005", "7");
    assertThat(target.toString()).contains("\\ud800é€\ud83d\ude00").contains("\\u007f");
  }

  @Test
  void aTargetGetsEverything() {
    StringBuilder target = new StringBuilder();
    JsonWriter text = new JsonWriter(target);
    text.open('[');
    for (int i = 0; i < 5000; i++) {
      text.value(i);
    }
    text.close(']').finish();
    assertThat(parse(target.toString()).items()).hasSize(5000);
    assertThatThrownBy(() -> text.value(Double.NaN)).hasMessageContaining("NaN");
  }

  @Test
  void escapesAreRead() {
    assertThat(parse("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u0041\"").text()).isEqualTo("\"\\/\b\f\n\r\tA");
  }

  @Test
  void whatIsNotJsonIsRefusedWithItsPlace() {
    refuses("", "line 1, column 1 ($): a value is expected here. Actual: the end of the text");
    refuses("{\"a\":1}\n x", "line 2, column 2 ($): the text must end here. Actual: 'x'");
    refuses("[1,]", "line 1, column 4 ($[0]): a comma must not stand before ']'; remove it");
    refuses("[1 2]", "line 1, column 4 ($[0]): ',' or ']' must follow. Actual: '2'");
    refuses("{a:1}", "line 1, column 2 ($): a field name is expected here. Actual: 'a'");
    refuses("{\"a\" 1}", "line 1, column 6 ($): ':' must follow a field name. Actual: '1'");
    refuses(
        "{\"a\":{\"b\":1,\"b\":2}}",
        "line 1, column 13 ($.a): the field 'b' appears twice; remove one");
    refuses(
        "[01]",
        "line 1, column 2 ($[0]): a value must be a JSON number of at most 64 characters. Actual:"
            + " 01");
    refuses("[.5]", "line 1, column 2 ($[0]): a value is expected here. Actual: '.'");
    refuses("[tru]", "line 1, column 2 ($[0]): a value must be true or false");
    refuses("[nul]", "line 1, column 2 ($[0]): a value must be null");
    refuses("\"a", "line 1, column 1 ($): the text ends inside a string");
    refuses(
        "\"\t\"",
        "line 1, column 1 ($): a string must escape control characters. Actual: character U+0009");
    refuses(
        "\"\\x\"",
        "line 1, column 1 ($): an escape must be one of"
            + " \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\u. Actual: \\ and 'x'");
    refuses(
        "\"\\u00g0\"",
        "line 1, column 1 ($): four hexadecimal digits must follow \\u. Actual: 'g'");
    refuses(
        "{\"a\":", "line 1, column 6 ($.a): a value is expected here. Actual: the end of the text");
    refuses(
        "1".repeat(65),
        "line 1, column 1 ($): a value must be a JSON number of at most 64 characters. Actual: "
            + "1".repeat(64)
            + "…");
    refuses(
        "[" + " ".repeat(1 << 21),
        "line 1, column 1 ($): at most 1048576 whitespace characters may follow each other; is this"
            + " the right file?");
    assertThatThrownBy(() -> parse("[".repeat(65)))
        .hasMessageEndingWith("values can be nested 64 deep at most");
    assertThat(parse("[".repeat(64) + "]".repeat(64)).items()).hasSize(1);
  }

  @Test
  void anObjectHasAtMostAHundredFields() {
    StringBuilder fields = new StringBuilder("{\"0\": 0");
    for (int i = 1; i < 100; i++) {
      fields.append(", \"").append(i).append("\": 0");
    }
    assertThat(parse(fields + "}").names()).hasSize(100);
    assertThatThrownBy(() -> parse(fields + ", \"more\": 0}"))
        .hasMessageEndingWith("an object has at most 100 fields; is this the right file?");
  }

  @Test
  void aValueOfAnotherKindIsRefused() {
    Json json = parse("{\"list\": [1.5, true], \"word\": \"x\", \"none\": null}");
    assertThatThrownBy(() -> json.field("list").text())
        .hasMessage(
            "file, line 1, column 10 ($.list): must be a string. Actual: an array of 2 items");
    assertThatThrownBy(() -> json.field("word").items())
        .hasMessageEndingWith("must be an array. Actual: \"x\"");
    assertThatThrownBy(() -> json.field("none").flag())
        .hasMessageEndingWith("must be true or false. Actual: null");
    assertThatThrownBy(() -> json.number())
        .hasMessageEndingWith("must be a number. Actual: an object of 3 fields");
    assertThatThrownBy(() -> json.field("list").names())
        .hasMessageEndingWith("must be an object. Actual: an array of 2 items");
    assertThatThrownBy(() -> json.field("list").items().getFirst().wholeNumber(0, 9))
        .hasMessage(
            "file, line 1, column 11 ($.list[0]): must be a whole number from 0 to 9. Actual: 1.5");
    assertThatThrownBy(() -> json.field("lost"))
        .hasMessage("file, line 1, column 1 ($): the field 'lost' is missing");
  }

  @Test
  void unknownFieldsAreRefusedWithTheNearestName() {
    assertThatThrownBy(() -> parse("{\"rank\": 1}").allow("ranks", "name"))
        .isInstanceOfSatisfying(
            TuttiException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.UNKNOWN_NAME))
        .hasMessage(
            "file, line 1, column 10 ($.rank): unknown field 'rank'; did you mean 'ranks'? (known:"
                + " ranks, name)");
    assertThat(parse("{\"name\": 1}").allow("ranks", "name").names()).containsExactly("name");
  }

  @Test
  void numbersBeyondTheRangeOfLongAreRefusedWhereWholeOnesAreAsked() {
    for (String number : Map.of("1e999", 0, "-1e40", 0, "9223372036854775808", 0).keySet()) {
      assertThatThrownBy(() -> parse(number).wholeNumber(Long.MIN_VALUE, Long.MAX_VALUE))
          .hasMessageContaining("must be a whole number");
    }
    assertThat(parse("1.50e1").wholeNumber(0, 20)).isEqualTo(15);
  }
}
