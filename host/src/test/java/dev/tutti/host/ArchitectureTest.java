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
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Who may know whom inside the host, and what is its public face. */
final class ArchitectureTest {

  private static final String HOST = "dev.tutti.host";

  private static final Set<String> EXPORTED =
      Set.of(
          HOST,
          HOST + ".machine",
          HOST + ".plugin",
          HOST + ".pool",
          HOST + ".pool.rules",
          HOST + ".status");

  /** Classes that say how long something has taken, or measure for a time. */
  private static final Set<String> MEASURING =
      Set.of(
          "Calibrator",
          "ChoiceComparisons",
          "Comparisons",
          "HopProbe",
          "MeasurementBatch",
          "Stopwatch",
          "Sweep",
          "VerifyCommand",
          "VerifyRun",
          "WarmUp",
          "Workload");

  private static final Set<String> FORMATTING = Set.of("format", "formatted", "printf");

  private static final Set<String> FORMATTED =
      Set.of("java.lang.String", "java.io.PrintStream", "java.io.PrintWriter");

  /** By place and not by package, so that no class of the tests is among them. */
  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .importUrl(Context.class.getProtectionDomain().getCodeSource().getLocation());

  private static ArchRule independent(String from, String... of) {
    return noClasses()
        .that()
        .resideInAPackage(from)
        .should()
        .dependOnClassesThat(resideInAnyPackage(of));
  }

  @Test
  void allOfTheHostIsSeen() {
    assertThat(CLASSES.size()).isGreaterThan(150);
    assertThat(CLASSES.stream().map(JavaClass::getPackageName).collect(Collectors.toSet()))
        .contains(
            HOST,
            HOST + ".cli",
            HOST + ".control",
            HOST + ".engine",
            HOST + ".guard",
            HOST + ".idle",
            HOST + ".json",
            HOST + ".kernel",
            HOST + ".live",
            HOST + ".machine",
            HOST + ".memory",
            HOST + ".plugin",
            HOST + ".plugin.guard",
            HOST + ".plugin.link",
            HOST + ".plugin.signature",
            HOST + ".plugin.store",
            HOST + ".pool",
            HOST + ".pool.rules",
            HOST + ".status",
            HOST + ".watch");
    assertThat(CLASSES.contain(ArchitectureTest.class)).isFalse();
  }

  @Test
  void theEngineKnowsPlansAndKernelsOnly() {
    independent(
            HOST + ".engine..",
            HOST,
            HOST + ".cli..",
            HOST + ".guard..",
            HOST + ".memory..",
            HOST + ".plugin..",
            HOST + ".pool..")
        .check(CLASSES);
  }

  @Test
  void kernelsKnowNothingOfTheHost() {
    noClasses()
        .that()
        .resideInAPackage(HOST + ".kernel..")
        .should()
        .dependOnClassesThat(
            resideInAPackage(HOST + "..").and(not(resideInAPackage(HOST + ".kernel.."))))
        .check(CLASSES);
  }

  @Test
  void pluginsAndThePoolKnowNeitherTheEngineNorGroups() {
    independent(
            HOST + ".plugin..",
            HOST,
            HOST + ".engine..",
            HOST + ".kernel..",
            HOST + ".pool..",
            HOST + ".live..",
            HOST + ".memory..",
            HOST + ".cli..")
        .check(CLASSES);
    independent(HOST + ".plugin.store..", HOST + ".plugin").check(CLASSES);
    independent(
            HOST + ".control..",
            HOST,
            HOST + ".cli..",
            HOST + ".engine..",
            HOST + ".plugin..",
            HOST + ".live..",
            HOST + ".pool..")
        .check(CLASSES);
    independent(HOST + ".live..", HOST, HOST + ".engine..", HOST + ".cli..").check(CLASSES);
    independent(
            HOST + ".pool..",
            HOST,
            HOST + ".engine..",
            HOST + ".kernel..",
            HOST + ".memory..",
            HOST + ".cli..")
        .check(CLASSES);
    independent(
            HOST + ".memory..",
            HOST,
            HOST + ".engine..",
            HOST + ".kernel..",
            HOST + ".plugin..",
            HOST + ".pool..",
            HOST + ".guard..",
            HOST + ".cli..")
        .check(CLASSES);
    independent(
            HOST + ".guard..",
            HOST,
            HOST + ".engine..",
            HOST + ".kernel..",
            HOST + ".plugin..",
            HOST + ".pool..",
            HOST + ".memory..",
            HOST + ".cli..")
        .check(CLASSES);
  }

