package dev.tutti.sdk.processor;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ExecutorWarningsTest {

  @TempDir Path directory;

  private List<String> warningsOf(String declaration) {
    AuthorBuild.Result result = new AuthorBuild(directory).source("Ring", declaration).run();
    assertThat(result.errors()).isEmpty();
    assertThat(result.isSuccess()).isTrue();
    return result.warnings();
  }

  @Test
  void anExecutorWithoutTheAnnotationIsNotFound() {
    assertThat(warningsOf(AuthorBuild.executor("Ring")))
        .containsExactly(
            "hosts find only executors with @CollAlgorithm, but p.Ring has none; add"
                + " @CollAlgorithm(name = \"...\", summary = \"...\"),"
                + " or declare it package-private if it is not for hosts");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "final class Ring extends Base<AllReduceParam> {}",
        "public abstract class Ring extends Base<AllReduceParam> {}",
        "public class Ring<P extends OpParam> extends Base<P> {}",
        "public class Ring extends Base<AllReduceParam> { public Ring(Object inner) {} }",
        "public class Ring { private static class Flat extends Base<AllReduceParam> {} }",
        "public class Ring { private int count; }",
        "public interface Ring {}"
      })
  void whatIsNotMeantForHostsIsLeftAlone(String declaration) {
    assertThat(warningsOf(declaration)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"public final", "public abstract", ""})
  void anExecutorHasNoFieldsThatChange(String modifiers) {
    String annotation = modifiers.contains("final") ? AuthorBuild.annotated("ring") : "";
    assertThat(
            warningsOf(
                annotation
                    + modifiers
                    + " class Ring extends Base<AllReduceParam> { private int count;"
                    + " private final int radix = 2; static int shared; volatile long last; }"))
        .containsExactly(
            "executors are stateless, but field 'count' of p.Ring can change;"
                + " declare it final, or make it a local variable",
            "executors are stateless, but field 'last' of p.Ring can change;"
                + " declare it final, or make it a local variable");
  }

  @Test
  void aWarningPointsAtTheField() {
    assertThat(
            new AuthorBuild(directory)
                .source("Ring", "class Ring extends Base<AllReduceParam> {\n\nint count;\n}")
                .run()
                .places())
        .containsExactly("Ring.java:4");
  }
}
