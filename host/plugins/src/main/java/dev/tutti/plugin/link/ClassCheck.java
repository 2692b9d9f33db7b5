package dev.tutti.plugin.link;

import dev.tutti.base.text.Sentence;
import dev.tutti.plugin.guard.Guarded;
import dev.tutti.plugin.guard.Inspection;
import dev.tutti.verifier.capability.Capability;
import dev.tutti.verifier.capability.KeptState;
import dev.tutti.verifier.capability.Restriction;
import dev.tutti.verifier.capability.Restrictions;
import dev.tutti.verifier.gate.StopWeaver;
import java.lang.classfile.ClassModel;
import java.lang.classfile.FieldModel;
import java.lang.classfile.MethodModel;
import java.lang.reflect.AccessFlag;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Finds the problems of single classes of one jar. Not thread-safe. */
final class ClassCheck {

  /** The largest number of problems that are reported per class. */
  private static final int MOST_PROBLEMS = 500;

  private static final Set<String> ASKED =
      Set.of("dev/tutti/sdk/CollExecutorBase", "dev/tutti/sdk/template/AlgTemplate");

  private final LinkedTypes types;
  private final Resolution resolution;
  private final Restrictions restrictions;
  private final Set<Capability> granted;

  ClassCheck(LinkedTypes types, Restrictions restrictions, Set<Capability> granted) {
    this.types = types;
    this.resolution = new Resolution(types::shape, types::isOfHost);
    this.restrictions = restrictions;
    this.granted = granted;
  }

  List<LinkProblem> problems(ClassFacts facts) {
    List<LinkProblem> found = new ArrayList<>();
    ClassModel model = facts.model();
    if (model == null) {
      String name = Names.dotted(facts.shape().name());
      found.add(new LinkProblem(String.valueOf(facts.defect()), "", new LinkProblem.Whole(name)));
      return found;
    }
    addAncestors(facts.shape().name(), found);
    Set<String> missing = new HashSet<>();
    for (String name : facts.classes()) {
      LinkProblem problem = found.size() < MOST_PROBLEMS ? ofClass(name) : null;
      if (problem != null && missing.add(name)) {
        found.add(problem);
      }
    }
    for (MemberReference member : facts.members()) {
      boolean isOpen = found.size() < MOST_PROBLEMS && !missing.contains(member.owner());
      LinkProblem problem = isOpen ? ofMember(member) : null;
      if (problem != null) {
        found.add(problem);
      }
    }
    supertypes(facts.shape()).limit(MOST_PROBLEMS - found.size()).forEach(found::add);
    if (found.size() == MOST_PROBLEMS) {
      String name = Names.dotted(facts.shape().name());
      found.add(
          new LinkProblem(
              Sentence.of("%s has %d problems or more", name, MOST_PROBLEMS),
              "",
              new LinkProblem.Whole(name)));
    }
    addDeclared(model, facts.shape().name(), found);
    return found;
  }

  private void addAncestors(String type, List<LinkProblem> found) {
    if (types.hasTooManyAncestors(type)) {
      String name = Names.dotted(type);
      found.add(
          new LinkProblem(
              Sentence.of(
                  "%s has superclasses and interfaces on more than %d paths, or more than %d deep",
                  name, Ancestry.MOST_WAYS, Ancestry.MOST_STEPS),
              "extend and implement less",
              new LinkProblem.Whole(name)));
    }
  }

  /**
   * Refuses a class that must not be given to the JVM, even if no provider leads to it.
   *
   * @throws ClassFormatError with the problem
   */
  void requireSound(ClassFacts facts) {
    List<LinkProblem> found = new ArrayList<>();
    addAncestors(facts.shape().name(), found);
    String defect =
        facts.defect() != null || found.isEmpty() ? facts.defect() : found.getFirst().what();
    if (defect != null) {
      throw new ClassFormatError(defect);
    }
  }

