package dev.tutti.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class AccessMapTest {

  /** Each stream knows its own first event and nothing of the others. */
  private static final int[][] UNORDERED = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

  private final AccessMap map = new AccessMap();
  private final List<String> conflicts = new ArrayList<>();

  private void found(int stream, int event, boolean isWrite, long from, long to) {
    conflicts.add((isWrite ? "write" : "read") + " of " + stream + " [" + from + ", " + to + ")");
  }

  private void read(int stream, int from, int to) {
    map.read(from, to, stream, 0, UNORDERED[stream], this::found);
  }

  private void write(int stream, int from, int to, int... clock) {
    int[] known = clock.length == 0 ? UNORDERED[stream] : clock;
    map.write(from, to, stream, 0, known, this::found);
  }

  @Test
  void readsDoNotConflictAndWritesDoWithEveryReader() {
    read(0, 0, 8);
    read(1, 4, 12);
    assertThat(conflicts).isEmpty();

    write(2, 6, 10);
    assertThat(conflicts)
        .containsExactlyInAnyOrder("read of 0 [6, 8)", "read of 1 [6, 8)", "read of 1 [8, 10)");
  }

  @Test
  void neighbouringSpansDoNotConflict() {
    write(0, 0, 8);
    write(1, 8, 16);
    read(2, 16, 24);
    assertThat(conflicts).isEmpty();
  }

  @Test
  void whatALaterWriteDoesNotCoverIsKept() {
    write(0, 0, 12);
    write(1, 4, 8, 1, 1, 0);
    assertThat(conflicts).as("ordered").isEmpty();

    read(2, 0, 12);
    assertThat(conflicts)
        .containsExactly("write of 0 [0, 4)", "write of 1 [4, 8)", "write of 0 [8, 12)");
  }

  @Test
  void aFinalCheckSeesEveryAccessThatIsNotOrdered() {
    write(0, 0, 4);
    read(1, 4, 8);
    map.check(new int[] {1, 0, 1}, this::found);
    assertThat(conflicts).containsExactly("read of 1 [4, 8)");
  }

  @Test
  void emptySpansLeaveNoTrace() {
    write(0, 4, 4);
    write(1, 0, 8);
    read(1, 8, 8);
    assertThat(conflicts).isEmpty();
  }
}
