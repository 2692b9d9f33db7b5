package dev.tutti.plugin.link;

import dev.tutti.plugin.guard.Guarded;
import dev.tutti.plugin.guard.Inspection;
import dev.tutti.verifier.capability.Capability;
import dev.tutti.verifier.capability.Restrictions;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Reads the class files that the providers of a jar reach. It finds all references to missing types
 * and members, and all uses of capabilities that the plugin did not request. No class is defined.
 *
 * <p>A class reaches the classes of its jar that its constant pool names. Classes that no provider
 * reaches are not checked, because bundled libraries can have parts for other libraries that are
 * missing. Keeps its knowledge of the host's classes for the next jar. Thread-safe.
 */
public final class LinkCheck {

  private final HostTypes host = new HostTypes();
  private final Restrictions restrictions;
  private final String spiVersion;

  /**
   * Makes a check.
   *
   * @param restrictions the members that plugins may not use
   * @param spiVersion the host's version of sdk-api, for advice
   */
  public LinkCheck(Restrictions restrictions, String spiVersion) {
    this.restrictions = restrictions;
    this.spiVersion = spiVersion;
  }

  /**
   * Checks a jar.
   *
   * @param jar its class files
   * @param providers the names of the provider classes, with dots; those that are not in the jar
   *     are left out
   * @param granted the capabilities that the plugin requests
   * @throws dev.tutti.sdk.TuttiException with {@link dev.tutti.sdk.ErrorCode#PLUGIN_LINK} if they
   *     are too much work to check
   */
  public LinkReport check(ClassFiles jar, Collection<String> providers, Set<Capability> granted) {
    LinkedTypes types = new LinkedTypes(host, jar, spiVersion);
    ReachedClasses reached = new ReachedClasses(types);
    List<String> names = providers.stream().map(name -> name.replace('.', '/')).toList();
    ClassCheck check = new ClassCheck(types, restrictions, granted);
    LinkFindings findings = new LinkFindings();
    Set<String> unguarded = new HashSet<>();
    Set<String> mayStay = new HashSet<>();
    reached.forEach(
        names,
        facts -> {
          List<LinkProblem> problems = check.problems(facts);
          findings.add(facts, problems, types.effort());
          facts.members().forEach(member -> Holders.of(member.owner()).ifPresent(mayStay::add));
          if (problems.isEmpty() && facts.members().stream().noneMatch(LinkCheck::mayBeInspected)) {
            unguarded.add(facts.shape().name());
          }
        });
    Set<String> concerned = reached.leadingTo(findings.classes());
    List<String> affected = names.stream().filter(concerned::contains).map(Names::dotted).toList();
    return new LinkReport(affected, findings.lines(), unguarded, mayStay);
  }

  private static boolean mayBeInspected(MemberReference member) {
    return Inspection.concerns(member.owner())
        && Inspection.of(member.owner(), member.name()) != null;
  }

  /**
   * The references of one class that need a guard, because the class was not checked, or because
   * the targets of its reflection are known only at run time.
   *
   * @param jar the class files of the plugin
   * @param name the class, with slashes
   * @param bytes its class file
   * @param granted the capabilities that the plugin requests
   */
  public List<Guarded> guarded(ClassFiles jar, String name, byte[] bytes, Set<Capability> granted) {
    LinkedTypes types = new LinkedTypes(host, jar, spiVersion);
    ClassFacts facts = ClassFacts.read(name, bytes, types.effort());
    ClassCheck check = new ClassCheck(types, restrictions, granted);
    check.requireSound(facts);
    return check.guarded(facts);
  }

  /**
   * The problems of JDK types that one class extends or implements, but that its plugin may not
   * use, if there are any. The arguments are those of {@link #guarded}.
   */
  public Optional<String> supertypes(
      ClassFiles jar, String name, byte[] bytes, Set<Capability> granted) {
    LinkedTypes types = new LinkedTypes(host, jar, spiVersion);
    ClassFacts facts = ClassFacts.read(name, bytes, types.effort());
    return new ClassCheck(types, restrictions, granted)
        .supertypes(facts.shape())
        .map(problem -> problem.what() + "; " + problem.advice())
        .findFirst();
  }
}
