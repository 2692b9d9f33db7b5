package dev.tutti.testkit.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClasspathRoots;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectUniqueId;

import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.testkit.arch.Compiled;
import dev.tutti.testkit.plugin.TestPlugins;
import dev.tutti.testkit.plugin.TestPluginsTest;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.TestEngine;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.UniqueId;
import org.junit.platform.testkit.engine.EngineExecutionResults;
import org.junit.platform.testkit.engine.EngineTestKit;

/** Providers without a test get one, once, without any setup. */
class ProviderEngineTest {

  private static final String SERVICES = "META-INF/services/dev.tutti.sdk.CollExecutorBase";

  private static final String FIRST =
      "package p; class FirstTest { @org.junit.jupiter.api.Test void runs() {} }";
  private static final String SECOND =
      "package p; class SecondTest { @org.junit.jupiter.api.Test void runs() {} }";
  private static final String HELPER = "package p; class ABaseTest { void test() {} }";

  @TempDir private Path directory;

  private Project project;

  /** A project whose class path holds its classes, with providers in them, and its tests. */
  private final class Project extends URLClassLoader {
    private final Path classes = Files.createDirectories(directory.resolve("main"));
    private final Path tests = directory.resolve("classes");

    Project() throws IOException {
      super(new URL[0], ProviderEngineTest.class.getClassLoader());
      addURL(classes.toUri().toURL());
      addURL(Files.createDirectories(tests).toUri().toURL());
    }

    /** Copies executors of this test into the project, where they are services. */
    Project providers(Class<?>... types) throws IOException {
      StringBuilder lines = new StringBuilder();
      for (Class<?> type : types) {
        copy(type);
        copy(type.getNestHost());
        copy(type.getSuperclass());
        lines.append(type.getName()).append('\n');
      }
      return services(lines.toString());
    }

    Project services(String lines) throws IOException {
      Files.createDirectories(classes.resolve(SERVICES).getParent());
      Files.writeString(classes.resolve(SERVICES), lines);
      return this;
    }

    private void copy(Class<?> type) throws IOException {
      String file = type.getName().replace('.', '/') + ".class";
      if (!type.getPackageName().startsWith("dev.tutti.testkit")) {
        return;
      }
      try (InputStream stream = type.getClassLoader().getResourceAsStream(file)) {
        Files.createDirectories(classes.resolve(file).getParent());
        Files.write(classes.resolve(file), stream.readAllBytes());
      }
    }

    Project test(String name, String source) throws IOException {
      Compiled.into(directory, "p." + name, source);
      return this;
    }

    @Override
    protected void addURL(URL url) {
      super.addURL(url);
    }

    Class<?> type(String name) {
      try {
        return loadClass("p." + name);
      } catch (ClassNotFoundException e) {
        throw new AssertionError(e);
      }
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      boolean isOwn = Files.exists(classes.resolve(name.replace('.', '/') + ".class"));
      synchronized (getClassLoadingLock(name)) {
        return isOwn && findLoadedClass(name) == null
            ? findClass(name)
            : super.loadClass(name, resolve);
      }
    }
  }

  @BeforeEach
  void makeProject() throws IOException {
    project = new Project();
  }

  @AfterEach
  void close() throws IOException {
    project.close();
  }

  private EngineExecutionResults run(DiscoverySelector... selectors) {
    return withProject(() -> engine("true", selectors).execute());
  }

  private List<String> providers(DiscoverySelector... selectors) {
    return providers("true", selectors);
  }

  private List<String> providers(String enabled, DiscoverySelector... selectors) {
    return withProject(() -> engine(enabled, selectors).discover())
        .getEngineDescriptor()
        .getChildren()
        .stream()
        .map(TestDescriptor::getDisplayName)
        .toList();
  }

  private EngineTestKit.Builder engine(String enabled, DiscoverySelector... selectors) {
    return EngineTestKit.engine(new ProviderEngine())
        .outputDirectoryCreator(new Outputs(directory.resolve("outputs")))
        .configurationParameter(ProviderEngine.ENABLED, enabled)
        .selectors(selectors);
  }

