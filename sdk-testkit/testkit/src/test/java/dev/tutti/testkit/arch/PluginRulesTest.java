package dev.tutti.testkit.arch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import dev.tutti.sdk.CollAlgorithm;
import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.param.AllReduceParam;
import dev.tutti.sdk.param.OpParam;
import dev.tutti.sdk.resource.AlgResourceRequest;
import dev.tutti.sdk.resource.AlgResourceResponse;
import dev.tutti.testkit.plugin.TestPlugins;
import dev.tutti.verifier.rule.Finding;
import dev.tutti.verifier.rule.Rule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Each rule finds its violations, with the line; a plugin that does everything allowed is clean.
 */
class PluginRulesTest {

  private static final List<ArchRule> ALL =
      List.of(
          PluginRules.ONLY_SDK_AND_PLAIN_JDK,
          PluginRules.NO_CLOCKS,
          PluginRules.NO_RANDOMNESS,
          PluginRules.NO_THREADS,
          PluginRules.NO_IO,
          PluginRules.NO_REFLECTION,
          PluginRules.NO_PROCESS,
          PluginRules.NO_STATIC_STATE,
          PluginRules.NO_EXECUTOR_STATE,
          PluginRules.PROVIDERS_CAN_BE_LOADED,
          PluginRules.DEFAULT_IN_OPEN_SWITCHES);

  @TempDir private Path directory;

  /** The violations of one rule, which must be the only one that is broken. */
  private static List<String> violations(ArchRule rule, Class<?>... types) {
    JavaClasses classes = new ClassFileImporter().importClasses(types);
    for (ArchRule other : ALL) {
      if (other != rule) {
        assertThat(details(other, classes)).as(other.getDescription()).isEmpty();
      }
    }
    return details(rule, classes);
  }

  private static List<String> details(ArchRule rule, Class<?>... types) {
    return details(rule, new ClassFileImporter().importClasses(types));
  }

  private static List<String> details(ArchRule rule, JavaClasses classes) {
    return rule.evaluate(classes).getFailureReport().getDetails();
  }

  @Test
  void nothingIsFoundInAPluginThatDoesAllThatIsAllowed() {
    Path jar = TestPlugins.jar(directory.resolve("good.jar"), GoodPlugin.class);

    assertThat(PluginRules.check(jar)).isEmpty();
  }

  static final class UsesAToolkit {
    Object parse() {
      return Path.class == null ? null : org.assertj.core.api.Assertions.atIndex(1);
    }
  }

  @Test
  void aLibraryThatTheHostDoesNotGiveIsFound() {
    assertThat(details(PluginRules.ONLY_SDK_AND_PLAIN_JDK, UsesAToolkit.class))
        .anyMatch(text -> text.contains("org.assertj") && text.contains("PluginRulesTest.java:"));
  }

  static final class Parses {
    Object parser() throws Exception {
      return javax.xml.parsers.SAXParserFactory.newInstance().newSAXParser();
    }
  }

  static final class WaitsForTheCollector {
    Object reference() {
      return new java.lang.ref.WeakReference<>(this);
    }
  }

  static final class DescribesItself {
    Object describe() {
      return Integer.valueOf(1).describeConstable();
    }
  }

  @Test
  void partsOfTheJdkThatNoPluginMayUseAreFound() {
    assertThat(violations(PluginRules.ONLY_SDK_AND_PLAIN_JDK, Parses.class))
        .anyMatch(text -> text.contains("javax.xml.parsers.SAXParserFactory"));
    assertThat(violations(PluginRules.ONLY_SDK_AND_PLAIN_JDK, WaitsForTheCollector.class))
        .anyMatch(text -> text.contains("java.lang.ref.WeakReference"));
    assertThat(violations(PluginRules.ONLY_SDK_AND_PLAIN_JDK, DescribesItself.class)).hasSize(1);
  }

  static final class AsksTheTime {
    long now() {
      return System.nanoTime();
    }
  }

  static final class AsksTheDate {
    Object today() {
      return java.time.LocalDate.now();
    }
  }

