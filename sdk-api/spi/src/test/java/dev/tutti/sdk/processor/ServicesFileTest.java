package dev.tutti.sdk.processor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.sdk.CollAlgorithm;
import dev.tutti.sdk.CollExecutorBase;
import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.ServiceLoader;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServicesFileTest {

  @TempDir Path directory;
  private Path classes;
  private Path services;

  @BeforeEach
  void locate() {
    classes = build().classes();
    services = classes.resolve(AuthorBuild.SERVICES);
  }

  private AuthorBuild build() {
    return new AuthorBuild(directory);
  }

  /** A build that sees the output of an earlier one, as in Maven and the IDEs. */
  private AuthorBuild.Result runOnTopOfOutput(AuthorBuild build) {
    String path = AuthorBuild.sdk() + File.pathSeparator + classes;
    return build.run(List.of("--class-path", path), true);
  }

  private static String family(String annotation) {
    return "public interface Family {%s final class Flat extends Base<AllReduceParam> {} }"
        .formatted(annotation);
  }

  private void write(String text) throws IOException {
    Files.createDirectories(services.getParent());
    Files.writeString(services, text);
  }

  @Test
  void providersAreListedInOrderByBinaryName() throws IOException {
    build()
        .algorithm("Star", "star")
        .algorithm("Ring", "ring")
        .source("Family", family(AuthorBuild.annotated("flat")))
        .run()
        .providers();
    assertThat(services).hasContent("p.Family$Flat\np.Ring\np.Star\n");
    assertThat(Files.readString(services)).doesNotContain("\r").endsWith("Star\n");
  }

  @Test
  void serviceLoaderLoadsWhatIsListed() throws IOException {
    build().algorithm("Ring", "ring").algorithm("Star", "star").run().providers();
    try (URLClassLoader loader =
        new URLClassLoader(new URL[] {classes.toUri().toURL()}, getClass().getClassLoader())) {
      assertThat(
              ServiceLoader.load(CollExecutorBase.class, loader).stream()
                  .map(ServiceLoader.Provider::get)
                  .filter(executor -> executor.getClass().getClassLoader() == loader)
                  .map(executor -> executor.getClass().getAnnotation(CollAlgorithm.class).name()))
          .containsExactly("ring", "star");
    }
  }

  @Test
  void aBuildWithoutAlgorithmsWritesNothing() {
    assertThat(build().run().providers()).isEmpty();
    assertThat(services).doesNotExist();
  }

  @Test
  void aFailedBuildWritesNothing() {
    build().algorithm("Ring", "ring").algorithm("Star", "Star").run();
    assertThat(services).doesNotExist();
  }

  @Test
  void entriesWhoseClassIsInTheOutputAreKept() {
    build()
        .algorithm("Ring", "ring")
        .source("Family", family(AuthorBuild.annotated("flat")))
        .run()
        .providers();
    assertThat(build().algorithm("Star", "star").run().providers())
        .containsExactly("p.Family$Flat", "p.Ring", "p.Star");
  }

  @Test
  void entriesThatAreStillProvidersAreKept() {
    build()
        .algorithm("Ring", "ring")
        .source("Family", family(AuthorBuild.annotated("flat")))
        .run()
        .providers();
    assertThat(runOnTopOfOutput(build().without("Base").algorithm("Star", "star")).providers())
        .containsExactly("p.Family$Flat", "p.Ring", "p.Star");
  }

  @Test
  void entriesWhoseClassIsGoneAreDropped() throws IOException {
    build().algorithm("Ring", "ring").algorithm("Star", "star").run().providers();
    Files.delete(classes.resolve("p/Ring.class"));
    assertThat(runOnTopOfOutput(build().algorithm("Tree", "tree")).providers())
        .containsExactly("p.Star", "p.Tree");
  }

  @Test
  void entriesThatLostTheirAnnotationAreDropped() {
    build().algorithm("Ring", "ring").algorithm("Star", "star").run().providers();
    AuthorBuild.Result result = build().source("Ring", AuthorBuild.executor("Ring")).run();
    assertThat(result.isSuccess()).isTrue();
    assertThat(result.services()).containsExactly("p.Star");
  }

  @Test
  void nestedClassesThatLostTheirAnnotationAreDropped() {
    build().source("Family", family(AuthorBuild.annotated("flat"))).run().providers();
    AuthorBuild.Result result =
        build().source("Family", family("")).algorithm("Ring", "ring").run();
    assertThat(result.isSuccess()).isTrue();
    assertThat(result.services()).containsExactly("p.Ring");
  }

  @Test
  void entriesThatCannotBeProvidersAreDropped() throws IOException {
    build()
        .source(
            "Star",
            AuthorBuild.annotated("star")
                + "public class Star extends Base<AllReduceParam> { private Star() {} }")
        .options("-proc:none")
        .run(List.of("--class-path", AuthorBuild.sdk().toString()), false);
    write("p.Star\n");
    assertThat(runOnTopOfOutput(build().algorithm("Ring", "ring")).providers())
        .containsExactly("p.Ring");
  }

  @Test
  void theLastProviderLeavesAnEmptyFile() throws IOException {
    build().algorithm("Ring", "ring").run().providers();
    Files.delete(classes.resolve("p/Ring.class"));
    assertThat(build().run().providers()).isEmpty();
    assertThat(services).isEmptyFile();
  }

  @Test
  void entriesThatNameNoClassAreDropped() throws IOException {
    write("p.Missing\n/absolute\n../up\nno class\n\n");
    assertThat(build().algorithm("Ring", "ring").run().providers()).containsExactly("p.Ring");
  }

  @Test
  void aFileThatIsRightIsNotTouched() throws IOException {
    write("# by hand\np.Ring # the best\n");
    assertThat(build().algorithm("Ring", "ring").run().providers())
        .containsExactly("# by hand", "p.Ring # the best");
  }

  @Test
  void aFileThatCannotBeReadFailsTheBuild() throws IOException {
    Files.createDirectories(classes);
    Files.createFile(classes.resolve("META-INF"));
    assertThat(build().algorithm("Ring", "ring").run().errors())
        .singleElement()
        .asString()
        .startsWith(
            "the services file must be readable and writable, but META-INF/services/"
                + "dev.tutti.sdk.CollExecutorBase in the class output is not: ")
        .endsWith("; check the output directory");
  }
}
