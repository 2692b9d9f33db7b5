package dev.tutti.host.plugin.link;

import dev.tutti.host.plugin.guard.Capability;
import dev.tutti.host.plugin.guard.Guarded;
import dev.tutti.host.plugin.guard.Inspection;
import dev.tutti.host.plugin.guard.Restrictions;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Reads the class files that the providers of a jar reach, and finds everything they need that is
 * not there, and everything they use that the plugin did not ask for. No class is defined.
 *
 * <p>A class reaches the classes of its jar that its constant pool names. What no provider reaches
 * is not looked at: bundled libraries have parts for other libraries that are not there. Keeps what
 * it knows of the host's classes for the next jar. Thread-safe.
 */
public final class LinkCheck {

  private final HostTypes host = new HostTypes();
  private final Restrictions restrictions;
  private final String spiVersion;

  /**
   * A check.
   *
   * @param restrictions what plugins may not use
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
   * @param granted what the plugin asks for
   */
  public LinkReport check(ClassFiles jar, Collection<String> providers, Set<Capability> granted) {
    LinkedTypes types = new LinkedTypes(host, jar, spiVersion);
    ReachedClasses reached = new ReachedClasses(types);
    List<String> names = providers.stream().map(name -> name.replace('.', '/')).toList();
    ClassCheck check = new ClassCheck(types, restrictions, granted);
    LinkFindings findings = new LinkFindings();
    Set<String> unguarded = new HashSet<>();
    Set<String> mayStay = new HashSet<>();
    for (ClassFacts facts : reached.from(names)) {
      List<LinkProblem> problems = check.problems(facts);
      findings.add(facts, problems);
      facts.members().forEach(member -> Holders.of(member.owner()).ifPresent(mayStay::add));
      if (problems.isEmpty() && facts.members().stream().noneMatch(LinkCheck::mayBeInspected)) {
        unguarded.add(facts.shape().name());
      }
    }
    List<String> affected =
        findings.isEmpty()
            ? List.of()
            : names.stream()
                .filter(name -> findings.concern(reached.from(List.of(name))))
                .map(Names::dotted)
                .toList();
    return new LinkReport(affected, findings.lines(), unguarded, mayStay);
  }

  private static boolean mayBeInspected(MemberReference member) {
    return Inspection.concerns(member.owner())
        && Inspection.of(member.owner(), member.name()) != null;
  }

  /**
   * The references of one class that need a guard, because it was not checked, or because only what
   * it does by reflection decides.
   *
   * @param jar the class files of the plugin
   * @param name the class, with slashes
   * @param bytes its class file
   * @param granted what the plugin asks for
   */
  public List<Guarded> guarded(ClassFiles jar, String name, byte[] bytes, Set<Capability> granted) {
    LinkedTypes types = new LinkedTypes(host, jar, spiVersion);
    return new ClassCheck(types, restrictions, granted).guarded(ClassFacts.read(name, bytes));
  }
}
