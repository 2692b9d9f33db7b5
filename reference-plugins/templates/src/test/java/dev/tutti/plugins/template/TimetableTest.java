package dev.tutti.plugins.template;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.sdk.Cost;
import java.util.List;
import org.junit.jupiter.api.Test;

class TimetableTest {

  private static final long BYTES = 100;

  /** Rank 0 sends to rank 1 a number of times. */
  private static Timetable sends(int number) {
    Timetable table = new Timetable(2, 1);
    for (int i = 0; i < number; i++) {
      table.add(0, 0, List.of(0), 1, BYTES, BYTES, List.of());
    }
    return table;
  }

  @Test
  void oneStreamSendsOneAfterAnother() {
    assertThat(sends(3).cost()).contains(new Cost(3, 3 * BYTES, 3 * BYTES));
  }

  @Test
  void messagesOfDifferentStreamsWaitForThePort() {
    Timetable table = new Timetable(3, 1);
    table.add(0, 0, List.of(0), 2, BYTES, 0, List.of());
    table.add(1, 0, List.of(1), 2, BYTES, 0, List.of());
    assertThat(table.cost()).contains(new Cost(1, 2 * BYTES, 0));
  }

  @Test
  void aScheduleThatIsTooLongHasNoCost() {
    int most = 1 << 17;
    assertThat(sends(most).isTooLong()).isFalse();
    assertThat(sends(most).cost()).contains(new Cost(most, most * BYTES, most * BYTES));
    assertThat(sends(most + 1).isTooLong()).isTrue();
    assertThat(sends(most + 1).cost()).isEmpty();
  }
}
