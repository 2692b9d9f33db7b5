package dev.tutti.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.host.Errors;
import dev.tutti.sdk.ErrorCode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.module.Configuration;
import java.lang.module.ModuleFinder;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Plugins that an application has on its class path or its module path. */
final class ApplicationPluginsTest {

  private static final String EXECUTORS = "META-INF/services/dev.tutti.sdk.CollExecutorBase";

  @TempDir private Path directory;
  private final List<AutoCloseable> opened = new ArrayList<>();

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable each : opened) {
      each.close();
    }
  }

  private Path jar(PluginJars jar, String name) {
    return jar.write(directory, name);
  }

  private ClassLoader classPath(Path... entries) {
    URL[] urls = Arrays.stream(entries).map(ApplicationPluginsTest::url).toArray(URL[]::new);
    URLClassLoader loader = new URLClassLoader(urls, getClass().getClassLoader());
    opened.add(loader);
    return loader;
  }

  private static URL url(Path path) {
    try {
      return path.toUri().toURL();
    } catch (MalformedURLException e) {
      throw new UncheckedIOException(e);
    }
  }

  private PluginSet load(ClassLoader loader) {
    PluginSet set = PluginSet.builder().classPath(loader).load();
    opened.add(set);
    return set;
  }

  private static List<String> names(PluginSet set) {
    return set.algorithms().stream().map(Algorithm::qualifiedName).toList();
  }

  private static PluginProblem onlyProblem(PluginSet set) {
    assertThat(set.problems()).hasSize(1);
    return set.problems().getFirst();
  }

  @Test
  void aJarIsAPluginWithTheIdAndTheVersionOfItsManifest() {
    Path good = jar(PluginJars.plugin("good").allReduce("Good", "good"), "good.jar");
    ClassLoader loader = classPath(good);

    PluginSet set = load(loader);

    set.requireNoProblems();
    assertThat(set.plugins()).hasSize(1);
    assertThat(set.plugins().getFirst().id()).isEqualTo("good");
    assertThat(set.plugins().getFirst().version()).isEqualTo("1.2.3");
    assertThat(set.plugins().getFirst().jar()).isEqualTo(good);
    assertThat(names(set)).containsExactly("good:good");
    assertThat(set.algorithms().getFirst().executor().getClass().getClassLoader())
        .as("the application's own class")
        .isSameAs(loader);
  }

  @Test
  void aDirectoryOfClassesIsAPlugin() throws IOException {
    Path classes = unpacked(PluginJars.plugin("good").allReduce("Good", "good"));

    assertThat(names(load(classPath(classes)))).containsExactly("good:good");
  }

  @Test
  void aNameWithSpacesIsNoHindrance() {
    Path good = jar(PluginJars.plugin("good").allReduce("Good", "good"), "a good %.jar");

    PluginSet set = load(classPath(good));

    set.requireNoProblems();
    assertThat(set.plugins().getFirst().jar()).isEqualTo(good);
  }

  private Path unpacked(PluginJars jar) throws IOException {
    Path file = jar.write(directory, "packed.jar");
    Path classes = Files.createDirectory(directory.resolve("classes"));
    try (var zip = new ZipFile(file.toFile())) {
      for (var entry : zip.stream().toList()) {
        Path target = classes.resolve(entry.getName());
        Files.createDirectories(target.getParent());
        Files.write(target, zip.getInputStream(entry).readAllBytes());
      }
    }
    return classes;
  }

  @Test
  void whatHasNoManifestIsOnePlugin() {
    PluginSet set =
        load(
            classPath(
                jar(PluginJars.bare().allReduce("Good", "good"), "good.jar"),
                jar(PluginJars.bare().allReduce("Better", "better"), "better.jar")));

    set.requireNoProblems();
    assertThat(names(set)).containsExactly("class-path:better", "class-path:good");
    assertThat(set.plugins().getFirst().jar()).isNull();
  }

  @Test
  void modulesOfALayerArePlugins() {
    Path good = jar(PluginJars.plugin("good").allReduce("Good", "good"), "good-module.jar");
    Configuration found =
        ModuleLayer.boot()
            .configuration()
            .resolve(ModuleFinder.of(good), ModuleFinder.of(), Set.of("good.module"));
    ModuleLayer layer =
        ModuleLayer.boot().defineModulesWithOneLoader(found, getClass().getClassLoader());

    PluginSet set = load(layer.findLoader("good.module"));

    set.requireNoProblems();
    assertThat(names(set)).containsExactly("good:good");
    assertThat(set.plugins().getFirst().jar()).isEqualTo(good);
    assertThat(set.algorithms().getFirst().executor().getClass().getModule().getName())
        .isEqualTo("good.module");
  }

  @Test
  void aClassPathWithoutPluginsIsRefused() {
    ClassLoader loader = classPath(jar(PluginJars.bare(), "library.jar"));

    assertThat(Errors.message(ErrorCode.PLUGIN_UNREADABLE, () -> load(loader)))
        .isEqualTo(
            "no plugin is on the class path or module path of the application: nothing there has "
                + EXECUTORS
                + "; depend on dev.tutti:tutti-plugins, or on a plugin of your own");
  }

  @Test
  void aPluginTwiceIsReportedAndTheFirstServes() {
    Path first = jar(PluginJars.plugin("good").allReduce("Good", "good"), "first.jar");
    Path second = jar(PluginJars.pluginOf("good", "1.3.0").allReduce("Good", "good"), "second.jar");

    PluginSet set = load(classPath(first, second));

    assertThat(names(set)).containsExactly("good:good");
    assertThat(set.algorithms().getFirst().version()).isEqualTo("1.2.3");
    PluginProblem problem = onlyProblem(set);
    assertThat(problem.code()).isEqualTo(ErrorCode.PLUGIN_DUPLICATE);
    assertThat(problem.jar()).isEqualTo(second);
    assertThat(problem.message())
        .isEqualTo(
            "the application has the plugin 'good' twice: %s serves, and %s of version 1.3.0 does"
                    .formatted(first, second)
                + " not; leave one of them out");
  }

  @Test
  void aClassThatAnEarlierEntryHidesIsReported() {
    Path first = jar(PluginJars.plugin("good").allReduce("Good", "good"), "first.jar");
    Path second =
        jar(
            PluginJars.plugin("copy").allReduce("Good", "good").allReduce("More", "more"),
            "second.jar");

    PluginSet set = load(classPath(first, second));

    assertThat(names(set)).containsExactly("good:good", "copy:more");
    assertThat(onlyProblem(set).code()).isEqualTo(ErrorCode.PLUGIN_DUPLICATE);
    assertThat(onlyProblem(set).message())
        .isEqualTo(
            "1 of its executors, such as p.Good, are in %s, too, which serves; leave one of them out"
                .formatted(first));
  }

  @Test
  void aNameWithoutItsClassIsReportedAndHidesNothing() {
    Path bad =
        jar(PluginJars.plugin("bad").allReduce("Good", "good").provided("p.Gone"), "bad.jar");

    PluginSet set = load(classPath(bad));

    assertThat(names(set)).containsExactly("bad:good");
    assertThat(onlyProblem(set).code()).isEqualTo(ErrorCode.PLUGIN_PROVIDER);
    assertThat(onlyProblem(set).jar()).isEqualTo(bad);
    assertThat(onlyProblem(set).message())
        .isEqualTo(
            "p.Gone is named in "
                + EXECUTORS
                + " but is not on the class path; build the jar again, or remove the line");
  }

  @Test
  void aBrokenServicesFileIsReportedAndHidesNoOtherPlugin() {
    Path bad =
        jar(PluginJars.plugin("bad").allReduce("Lost", "lost").provided("no name"), "bad.jar");
    Path good = jar(PluginJars.plugin("good").allReduce("Good", "good"), "good.jar");

    PluginSet set = load(classPath(bad, good));

    assertThat(names(set)).containsExactly("good:good");
    assertThat(set.problems())
        .hasSize(2)
        .allSatisfy(each -> assertThat(each.code()).isEqualTo(ErrorCode.PLUGIN_PROVIDER))
        .allSatisfy(each -> assertThat(each.jar()).isEqualTo(bad))
        .first()
        .extracting(PluginProblem::message)
        .asString()
        .startsWith("p.Lost was not offered because " + EXECUTORS + " cannot be read (")
        .contains("bad.jar")
        .contains("Illegal");
  }

  @Test
  void aProviderThatIsNoExecutorIsReported() {
    Path bad =
        jar(PluginJars.plugin("bad").provider("No", "package p; public class No {}"), "bad.jar");

    assertThat(onlyProblem(load(classPath(bad))).message())
        .isEqualTo("p.No is not an executor; it must extend CollExecutorBase");
  }

  @Test
  void aConstructorThatThrowsIsReported() {
    Path bad =
        jar(
            PluginJars.plugin("bad")
                .provider(
                    "Bad",
                    PluginJars.allReduceSource(
                        "Bad", "bad", "public Bad() { throw new IllegalStateException(\"no\"); }")),
            "bad.jar");

    assertThat(onlyProblem(load(classPath(bad))).message())
        .startsWith("the constructor of p.Bad threw java.lang.IllegalStateException: no");
  }

  @Test
  void aClassThatIsMissingIsReported() {
    Path bad =
        jar(
            PluginJars.plugin("bad")
                .missing("Helper", "package p; public class Helper {}")
                .provider(
                    "Bad", PluginJars.allReduceSource("Bad", "bad", "Helper h = new Helper();")),
            "bad.jar");

    assertThat(onlyProblem(load(classPath(bad))).message())
        .isEqualTo(
            "p.Bad needs the class p.Helper, which is not on the class path; depend on the jar that"
                + " has it");
  }

  @Test
  void aManifestWithoutServicesIsReported() {
    Path bad = jar(PluginJars.plugin("bad"), "bad.jar");

    PluginProblem problem = onlyProblem(load(classPath(bad)));

    assertThat(problem.code()).isEqualTo(ErrorCode.PLUGIN_PROVIDER);
    assertThat(problem.message()).startsWith("it has no " + EXECUTORS + "; annotate each executor");
  }

  @Test
  void aServicesFileWithoutNamesIsReported() {
    Path bad = jar(PluginJars.plugin("bad").entry(EXECUTORS, "# none\n"), "bad.jar");

    assertThat(onlyProblem(load(classPath(bad))).message())
        .startsWith("it names no provider in " + EXECUTORS);
  }

  @Test
  void aServicesFileThatIsTooLongIsReported() {
    String line = "#".repeat(1023) + "\n";
    Path bad = jar(PluginJars.plugin("bad").entry(EXECUTORS, line.repeat(65)), "bad.jar");

    PluginProblem problem = onlyProblem(load(classPath(bad)));

    assertThat(problem.code()).isEqualTo(ErrorCode.PLUGIN_UNREADABLE);
    assertThat(problem.message()).isEqualTo("its " + EXECUTORS + " has more than 65536 bytes");
  }

  @Test
  void aBrokenManifestIsReported() {
    Path bad = jar(PluginJars.bare().manifest("{}").allReduce("Bad", "bad"), "bad.jar");

    PluginProblem problem = onlyProblem(load(classPath(bad)));

    assertThat(problem.code()).isEqualTo(ErrorCode.PLUGIN_MANIFEST);
    assertThat(problem.jar()).isEqualTo(bad);
  }

  @Test
  void aPluginForAnotherSpiIsReported() {
    Path bad = jar(PluginJars.pluginFor("bad", "[7,8)").allReduce("Bad", "bad"), "bad.jar");

    assertThat(onlyProblem(load(classPath(bad))).code()).isEqualTo(ErrorCode.PLUGIN_SPI_VERSION);
  }

  @Test
  void theNewerVersionOfAPluginCountsWhereverItIs() throws IOException {
    Path dropped = Files.createDirectory(directory.resolve("dropped"));
    PluginJars.pluginOf("good", "2.0.0").allReduce("Good", "good").write(dropped, "new.jar");
    Path old = jar(PluginJars.plugin("good").allReduce("Good", "good"), "old.jar");

    PluginSet set = PluginSet.builder().directory(dropped).classPath(classPath(old)).load();
    opened.add(set);

    set.requireNoProblems();
    assertThat(set.algorithms().getFirst().version()).isEqualTo("2.0.0");
    assertThat(set.notes())
        .containsExactly(
            "good 1.2.3 in old.jar is passed over, because version 2.0.0 in new.jar is the newest");
  }
}