  private @Nullable LinkProblem ofClass(String name) {
    TypeShape type = types.shape(name);
    if (type == null && types.isOfAbsentModule(name)) {
      Restriction restriction = kept(restrictions.of(name));
      return new LinkProblem(
          "the class "
              + Names.dotted(name)
              + " is in a module of the JDK that this host runs without",
          restriction == null ? "leave it out" : restriction.advice(),
          new LinkProblem.Type(name));
    }
    if (type == null) {
      return new LinkProblem(
          "the class "
              + Names.dotted(name)
              + " is neither in the jar nor in the SPI nor in the JDK",
          HostTypes.isSpi(name) ? types.rebuild() : "put it into the jar",
          new LinkProblem.Type(name));
    }
    if (types.isOfHost(name) && !type.isPublic()) {
      return new LinkProblem(
          "the class " + Names.dotted(name) + " is not public",
          "use what the SPI and the JDK offer",
          new LinkProblem.Type(name));
    }
    return null;
  }

  private @Nullable LinkProblem ofMember(MemberReference member) {
    return switch (resolution.resolve(member)) {
      case Resolution.Unknown unknown -> null;
      case Resolution.Missing missing ->
          new LinkProblem(
              Sentence.of(
                  "%s %s does not exist",
                  member.isMethod() ? "the method" : "the field", member.text()),
              types.isOfHost(member.owner()) ? types.rebuild() : "build the jar again",
              new LinkProblem.Member(member));
      case Resolution.Found found -> ofFound(member, found);
    };
  }

  /** The references of a class that need a guard while it runs. */
  List<Guarded> guarded(ClassFacts facts) {
    List<Guarded> guarded = new ArrayList<>();
    for (MemberReference member : facts.members()) {
      Guarded guard =
          resolution.resolve(member) instanceof Resolution.Found found
              ? guard(member, found)
              : null;
      if (guard != null) {
        guarded.add(guard);
      }
    }
    return guarded;
  }

  private @Nullable Guarded guard(MemberReference member, Resolution.Found found) {
    String owner = found.owner().name();
    Restriction restriction = restriction(member, found);
    if (restriction != null) {
      MemberReference declared = new MemberReference(owner, member.name(), member.descriptor());
      return Guarded.refused(
          member.owner(), member.name(), member.descriptor(), declared.text(), restriction);
    }
    return Inspection.of(owner, member.name()) == null
        ? null
        : Guarded.inspected(member.owner(), member.name(), member.descriptor());
  }

  /**
   * The restriction of a member, by the class that is named or by the one that declares the member.
   * A declaring class that is not public counts as a part of the classes that extend it.
   */
  private @Nullable Restriction restriction(MemberReference member, Resolution.Found found) {
    Restriction ofNamed = restriction(member, found.named());
    return ofNamed != null || !found.owner().isPublic()
        ? ofNamed
        : restriction(member, found.owner());
  }

  private @Nullable Restriction restriction(MemberReference member, TypeShape type) {
    return isOfJdk(type.name())
        ? kept(restrictions.of(type.name(), member.name(), member.descriptor()))
        : null;
  }

  private boolean isOfJdk(String type) {
    return types.isOfHost(type) && !HostTypes.isSpi(type);
  }

  private @Nullable Restriction kept(@Nullable Restriction restriction) {
    return restriction == null || restriction.isLifted(granted) ? null : restriction;
  }

  private @Nullable LinkProblem ofFound(MemberReference member, Resolution.Found found) {
    String owner = found.owner().name();
    if (!types.isOfHost(owner)) {
      return null;
    }
    MemberReference declared = new MemberReference(owner, member.name(), member.descriptor());
    if (!TypeShape.isVisible(found.flags())) {
      return new LinkProblem(
          declared.text() + " is not public", types.rebuild(), new LinkProblem.Member(member));
    }
    Restriction restriction = restriction(member, found);
    return restriction == null
        ? null
        : new LinkProblem(
            declared.text() + " is not allowed",
            restriction.advice(),
            new LinkProblem.Member(member));
  }

  /**
   * The problems of JDK types that a class extends or implements, but that the plugin may not use.
   */
  Stream<LinkProblem> supertypes(TypeShape shape) {
    return Stream.concat(Stream.ofNullable(shape.superName()), shape.interfaces().stream())
        .filter(this::isOfJdk)
        .flatMap(type -> Stream.ofNullable(supertype(shape.name(), type)));
  }

