package dev.tutti.host.pool.rules;

import dev.tutti.plugin.Algorithm;
import dev.tutti.sdk.Arguments;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.Names;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.param.OpParam;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Ordered rules for choosing algorithms, and measurements. For each kind, only the first rule that
 * matches a request applies. Immutable.
 *
 * @param rules the rules, the strongest first
 * @param profile the measured times
 * @param provenance the origin of the measurements; null if there are none
 */
public record Rules(List<ChoiceRule> rules, Profile profile, @Nullable Provenance provenance) {

  private static final Rules NONE = new Rules(List.of(), Profile.EMPTY, null);

  /** Takes an immutable copy. */
  public Rules {
    Arguments.require(rules, "rules");
    Arguments.require(profile, "profile");
    rules = List.copyOf(rules);
  }

  /** No rules and no measurements. */
  public static Rules none() {
    return NONE;
  }

  /** Rules without measurements. */
  public static Rules of(List<ChoiceRule> rules) {
    Arguments.require(rules, "rules");
    return new Rules(rules, Profile.EMPTY, null);
  }

  /**
   * Reads rules on one line, such as {@code "pin=ring operation=allreduce bytes=1M..; deny=bruck"}.
   *
   * @param origin the source of the line, for messages
   * @throws TuttiException with {@link ErrorCode#INVALID_RULES} or {@link ErrorCode#UNKNOWN_NAME},
   *     and the text of all problems
   */
  public static Rules parse(String line, String origin) {
    Arguments.require(line, "line");
    Arguments.require(origin, "origin");
    return of(RuleText.parse(line, origin));
  }

  /**
   * Reads a file of rules and measurements.
   *
   * @throws TuttiException with {@link ErrorCode#INVALID_RULES} if the file cannot be read or
   *     breaks the format, {@link ErrorCode#UNKNOWN_NAME} if it has an unknown name, with line
   *     numbers
   */
  public static Rules read(Path file) {
    Arguments.require(file, "file");
    return RulesReader.read(file);
  }

  /**
   * Writes a file that {@link #read} reads. A concurrent reader sees either the old file or the new
   * one.
   *
   * @throws TuttiException with {@link ErrorCode#OUTPUT_UNWRITABLE}; the file is unchanged then
   */
  public void write(Path file) {
    Arguments.require(file, "file");
    RulesWriter.write(this, file);
  }

  /**
   * These rules, followed by others. The measurements are these if there are any, else those of the
   * others.
   */
  public Rules then(Rules others) {
    Arguments.require(others, "others");
    List<ChoiceRule> all = Stream.concat(rules.stream(), others.rules.stream()).toList();
    return provenance == null
        ? new Rules(all, others.profile, others.provenance)
        : new Rules(all, profile, provenance);
  }

  /** The same rules with other measurements. */
  public Rules withProfile(Profile newProfile, Provenance where) {
    Arguments.require(newProfile, "newProfile");
    Arguments.require(where, "where");
    return new Rules(rules, newProfile, where);
  }

  /** The same without measurements. */
  public Rules withoutProfile() {
    return of(rules);
  }

  /**
   * The rules that apply to a request.
   *
   * @param algorithms all algorithms of the request's operation
   */
  public Ruling on(OpParam param, List<Algorithm> algorithms) {
    Arguments.require(param, "param");
    Arguments.require(algorithms, "algorithms");
    return new Ruling(
        first(RuleKind.PIN, param, algorithms),
        first(RuleKind.PREFER, param, algorithms),
        first(RuleKind.AVOID, param, algorithms),
        first(RuleKind.DENY, param, algorithms));
  }

  private @Nullable ChoiceRule first(RuleKind kind, OpParam param, List<Algorithm> algorithms) {
    for (ChoiceRule rule : rules) {
      if (rule.kind() == kind && rule.isFor(param, algorithms)) {
        return rule;
      }
    }
    return null;
  }

  /**
   * Refuses rules that name an unknown algorithm, and parameters that their algorithms do not have.
   *
   * @param algorithms all loaded algorithms
   * @throws TuttiException with {@link ErrorCode#UNKNOWN_NAME}, suggesting the nearest name, or
   *     {@link ErrorCode#INVALID_ARGUMENT} for a parameter's value; with the text of all problems
   */
  public void check(List<Algorithm> algorithms) {
    Arguments.require(algorithms, "algorithms");
    Problems problems = new Problems();
    for (ChoiceRule rule : rules) {
      List<Algorithm> possible =
          algorithms.stream().filter(each -> isOf(rule.condition(), each)).toList();
      for (String name : rule.algorithms()) {
        problems.collect(rule.origin(), () -> check(rule, name, possible));
      }
    }
    problems.throwIfAny();
  }

  private static boolean isOf(RuleCondition condition, Algorithm algorithm) {
    return condition.operations().isEmpty()
        || condition.operations().contains(algorithm.operation());
  }

  private static void check(ChoiceRule rule, String name, List<Algorithm> possible) {
    boolean isQualified = name.indexOf(':') >= 0;
    List<Algorithm> named = new ArrayList<>();
    List<String> known = new ArrayList<>();
    for (Algorithm each : possible) {
      String label = isQualified ? each.qualifiedName() : each.name();
      known.add(label);
      if (label.equals(name)) {
        named.add(each);
      }
    }
    if (named.isEmpty()) {
      List<String> sorted = known.stream().distinct().sorted().toList();
      throw Names.unknown("algorithm", name, sorted);
    }
    if (!rule.parameters().values().isEmpty()) {
      named.forEach(each -> rule.parameters().check(each.parameters()));
    }
  }
}
