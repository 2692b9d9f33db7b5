package dev.tutti.plugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tutti.host.Errors;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ErrorCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every way in which a plugin can be wrong, next to a good one that must still load. */
final class PluginSetTest {

  @TempDir private Path directory;
  private PluginSet set;

  @BeforeEach
  void addAGoodPlugin() {
    PluginJars.plugin("good").allReduce("Good", "good").write(directory, "zz-good.jar");
  }

  @AfterEach
  void close() {
    if (set != null) {
      set.close();
    }
  }

  private PluginSet load() {
    set = PluginSet.builder().directory(directory).limit(Duration.ofSeconds(5)).load();
    return set;
  }

  /** Loads and expects one problem besides the good plugin. */
  private PluginProblem onlyProblem() {
    PluginSet loaded = load();
    assertThat(loaded.algorithms()).extracting(Algorithm::qualifiedName).contains("good:good");
    assertThat(loaded.problems()).hasSize(1);
    return loaded.problems().getFirst();
  }

  private void expect(ErrorCode code, String message) {
    PluginProblem problem = onlyProblem();
    assertThat(problem.code()).isEqualTo(code);
    assertThat(problem.message()).isEqualTo(message);
    assertThat(problem.jar().getFileName()).hasToString("bad.jar");
  }

  private void expectProvider(PluginJars jar, String message) {
    jar.write(directory, "bad.jar");
    expect(ErrorCode.PLUGIN_PROVIDER, message);
  }

  private void expectLink(PluginJars jar, String message) {
    jar.write(directory, "bad.jar");
    expect(ErrorCode.PLUGIN_LINK, message);
  }

  private static String source(String declaration, String body) {
    return "package p; " + declaration + " { " + body + " }";
  }

  @Test
  void loadsAPlugin() {
    PluginSet loaded = load();
    assertThat(loaded.problems()).isEmpty();
    loaded.requireNoProblems();
    Plugin plugin = loaded.plugins().getFirst();
    assertThat(plugin.manifest())
        .isEqualTo(
            new PluginManifest(
                "good", "1.2.3", "[0.1,1.0)", "tests", "MIT", "made in a test", List.of()));
    assertThat(plugin.jar()).isEqualTo(directory.resolve("zz-good.jar"));
    Algorithm algorithm = plugin.algorithms().getFirst();
    assertThat(algorithm).hasToString("allreduce good:good");
    assertThat(algorithm.version()).isEqualTo("1.2.3");
    assertThat(algorithm.summary()).isEqualTo("nothing");
  }

  @Test
  void aPluginSeesTheSpiAndTheJdkAndItselfAndNothingElse() throws Exception {
    ClassLoader loader = load().algorithms().getFirst().executor().getClass().getClassLoader();
    assertThat(loader).isInstanceOf(PartitionClassLoader.class);
    assertThat(loader.loadClass("dev.tutti.sdk.DataType")).isSameAs(DataType.class);
    assertThat(loader.loadClass("java.util.List")).isSameAs(List.class);
    for (String hidden :
        List.of(
            "dev.tutti.host.Context",
            "org.junit.jupiter.api.Test",
            "picocli.CommandLine",
            "java.sql.Connection")) {
      assertThatThrownBy(() -> loader.loadClass(hidden)).isInstanceOf(ClassNotFoundException.class);
    }
    assertThat(loader.getResource("dev/tutti/host/Context.class")).isNull();
  }

  @Test
  void aClosedPluginLoadsNothingAnyMore() {
    ClassLoader loader = load().algorithms().getFirst().executor().getClass().getClassLoader();
    set.close();
    assertThatThrownBy(() -> loader.loadClass("p.Good"))
        .isInstanceOf(ClassNotFoundException.class)
        .hasMessage("plugin 'good' is closed and cannot load p.Good");
  }

  @Test
  void anEmptyDirectoryIsFine() throws IOException {
    Files.delete(directory.resolve("zz-good.jar"));
    assertThat(load().plugins()).isEmpty();
    assertThat(set.problems()).isEmpty();
  }

  @Test
  void aJarStandsForADirectoryOfIt() {
    try (PluginSet alone = PluginSet.builder().directory(directory.resolve("zz-good.jar")).load()) {
      assertThat(alone.plugins()).hasSize(1);
    }
  }

  @Test
  void aDirectoryThatIsAFileIsRefused() throws IOException {
    Path file = Files.writeString(directory.resolve("notes.txt"), "");
    assertThat(
            Errors.message(
                ErrorCode.PLUGIN_UNREADABLE, () -> PluginSet.builder().directory(file).load()))
        .isEqualTo(
            "the plugins directory "
                + file
                + " is neither a directory nor a jar; create it, or name another one");
  }