  private @Nullable LinkProblem supertype(String name, String type) {
    Restriction restriction = kept(restrictions.of(type));
    return restriction == null
        ? null
        : new LinkProblem(
            Sentence.of("%s is a %s, which is not allowed", Names.dotted(name), Names.dotted(type)),
            restriction.advice(),
            new LinkProblem.Whole(Names.dotted(name)));
  }

  /** Adds the problems of declarations that need a capability. */
  private void addDeclared(ClassModel model, String name, List<LinkProblem> found) {
    if (StopWeaver.hasFinalizer(model)) {
      String where = Names.dotted(name) + ".finalize";
      found.add(
          new LinkProblem(
              where + " is a finalizer, which would run on a thread of the JVM",
              "remove it; plugins have nothing to close",
              new LinkProblem.Whole(where)));
    }
    for (MethodModel method : model.methods()) {
      if (method.flags().has(AccessFlag.NATIVE)) {
        addDeclared(
            Capability.NATIVE, name, method.methodName().stringValue(), "a native method", found);
      }
    }
    boolean isAsked = isAsked(name);
    for (FieldModel field : model.fields()) {
      boolean isStatic = field.flags().has(AccessFlag.STATIC);
      if (!field.flags().has(AccessFlag.SYNTHETIC) && (isStatic || isAsked)) {
        String problem = keptState(model, field);
        String kind =
            isStatic ? "a static field that " : "a field of an executor or a template that ";
        if (!problem.isEmpty()) {
          addDeclared(
              Capability.MUTABLE_STATICS,
              name,
              field.fieldName().stringValue(),
              kind + problem,
              found);
        }
      }
    }
  }

  private String keptState(ClassModel model, FieldModel field) {
    String descriptor = field.fieldType().stringValue();
    boolean isObject = descriptor.startsWith("L");
    String name = isObject ? descriptor.substring(1, descriptor.length() - 1) : descriptor;
    TypeShape type = isObject ? types.shape(name) : null;
    String problem =
        KeptState.problem(
            field.flags().has(AccessFlag.FINAL),
            Names.dotted(name),
            type != null && (type.flags() & AccessFlag.INTERFACE.mask()) != 0,
            () -> KeptState.isFilledAnew(model, field.fieldName().stringValue()));
    return problem.isEmpty() && hasFieldsThatChange(type) ? KeptState.CAN_CHANGE : problem;
  }

  /** Whether a class belongs to the plugin and declares or inherits fields that are not final. */
  private boolean hasFieldsThatChange(@Nullable TypeShape type) {
    TypeShape each = type;
    for (int ways = 0; each != null && ways < Ancestry.MOST_WAYS; ways++) {
      if (types.isOfHost(each.name())) {
        return false;
      }
      if (each.hasFieldsThatChange()) {
        return true;
      }
      String above = each.superName();
      each = above == null ? null : types.shape(above);
    }
    return false;
  }

  /** Whether a class is an executor or a template; one instance of these may plan for all ranks. */
  private boolean isAsked(String name) {
    Set<String> ancestors = new HashSet<>(Set.of(name));
    Deque<String> next = new ArrayDeque<>(ancestors);
    while (!next.isEmpty() && ancestors.size() < Ancestry.MOST_WAYS) {
      String ancestor = next.remove();
      TypeShape type = types.shape(ancestor);
      if (ASKED.contains(ancestor)) {
        return true;
      }
      if (type != null) {
        Stream.concat(Stream.ofNullable(type.superName()), type.interfaces().stream())
            .filter(ancestors::add)
            .forEach(next::add);
      }
    }
    return false;
  }

  private void addDeclared(
      Capability needed, String owner, String member, String kind, List<LinkProblem> found) {
    if (!granted.contains(needed)) {
      String where = Names.dotted(owner) + "." + member;
      found.add(
          new LinkProblem(
              where + " is " + kind,
              Restriction.of(needed).advice(),
              new LinkProblem.Whole(where)));
    }
  }
}
