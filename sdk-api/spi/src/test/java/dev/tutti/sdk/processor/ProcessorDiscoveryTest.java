package dev.tutti.sdk.processor;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.ServiceLoader;
import javax.annotation.processing.Processor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ProcessorDiscoveryTest {

  @TempDir Path directory;

  @Test
  void sdkApiProvidesTheProcessor() {
    assertThat(ServiceLoader.load(Processor.class).stream().map(ServiceLoader.Provider::type))
        .contains(CollAlgorithmProcessor.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"--processor-path", "--class-path"})
  void theCompilerFindsTheProcessor(String pathOption) {
    String sdk = AuthorBuild.sdk().toString();
    assertThat(
            new AuthorBuild(directory)
                .algorithm("Ring", "ring")
                .run(List.of("--class-path", sdk, pathOption, sdk), false)
                .providers())
        .containsExactly("p.Ring");
  }

  @Test
  void aBuildThatDoesNotSeeTheSdkIsLeftAlone() {
    assertThat(
            new AuthorBuild(directory)
                .without("Base")
                .file("q/Plain.java", "package q; public class Plain { int count; }")
                .run(List.of("--class-path", directory.toString()), true)
                .providers())
        .isEmpty();
  }
}
