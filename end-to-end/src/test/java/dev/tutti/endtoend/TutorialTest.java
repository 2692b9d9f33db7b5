package dev.tutti.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Does what docs/tutorial.md says, and compares what happens with the page. With the system
 * property {@code tutti.tutorial.rewrite} set, it writes the outputs of the page instead.
 */
@Timeout(value = 15, unit = TimeUnit.MINUTES)
class TutorialTest {

  private static final boolean REWRITES = System.getProperty("tutti.tutorial.rewrite") != null;
  private static final Path PAGE = Path.of("..", "docs", "tutorial.md");
  private static final GeneratedPlugin PROJECT =
      new GeneratedPlugin("basic/project/my-ring", "1.0.0");

  @TempDir private Path directory;

  @Test
  void thePageIsWhatHappens() throws Exception {
    List<Page.Part> shown = page();
    List<Page.Part> happened = new ArrayList<>();
    try (Author author = new Author(directory.toRealPath(), PROJECT, TutorialCode.of(shown))) {
      for (Page.Part part : shown) {
        happened.add(author.follow(part));
      }
    }
    if (REWRITES) {
      Files.writeString(PAGE, Page.text(happened));
      shown = happened;
    }
    assertThat(Page.text(page())).isEqualTo(Files.readString(PAGE));
    for (int i = 0; i < shown.size(); i++) {
      assertThat(Page.stable(happened.get(i)))
          .as("run with -Dtutti.tutorial.rewrite=true, and look at what has changed")
          .isEqualTo(Page.stable(shown.get(i)));
    }
  }

  /** The page says that {@code ./mvnw verify} fails with the same message. */
  @Test
  void theTestsOfTheProjectFindTheBugInItsLine() throws Exception {
    TutorialCode code = TutorialCode.of(page());
    long line = code.broken().substring(0, code.broken().indexOf("left.rxAsync")).lines().count();
    String found = "MyRingAllReduce.kernelRun(MyRingAllReduce.java:%d)".formatted(line);
    Path classes = PROJECT.classes(directory, code.broken(), "-proc:full");

    List<String> messages =
        GeneratedTests.failures(PROJECT, classes, "org.example.myring.MyRingAllReduceTest");

    assertThat(messages.getFirst()).contains("MEM-2 access outside the call", found);
    assertThat(Files.readString(PAGE)).contains("MEM-2 access outside the call", found);
  }

  /** {@link NewProjectsTest} sees that it is the one that the archetype has made. */
  @Test
  void theProjectIsThatOfTheCommandOnThePage() throws IOException {
    assertThat(Files.readString(PAGE)).contains("tutti/tutti new allreduce my-ring\ncd my-ring\n");
  }

  @Test
  void whatItShowsAloneIsPartOfTheClass() throws IOException {
    TutorialCode code = TutorialCode.of(page());

    assertThat(code.fragments()).hasSizeGreaterThanOrEqualTo(3);
    assertThat(code.fragments())
        .allSatisfy(fragment -> assertThat(code.broken()).contains(fragment));
  }

  @Test
  void theClassHasAsManyLinesAsThePageSays() throws IOException {
    long lines = TutorialCode.lines(TutorialCode.of(page()).mended());

    assertThat(lines).isLessThanOrEqualTo(40);
    assertThat(Files.readString(PAGE)).contains("an all-reduce in " + lines + " lines");
  }

  private static List<Page.Part> page() throws IOException {
    return Page.parse(Files.readString(PAGE));
  }
}