  @Test
  void clocksAreFound() {
    assertThat(violations(PluginRules.NO_CLOCKS, AsksTheTime.class))
        .singleElement()
        .asString()
        .contains("AsksTheTime.now()")
        .contains("java.lang.System.nanoTime()")
        .containsPattern("PluginRulesTest\\.java:\\d+");
    assertThat(violations(PluginRules.NO_CLOCKS, AsksTheDate.class)).isNotEmpty();
  }

  static final class Draws {
    int draw() {
      return new Random().nextInt();
    }
  }

  static final class DrawsQuietly {
    double draw() {
      return Math.random() + System.identityHashCode(this);
    }
  }

  @Test
  void randomnessIsFound() {
    assertThat(violations(PluginRules.NO_RANDOMNESS, Draws.class)).isNotEmpty();
    assertThat(violations(PluginRules.NO_RANDOMNESS, DrawsQuietly.class)).hasSize(2);
  }

  static final class StartsThreads {
    void start() {
      Thread.startVirtualThread(() -> {});
    }
  }

  static final class RunsInParallel {
    long sum(List<Integer> numbers) {
      return numbers.parallelStream().mapToInt(Integer::intValue).sum();
    }
  }

  static final class Waits {
    void await(CountDownLatch latch) throws InterruptedException {
      latch.await();
    }
  }

  static final class RunsItselfInParallel extends ArrayList<Integer> {
    private static final long serialVersionUID = 1;

    Object inParallel() {
      return parallelStream();
    }
  }

  static final class SplitsItsWork {
    void print(ConcurrentHashMap<String, String> map) {
      map.forEach((key, value) -> {});
      map.forEach(1, (key, value) -> {});
    }
  }

  static final class CountsForAll {
    long count(AtomicLong counter) {
      return counter.incrementAndGet();
    }
  }

  @Test
  void threadsAreFound() {
    assertThat(violations(PluginRules.NO_THREADS, StartsThreads.class)).isNotEmpty();
    assertThat(violations(PluginRules.NO_THREADS, RunsInParallel.class)).isNotEmpty();
    assertThat(violations(PluginRules.NO_THREADS, Waits.class)).isNotEmpty();
    assertThat(violations(PluginRules.NO_THREADS, RunsItselfInParallel.class)).hasSize(1);
    assertThat(violations(PluginRules.NO_THREADS, SplitsItsWork.class))
        .singleElement()
        .asString()
        .contains("forEach(long, ");
    assertThat(violations(PluginRules.NO_THREADS, CountsForAll.class)).isEmpty();
  }

  static final class Prints {
    void print() {
      System.out.append("hello");
    }
  }

  static final class Reads {
    boolean exists() {
      return Files.exists(Path.of("x"));
    }
  }

  @Test
  void inputAndOutputAreFound() {
    assertThat(violations(PluginRules.NO_IO, Prints.class)).isNotEmpty();
    assertThat(violations(PluginRules.NO_IO, Reads.class)).isNotEmpty();
  }

  static final class Reflects {
    Object make(Class<?> type) throws ReflectiveOperationException {
      return type.getDeclaredConstructor().newInstance();
    }
  }

  static final class LoadsClasses {
    Object load(String name) throws ClassNotFoundException {
      return Class.forName(name);
    }
  }

  @Test
  void reflectionIsFound() {
    assertThat(violations(PluginRules.NO_REFLECTION, Reflects.class)).isNotEmpty();
    assertThat(violations(PluginRules.NO_REFLECTION, LoadsClasses.class)).hasSize(1);
  }

  static final class Ends {
    void end() {
      System.exit(1);
    }
  }

  static final class AsksForSettings {
    int workers() {
      return Runtime.getRuntime().availableProcessors() + Integer.getInteger("workers", 1);
    }
  }

  @Test
  void theEndOfTheProcessAndItsSettingsAreFound() {
    assertThat(violations(PluginRules.NO_PROCESS, Ends.class)).hasSize(1);
    assertThat(violations(PluginRules.NO_PROCESS, AsksForSettings.class)).isNotEmpty();
  }

  static final class KeepsACounter {
    static int calls;
  }

  static final class KeepsACache {
    static final Map<String, Integer> CACHE = new HashMap<>();
  }

  static final class KeepsATable {
    static final int[] TABLE = {1, 2, 3};
  }

  static final class KeepsABox {
    static final Box BOX = new Box();

