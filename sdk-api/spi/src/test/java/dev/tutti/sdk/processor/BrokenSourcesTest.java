package dev.tutti.sdk.processor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Path;
import java.util.Set;
import javax.annotation.processing.AbstractProcessor;
import javax.annotation.processing.RoundEnvironment;
import javax.annotation.processing.SupportedAnnotationTypes;
import javax.lang.model.SourceVersion;
import javax.lang.model.element.TypeElement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Only the compiler reports what it cannot resolve, so each error appears once. */
class BrokenSourcesTest {

  @TempDir Path directory;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "public class Ring extends Missing<AllReduceParam> {} | cannot find symbol",
        "public class Ring extends Base<Missing> {} | cannot find symbol",
        "public class Ring extends Mid {} class Mid extends Missing {} | cannot find symbol",
        "public class Ring extends Base<?> {} | unexpected type",
        "public class Ring extends Base<Text> {} record Text() {} | not within bounds",
        "public class Ring extends Base<AllReduceParam> { Missing field() { return null; } }"
            + " | cannot find symbol",
      })
  void aBrokenTypeIsLeftToTheCompiler(String declaration, String message) {
    AuthorBuild.Result result =
        new AuthorBuild(directory)
            .source("Ring", AuthorBuild.annotated("ring") + declaration)
            .run();
    assertThat(result.isSuccess()).isFalse();
    assertThat(result.errors()).singleElement().asString().contains(message);
    assertThat(result.warnings()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "@CollAlgorithm(summary = \"Good.\") | missing a default value for the element 'name'",
        "@CollAlgorithm(name = \"ring\") | missing a default value for the element 'summary'",
        "@CollAlgorithm | missing default values for elements name,summary",
        "@CollAlgorithm(name = Missing.NAME, summary = \"Good.\") | cannot find symbol",
        "@CollAlgorithm(name = 7, summary = \"Good.\") | incompatible types",
        "@CollAlgorithm(name = \"ring\", summary = \"Good.\", speed = 1) | cannot find symbol",
      })
  void aBrokenAnnotationIsLeftToTheCompiler(String annotation, String message) {
    AuthorBuild.Result result =
        new AuthorBuild(directory)
            .source("Ring", annotation + " " + AuthorBuild.executor("Ring"))
            .run();
    assertThat(result.isSuccess()).isFalse();
    assertThat(result.errors()).singleElement().asString().contains(message);
  }

  @Test
  void aCycleIsLeftToTheCompiler() {
    assertThat(
            new AuthorBuild(directory)
                .source("Ring", AuthorBuild.annotated("ring") + "public class Ring extends Ring {}")
                .run()
                .errors())
        .contains("cyclic inheritance involving p.Ring")
        .noneMatch(message -> message.contains("an algorithm"));
  }

  @Test
  void aBrokenBuildWritesNothing() {
    AuthorBuild.Result result =
        new AuthorBuild(directory)
            .source("Ring", AuthorBuild.annotated("ring") + "public class Ring extends Missing {}")
            .algorithm("Star", "star")
            .run();
    assertThat(result.errors()).hasSize(1);
    assertThat(result.services()).isEmpty();
  }

  @Test
  void anErrorOfAnotherProcessorWritesNothing() {
    AuthorBuild.Result result =
        new AuthorBuild(directory)
            .algorithm("Star", "star")
            .processor(new Generator("public class"))
            .run();
    assertThat(result.errors()).hasSize(1);
    assertThat(result.services()).isEmpty();
  }

  @Test
  void aBrokenNeighbourDoesNotHideAProblem() {
    assertThat(
            new AuthorBuild(directory)
                .source("Star", AuthorBuild.annotated("star") + "class Star extends Missing {}")
                .algorithm("Ring", "Ring")
                .run()
                .errors())
        .hasSize(2)
        .anyMatch(message -> message.contains("Missing"))
        .anyMatch(message -> message.startsWith("the name of an algorithm must match"));
  }

  @Test
  void aSuperclassMayBeGenerated() {
    assertThat(
            new AuthorBuild(directory)
                .source(
                    "Ring",
                    AuthorBuild.annotated("ring") + "public class Ring extends Generated {}")
                .algorithm("Star", "star")
                .processor(
                    new Generator(
                        "public abstract class Generated"
                            + " extends Base<dev.tutti.sdk.param.AllReduceParam> {}"))
                .run()
                .providers())
        .containsExactly("p.Ring", "p.Star");
  }

  @Test
  void anAlgorithmMayBeGenerated() {
    assertThat(
            new AuthorBuild(directory)
                .processor(
                    new Generator(
                        "@dev.tutti.sdk.CollAlgorithm(name = \"made\", summary = \"Good.\")"
                            + " public class Generated"
                            + " extends Base<dev.tutti.sdk.param.AllReduceParam> {}"))
                .run()
                .providers())
        .containsExactly("p.Generated");
  }

  /** Generates {@code p.Generated} in its first round. */
  @SupportedAnnotationTypes("*")
  private static final class Generator extends AbstractProcessor {

    private final String declaration;
    private boolean isDone;

    Generator(String declaration) {
      this.declaration = declaration;
    }

    @Override
    public SourceVersion getSupportedSourceVersion() {
      return SourceVersion.latestSupported();
    }

    @Override
    public boolean process(Set<? extends TypeElement> annotations, RoundEnvironment round) {
      if (isDone) {
        return false;
      }
      isDone = true;
      try (Writer out = processingEnv.getFiler().createSourceFile("p.Generated").openWriter()) {
        out.write("package p; " + declaration);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      return false;
    }
  }
}