  @Test
  void waitingKnowsNothingOfTheHost() {
    noClasses()
        .that()
        .resideInAPackage(HOST + ".idle..")
        .should()
        .dependOnClassesThat(
            resideInAPackage(HOST + "..").and(not(resideInAPackage(HOST + ".idle.."))))
        .check(CLASSES);
  }

  /**
   * Whoever waits takes a clock and an idle strategy. What is left spins where no time may pass but
   * that of the loop, or parks until it is unparked; the acceptor of control clients waits for
   * nothing but the next client.
   */
  @Test
  void whoWaitsDoesSoByTheClockOfTheHost() {
    assertThat(callersOf(CLASSES, Thread.class, "onSpinWait"))
        .containsExactlyInAnyOrder("Engine", "ListRun", "FlightLog", "HopProbe");
    assertThat(callersOf(CLASSES, LockSupport.class, "park", "parkNanos", "parkUntil"))
        .containsExactlyInAnyOrder("Engine", "ControlServer");
    assertThat(callersOf(CLASSES, Thread.class, "yield", "sleep")).isEmpty();
  }

  /** Where time is measured, and nothing waits for it, and where a child process is timed. */
  @Test
  void whoHasADeadlineHasItByTheClockOfTheHost() {
    assertThat(
            callersOf(CLASSES, System.class, "nanoTime", "currentTimeMillis").stream()
                .filter(name -> !MEASURING.contains(name)))
        .containsExactlyInAnyOrder(
            "Admission", "ControlServer", "FileStamp", "IsolatedExaminer", "Load");
    assertThat(callersOf(CLASSES, System.class, "nanoTime")).containsAll(MEASURING);
  }

  /** The classes outside of package idle that call a method, nested ones as their outermost. */
  private static Set<String> callersOf(JavaClasses classes, Class<?> owner, String... methods) {
    return classes.stream()
        .filter(each -> !each.getPackageName().equals(HOST + ".idle"))
        .flatMap(each -> each.getMethodCallsFromSelf().stream())
        .filter(call -> call.getTargetOwner().isEquivalentTo(owner))
        .filter(call -> Set.of(methods).contains(call.getName()))
        .map(call -> call.getOriginOwner().getName())
        .map(name -> name.substring(name.lastIndexOf('.') + 1).replaceFirst("\\$.*", ""))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void theMachineModelKnowsNothingOfTheHost() {
    noClasses()
        .that()
        .resideInAPackage(HOST + ".machine..")
        .should()
        .dependOnClassesThat(
            resideInAPackage(HOST + "..").and(not(resideInAPackage(HOST + ".machine.."))))
        .check(CLASSES);
  }

  @Test
  void whatAGroupIsDoingIsSaidInPlainValues() {
    noClasses()
        .that()
        .resideInAPackage(HOST + ".status..")
        .should()
        .dependOnClassesThat(
            resideInAPackage(HOST + "..").and(not(resideInAPackage(HOST + ".status.."))))
        .check(CLASSES);
  }

  @Test
  void notesOfWhatRunsHoldNothingThatRuns() {
    noClasses()
        .that()
        .resideInAPackage(HOST + ".watch..")
        .should()
        .dependOnClassesThat(
            resideInAPackage(HOST + "..")
                .and(
                    not(
                        resideInAnyPackage(
                            HOST + ".watch..", HOST + ".status..", HOST + ".idle.."))))
        .check(CLASSES);
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
  void nothingKnowsTheCommandLine() {
    noClasses()
        .that()
        .resideOutsideOfPackage(HOST + ".cli..")
        .should()
        .dependOnClassesThat(resideInAPackage(HOST + ".cli.."))
        .check(CLASSES);
    noClasses()
        .that()
        .resideOutsideOfPackage(HOST + ".cli..")
        .should()
        .dependOnClassesThat(resideInAPackage("picocli.."))
        .check(CLASSES);
  }

  @Test
  void onlyPluginsAreReflectedUpon() {
    noClasses()
        .that()
        .resideOutsideOfPackages(HOST + ".plugin..", HOST + ".cli..")
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
                .dependOnClassesThat(resideInAPackage(HOST + ".engine.."))
                .evaluate(CLASSES)
                .hasViolation())
        .isTrue();
    assertThat(hidden(CLASSES.get(HOST + ".engine.Engine"))).isNotEmpty();
  }

  private static boolean isPublic(JavaClass type) {
    return type.getModifiers().contains(JavaModifier.PUBLIC)
        && type.getEnclosingClass().map(ArchitectureTest::isPublic).orElse(true);
  }

  /** Types of this host that signatures show although nobody outside can name them. */
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
    return element.getPackageName().startsWith(HOST)
        && !(EXPORTED.contains(element.getPackageName()) && isPublic(element));
  }
}
