package dev.tutti.sdk.processor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.module.ModuleFinder;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ModuleProvidesTest {

  private static final String PROVIDES = "provides dev.tutti.sdk.CollExecutorBase with ";

  @TempDir static Path jars;
  private static Path sdk;
  private static String sdkModule;

  @TempDir Path directory;

  /** A jar is a module with or without a descriptor; a directory of classes is not. */
  @BeforeAll
  static void packSdk() throws IOException {
    sdk = AuthorBuild.sdk();
    if (Files.isDirectory(sdk)) {
      sdk = jars.resolve("tutti-sdk-api.jar");
      pack(AuthorBuild.sdk(), sdk);
    }
    sdkModule = ModuleFinder.of(sdk).findAll().iterator().next().descriptor().name();
  }

  private static void pack(Path from, Path jar) throws IOException {
    try (OutputStream out = Files.newOutputStream(jar);
        JarOutputStream entries = new JarOutputStream(out);
        Stream<Path> files = Files.walk(from)) {
      for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
        entries.putNextEntry(new JarEntry(from.relativize(file).toString().replace('\\', '/')));
        Files.copy(file, entries);
      }
    }
  }

  private AuthorBuild module(String directives) {
    return new AuthorBuild(directory)
        .file(
            "module-info.java",
            "module author { requires %s; exports p; %s }".formatted(sdkModule, directives));
  }

  private static AuthorBuild.Result run(AuthorBuild build) {
    return build.run(List.of("--module-path", modulePath()), true);
  }

  private static String modulePath(Path... more) {
    return Stream.concat(Stream.of(sdk, jspecify()), Stream.of(more))
        .map(Path::toString)
        .collect(Collectors.joining(File.pathSeparator));
  }

  private static Path jspecify() {
    try {
      return Path.of(NullMarked.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aModuleThatProvidesItsAlgorithmsIsAccepted() {
    assertThat(
            run(module(PROVIDES + "p.Ring, p.Star;")
                    .algorithm("Ring", "ring")
                    .algorithm("Star", "star"))
                .providers())
        .containsExactly("p.Ring", "p.Star");
  }

  @Test
  void aModuleWithoutAClauseIsFoundByTheServicesFile() {
    assertThat(run(module("").algorithm("Ring", "ring")).providers()).containsExactly("p.Ring");
  }

  @Test
  void everyModuleOfOneCompilationHasItsOwnServicesFile() {
    AuthorBuild build =
        new AuthorBuild(directory)
            .without("Base")
            .file(
                "q/module-info.java",
                "module q { requires %s; provides dev.tutti.sdk.CollExecutorBase with q.Ring; }"
                    .formatted(sdkModule))
            .file("r/module-info.java", "module r { requires %s; }".formatted(sdkModule))
            .file("q/q/Ring.java", standalone("q"))
            .file("r/r/Ring.java", standalone("r"));
    build.options("--module-source-path", build.src().toString());
    assertThat(run(build).providers()).isEmpty();
    assertThat(build.classes().resolve("q/" + AuthorBuild.SERVICES)).hasContent("q.Ring");
    assertThat(build.classes().resolve("r/" + AuthorBuild.SERVICES)).hasContent("r.Ring");
  }

  private static String standalone(String packageName) {
    return """
    package %s;
    import dev.tutti.sdk.*;
    import dev.tutti.sdk.param.AllReduceParam;
    import dev.tutti.sdk.resource.*;
    @CollAlgorithm(name = "ring-%s", summary = "Good.")
    public class Ring extends CollExecutorBase<AllReduceParam> {
      @Override public AlgResourceRequest calcResRequest(AllReduceParam param) {
        throw new UnsupportedOperationException();
      }
      @Override public void orchestrate(AllReduceParam param, AlgResourceResponse resources) {}
    }
    """
        .formatted(packageName, packageName);
  }

  @Test
  void anAlgorithmThatTheClauseDoesNotListIsRefused() {
    AuthorBuild.Result result =
        run(module(PROVIDES + "p.Ring;").algorithm("Ring", "ring").algorithm("Star", "star"));
    assertThat(result.errors())
        .containsExactly(
            "'provides dev.tutti.sdk.CollExecutorBase with' must list every algorithm of its"
                + " module, but that of module author does not list p.Star;"
                + " add it to the clause in module-info.java");
    assertThat(result.places()).containsExactly("Star.java:3");
  }

  @Test
  void aListedClassWithoutTheAnnotationIsRefused() {
    AuthorBuild.Result result =
        run(
            module(PROVIDES + "p.Ring, p.Old;")
                .algorithm("Ring", "ring")
                .source(
                    "Old",
                    "public class Old { public static Base<AllReduceParam> provider()"
                        + " { return new Ring(); } }"));
    assertThat(result.errors())
        .containsExactly(
            "'provides dev.tutti.sdk.CollExecutorBase with' must list only classes with"
                + " @CollAlgorithm, but that of module author lists p.Old;"
                + " annotate the class, or remove it from the clause");
    assertThat(result.places()).containsExactly("module-info.java:1");
  }

  @Test
  void clausesForOtherServicesAreIgnored() {
    assertThat(
            run(module("provides Runnable with p.Job;")
                    .algorithm("Ring", "ring")
                    .source("Job", "public class Job implements Runnable { public void run() {} }"))
                .providers())
        .containsExactly("p.Ring");
  }

  @Test
  void aClauseWithAnUnknownClassIsLeftToTheCompiler() {
    assertThat(run(module(PROVIDES + "p.Ring, p.Missing;").algorithm("Ring", "ring")).errors())
        .singleElement()
        .asString()
        .contains("cannot find symbol", "Missing");
  }

  @Test
  void testsThatPatchAModuleAreNotHeldToItsClause() {
    AuthorBuild main = module(PROVIDES + "p.Ring;").algorithm("Ring", "ring");
    run(main).providers();
    AuthorBuild tests = new AuthorBuild(directory.resolve("tests")).without("Base");
    tests.algorithm("Star", "star").options("--patch-module", "author=" + tests.src());
    assertThat(tests.run(List.of("--module-path", modulePath(main.classes())), true).providers())
        .containsExactly("p.Star");
  }
}
