package dev.tutti.host.plugin.link;

import dev.tutti.host.plugin.guard.Capability;
import dev.tutti.host.plugin.guard.Guarded;
import dev.tutti.host.plugin.guard.Inspection;
import dev.tutti.host.plugin.guard.Restriction;
import dev.tutti.host.plugin.guard.Restrictions;
import dev.tutti.host.text.Sentence;
import java.lang.classfile.ClassModel;
import java.lang.classfile.FieldModel;
import java.lang.classfile.MethodModel;
import java.lang.reflect.AccessFlag;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Finds what is wrong with single classes of one jar. Not thread-safe. */
final class ClassCheck {

  private final LinkedTypes types;
  private final Resolution resolution;
  private final Restrictions restrictions;
  private final Set<Capability> granted;

  ClassCheck(LinkedTypes types, Restrictions restrictions, Set<Capability> granted) {
    this.types = types;
    this.resolution = new Resolution(types::shape);
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
    Set<String> missing = new HashSet<>();
    for (String name : facts.classes()) {
      LinkProblem problem = ofClass(name);
      if (problem != null && missing.add(name)) {
        found.add(problem);
      }
    }
    for (MemberReference member : facts.members()) {
      LinkProblem problem = missing.contains(member.owner()) ? null : ofMember(member);
      if (problem != null) {
        found.add(problem);
      }
    }
    addDeclared(model, facts.shape().name(), found);
    return found;
  }

  private @Nullable LinkProblem ofClass(String name) {
    TypeShape type = types.shape(name);
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
              types.isOfHost(member.owner()) ? types.rebuild() : "build the jar anew",
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
              ? guard(member, found.owner().name())
              : null;
      if (guard != null) {
        guarded.add(guard);
      }
    }
    return guarded;
  }

  private @Nullable Guarded guard(MemberReference member, String owner) {
    Restriction restriction = restriction(member, owner);
    if (restriction == null) {
      return null;
    }
    if (!restriction.isLifted(granted)) {
      MemberReference declared = new MemberReference(owner, member.name(), member.descriptor());
      return Guarded.refused(
          member.owner(), member.name(), member.descriptor(), declared.text(), restriction);
    }
    return Inspection.of(owner, member.name()) == null
        ? null
        : Guarded.inspected(member.owner(), member.name(), member.descriptor());
  }

  private @Nullable Restriction restriction(MemberReference member, String owner) {
    return types.isOfHost(owner) && !HostTypes.isSpi(owner)
        ? restrictions.of(owner, member.name(), member.descriptor())
        : null;
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
    Restriction restriction = restriction(member, owner);
    return restriction == null || restriction.isLifted(granted)
        ? null
        : new LinkProblem(
            declared.text() + " is not allowed",
            restriction.advice(),
            new LinkProblem.Member(member));
  }

  /** What a class may not declare without asking for it. */
  private void addDeclared(ClassModel model, String name, List<LinkProblem> found) {
    for (MethodModel method : model.methods()) {
      if (method.flags().has(AccessFlag.NATIVE)) {
        addDeclared(
            Capability.NATIVE, name, method.methodName().stringValue(), "a native method", found);
      }
    }
    for (FieldModel field : model.fields()) {
      if (field.flags().has(AccessFlag.STATIC)
          && !field.flags().has(AccessFlag.FINAL)
          && !field.flags().has(AccessFlag.SYNTHETIC)) {
        addDeclared(
            Capability.MUTABLE_STATICS,
            name,
            field.fieldName().stringValue(),
            "a static field that is not final",
            found);
      }
    }
  }

  private void addDeclared(
      Capability needed, String owner, String member, String kind, List<LinkProblem> found) {
    if (!granted.contains(needed)) {
      String where = Names.dotted(owner) + "." + member;
      found.add(
          new LinkProblem(
              where + " is " + kind,
              new Restriction(needed).advice(),
              new LinkProblem.Whole(where)));
    }
  }
}
