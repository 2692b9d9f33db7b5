package dev.tutti.testkit.arch;

import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.Instruction;
import java.lang.classfile.Label;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LabelTarget;
import java.lang.classfile.instruction.LineNumber;
import java.lang.classfile.instruction.LookupSwitchInstruction;
import java.lang.classfile.instruction.NewObjectInstruction;
import java.lang.classfile.instruction.TableSwitchInstruction;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds switches that name every constant or subtype and have no default.
 *
 * <p>javac gives such a switch its own default, which throws a new {@code MatchException(null,
 * null)}; a written default never does. (The exception that javac adds around the accessors of
 * record patterns has a message and a cause.) The call right before the switch instruction shows
 * the type: {@code ordinal()} on an enum, or {@code SwitchBootstraps} with the type as its first
 * parameter. A switch statement over an enum that does not name every constant looks like one with
 * an empty default, and is as harmless.
 */
final class SwitchScan {

  private static final String MATCH_EXCEPTION = "java/lang/MatchException";
  private static final String BOOTSTRAPS = "java/lang/runtime/SwitchBootstraps";

  /**
   * A switch without a default.
   *
   * @param method the method that contains the switch
   * @param selector the binary name of the type of the switch
   * @param line its line, 0 if not known
   */
  record Found(String method, String selector, int line) {}

  private record Candidate(Label defaultTarget, String selector, int line) {}

  private SwitchScan() {}

  /** All such switches of a class, in the order of its methods. */
  static List<Found> of(ClassModel file) {
    List<Found> found = new ArrayList<>();
    for (MethodModel method : file.methods()) {
      method.code().ifPresent(code -> scan(method.methodName().stringValue(), code, found));
    }
    return found;
  }

  private static void scan(String method, CodeModel code, List<Found> found) {
    List<Candidate> candidates = new ArrayList<>();
    Set<Label> throwing = new HashSet<>();
    List<CodeElement> elements = code.elementList();
    String selector = null;
    int line = 0;
    for (int i = 0; i < elements.size(); i++) {
      switch (elements.get(i)) {
        case LineNumber number -> line = number.line();
        case InvokeInstruction call -> selector = ordinalOf(call);
        case InvokeDynamicInstruction call -> selector = patternsOf(call);
        case TableSwitchInstruction s -> add(candidates, s.defaultTarget(), selector, line);
        case LookupSwitchInstruction s -> add(candidates, s.defaultTarget(), selector, line);
        case LabelTarget target -> {
          if (throwsMatchException(elements, i)) {
            throwing.add(target.label());
          }
        }
        default -> {}
      }
    }
    for (Candidate each : candidates) {
      if (throwing.contains(each.defaultTarget())) {
        found.add(new Found(method, each.selector(), each.line()));
      }
    }
  }

  private static void add(
      List<Candidate> candidates, Label defaultTarget, @Nullable String selector, int line) {
    if (selector != null) {
      candidates.add(new Candidate(defaultTarget, selector, line));
    }
  }

  private static @Nullable String ordinalOf(InvokeInstruction call) {
    return call.name().equalsString("ordinal")
        ? call.owner().asInternalName().replace('/', '.')
        : null;
  }

  private static @Nullable String patternsOf(InvokeDynamicInstruction call) {
    if (!call.bootstrapMethod().owner().descriptorString().equals("L" + BOOTSTRAPS + ";")) {
      return null;
    }
    String type = call.typeSymbol().parameterType(0).descriptorString();
    return type.substring(1, type.length() - 1).replace('/', '.');
  }

  /** Whether {@code throw new MatchException(null, null)} follows a label. */
  private static boolean throwsMatchException(List<CodeElement> elements, int label) {
    List<Instruction> next = new ArrayList<>();
    for (int i = label; i < elements.size() && next.size() < 4; i++) {
      if (elements.get(i) instanceof Instruction instruction) {
        next.add(instruction);
      }
    }
    return next.size() == 4
        && next.get(0) instanceof NewObjectInstruction made
        && made.className().asInternalName().equals(MATCH_EXCEPTION)
        && next.get(1).opcode() == Opcode.DUP
        && next.get(2).opcode() == Opcode.ACONST_NULL
        && next.get(3).opcode() == Opcode.ACONST_NULL;
  }
}
