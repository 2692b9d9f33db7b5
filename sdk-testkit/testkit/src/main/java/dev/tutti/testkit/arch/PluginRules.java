package dev.tutti.testkit.arch;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.CompositeArchRule;
import dev.tutti.testkit.calls.CallKind;
import dev.tutti.verifier.rule.Finding;
import dev.tutti.verifier.rule.Rule;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The rules for the code of a plugin, as ArchUnit rules. They help authors to find mistakes but are
 * not a sandbox: they see only class files, not what a plugin computes at run time.
 *
 * <p>To check all rules at once, in a plugin's own tests:
 *
 * <pre>{@code
 * assertThat(PluginRules.check(Path.of("target/classes"))).isEmpty();
 * }</pre>
 *
 * or one by one, with ArchUnit's own JUnit support:
 *
 * <pre>{@code
 * @AnalyzeClasses(packages = "org.example", importOptions = DoNotIncludeTests.class)
 * class RulesTest {
 *   @ArchTest static final ArchRule rules = PluginRules.ALL;
 * }
 * }</pre>
 */
public final class PluginRules {

  /** Plugins use sdk-api, their own classes, and the JDK's plain types. */
  public static final ArchRule ONLY_SDK_AND_PLAIN_JDK =
      rule(
          new OnlyAllowedTypes(),
          "the host gives a plugin sdk-api and the JDK and nothing else, and what lies outside the"
              + " plain types of java.lang and java.util has no use in a plan");

  /** Plugins do not read the time. */
  public static final ArchRule NO_CLOCKS = forbidden(CallKind.CLOCK);

  /** Plugins do not draw random numbers. */
  public static final ArchRule NO_RANDOMNESS = forbidden(CallKind.RANDOM);

  /** Plugins start no threads and wait for none, except for a lock. */
  public static final ArchRule NO_THREADS = forbidden(CallKind.THREAD);

  /** Plugins read and write no files, sockets and consoles. */
  public static final ArchRule NO_IO = forbidden(CallKind.IO);

  /** Plugins do not reflect, load classes, or touch native memory. */
  public static final ArchRule NO_REFLECTION = forbidden(CallKind.REFLECTION);

  /** Plugins do not end the process, start others, or read settings. */
  public static final ArchRule NO_PROCESS = forbidden(CallKind.PROCESS);

  /** Plugins keep only constants in static fields. */
  public static final ArchRule NO_STATIC_STATE =
      rule(
          new NoState(true),
          "executors are asked for any rank, in any order and by many threads: equal questions must"
              + " get equal answers");

  /** Executors and templates have no mutable state. */
  public static final ArchRule NO_EXECUTOR_STATE =
      rule(
          new NoState(false),
          "one executor serves all ranks and all requests: what it keeps from one answer changes"
              + " the next");

  /** Providers can be loaded by the host. */
  public static final ArchRule PROVIDERS_CAN_BE_LOADED =
      rule(
          new LoadableProviders(),
          "the host makes providers through ServiceLoader, and finds them by the class that was"
              + " written");

  /** Switches over open types of the SPI have a default. */
  public static final ArchRule DEFAULT_IN_OPEN_SWITCHES =
      rule(
          new OpenSwitches(),
          "later versions of sdk-api add types, reductions and operations; without a default the"
              + " switch then throws, with one the executor can refuse");

  private static final Map<ArchRule, Rule> RULES = rules();

  /** All rules as a single rule. */
  public static final ArchRule ALL = CompositeArchRule.of(List.copyOf(RULES.keySet()));

  private PluginRules() {}

  private static Map<ArchRule, Rule> rules() {
    Map<ArchRule, Rule> rules = new LinkedHashMap<>();
    rules.put(ONLY_SDK_AND_PLAIN_JDK, Rule.FORBIDDEN_CALL);
    rules.put(NO_CLOCKS, Rule.FORBIDDEN_CALL);
    rules.put(NO_RANDOMNESS, Rule.FORBIDDEN_CALL);
    rules.put(NO_THREADS, Rule.FORBIDDEN_CALL);
    rules.put(NO_IO, Rule.FORBIDDEN_CALL);
    rules.put(NO_REFLECTION, Rule.FORBIDDEN_CALL);
    rules.put(NO_PROCESS, Rule.FORBIDDEN_CALL);
    rules.put(NO_STATIC_STATE, Rule.NOT_PURE);
    rules.put(NO_EXECUTOR_STATE, Rule.NOT_PURE);
    rules.put(PROVIDERS_CAN_BE_LOADED, Rule.NOT_LOADABLE);
    rules.put(DEFAULT_IN_OPEN_SWITCHES, Rule.NO_DEFAULT);
    return rules;
  }

  private static ArchRule forbidden(CallKind kind) {
    return rule(new Avoids(kind), kind.because());
  }

  private static ArchRule rule(ArchCondition<JavaClass> condition, String because) {
    return classes().should(condition).because(because).allowEmptyShould(true);
  }

  /**
   * Checks the classes of a plugin against all rules.
   *
   * @param classes a directory of classes, such as {@code target/classes}, or a jar
   * @return a finding for each violation, empty if there is none; its explanation gives the reason
   *     for the rule
   * @throws dev.tutti.sdk.TuttiException with code INVALID_ARGUMENT if there are no classes
   */
  public static List<Finding> check(Path classes) {
    return check(PluginClasses.in(classes));
  }

  /** Checks classes that ArchUnit has imported against all rules. */
  public static List<Finding> check(JavaClasses classes) {
    List<Finding> findings = new ArrayList<>();
    RULES.forEach(
        (archRule, rule) ->
            archRule
                .evaluate(classes)
                .getFailureReport()
                .getDetails()
                .forEach(
                    detail ->
                        findings.add(
                            new Finding(rule, detail, List.of(), archRule.getDescription()))));
    return findings;
  }
}
