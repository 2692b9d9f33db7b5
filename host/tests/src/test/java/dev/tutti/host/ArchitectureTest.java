package dev.tutti.host;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import dev.tutti.base.idle.Clock;
import dev.tutti.cli.Main;
import dev.tutti.engine.Engine;
import dev.tutti.plugin.PluginSet;
import java.io.PrintStream;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.net.URI;
import java.net.URL;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The allowed dependencies inside the modules of the host, and their public interfaces. The poms
 * and module descriptors define the dependencies between modules.
 */
final class ArchitectureTest {

  private static final String TUTTI = "dev.tutti";
  private static final String BASE = "dev.tutti.base";
  private static final String ENGINE = "dev.tutti.engine";
  private static final String PLUGIN = "dev.tutti.plugin";
  private static final String HOST = "dev.tutti.host";
  private static final String CLI = "dev.tutti.cli";

  /** The packages that every package of the host may know. */
  private static final String[] COMMON = {
    "dev.tutti.sdk..",
    "dev.tutti.plan..",
    "dev.tutti.verifier..",
    "dev.tutti.simulator..",
    "dev.tutti.base.."
  };

  /** Classes that say how long something has taken, or measure for a time. */
  private static final Set<String> MEASURING =
      Set.of(
          "ChoiceComparisons",
          "Comparisons",
          "HopProbe",
          "ProbeMeasurement",
          "Promotion",
          "Stopwatch",
          "Sweep",
          "WarmUp",
          "Workload");

  private static final Set<String> FORMATTING = Set.of("format", "formatted", "printf");

  private static final Set<String> FORMATTED =
      Set.of("java.lang.String", "java.io.PrintStream", "java.io.PrintWriter");

  private static final List<URL> MODULES =
      Stream.of(Clock.class, Engine.class, PluginSet.class, Context.class, Main.class)
          .map(type -> type.getProtectionDomain().getCodeSource().getLocation())
          .toList();

  /** By place and not by package, so that no class of the tests is among them. */
  private static final JavaClasses CLASSES = new ClassFileImporter().importUrls(MODULES);

  private static final Set<String> EXPORTED = exported();

  private static Set<String> exported() {
    return MODULES.stream()
        .flatMap(
            module -> ModuleFinder.of(Path.of(URI.create(module.toString()))).findAll().stream())
        .flatMap(module -> module.descriptor().exports().stream())
        .filter(exports -> !exports.isQualified())
        .map(ModuleDescriptor.Exports::source)
        .collect(Collectors.toUnmodifiableSet());
  }

  /** A package knows, of our code, only itself, the common packages, and these. */
  private static ArchRule knowsOnly(String of, String... others) {
    return noClasses()
        .that()
        .resideInAPackage(of)
        .should()
        .dependOnClassesThat(
            resideInAPackage(TUTTI + "..")
                .and(not(resideInAnyPackage(COMMON)))
                .and(not(resideInAPackage(of)))
                .and(not(resideInAnyPackage(others))));
  }

  @Test
  void allOfTheHostIsSeen() {
    assertThat(EXPORTED)
        .containsExactlyInAnyOrder(
            ENGINE + ".machine",
            ENGINE + ".trace",
            PLUGIN,
            HOST,
            HOST + ".call",
            HOST + ".pool",
            HOST + ".pool.rules",
            HOST + ".status");
    assertThat(CLASSES.stream().map(JavaClass::getPackageName).collect(Collectors.toSet()))
        .contains(ENGINE, ENGINE + ".kernel", PLUGIN + ".live", HOST, HOST + ".pool", CLI);
    assertThat(CLASSES.contain(ArchitectureTest.class)).isFalse();
  }

  @Test
  void theEngineBuildsOnKernelsMemoryAndTheModelOfTheMachine() {
    knowsOnly(
            ENGINE,
            ENGINE + ".kernel",
            ENGINE + ".machine",
            ENGINE + ".memory",
            ENGINE + ".message",
            ENGINE + ".trace")
        .check(CLASSES);
    knowsOnly(ENGINE + ".kernel").check(CLASSES);
    knowsOnly(ENGINE + ".machine").check(CLASSES);
    knowsOnly(ENGINE + ".memory").check(CLASSES);
    knowsOnly(ENGINE + ".message").check(CLASSES);
    knowsOnly(ENGINE + ".trace").check(CLASSES);
  }

