package dev.tutti.verifier.capability;

import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.Instruction;
import java.lang.classfile.MethodModel;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;

/**
 * Finds fields that can change after they were first set, or that hold values that can. A field
 * with the interface type of a collection counts if a new changeable collection is assigned to it.
 * Less direct ways of keeping state are left to the check that equal requests get equal plans.
 */
public final class KeptState {

  /** The problem of a field whose value can change, as the end of a sentence about it. */
  public static final String CAN_CHANGE = "holds a value that can change";

  /** Interfaces of collections, which do not show whether the implementation can change. */
  private static final Set<String> OPEN =
      Set.of(
          "java.util.Collection",
          "java.util.List",
          "java.util.Map",
          "java.util.Set",
          "java.util.SequencedCollection",
          "java.util.SequencedMap",
          "java.util.SequencedSet");

  /** Name prefixes of classes in java.util whose objects cannot change. */
  private static final List<String> UNCHANGEABLE =
      List.of("java.util.Locale", "java.util.Optional", "java.util.regex.Pattern");

  private KeptState() {}

  /**
   * How a field keeps state, as the end of a sentence about it; empty if it does not.
   *
   * @param isFinal whether the field is final
   * @param type the name of its type with dots; for an array, any text that begins with a bracket
   * @param isInterface whether the type is an interface
   * @param isFilledAnew whether a new collection is assigned to it, see {@link #isFilledAnew}
   */
  public static String problem(
      boolean isFinal, String type, boolean isInterface, BooleanSupplier isFilledAnew) {
    if (!isFinal) {
      return "is not final";
    }
    if (type.startsWith("[")) {
      return "is an array, whose elements can change; use List.of";
    }
    boolean holdsState =
        isMadeToChange(type, isInterface) || (OPEN.contains(type) && isFilledAnew.getAsBoolean());
    return holdsState ? CAN_CHANGE : "";
  }

  private static boolean isMadeToChange(String type, boolean isInterface) {
    if (type.startsWith("java.util.")) {
      return !isInterface && UNCHANGEABLE.stream().noneMatch(type::startsWith);
    }
    return type.equals("java.lang.StringBuilder")
        || type.equals("java.lang.StringBuffer")
        || type.startsWith("java.lang.ThreadLocal");
  }

  /** Whether a class contains {@code field = new HashMap<>(…)} or the like. */
  public static boolean isFilledAnew(ClassModel file, String field) {
    for (MethodModel method : file.methods()) {
      Instruction previous = null;
      for (CodeElement element : method.code().map(code -> code.elementList()).orElse(List.of())) {
        if (!(element instanceof Instruction instruction)) {
          continue;
        }
        if (instruction instanceof FieldInstruction put
            && put.opcode().name().startsWith("PUT")
            && put.name().equalsString(field)
            && put.owner().asInternalName().equals(file.thisClass().asInternalName())
            && previous instanceof InvokeInstruction made
            && made.name().equalsString("<init>")
            && made.owner().asInternalName().startsWith("java/util/")) {
          return true;
        }
        previous = instruction;
      }
    }
    return false;
  }
}