    static final class Box {
      int content;
    }
  }

  @Test
  void staticStateIsFound() {
    assertThat(violations(PluginRules.NO_STATIC_STATE, KeepsACounter.class))
        .singleElement()
        .asString()
        .contains("KeepsACounter.calls> is not final");
    assertThat(violations(PluginRules.NO_STATIC_STATE, KeepsACache.class)).hasSize(1);
    assertThat(violations(PluginRules.NO_STATIC_STATE, KeepsATable.class)).hasSize(1);
    assertThat(violations(PluginRules.NO_STATIC_STATE, KeepsABox.class, KeepsABox.Box.class))
        .hasSize(1);
  }

  abstract static class KeepsTheLast extends CollExecutorBase<AllReduceParam> {
    long last;
  }

  abstract static class KeepsAll extends CollExecutorBase<AllReduceParam> {
    final List<Long> all = new ArrayList<>();
  }

  static final class MayKeepWhatItIsNotAskedFor {
    long last;
  }

  @Test
  void stateOfExecutorsIsFound() {
    assertThat(violations(PluginRules.NO_EXECUTOR_STATE, KeepsTheLast.class)).hasSize(1);
    assertThat(violations(PluginRules.NO_EXECUTOR_STATE, KeepsAll.class)).hasSize(1);
    assertThat(violations(PluginRules.NO_EXECUTOR_STATE, MayKeepWhatItIsNotAskedFor.class))
        .isEmpty();
  }

  @CollAlgorithm(name = "hidden", summary = "cannot be seen")
  static final class Hidden extends Idle {}

  @CollAlgorithm(name = "open", summary = "can be extended")
  public static class Extensible extends Idle {}

  @CollAlgorithm(name = "needy", summary = "wants an argument")
  public static final class Needy extends Idle {
    public Needy(int radix) {}
  }

  @CollAlgorithm(name = "none", summary = "is no executor")
  public static final class NoExecutor {}

  static class Idle extends CollExecutorBase<AllReduceParam> {
    @Override
    public AlgResourceRequest calcResRequest(AllReduceParam param) {
      return AlgResourceRequest.none();
    }

    @Override
    public void orchestrate(AllReduceParam param, AlgResourceResponse resources) {}
  }

  @Test
  void providersThatCannotBeLoadedAreFound() {
    assertThat(violations(PluginRules.PROVIDERS_CAN_BE_LOADED, Hidden.class, Idle.class))
        .containsExactlyInAnyOrder(
            details(Hidden.class, "is not public"),
            details(Hidden.class, "has no public constructor without parameters"));
    assertThat(violations(PluginRules.PROVIDERS_CAN_BE_LOADED, Extensible.class, Idle.class))
        .containsExactly(details(Extensible.class, "is not final"));
    assertThat(violations(PluginRules.PROVIDERS_CAN_BE_LOADED, Needy.class, Idle.class))
        .containsExactly(details(Needy.class, "has no public constructor without parameters"));
    assertThat(violations(PluginRules.PROVIDERS_CAN_BE_LOADED, NoExecutor.class))
        .containsExactly(details(NoExecutor.class, "does not extend CollExecutorBase"));
  }

  private static String details(Class<?> type, String problem) {
    return "Provider <%s> %s in (PluginRulesTest.java:0)".formatted(type.getName(), problem);
  }

  static final class SwitchesOverTypes {
    static int size(DataType type) {
      return switch (type) {
        case INT8, UINT8 -> 1;
        case INT16, UINT16, FLOAT16, BFLOAT16 -> 2;
        case INT32, UINT32, FLOAT32 -> 4;
        case INT64, UINT64, FLOAT64 -> 8;
      };
    }
  }

  static final class SwitchesOverReductions {
    static String name(ReduceOp op) {
      return switch (op) {
        case null -> "none";
        case SUM, PROD -> "arithmetic";
        case MAX, MIN -> "order";
        case BAND, BOR, BXOR -> "bits";
      };
    }
  }