  @Test
  void anEmptyFileIsReported() throws IOException {
    Files.createFile(directory.resolve("bad.jar"));
    expect(ErrorCode.PLUGIN_UNREADABLE, "it is empty (0 bytes); copy it again");
  }

  @Test
  void aDirectoryNamedLikeAJarIsReported() throws IOException {
    Files.createDirectory(directory.resolve("bad.jar"));
    expect(ErrorCode.PLUGIN_UNREADABLE, "it must be a jar file. Actual: a directory");
  }

  @Test
  void aFileThatIsNoJarIsReported() throws IOException {
    Files.writeString(directory.resolve("bad.jar"), "hello, I am a text");
    assertThat(onlyProblem().message())
        .startsWith("it is not a jar, or it is damaged or not copied to its end (");
  }

  @Test
  void aTruncatedJarIsReported() throws IOException {
    Path jar = PluginJars.plugin("bad").allReduce("Bad", "bad").write(directory, "bad.jar");
    byte[] bytes = Files.readAllBytes(jar);
    Files.write(jar, Arrays.copyOf(bytes, bytes.length / 2));
    assertThat(onlyProblem().code()).isEqualTo(ErrorCode.PLUGIN_UNREADABLE);
  }

  @Test
  void aDamagedEntryIsReported() throws IOException {
    Path jar = PluginJars.plugin("bad").allReduce("Bad", "bad").write(directory, "bad.jar");
    byte[] bytes = Files.readAllBytes(jar);
    // The first entry is the manifest; its data starts after a header of 30 bytes and the name.
    Arrays.fill(bytes, 60, 90, (byte) 0x5a);
    Files.write(jar, bytes);
    assertThat(onlyProblem().code()).isEqualTo(ErrorCode.PLUGIN_UNREADABLE);
  }

  @Test
  void aJarWithoutAnythingIsReported() {
    new PluginJars().entry("a.txt", "").write(directory, "bad.jar");
    expect(
        ErrorCode.PLUGIN_MANIFEST,
        "it has no META-INF/tutti/plugin.json; add one with at least {\"id\": ..., \"version\":"
            + " ..., \"sdk\": \"[0.1.0,1.0)\"}");
  }

  @Test
  void aBrokenManifestIsReported() {
    PluginJars.plugin("bad").manifest("{\"id\": 7}").write(directory, "bad.jar");
    assertThat(onlyProblem().code()).isEqualTo(ErrorCode.PLUGIN_MANIFEST);
  }

  @Test
  void aPluginForAnotherSpiIsRefusedBeforeAnyClassIsLoaded() {
    PluginJars.pluginFor("bad", "[2.0,3.0)")
        .provider("Bad", PluginJars.allReduceSource("Bad", "bad", "static { System.exit(1); }"))
        .write(directory, "bad.jar");
    expect(
        ErrorCode.PLUGIN_SPI_VERSION,
        "plugin bad 1.2.3 needs sdk-api [2.0,3.0), host provides 0.1.0; rebuild the plugin against"
            + " sdk-api 0.1.0, or use a host that provides a version in [2.0,3.0)");
  }

  @ParameterizedTest
  @CsvSource({"dev/tutti/sdk/DataType.class", "META-INF/versions/21/dev/tutti/plan/X.class"})
  void aJarThatBringsTheSpiIsReported(String entry) {
    PluginJars.plugin("bad").allReduce("Bad", "bad").entry(entry, "x").write(directory, "bad.jar");
    expect(
        ErrorCode.PLUGIN_SHADOWS_SPI,
        "it contains 1 classes of the SPI's own packages, such as "
            + entry
            + "; give tutti-sdk-api the scope 'provided', so that it stays out of the jar");
  }

  @Test
  void aJarWithoutAServicesFileIsReported() {
    PluginJars.plugin("bad")
        .source("Bad", PluginJars.allReduceSource("Bad", "bad", ""))
        .write(directory, "bad.jar");
    expect(
        ErrorCode.PLUGIN_PROVIDER,
        "it has no META-INF/services/dev.tutti.sdk.CollExecutorBase; annotate each executor with"
            + " @CollAlgorithm and compile with annotation processing on (javac -proc:full with"
            + " tutti-sdk-api on the class path)");
    assertThat(set.plugins()).extracting(Plugin::id).containsExactly("bad", "good");
    assertThat(set.plugins().getFirst().problems()).isEqualTo(set.problems());
  }