  @Test
  void pluginsAreLoadedWithoutKnowingHowTheyAreServed() {
    knowsOnly(
            PLUGIN,
            PLUGIN + ".file",
            PLUGIN + ".guard",
            PLUGIN + ".json",
            PLUGIN + ".limit",
            PLUGIN + ".link",
            PLUGIN + ".signature")
        .check(CLASSES);
    knowsOnly(PLUGIN + ".guard").check(CLASSES);
    knowsOnly(PLUGIN + ".link", PLUGIN + ".guard").check(CLASSES);
    knowsOnly(PLUGIN + ".signature", PLUGIN + ".file").check(CLASSES);
    knowsOnly(PLUGIN + ".store", PLUGIN + ".file", PLUGIN + ".json").check(CLASSES);
    knowsOnly(PLUGIN + ".file").check(CLASSES);
    knowsOnly(PLUGIN + ".json").check(CLASSES);
    knowsOnly(PLUGIN + ".limit").check(CLASSES);
  }

  /** From values, which all may know, up to the ranks of a group; the public types stand above. */
  @Test
  void theRoomsOfTheHostBuildOnEachOtherInOneDirection() {
    knowsOnly(HOST + ".call").check(CLASSES);
    knowsOnly(HOST + ".topology").check(CLASSES);
    knowsOnly(
            HOST + ".job",
            HOST + ".status",
            ENGINE + ".queue",
            ENGINE + ".memory",
            ENGINE + ".message")
        .check(CLASSES);
    knowsOnly(HOST + ".swap", HOST + ".job", PLUGIN + ".live").check(CLASSES);
    knowsOnly(
            HOST + ".config",
            HOST + ".call",
            HOST + ".pool.rules",
            HOST + ".status",
            PLUGIN + "..",
            ENGINE + ".machine",
            ENGINE + ".trace")
        .check(CLASSES);
    knowsOnly(
            HOST + ".planning",
            HOST + ".call",
            HOST + ".config",
            HOST + ".pool..",
            HOST + ".status",
            HOST + ".watch",
            PLUGIN + "..",
            ENGINE + "..")
        .check(CLASSES);
    knowsOnly(
            HOST + ".buffers",
            HOST + ".call",
            HOST + ".job",
            HOST + ".planning",
            HOST + ".topology",
            ENGINE + "..")
        .check(CLASSES);
    String[] belowGroups = {
      HOST + ".buffers",
      HOST + ".call",
      HOST + ".config",
      HOST + ".job",
      HOST + ".planning",
      HOST + ".pool",
      HOST + ".status",
      HOST + ".topology",
      HOST + ".watch",
      PLUGIN + "..",
      ENGINE + ".."
    };
    knowsOnly(HOST + ".group", belowGroups).check(CLASSES);
    knowsOnly(HOST + ".capture", and(belowGroups, HOST + ".group")).check(CLASSES);
    knowsOnly(HOST + ".rank", and(belowGroups, HOST + ".group", HOST + ".capture")).check(CLASSES);
  }

  private static String[] and(String[] some, String... others) {
    return Stream.concat(Arrays.stream(some), Arrays.stream(others)).toArray(String[]::new);
  }

  @Test
  void thePoolChoosesWithoutGroups() {
    knowsOnly(HOST + ".pool", HOST + ".pool.rules", PLUGIN + "..").check(CLASSES);
    knowsOnly(HOST + ".pool.rules", PLUGIN + "..", ENGINE + ".machine").check(CLASSES);
  }

  @Test
  void whatAGroupIsDoingIsSaidInPlainValues() {
    knowsOnly(HOST + ".status").check(CLASSES);
  }

  @Test
  void notesOfWhatRunsHoldNothingThatRuns() {
    knowsOnly(HOST + ".watch", HOST + ".status").check(CLASSES);
  }