  /** Makes the project's class path the thread's, as builds do. */
  private <T> T withProject(Supplier<T> action) {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    thread.setContextClassLoader(project);
    try {
      return action.get();
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  private static String message(EngineExecutionResults results) {
    return results.testEvents().failed().stream()
        .map(event -> event.getRequiredPayload(TestExecutionResult.class))
        .map(result -> result.getThrowable().orElseThrow().getMessage())
        .findFirst()
        .orElseThrow();
  }

  @Test
  void isFoundAsAService() {
    assertThat(ServiceLoader.load(TestEngine.class))
        .hasAtLeastOneElementOfType(ProviderEngine.class);
  }

  @Test
  void aProviderWithoutATestGetsTheStandardOne() throws IOException {
    project.providers(StarBroadcast.class).test("FirstTest", FIRST);

    EngineExecutionResults results = run(selectClass(project.type("FirstTest")));

    results.testEvents().assertStatistics(count -> count.failed(0).aborted(0));
    assertThat(results.testEvents().succeeded().count()).isGreaterThan(100);
    assertThat(
            results.containerEvents().started().stream()
                .map(each -> each.getTestDescriptor().getDisplayName()))
        .containsExactly("Tutti", "broadcast star (dev.tutti.testkit.junit.StarBroadcast)");
  }

  @Test
  void aBrokenProviderFailsWithItsFiles() throws IOException {
    project.providers(StarBroadcast.Forgetful.class).test("FirstTest", FIRST);

    EngineExecutionResults results = run(selectClass(project.type("FirstTest")));

    assertThat(results.testEvents().failed().count()).isGreaterThan(10);
    assertThat(message(results)).contains("broadcast forgetful (Forgetful) ranks=1");
    assertThat(results.allEvents().fileEntryPublished().count()).isEqualTo(5 * 4);
  }

  @Test
  void whatAProviderRefusesIsLeftOutUnlessItIsAll() throws IOException {
    project
        .providers(StarBroadcast.Narrow.class, StarBroadcast.Stubborn.class)
        .test("FirstTest", FIRST);

    EngineExecutionResults results = run(selectClass(project.type("FirstTest")));

    assertThat(results.testEvents().aborted().count()).isGreaterThan(100);
    assertThat(results.testEvents().failed().count()).isOne();
    assertThat(message(results)).contains("Stubborn refuses all");
  }

  @Test
  void theTestsComeWithTheFirstTestClassOnly() throws IOException {
    project
        .providers(StarBroadcast.class)
        .test("ABaseTest", HELPER)
        .test("FirstTest", FIRST)
        .test("SecondTest", SECOND);

    assertThat(providers(selectClass(project.type("FirstTest")))).hasSize(1);
    assertThat(providers(selectClass(project.type("SecondTest")))).isEmpty();
    assertThat(providers(selectClass(project.type("ABaseTest")))).isEmpty();
    assertThat(
            providers(
                selectClass(project.type("SecondTest")), selectClass(project.type("FirstTest"))))
        .hasSize(1);
  }

  @Test
  void theTestsComeWithAWholeDirectory() throws IOException {
    project.providers(StarBroadcast.class).test("FirstTest", FIRST).test("SecondTest", SECOND);

    assertThat(
            providers(
                selectClasspathRoots(Set.of(project.tests)).toArray(DiscoverySelector[]::new)))
        .hasSize(1);
  }

  @Test
  void aTestIsFoundAgainByItsId() throws IOException {
    project.providers(StarBroadcast.class).test("FirstTest", FIRST);
    UniqueId id =
        run(selectClass(project.type("FirstTest"))).testEvents().succeeded().stream()
            .map(event -> event.getTestDescriptor().getUniqueId())
            .findFirst()
            .orElseThrow();

    run(selectUniqueId(id)).testEvents().assertStatistics(count -> count.started(1).succeeded(1));
  }

  @Test
  void aProviderWithATestOfItsOwnIsLeftToIt() throws IOException {
    project
        .providers(StarBroadcast.class, StarBroadcast.Narrow.class, StarBroadcast.Timely.class)
        .test(
            "ATest",
            """
            package p;
            import dev.tutti.testkit.junit.*;
            class ATest implements BroadcastTck<StarBroadcast> {}
            """)
        .test(
            "BTest",
            """
            package p;
            import dev.tutti.testkit.junit.*;
            class BTest {
              @CollectiveTest(StarBroadcast.Narrow.class) void runs(CaseCheck check) {}
            }
            """);

    assertThat(providers(selectClass(project.type("ATest"))))
        .containsExactly("broadcast timely (dev.tutti.testkit.junit.StarBroadcast$Timely)");
  }

  @Test
  void aClassOfTheAuthorsTakesTheTestsOver() throws IOException {
    project
        .providers(StarBroadcast.class)
        .test("FirstTest", FIRST)
        .test(
            "OwnTest",
            "package p; class OwnTest implements dev.tutti.testkit.junit.ProvidersTck {}");

    assertThat(providers(selectClass(project.type("FirstTest")))).isEmpty();
    EngineExecutionResults results =
        EngineTestKit.engine("junit-jupiter")
            .selectors(selectClass(project.type("OwnTest")))
            .execute();
    results.testEvents().assertStatistics(count -> count.failed(0));
    assertThat(results.testEvents().succeeded().count()).isGreaterThan(100);
    assertThat(
            results.containerEvents().started().stream()
                .map(event -> event.getTestDescriptor().getDisplayName()))
        .contains("broadcast star (dev.tutti.testkit.junit.StarBroadcast)");
  }

  @Test
  void aProviderThatCannotBeLoadedIsReported() throws IOException {
    project.services("org.example.Missing\n").test("FirstTest", FIRST);

    EngineExecutionResults results = run(selectClass(project.type("FirstTest")));

    assertThat(message(results)).contains("org.example.Missing");
  }

  @Test
  void aProviderInAJarWasTestedWhereItWasBuilt() throws IOException {
    project.test("FirstTest", FIRST);
    Path jar = directory.resolve("other.jar");
    project.addURL(
        TestPlugins.plugin("other")
            .copyOf(TestPluginsTest.Plain.class, "org.example.Other", "other")
            .write(jar)
            .toUri()
            .toURL());
    assertThat(ServiceLoader.load(CollExecutorBase.class, project)).hasSize(1);

    assertThat(providers(selectClass(project.type("FirstTest")))).isEmpty();
  }

  @Test
  void halfATransferIsReported() throws IOException {
    project.providers(Halves.Sender.class).test("FirstTest", FIRST);

    assertThat(message(run(selectClass(project.type("FirstTest")))))
        .contains(
            "Sender cannot be tested alone: there is no executor for receive of the name 'half'");
  }

  @Test
  void bothHalvesOfATransferAreTestedTogether() throws IOException {
    project.providers(Halves.Sender.class, Halves.Receiver.class).test("FirstTest", FIRST);

    EngineExecutionResults results = run(selectClass(project.type("FirstTest")));

    results.testEvents().assertStatistics(count -> count.failed(0).aborted(0));
    assertThat(results.testEvents().succeeded().count()).isGreaterThan(100);
    assertThat(providers(selectClass(project.type("FirstTest"))))
        .containsExactly("send half (dev.tutti.testkit.junit.Halves$Sender)");
  }

  @Test
  void nothingHappensWithoutProvidersOrWhenItIsSwitchedOff() throws IOException {
    project.test("FirstTest", FIRST);
    assertThat(providers(selectClass(project.type("FirstTest")))).isEmpty();

    project.providers(StarBroadcast.class);
    assertThat(providers("false", selectClass(project.type("FirstTest")))).isEmpty();
    assertThat(providers(selectClass(project.type("FirstTest")))).hasSize(1);
  }
}