  @Test
  void anEmptyServicesFileIsReported() {
    expectProvider(
        PluginJars.plugin("bad").entry(PluginJar.SERVICES, "# nothing\n\n"),
        "it names no provider in META-INF/services/dev.tutti.sdk.CollExecutorBase; annotate each"
            + " executor with @CollAlgorithm and compile with annotation processing on (javac"
            + " -proc:full with tutti-sdk-api on the class path)");
  }

  @Test
  void oneBadProviderDoesNotHideTheGoodOnesOfItsJar() {
    PluginJars.plugin("bad")
        .allReduce("First", "first")
        .provided("p.Gone")
        .provider("Text", source("public class Text", ""))
        .allReduce("Last", "last")
        .write(directory, "bad.jar");
    assertThat(load().problems()).hasSize(2);
    assertThat(set.algorithms())
        .extracting(Algorithm::qualifiedName)
        .containsExactly("bad:first", "good:good", "bad:last");
  }

  @Test
  void aProviderThatIsNotInTheJar() {
    expectProvider(
        PluginJars.plugin("bad").provided("p.Gone"),
        "p.Gone is named in META-INF/services/dev.tutti.sdk.CollExecutorBase but is not in the jar;"
            + " build the jar again, or remove the line");
  }

  @Test
  void aProviderThatIsNoExecutor() {
    expectProvider(
        PluginJars.plugin("bad").provider("Bad", source("public class Bad", "")),
        "p.Bad is not an executor; it must extend CollExecutorBase");
  }

  @Test
  void aProviderThatIsAbstract() {
    expectProvider(
        PluginJars.plugin("bad")
            .provider(
                "Bad",
                source(
                    "public abstract class Bad extends"
                        + " dev.tutti.sdk.CollExecutorBase<dev.tutti.sdk.param.ScanParam>",
                    "")),
        "p.Bad is abstract; name a concrete subclass instead");
  }

  @Test
  void aProviderWithoutAPublicConstructor() {
    expectProvider(
        PluginJars.plugin("bad")
            .provider("Bad", PluginJars.allReduceSource("Bad", "bad", "Bad() {}")),
        "p.Bad has no public constructor without parameters; add one");
  }

  @Test
  void aProviderWhoseConstructorTakesArguments() {
    expectProvider(
        PluginJars.plugin("bad")
            .provider("Bad", PluginJars.allReduceSource("Bad", "bad", "public Bad(int radix) {}")),
        "p.Bad has no public constructor without parameters; add one");
  }

  @Test
  void aProviderThatIsNotPublic() {
    expectProvider(
        PluginJars.plugin("bad")
            .provider(
                "Bad",
                PluginJars.allReduceSource("Bad", "bad", "").replace("public class", "class")),
        "p.Bad is not public, or is inside a class that is not; make it public");
  }

  @Test
  void aProviderWhoseConstructorThrows() {
    expectProvider(
        PluginJars.plugin("bad")
            .provider(
                "Bad",
                PluginJars.allReduceSource(
                    "Bad", "bad", "public Bad() { throw new IllegalStateException(\"no\"); }")),
        "the constructor of p.Bad threw java.lang.IllegalStateException: no; it must do nothing");
  }

  @Test
  void aProviderWhoseConstructorNeverReturns() {
    PluginJars.pluginAsking("bad", "\"threads\"")
        .provider(
            "Bad",
            PluginJars.allReduceSource(
                "Bad", "bad", "public Bad() { while (!Thread.interrupted()) {} }"))
        .write(directory, "bad.jar");
    set = PluginSet.builder().directory(directory).limit(Duration.ofMillis(300)).load();
    assertThat(set.problems().getFirst().message())
        .startsWith(
            "the constructor of p.Bad did not finish in 300 ms of processor time; it is at ");
    assertThat(set.algorithms()).hasSize(1);
  }

  @Test
  void aProviderWhoseStaticInitialiserThrows() {
    expectProvider(
        PluginJars.plugin("bad")
            .provider(
                "Bad",
                PluginJars.allReduceSource("Bad", "bad", "static final int X = 1 / (int) 0L;")
                    .replace("1 / (int) 0L", "Integer.parseInt(\"x\")")),
        "the static initialiser of p.Bad threw java.lang.NumberFormatException: For input string:"
            + " \"x\"; executors need none");
  }

  @Test
  void aProviderThatNeedsAClassThatIsNotThere() {
    expectLink(
        PluginJars.plugin("bad")
            .missing("Base", PluginJars.allReduceSource("Base", "base", ""))
            .provider(
                "Bad",
                "package p; @dev.tutti.sdk.CollAlgorithm(name = \"bad\", summary = \"\")"
                    + " public class Bad extends Base {}"),
        "p.Bad cannot be used: the class p.Base is neither in the jar nor in the SPI nor in the JDK;"
            + " used by p.Bad, p.Bad.<init> (Bad.java:1); put it into the jar");
  }