  static final class SwitchesInALambda {
    static List<Integer> sizes(List<DataType> types) {
      return types.stream()
          .map(
              type ->
                  switch (type) {
                    case INT8, UINT8 -> 1;
                    case INT16, UINT16, FLOAT16, BFLOAT16 -> 2;
                    case INT32, UINT32, FLOAT32 -> 4;
                    case INT64, UINT64, FLOAT64 -> 8;
                  })
          .toList();
    }
  }

  @Test
  void switchesOverOpenTypesWithoutADefaultAreFound() {
    assertThat(violations(PluginRules.DEFAULT_IN_OPEN_SWITCHES, SwitchesOverTypes.class))
        .singleElement()
        .asString()
        .contains("SwitchesOverTypes.size> switches over dev.tutti.sdk.DataType without a default")
        .containsPattern("PluginRulesTest\\.java:[1-9]\\d+");
    assertThat(violations(PluginRules.DEFAULT_IN_OPEN_SWITCHES, SwitchesOverReductions.class))
        .hasSize(1);
    assertThat(violations(PluginRules.DEFAULT_IN_OPEN_SWITCHES, SwitchesInALambda.class))
        .hasSize(1);
  }

  @Test
  void patternSwitchesOverOpenTypesWithoutADefaultAreFound() throws IOException {
    Set<String> params = new TreeSet<>();
    for (Class<?> type : OpParam.class.getPermittedSubclasses()) {
      params.add("case " + type.getName() + " p -> 1;");
    }
    Path classes =
        Compiled.into(
            directory,
            "p.Sealed",
            """
            package p;
            class Sealed {
              static int number(dev.tutti.sdk.param.OpParam param) {
                return switch (param) { %s };
              }
            }
            """
                .formatted(String.join(" ", params)));

    assertThat(PluginRules.check(classes))
        .singleElement()
        .satisfies(
            finding ->
                assertThat(finding.message())
                    .contains("<p.Sealed.number> switches over dev.tutti.sdk.param.OpParam"));
  }

  @Test
  void theOpenTypesAreThoseThatTheSpiDocumentsAsOpen() throws IOException {
    Path sources = Path.of("..", "..", "sdk-api", "spi", "src", "main", "java");
    Pattern open = Pattern.compile("The set\\s+(\\* )?is open");
    Set<String> documented = new TreeSet<>();
    try (Stream<Path> files = Files.walk(sources)) {
      for (Path file : files.filter(each -> each.toString().endsWith(".java")).toList()) {
        if (open.matcher(Files.readString(file)).find()
            || Files.readString(file).contains("the set is open")) {
          String name = sources.relativize(file).toString().replace('/', '.').replace('\\', '.');
          documented.add(name.substring(0, name.length() - ".java".length()));
        }
      }
    }

    assertThat(OpenSwitches.OPEN).containsExactlyInAnyOrderElementsOf(documented);
  }

  @Test
  void aJarIsCheckedAndEachFindingSaysWhyTheRuleIsThere() {
    Path jar =
        TestPlugins.plugin("p")
            .withClass(AsksTheTime.class)
            .withClass(KeepsACounter.class)
            .write(directory.resolve("bad.jar"));

    List<Finding> findings = PluginRules.check(jar);

    assertThat(findings)
        .extracting(Finding::rule)
        .containsExactly(Rule.FORBIDDEN_CALL, Rule.NOT_PURE);
    assertThat(findings.getFirst().explanation())
        .isEqualTo(
            "classes should not use clocks, because a plan that depends on the time differs between"
                + " ranks and between runs");
  }

  @Test
  void aPlaceWithoutClassesIsRefused() throws IOException {
    Path empty = Files.createDirectory(directory.resolve("empty"));

    assertThatThrownBy(() -> PluginRules.check(empty))
        .isInstanceOf(TuttiException.class)
        .hasMessageContaining("there is no class in " + empty);
    assertThatThrownBy(() -> PluginRules.check(directory.resolve("missing")))
        .isInstanceOf(TuttiException.class)
        .hasMessageContaining("compile them first");
  }

  @Test
  void allRulesAreOneRuleToo() {
    assertThat(details(PluginRules.ALL, AsksTheTime.class, Draws.class, KeepsACounter.class))
        .hasSizeGreaterThanOrEqualTo(3);
    assertThat(details(PluginRules.ALL, GoodPlugin.class.getNestMembers())).isEmpty();
  }
}
