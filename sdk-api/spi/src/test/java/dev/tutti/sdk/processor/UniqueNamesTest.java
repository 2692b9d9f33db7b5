package dev.tutti.sdk.processor;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UniqueNamesTest {

  @TempDir Path directory;

  @Test
  void twoAlgorithmsOfOneOperationMayNotShareAName() {
    AuthorBuild.Result result =
        new AuthorBuild(directory)
            .algorithm("First", "ring")
            .algorithm("Other", "star")
            .algorithm("Second", "ring")
            .run();
    String message =
        "the name of an algorithm must be unique within its operation, but 'ring' for"
            + " AllReduceParam names p.First and p.Second; rename all but one";
    assertThat(result.errors()).containsExactly(message, message);
    assertThat(result.places()).containsExactly("First.java:3", "Second.java:3");
    assertThat(result.services()).isEmpty();
  }

  @Test
  void algorithmsOfDifferentOperationsMayShareAName() {
    assertThat(
            new AuthorBuild(directory)
                .algorithm("First", "ring")
                .source(
                    "Second",
                    AuthorBuild.annotated("ring")
                        + "public final class Second extends Base<AllGatherParam> {}")
                .run()
                .providers())
        .containsExactly("p.First", "p.Second");
  }
}