  @Test
  void aProviderWhoseConstructorNeedsAClassThatIsNotThere() {
    expectLink(
        PluginJars.plugin("bad")
            .missing("Helper", source("public class Helper", ""))
            .provider(
                "Bad", PluginJars.allReduceSource("Bad", "bad", "public Bad() { new Helper(); }")),
        "p.Bad cannot be used: the class p.Helper is neither in the jar nor in the SPI nor in the"
            + " JDK; used by p.Bad.<init> (Bad.java:10); put it into the jar");
  }

  @Test
  void aProviderThatUsesTheHost() {
    expectLink(
        PluginJars.plugin("bad")
            .provider(
                "Bad",
                PluginJars.allReduceSource(
                    "Bad", "bad", "public Bad() { dev.tutti.host.Rte.embedded(); }")),
        "p.Bad cannot be used: the class dev.tutti.host.Rte is neither in the jar nor in the SPI nor"
            + " in the JDK; used by p.Bad.<init> (Bad.java:10); put it into the jar");
  }

  @Test
  void aProviderThatIsCompiledForANewerJava() {
    int newer = Runtime.version().feature() + 1;
    expectLink(
        PluginJars.plugin("bad").allReduce("Bad", "bad").compiledForJava(newer, "Bad"),
        "p.Bad cannot be used: p.Bad is compiled for Java %d, but the host runs on Java %d; compile the plugin with"
                .formatted(newer, newer - 1)
            + " --release "
            + (newer - 1));
  }

  @Test
  void aProviderWhoseClassFileIsDamaged() {
    PluginJars.plugin("bad").allReduce("Bad", "bad").damaged("Bad").write(directory, "bad.jar");
    PluginProblem problem = onlyProblem();
    assertThat(problem.code()).isEqualTo(ErrorCode.PLUGIN_LINK);
    assertThat(problem.message())
        .startsWith("p.Bad cannot be used: p.Bad is not a valid class file (");
  }

  @Test
  void aServicesFileThatIsNoServicesFile() {
    PluginJars.plugin("bad")
        .allReduce("Bad", "bad")
        .provided("this is no name")
        .write(directory, "bad.jar");
    assertThat(load().problems())
        .extracting(PluginProblem::message)
        .anyMatch(each -> each.startsWith("p.Bad was not offered because META-INF/services/"))
        .anyMatch(each -> each.startsWith("this is no name is named in META-INF/services/"));
  }

  @Test
  void anExecutorWithoutAName() {
    expectProvider(
        PluginJars.plugin("bad")
            .provider(
                "Bad",
                PluginJars.allReduceSource("Bad", "bad", "").replaceFirst("(?s)@dev.*?\\)\\s", "")),
        "p.Bad has no name; annotate it with @CollAlgorithm(name = \"...\", summary = \"...\")");
  }

  @Test
  void anExecutorWithAWrongName() {
    expectProvider(
        PluginJars.plugin("bad").allReduce("Bad", "Big Ring"),
        "the name of an algorithm must match [a-z][a-z0-9-]*. Actual: 'Big Ring' of p.Bad");
  }

  @Test
  void anExecutorThatLeavesItsOperationOpen() {
    expectProvider(
        PluginJars.plugin("bad")
            .provider(
                "Bad",
                PluginJars.allReduceSource("Bad", "bad", "")
                    .replace("Bad extends", "Bad<P extends dev.tutti.sdk.param.OpParam> extends")
                    .replace(
                        "CollExecutorBase<dev.tutti.sdk.param.AllReduceParam>",
                        "CollExecutorBase<P>")
                    .replace("dev.tutti.sdk.param.AllReduceParam param", "P param")),
        "p.Bad does not say which operation it is for; extend CollExecutorBase<AllReduceParam>, or"
            + " with another parameter record, instead of P");
  }

  @Test
  void anExecutorWhoseTraitsThrow() {
    expectProvider(
        PluginJars.plugin("bad")
            .provider(
                "Bad",
                PluginJars.allReduceSource(
                    "Bad",
                    "bad",
                    "@Override public dev.tutti.sdk.Determinism determinism() {"
                        + " throw new IllegalStateException(\"no\"); }")),
        "determinism() or parameters() of p.Bad failed: java.lang.IllegalStateException: no");
  }

