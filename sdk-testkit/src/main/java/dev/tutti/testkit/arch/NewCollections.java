package dev.tutti.testkit.arch;

import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.Instruction;
import java.lang.classfile.MethodModel;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.util.List;

/** Finds fields that get a new collection right from its constructor. */
final class NewCollections {

  private NewCollections() {}

  /** Whether some {@code field = new HashMap<>(…)}, or the like, is in the class. */
  static boolean isPutInto(ClassModel file, String field) {
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
