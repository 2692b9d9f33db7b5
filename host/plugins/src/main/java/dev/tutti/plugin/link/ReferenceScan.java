package dev.tutti.plugin.link;

import dev.tutti.base.text.Sentence;
import dev.tutti.sdk.TuttiException;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.constantpool.DynamicConstantPoolEntry;
import java.lang.classfile.constantpool.MemberRefEntry;
import java.lang.classfile.constantpool.MethodHandleEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.lang.classfile.instruction.ConstantInstruction;
import java.lang.classfile.instruction.ExceptionCatch;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LineNumber;
import java.lang.classfile.instruction.NewMultiArrayInstruction;
import java.lang.classfile.instruction.NewObjectInstruction;
import java.lang.classfile.instruction.NewReferenceArrayInstruction;
import java.lang.classfile.instruction.TypeCheckInstruction;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The places where a class uses entries of its constant pool: methods with file and line. A class
 * that is only listed as nested or enclosing, or in an annotation, does not count as used. Not
 * thread-safe.
 */
final class ReferenceScan {

  /** The largest number of places that are kept for each subject. */
  private static final int KEPT = 1_000;

  private final String className;
  private final String file;
  private final Effort effort;
  private final Map<LinkProblem.Subject, Set<String>> places = new LinkedHashMap<>();

  /** The subjects that each dynamic constant uses, by its index. */
  private final Map<Integer, List<LinkProblem.Subject>> dynamics = new HashMap<>();

  private boolean isBroken;

  private ReferenceScan(String className, String file, List<LinkProblem> problems, Effort effort) {
    this.className = className;
    this.file = file;
    this.effort = effort;
    problems.forEach(problem -> places.put(problem.subject(), new LinkedHashSet<>()));
  }

  /**
   * Scans a class for the subjects of its problems; if its code cannot be read, the place of each
   * subject is the whole class. Annotations of code are read recursively, and a class file can nest
   * them too deep for the stack.
   */
  static ReferenceScan of(ClassFacts facts, List<LinkProblem> problems, Effort effort) {
    String name = Names.dotted(facts.shape().name());
    ClassModel model = facts.model();
    if (model == null) {
      return new ReferenceScan(name, "", problems, effort);
    }
    try {
      ReferenceScan scan = new ReferenceScan(name, file(model), problems, effort);
      scan.scan(model);
      return scan;
    } catch (TuttiException e) {
      throw e;
    } catch (RuntimeException | StackOverflowError e) {
      ReferenceScan broken = new ReferenceScan(name, "", List.of(), effort);
      broken.isBroken = true;
      return broken;
    }
  }

  private static String file(ClassModel model) {
    return model
        .findAttribute(Attributes.sourceFile())
        .map(attribute -> attribute.sourceFile().stringValue())
        .orElse("?");
  }

  private void scan(ClassModel model) {
    Place whole = new Place(className, 0);
    model.superclass().ifPresent(type -> addType(type, whole));
    model.interfaces().forEach(type -> addType(type, whole));
    model.methods().forEach(this::scan);
  }

  /** The places that use a subject, in the order of the class file. */
  Set<String> places(LinkProblem.Subject subject) {
    return isBroken ? Set.of(className) : places.getOrDefault(subject, Set.of());
  }

  private void scan(MethodModel method) {
    String name = className + "." + method.methodName().stringValue();
    method.code().ifPresent(code -> scan(code, name));
  }

  private void scan(CodeModel code, String method) {
    Place whole = new Place(method, 0);
    Place place = whole;
    for (CodeElement element : code) {
      effort.spend(1);
      if (element instanceof LineNumber line) {
        place = new Place(method, line.line());
      } else {
        scan(element, place, whole);
      }
    }
  }

  /**
   * The place of a use.
   *
   * @param line the line, or 0 if it is not known
   */
  private record Place(String method, int line) {

    String text(String file) {
      return line == 0 ? method : Sentence.of("%s (%s:%d)", method, file, line);
    }
  }

  private void scan(CodeElement element, Place place, Place method) {
    switch (element) {
      case InvokeInstruction call -> addMember(call.method(), place);
      case FieldInstruction access -> addMember(access.field(), place);
      case InvokeDynamicInstruction call -> addDynamic(call.invokedynamic(), place);
      case ConstantInstruction.LoadConstantInstruction load ->
          addConstant(load.constantEntry(), place);
      case NewObjectInstruction create -> addType(create.className(), place);
      case NewReferenceArrayInstruction create -> addType(create.componentType(), place);
      case NewMultiArrayInstruction create -> addType(create.arrayType(), place);
      case TypeCheckInstruction check -> addType(check.type(), place);
      case ExceptionCatch handler -> handler.catchType().ifPresent(type -> addType(type, method));
      default -> {}
    }
  }

  private void addDynamic(DynamicConstantPoolEntry dynamic, Place place) {
    for (LinkProblem.Subject subject :
        dynamics.computeIfAbsent(dynamic.index(), _ -> subjects(dynamic))) {
      effort.spend(1);
      add(subject, place);
    }
  }

  /** The subjects of problems that a dynamic constant uses. */
  private List<LinkProblem.Subject> subjects(DynamicConstantPoolEntry dynamic) {
    return DynamicConstants.parts(dynamic, effort).stream()
        .flatMap(ReferenceScan::subjects)
        .filter(places::containsKey)
        .distinct()
        .toList();
  }

  private static Stream<LinkProblem.Subject> subjects(PoolEntry constant) {
    return switch (constant) {
      case ClassEntry type -> Stream.of(subject(type));
      case MethodHandleEntry handle ->
          Stream.of(subject(handle.reference().owner()), subject(handle.reference()));
      default -> Stream.of();
    };
  }

  private void addConstant(PoolEntry constant, Place place) {
    if (constant instanceof DynamicConstantPoolEntry dynamic) {
      addDynamic(dynamic, place);
    } else {
      subjects(constant).forEach(subject -> add(subject, place));
    }
  }

  private void addMember(MemberRefEntry member, Place place) {
    addType(member.owner(), place);
    add(subject(member), place);
  }

  private void addType(ClassEntry type, Place place) {
    add(subject(type), place);
  }

  private static LinkProblem.Subject subject(MemberRefEntry member) {
    return new LinkProblem.Member(
        new MemberReference(
            member.owner().asInternalName(),
            member.name().stringValue(),
            member.type().stringValue()));
  }

  private static LinkProblem.Subject subject(ClassEntry type) {
    return new LinkProblem.Type(Names.element(type.asInternalName()));
  }

  private void add(LinkProblem.Subject subject, Place place) {
    Set<String> known = places.get(subject);
    if (known != null && known.size() < KEPT) {
      String text = place.text(file);
      effort.spend(text.length());
      known.add(text);
    }
  }
}