  @Test
  void twoAlgorithmsOfOneNameInOnePluginAreBothRefused() {
    PluginJars.plugin("bad")
        .allReduce("One", "same")
        .allReduce("Two", "same")
        .allReduce("Three", "other")
        .write(directory, "bad.jar");
    expect(
        ErrorCode.PLUGIN_DUPLICATE,
        "allreduce 'same' is offered by p.One and p.Two, and none of them is used; rename all but"
            + " one");
    assertThat(set.algorithms())
        .extracting(Algorithm::qualifiedName)
        .containsExactly("good:good", "bad:other");
  }

  @Test
  void twoPluginsWithOneAlgorithmNameAreBothListedAndReported() {
    PluginJars.plugin("a").allReduce("One", "good").write(directory, "bad.jar");
    PluginProblem problem = onlyProblem();
    assertThat(problem.code()).isEqualTo(ErrorCode.PLUGIN_DUPLICATE);
    assertThat(problem.message())
        .isEqualTo(
            "allreduce 'good' is offered by 2 plugins, so its plain name is refused; ask for a:good"
                + " or good:good");
    assertThat(set.algorithms())
        .extracting(Algorithm::qualifiedName)
        .containsExactly("a:good", "good:good");
  }

  @Test
  void ofTwoVersionsOfAPluginTheNewerIsUsed() {
    PluginJars.pluginOf("same", "1.10").allReduce("One", "one").write(directory, "a.jar");
    PluginJars.pluginOf("same", "1.9").allReduce("Two", "two").write(directory, "b.jar");

    assertThat(load().problems()).isEmpty();

    assertThat(set.plugins()).extracting(Plugin::version).contains("1.10").doesNotContain("1.9");
    assertThat(set.algorithms()).extracting(Algorithm::name).contains("one").doesNotContain("two");
    assertThat(set.notes())
        .containsExactly(
            "same 1.9 in b.jar is passed over, because version 1.10 in a.jar is the newest");
  }

  @Test
  void aBrokenVersionDoesNotHideAnOlderOneAndItsProblemIsTold() {
    PluginJars.pluginOf("same", "1.0").allReduce("One", "one").write(directory, "a.jar");
    PluginJars.pluginOf("same", "2.0").provided("p.Gone").write(directory, "b.jar");

    assertThat(load().algorithms()).extracting(Algorithm::name).contains("one");

    assertThat(set.problems())
        .singleElement()
        .satisfies(it -> assertThat(it.message()).startsWith("p.Gone is named in "));
    assertThat(set.notes())
        .containsExactly(
            "same 2.0 in b.jar is passed over, because version 1.0 in a.jar has no problems");
  }

  @Test
  void ofEqualVersionsTheFileThatWasWrittenLaterIsUsed() throws IOException {
    Path a = PluginJars.pluginOf("same", "1.0").allReduce("One", "one").write(directory, "a.jar");
    Path b = PluginJars.pluginOf("same", "1.0").allReduce("Two", "two").write(directory, "b.jar");
    Files.setLastModifiedTime(a, FileTime.fromMillis(2_000_000));
    Files.setLastModifiedTime(b, FileTime.fromMillis(1_000_000));
    assertThat(load().algorithms()).extracting(Algorithm::name).contains("one");

    Files.setLastModifiedTime(b, FileTime.fromMillis(2_000_000));

    assertThat(load().algorithms()).extracting(Algorithm::name).contains("two");
  }

  @Test
  void whatTheGuardsRefuseInAConstructorHasTheirCode() {
    PluginJars.pluginAsking("guarded", "\"reflection\"")
        .provider(
            "Exits",
            PluginJars.allReduceSource(
                "Exits",
                "exits",
                """
                public Exits() throws ReflectiveOperationException {
                  System.class.getMethod("exit", int.class).invoke(null, 3);
                }
                """))
        .write(directory, "guarded.jar");

    assertThat(load().problems())
        .singleElement()
        .satisfies(
            it -> {
              assertThat(it.code()).isEqualTo(ErrorCode.PLUGIN_GUARD);
              assertThat(it.message())
                  .contains("plugin 'guarded'")
                  .contains("java.lang.System.exit is not allowed");
            });
  }

  @Test
  void allProblemsAreCollectedAndThrownTogetherWhenAsked() throws IOException {
    Files.createFile(directory.resolve("a.jar"));
    PluginJars.plugin("bad").provided("p.Gone").write(directory, "b.jar");
    PluginSet loaded = load();
    assertThat(Errors.message(ErrorCode.PLUGIN_UNREADABLE, loaded::requireNoProblems))
        .startsWith("2 plugin problems: [TUTTI-401] a.jar: it is empty (0 bytes); copy it again;")
        .contains("[TUTTI-404] b.jar: p.Gone is named in ");
  }
}
