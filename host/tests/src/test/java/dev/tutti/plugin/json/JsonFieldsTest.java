package dev.tutti.plugin.json;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.host.Errors;
import dev.tutti.sdk.ErrorCode;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JsonFieldsTest {

  private static JsonFields read(String json) {
    return JsonFields.read(
        json.getBytes(StandardCharsets.UTF_8), "the text", ErrorCode.INVALID_RULES);
  }

  private static String refusal(Runnable step) {
    return Errors.message(ErrorCode.INVALID_RULES, step::run);
  }

  @Test
  void valuesAreReadAsTheyAreWritten() {
    JsonFields fields =
        read(
            """
            {"text": "null", "none": null, "long": -9223372036854775808, "decimal": 1.5e-7,
             "flag": false, "strings": ["a", "b"], "object": {"int": 7}}
            """);
    assertThat(fields.text("text")).isEqualTo("null");
    assertThat(fields.textOrNull("text")).isEqualTo("null");
    assertThat(fields.textOrNull("none")).isNull();
    assertThat(fields.longNumber("long")).isEqualTo(Long.MIN_VALUE);
    assertThat(fields.decimal("decimal")).isEqualTo(1.5e-7);
    assertThat(fields.flag("flag")).isFalse();
    assertThat(fields.strings("strings")).containsExactly("a", "b");
    assertThat(fields.object("object").number("int")).isEqualTo(7);
    fields.end();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "`` | the text must hold one JSON object and nothing else. Actual: it is empty",
        "{} {} | the text must hold one JSON object and nothing else",
        "[] | the text must be an object. Actual: a list",
        "{\"a\": 1, \"a\": 2} | the text is not valid JSON at line 1, column 13: Duplicate",
        "{\"a\": NaN} | the text is not valid JSON at line 1, column 10: Non-standard",
        "{\"a\": 01} | the text is not valid JSON at line 1, column 8: Invalid numeric value",
        "{\"a\": 1,} | the text is not valid JSON at line 1, column 9: Unexpected character"
      })
  void whatIsNotOneObjectIsRefused(String json, String message) {
    assertThat(refusal(() -> read(json))).startsWith(message);
  }

  @Test
  void theMessageHasNoWordsAboutTheParser() {
    assertThat(refusal(() -> read("{")))
        .isEqualTo(
            "the text is not valid JSON at line 1, column 2: Unexpected end-of-input: expected close"
                + " marker for Object");
  }

  @Test
  void valuesAreNestedToABoundedDepth() {
    read("{\"a\":" + "[".repeat(63) + "]".repeat(63) + "}");
    assertThat(refusal(() -> read("{\"a\":" + "[".repeat(64) + "]".repeat(64) + "}")))
        .contains("nesting depth (65) exceeds the maximum allowed (64");
  }

  @Test
  void fieldsThatWereNotAskedForAreRefused() {
    JsonFields fields = read("{\"rank\": 1, \"name\": \"a\"}");
    assertThat(fields.names()).isEqualTo(List.of("rank", "name"));
    assertThat(fields.text("name")).isEqualTo("a");
    assertThat(fields.node("ranks")).isNull();
    assertThat(Errors.message(ErrorCode.UNKNOWN_NAME, fields::end))
        .isEqualTo("unknown field of the text 'rank'; did you mean 'ranks'? (known: name, ranks)");
  }

  @Test
  void aValueOfAnotherKindIsRefused() {
    JsonFields fields = read("{\"a\": \"1\", \"big\": 2147483648, \"list\": [1]}");
    assertThat(refusal(() -> fields.number("a")))
        .isEqualTo("'a' must be a whole number. Actual: a string");
    assertThat(refusal(() -> fields.number("big")))
        .isEqualTo("'big' must be a whole number. Actual: 2147483648");
    assertThat(refusal(() -> fields.flag("big")))
        .isEqualTo("'big' must be true or false. Actual: 2147483648");
    assertThat(refusal(() -> fields.strings("list")))
        .isEqualTo("'list' must be a list of strings. Actual: 1 in it");
    assertThat(refusal(() -> fields.strings("lost")))
        .isEqualTo("the text must have a field 'lost'");
  }
}
