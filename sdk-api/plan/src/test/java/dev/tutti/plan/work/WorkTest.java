package dev.tutti.plan.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tutti.sdk.TuttiException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class WorkTest {

  /** Notes what it is told. */
  private static final class Notes implements WorkListener {

    private final List<String> all = new ArrayList<>();

    @Override
    public synchronized void at(double share, String what) {
      all.add(Math.round(100 * share) + "% " + what);
    }

    @Override
    public synchronized void ended() {
      all.add("ended");
    }
  }

  private final Notes notes = new Notes();

  @Test
  void aListenerIsToldOfEachStepAndOfTheEnd() {
    try (Work _ = Work.watch(notes)) {
      try (Work work = Work.begin("recording", 4)) {
        work.step();
        work.reach(3);
      }
    }
    assertThat(notes.all)
        .containsExactly("0% recording", "25% recording", "75% recording", "ended");
  }

  @Test
  void workWithinAStepIsAPartOfIt() {
    try (Work _ = Work.watch(notes);
        Work outer = Work.begin("comparing", 2)) {
      outer.step();
      try (Work inner = Work.begin("planning", 4)) {
        inner.step();
        try (Work _ = Work.begin("", 1);
            Work innermost = Work.begin("recording", 2)) {
          innermost.step();
        }
      }
    }
    assertThat(notes.all)
        .contains("63% comparing: planning", "69% comparing: planning: recording")
        .endsWith("ended")
        .containsOnlyOnce("ended");
  }

  @Test
  void workWithoutStepsIsAtItsBeginning() {
    try (Work _ = Work.watch(notes);
        Work _ = Work.begin("writing", 0)) {
      assertThat(notes.all).containsExactly("0% writing");
    }
  }

  @Test
  void nothingIsToldAfterTheEndOrWithoutAListener() {
    Work late;
    try (Work _ = Work.watch(notes)) {
      late = Work.begin("recording", 2);
      late.close();
      late.step();
    }
    Work unwatched = Work.begin("recording", 2);
    unwatched.step();
    unwatched.reach(1);
    unwatched.close();
    assertThat(unwatched).isSameAs(Work.current()).isSameAs(unwatched.continueHere());
    assertThat(notes.all).containsExactly("0% recording", "ended");
  }

  @Test
  void anInnerListenerHidesTheOuterOne() {
    Notes inner = new Notes();
    try (Work _ = Work.watch(notes)) {
      try (Work _ = Work.watch(inner);
          Work work = Work.begin("checking", 2)) {
        work.step();
      }
      Work.begin("writing", 1).close();
    }
    assertThat(inner.all).containsExactly("0% checking", "50% checking", "ended");
    assertThat(notes.all).containsExactly("0% writing", "ended");
  }

  @Test
  void anotherThreadDoesAPart() throws InterruptedException {
    try (Work _ = Work.watch(notes);
        Work work = Work.begin("planning", 2)) {
      Work own = Work.current();
      assertThat(own).isSameAs(work);
      Thread thread =
          Thread.ofPlatform()
              .start(
                  () -> {
                    try (Work _ = own.continueHere();
                        Work part = Work.begin("recording", 2)) {
                      part.step();
                    }
                    assertThat(Work.begin("more", 1)).isNotSameAs(own);
                    work.step();
                  });
      thread.join();
    }
    assertThat(notes.all)
        .containsExactly(
            "0% planning",
            "0% planning: recording", "25% planning: recording", "50% planning", "ended");
  }

  @Test
  void aNegativeNumberOfStepsIsRefused() {
    assertThatThrownBy(() -> Work.begin("recording", -1))
        .isInstanceOf(TuttiException.class)
        .hasMessageContaining("must not be negative. Actual: -1");
  }
}
