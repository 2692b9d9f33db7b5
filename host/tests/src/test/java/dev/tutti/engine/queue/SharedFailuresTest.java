package dev.tutti.engine.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Failures that one process notes are those that another process reads. */
final class SharedFailuresTest {

  private final MemorySegment memory = Arena.ofAuto().allocate(SharedFailures.BYTES, 8);
  private final SharedFailures mine = new SharedFailures(memory);
  private final SharedFailures theirs = new SharedFailures(memory);

  private static TuttiException failure(ErrorCode code, String text) {
    return new TuttiException(code, "%s", text);
  }

  private static String read(SharedFailures failures, long number) {
    TuttiException found = Objects.requireNonNull(failures.of(number));
    return found.code() + " " + found.getMessage();
  }

  @Test
  void nothingHasFailedAtFirst() {
    assertThat(mine.areThereAny()).isFalse();
    assertThat(mine.mayHold(1)).isFalse();
    assertThat(mine.of(1)).isNull();
    assertThat(mine.ahead(0)).isZero();
  }

  @Test
  void theFirstFailureOfAnOperationCountsForAll() {
    assertThat(mine.add(7, failure(ErrorCode.CANCELLED, "räng 1"))).isTrue();
    assertThat(theirs.add(7, failure(ErrorCode.RUN_FAILED, "another"))).isFalse();
    assertThat(read(mine, 7)).isEqualTo("TUTTI-310 räng 1");
    assertThat(read(theirs, 7)).isEqualTo("TUTTI-310 räng 1");
    assertThat(theirs.mayHold(6)).isTrue();
    assertThat(theirs.of(6)).isNull();
    assertThat(theirs.mayHold(8)).isFalse();
    assertThat(theirs.holds(7)).isTrue();
    assertThat(theirs.ahead(4)).isEqualTo(3);
  }

  @Test
  void aSlotIsUsedAgainForLaterOperationsOnly() {
    long later = 7 + 4L * theirs.mostAhead();
    assertThat(mine.add(later, failure(ErrorCode.CANCELLED, "later"))).isTrue();
    assertThat(theirs.add(7, failure(ErrorCode.CANCELLED, "earlier"))).isFalse();
    assertThat(read(theirs, later)).endsWith("later");
  }

  @Test
  void anEarlierFailureDoesNotHideALaterOne() {
    mine.add(9, failure(ErrorCode.CANCELLED, "ninth"));
    theirs.add(8, failure(ErrorCode.CANCELLED, "eighth"));
    assertThat(theirs.mayHold(9)).isTrue();
    assertThat(read(theirs, 9)).endsWith("ninth");
    assertThat(read(mine, 8)).endsWith("eighth");
    assertThat(mine.ahead(7)).isEqualTo(2);
  }

  /** A number is negative until its text is complete; its process may die before that. */
  @Test
  void aFailureThatIsBeingWrittenCannotBeReadOrReplaced() {
    mine.add(7, failure(ErrorCode.CANCELLED, "half"));
    long at = QueueCells.LINE;
    while (memory.get(ValueLayout.JAVA_LONG, at) != 7) {
      at += Long.BYTES;
    }
    memory.set(ValueLayout.JAVA_LONG, at, -7);
    assertThat(theirs.add(7, failure(ErrorCode.CANCELLED, "another"))).isFalse();
    assertThat(theirs.of(7)).isNull();
    assertThat(theirs.holds(7)).isTrue();
  }

  @Test
  void longTextsAreCutBetweenLetters() {
    mine.add(1, failure(ErrorCode.CANCELLED, "ä".repeat(1000)));
    TuttiException read = Objects.requireNonNull(theirs.of(1));
    assertThat(read.getMessage()).matches("ä{200,}");
  }

  @Test
  void whatEndsAllCountsForEveryOperationWithoutAFailureOfItsOwn() {
    mine.add(3, failure(ErrorCode.CANCELLED, "third"));
    mine.addAll(failure(ErrorCode.PEER_LOST, "rank 2"));
    theirs.addAll(failure(ErrorCode.GROUP_POISONED, "too late"));
    assertThat(read(theirs, 3)).isEqualTo("TUTTI-310 third");
    assertThat(read(theirs, 4)).isEqualTo("TUTTI-313 rank 2");
    assertThat(read(theirs, 1L << 40)).isEqualTo("TUTTI-313 rank 2");
    assertThat(theirs.mayHold(1L << 40)).isTrue();
    assertThat(theirs.add(5, failure(ErrorCode.CANCELLED, "fifth"))).isFalse();
    assertThat(theirs.ahead(4)).isZero();
  }
}
