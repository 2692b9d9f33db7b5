package dev.tutti.host.plugin.link;

import dev.tutti.host.text.Sentence;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.constantpool.DynamicConstantPoolEntry;
import java.lang.classfile.constantpool.LoadableConstantEntry;
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
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * Where a class uses what its constant pool names: methods with file and line. A class that is only
 * listed as nested, as an enclosing one or in an annotation is not used. Not thread-safe.
 */
final class ReferenceScan {

  private final String className;
  private final String file;
  private final Map<LinkProblem.Subject, Set<String>> places = new LinkedHashMap<>();
  private boolean isBroken;

  private ReferenceScan(String className, String file) {
    this.className = className;
    this.file = file;
  }

  /** Scans a class; of one whose code cannot be read, everything has the whole class as place. */
  static ReferenceScan of(ClassFacts facts) {
    String name = Names.dotted(facts.shape().name());
    ClassModel model = facts.model();
    if (model == null) {
      return new ReferenceScan(name, "");
    }
    try {
      ReferenceScan scan = new ReferenceScan(name, file(model));
      scan.scan(model);
      return scan;
    } catch (IllegalArgumentException e) {
      ReferenceScan broken = new ReferenceScan(name, "");
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
    model.superclass().ifPresent(type -> addType(type, className));
    model.interfaces().forEach(type -> addType(type, className));
    model.methods().forEach(this::scan);
  }

  /** The places that use it, in the order of the class file. */
  Set<String> places(LinkProblem.Subject subject) {
    return places.getOrDefault(subject, isBroken ? Set.of(className) : Set.of());
  }

  private void scan(MethodModel method) {
    String name = className + "." + method.methodName().stringValue();
    method.code().ifPresent(code -> scan(code, name));
  }

  private void scan(CodeModel code, String method) {
    String place = method;
    for (CodeElement element : code) {
      if (element instanceof LineNumber line) {
        place = Sentence.of("%s (%s:%d)", method, file, line.line());
      } else {
        scan(element, place, method);
      }
    }
  }

  private void scan(CodeElement element, String place, String method) {
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

  private void addDynamic(DynamicConstantPoolEntry dynamic, String place) {
    addConstant(dynamic.bootstrap().bootstrapMethod(), place);
    for (LoadableConstantEntry argument : dynamic.bootstrap().arguments()) {
      addConstant(argument, place);
    }
  }

  private void addConstant(PoolEntry constant, String place) {
    switch (constant) {
      case ClassEntry type -> addType(type, place);
      case MethodHandleEntry handle -> addMember(handle.reference(), place);
      case DynamicConstantPoolEntry dynamic -> addDynamic(dynamic, place);
      default -> {}
    }
  }

  private void addMember(MemberRefEntry member, String place) {
    addType(member.owner(), place);
    add(
        new LinkProblem.Member(
            new MemberReference(
                member.owner().asInternalName(),
                member.name().stringValue(),
                member.type().stringValue())),
        place);
  }

  private void addType(ClassEntry type, String place) {
    add(new LinkProblem.Type(Names.element(type.asInternalName())), place);
  }

  private void add(LinkProblem.Subject subject, String place) {
    places.computeIfAbsent(subject, key -> new LinkedHashSet<>()).add(place);
  }
}