  /** Each package with those of its module that it may know; commands know no other command. */
  @Test
  void theCommandLineIsBuiltFromTheTerminalUpToTheCommands() {
    Map<String, List<String>> known = new LinkedHashMap<>();
    known.put("terminal", List.of());
    known.put("control", List.of());
    known.put("measure", List.of());
    known.put("options", List.of("terminal"));
    known.put("chart", List.of("measure", "options", "terminal"));
    known.put("request", List.of("options"));
    known.put("host", List.of("control", "options", "request", "terminal"));
    known.put("catalogue", List.of("host", "options", "terminal"));
    known.put("show", List.of("chart", "host", "options", "terminal"));
    known.put("project", List.of("options", "terminal"));
    known.put("job", List.of("control", "host", "options", "request", "terminal"));
    known.put("launch", List.of("host", "job", "options", "terminal"));
    known.put(
        "bench",
        List.of("chart", "host", "job", "launch", "measure", "options", "request", "terminal"));
    known.put("tune.model", List.of("measure", "terminal"));
    known.put("tune.network", List.of("host", "measure", "options", "request", "terminal"));
    known.put(
        "tune",
        List.of(
            "chart",
            "host",
            "measure",
            "options",
            "request",
            "terminal",
            "tune.model",
            "tune.network"));
    known.put("verify", List.of("catalogue", "host", "options", "terminal"));
    known.put("dev", List.of("catalogue", "host", "terminal", "verify"));
    known.put("simulate", List.of("catalogue", "host", "options", "terminal"));
    known.put("plugins", List.of("host", "terminal"));
    known.put(
        "serve", List.of("control", "host", "job", "launch", "options", "plugins", "terminal"));

    assertThat(packagesBelow(CLI)).containsExactlyInAnyOrderElementsOf(known.keySet());
    known.forEach((name, others) -> knowsOfTheCommandLine(name, others).check(CLASSES));
  }

  private static ArchRule knowsOfTheCommandLine(String name, List<String> others) {
    return noClasses()
        .that()
        .resideInAPackage(CLI + "." + name)
        .should()
        .dependOnClassesThat(
            resideInAPackage(CLI + "..")
                .and(not(resideInAPackage(CLI + "." + name)))
                .and(
                    not(
                        resideInAnyPackage(
                            others.stream()
                                .map(each -> CLI + "." + each)
                                .toArray(String[]::new)))));
  }

  private static Set<String> packagesBelow(String name) {
    return CLASSES.stream()
        .map(JavaClass::getPackageName)
        .filter(each -> each.startsWith(name + "."))
        .map(each -> each.substring(name.length() + 1))
        .collect(Collectors.toSet());
  }

  @Test
  void theControlSocketKnowsNoCommand() {
    knowsOnly(CLI + ".control", PLUGIN + ".file", PLUGIN + ".json").check(CLASSES);
    knowsOnly(CLI + ".terminal").check(CLASSES);
    knowsOnly(CLI + ".measure").check(CLASSES);
    knowsOnly(CLI + ".tune.model", CLI + ".measure", CLI + ".terminal", ENGINE + "..", HOST + "..")
        .check(CLASSES);
  }

  /**
   * Code that waits takes a clock and an idle strategy. The exceptions spin while no other time may
   * pass than that of the loop, or park until they are unparked; the acceptor of control clients
   * waits only for the next client.
   */
  @Test
  void whoWaitsDoesSoByTheClockOfTheHost() {
    assertThat(callersOf(CLASSES, Thread.class, "onSpinWait"))
        .containsExactlyInAnyOrder(
            "ListRun", "QueueGate", "QueueProgress", "QueueRunner", "FlightLog", "HopProbe");
    assertThat(callersOf(CLASSES, LockSupport.class, "park", "parkNanos", "parkUntil"))
        .containsExactly("ControlServer");
    assertThat(callersOf(CLASSES, Thread.class, "yield", "sleep")).isEmpty();
  }

  /** The exceptions measure time without waiting for it, or time a child process. */
  @Test
  void whoHasADeadlineHasItByTheClockOfTheHost() {
    assertThat(
            callersOf(CLASSES, System.class, "nanoTime", "currentTimeMillis").stream()
                .filter(name -> !MEASURING.contains(name)))
        .containsExactlyInAnyOrder("Admission", "ControlServer", "IsolatedExaminer", "Load");
    assertThat(callersOf(CLASSES, System.class, "nanoTime")).containsAll(MEASURING);
  }

