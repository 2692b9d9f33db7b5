package dev.tutti.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

/** Files changed at random: they are refused with INVALID_PLAN, or read and usable. */
class PlanJsonFuzzTest {

  private static final int FILES = 500;
  private static final Pattern TOKEN = Pattern.compile("-?\\d+|\"[^\"]*\"|true|false|[\\[\\]{},:]");
  private static final String[] NUMBERS = {
    "0",
    "1",
    "2",
    "3",
    "-1",
    "7",
    "8",
    "64",
    "1024",
    "4095",
    "4096",
    "16777216",
    "2147483647",
    "2147483648",
    "4294967296",
    "9223372036854775807",
    "9223372036854775808",
    "1e9",
    "0.5",
    "-0"
  };
  private static final String NOISE = "{}[]\",:\\ue0-+.tfn \n\t\u0000\u00e9\ud83c";

  private static final List<String> FILES_TO_CHANGE =
      SamplePlans.all().stream().map(PlanJson::toJson).toList();

  @RepeatedTest(10)
  void onlyInvalidPlanComesOut(RepetitionInfo repetition) {
    long seed = 20_260_101L + repetition.getCurrentRepetition();
    Random random = new Random(seed);
    int read = 0;
    for (int file = 0; file < FILES; file++) {
      String text = FILES_TO_CHANGE.get(random.nextInt(FILES_TO_CHANGE.size()));
      for (int change = random.nextInt(1, 4); change > 0; change--) {
        text = random.nextInt(3) == 0 ? changeCharacters(text, random) : changeToken(text, random);
      }
      read += check(text, "seed %d, file %d".formatted(seed, file)) ? 1 : 0;
    }
    assertThat(read).as("some files stay correct").isBetween(FILES / 50, FILES / 2);
  }

  private static boolean check(String text, String what) {
    GroupPlan plan;
    try {
      plan = PlanJson.fromJson(text);
    } catch (TuttiException e) {
      assertThat(e.code()).as(what).isEqualTo(ErrorCode.INVALID_PLAN);
      assertThat(e.getMessage()).as(what).isNotBlank();
      return false;
    } catch (RuntimeException | Error e) {
      throw new AssertionError(what + "\n" + text, e);
    }
    GroupPlan again = PlanJson.fromJson(PlanJson.toJson(plan));
    assertThat(again).as(what).isEqualTo(plan);
    assertThat(again.digest()).as(what).isEqualTo(plan.digest());
    assertThat(PlanDot.toDot(again, 50)).as(what).isEqualTo(PlanDot.toDot(plan, 50));
    return true;
  }

  private static String changeCharacters(String text, Random random) {
    int at = random.nextInt(text.length());
    int length = Math.min(text.length() - at, random.nextInt(1, 30));
    String piece = text.substring(at, at + length);
    String replacement =
        switch (random.nextInt(4)) {
          case 0 -> "";
          case 1 -> piece + piece;
          case 2 -> String.valueOf(NOISE.charAt(random.nextInt(NOISE.length())));
          default -> NOISE.charAt(random.nextInt(NOISE.length())) + piece;
        };
    return text.substring(0, at) + replacement + text.substring(at + length);
  }

  /** Replaces a number, name or bracket by another one of the same file or an extreme one. */
  private static String changeToken(String text, Random random) {
    int[] span = token(text, random);
    String token = text.substring(span[0], span[1]);
    if (token.isEmpty()) {
      return text;
    }
    String replacement;
    if (Character.isDigit(token.charAt(token.length() - 1)) && random.nextBoolean()) {
      replacement = NUMBERS[random.nextInt(NUMBERS.length)];
    } else {
      int[] other = token(text, random);
      for (int tries = 0; tries < 20 && text.charAt(other[0]) != token.charAt(0); tries++) {
        other = token(text, random);
      }
      replacement = text.substring(other[0], other[1]);
    }
    return text.substring(0, span[0]) + replacement + text.substring(span[1]);
  }

  /** Start and end of some token, or of nothing. */
  private static int[] token(String text, Random random) {
    Matcher tokens = TOKEN.matcher(text);
    boolean isFound = tokens.find(random.nextInt(text.length())) || tokens.find(0);
    return isFound ? new int[] {tokens.start(), tokens.end()} : new int[] {0, 0};
  }

  @Test
  void plansThatDifferHaveDifferentDigests() {
    Random random = new Random(42);
    GroupPlan plan = SamplePlans.everything();
    String json = PlanJson.toJson(plan);
    int different = 0;
    for (int file = 0; file < 6_000; file++) {
      GroupPlan other;
      try {
        other = PlanJson.fromJson(changeToken(json, random));
      } catch (TuttiException e) {
        continue;
      }
      boolean isEqual = other.ranks().equals(plan.ranks()) && other.inPlace() == plan.inPlace();
      assertThat(other.digest().equals(plan.digest())).isEqualTo(isEqual);
      different += isEqual ? 0 : 1;
    }
    assertThat(different).isGreaterThan(100);
  }
}