  /** The classes outside of package idle that call a method, nested ones as their outermost. */
  private static Set<String> callersOf(JavaClasses classes, Class<?> owner, String... methods) {
    return classes.stream()
        .filter(each -> !each.getPackageName().equals(BASE + ".idle"))
        .flatMap(each -> each.getMethodCallsFromSelf().stream())
        .filter(call -> call.getTargetOwner().isEquivalentTo(owner))
        .filter(call -> Set.of(methods).contains(call.getName()))
        .map(call -> call.getOriginOwner().getName())
        .map(name -> name.substring(name.lastIndexOf('.') + 1).replaceFirst("\\$.*", ""))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void whatIsSaidIsTheSameInEveryLocale() {
    assertThat(callsInAnyLocale(CLASSES)).isEmpty();
  }

  @Test
  void aCallInTheUsersLocaleIsNoticed() {
    assertThat(callsInAnyLocale(new ClassFileImporter().importClasses(LocalWords.class)))
        .hasSize(4);
  }

  /** Numbers and letters of wherever the user is. */
  private static final class LocalWords {
    private LocalWords() {}

    static void say(PrintStream out) {
      out.printf("%d", 1);
      out.format("%d", 2);
      out.println("%d".formatted(3) + String.format("%d", 4));
      out.printf(Locale.ROOT, "%d", 5);
    }
  }

  private static List<String> callsInAnyLocale(JavaClasses classes) {
    return classes.stream()
        .flatMap(each -> each.getMethodCallsFromSelf().stream())
        .filter(call -> FORMATTING.contains(call.getName()))
        .filter(call -> FORMATTED.contains(call.getTargetOwner().getName()))
        .filter(
            call ->
                call.getTarget().getRawParameterTypes().stream()
                    .noneMatch(type -> type.isEquivalentTo(Locale.class)))
        .map(Object::toString)
        .toList();
  }

  @Test
  void theHostKnowsNoPlugin() {
    noClasses()
        .should()
        .dependOnClassesThat(resideInAPackage("dev.tutti.plugins.."))
        .check(CLASSES);
  }

  @Test
  void onlyPluginsAreReflectedUpon() {
    noClasses()
        .that()
        .resideOutsideOfPackages(PLUGIN + "..", CLI + "..")
        .should()
        .dependOnClassesThat(resideInAPackage("java.lang.reflect.."))
        .check(CLASSES);
  }

  @Test
  void thePublicFaceShowsNothingThatIsNotExported() {
    List<String> found = new ArrayList<>();
    for (JavaClass each : CLASSES) {
      if (EXPORTED.contains(each.getPackageName()) && isPublic(each)) {
        found.addAll(hidden(each));
      }
    }
    assertThat(found).isEmpty();
  }

  @Test
  void aBrokenRuleIsNoticed() {
    assertThat(
            noClasses()
                .that()
                .resideInAPackage(HOST)
                .should()
                .dependOnClassesThat(resideInAPackage(ENGINE + ".."))
                .evaluate(CLASSES)
                .hasViolation())
        .isTrue();
    assertThat(hidden(CLASSES.get(ENGINE + ".Engine"))).isNotEmpty();
  }

  private static boolean isPublic(JavaClass type) {
    return type.getModifiers().contains(JavaModifier.PUBLIC)
        && type.getEnclosingClass().map(ArchitectureTest::isPublic).orElse(true);
  }

  /** Types of this host that signatures expose although code outside cannot name them. */
  private static List<String> hidden(JavaClass type) {
    List<String> found = new ArrayList<>();
    for (JavaCodeUnit unit : type.getCodeUnits()) {
      if (isShown(unit.getModifiers())) {
        List<JavaClass> shown = new ArrayList<>(unit.getRawParameterTypes());
        shown.add(unit.getRawReturnType());
        shown.stream()
            .filter(ArchitectureTest::isHidden)
            .forEach(each -> found.add(unit.getFullName() + " shows " + each.getName()));
      }
    }
    for (JavaField field : type.getFields()) {
      if (isShown(field.getModifiers()) && isHidden(field.getRawType())) {
        found.add(field.getFullName() + " shows " + field.getRawType().getName());
      }
    }
    return found;
  }

  private static boolean isShown(Set<JavaModifier> modifiers) {
    return (modifiers.contains(JavaModifier.PUBLIC) || modifiers.contains(JavaModifier.PROTECTED))
        && !modifiers.contains(JavaModifier.SYNTHETIC);
  }

  private static boolean isHidden(JavaClass type) {
    JavaClass element = type.getBaseComponentType();
    return CLASSES.contain(element.getName())
        && !(EXPORTED.contains(element.getPackageName()) && isPublic(element));
  }
}
