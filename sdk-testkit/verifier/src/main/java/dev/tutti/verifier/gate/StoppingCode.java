package dev.tutti.verifier.gate;

import java.lang.classfile.Attributes;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.Instruction;
import java.lang.classfile.Label;
import java.lang.classfile.Opcode;
import java.lang.classfile.attribute.CodeAttribute;
import java.lang.classfile.attribute.StackMapFrameInfo;
import java.lang.classfile.attribute.StackMapTableAttribute;
import java.lang.classfile.instruction.BranchInstruction;
import java.lang.classfile.instruction.DiscontinuedInstruction;
import java.lang.classfile.instruction.ExceptionCatch;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.LabelTarget;
import java.lang.classfile.instruction.LineNumber;
import java.lang.classfile.instruction.LoadInstruction;
import java.lang.classfile.instruction.LookupSwitchInstruction;
import java.lang.classfile.instruction.MonitorInstruction;
import java.lang.classfile.instruction.StoreInstruction;
import java.lang.classfile.instruction.SwitchCase;
import java.lang.classfile.instruction.TableSwitchInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Puts stop points into one method. Code that runs for ever passes stop points again and again,
 * because it calls methods, jumps backward, or throws to an earlier handler.
 *
 * <p>A stop point for a handler is placed after the end of the method, before a jump to the
 * original handler. No exception range of the method covers it there, so its error leaves the
 * method at once. Inside the method, a handler that covers itself, as {@code finally} creates them,
 * would catch the error for ever.
 */
final class StoppingCode implements CodeTransform {

  private static final ClassDesc STOP_POINT = ClassDesc.of(StopPoint.NAME);
  private static final MethodTypeDesc CAUGHT =
      MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_Throwable);

  /** The types whose handlers catch the error of stop points, or an {@link OutOfMemoryError}. */
  private static final Set<String> ERRORS =
      Set.of(
          "java/lang/Throwable",
          "java/lang/Error",
          "java/lang/VirtualMachineError",
          "java/lang/OutOfMemoryError");

  private final CodeAttribute code;
  private final String method;
  private final StoppingLambdas lambdas;
  private final Set<Label> passed = new HashSet<>();

  /** The starts of handlers that only leave a monitor, as {@code synchronized} creates them. */
  private final Set<Label> monitorHandlers;

  /** Maps the old start of a handler to its new start, if it has one. */
  private final Map<Label, Label> begins = new LinkedHashMap<>();

  /** The last line that was seen. */
  private int line;

  StoppingCode(CodeAttribute code, String method, StoppingLambdas lambdas) {
    this.code = code;
    this.method = method;
    this.lambdas = lambdas;
    this.monitorHandlers = code.exceptionHandlers().isEmpty() ? Set.of() : monitorHandlers(code);
  }

  /**
   * Finds handlers that begin with three instructions: store the caught error, load the object,
   * leave its monitor.
   */
  private static Set<Label> monitorHandlers(CodeAttribute code) {
    Set<Label> found = new HashSet<>();
    Set<Label> open = new HashSet<>();
    int matched = 0;
    for (CodeElement element : code) {
      if (element instanceof LabelTarget target) {
        if (matched == 0) {
          open.add(target.label());
        }
      } else if (element instanceof StoreInstruction store
          && store.opcode().toString().startsWith("ASTORE")) {
        if (matched > 0) {
          open.clear();
        }
        matched = 1;
      } else if (matched == 1 && isLoad(element)) {
        matched = 2;
      } else if (matched == 2
          && element instanceof MonitorInstruction monitor
          && monitor.opcode() == Opcode.MONITOREXIT) {
        found.addAll(open);
        matched = 0;
        open.clear();
      } else if (element instanceof Instruction) {
        matched = 0;
        open.clear();
      }
    }
    return found;
  }

  private static boolean isLoad(CodeElement element) {
    return element instanceof LoadInstruction load && load.opcode().toString().startsWith("ALOAD");
  }

  @Override
  public void atStart(CodeBuilder builder) {
    pass(builder);
  }

  @Override
  public void accept(CodeBuilder builder, CodeElement element) {
    switch (element) {
      case ExceptionCatch it -> handler(builder, it);
      case LabelTarget it -> {
        passed.add(it.label());
        builder.with(it);
      }
      case BranchInstruction it -> {
        passIf(builder, passed.contains(it.target()));
        builder.with(it);
      }
      case TableSwitchInstruction it -> {
        passIf(builder, goesBack(it.defaultTarget(), it.cases()));
        builder.with(it);
      }
      case LookupSwitchInstruction it -> {
        passIf(builder, goesBack(it.defaultTarget(), it.cases()));
        builder.with(it);
      }
      case DiscontinuedInstruction it -> {
        pass(builder);
        builder.with(it);
      }
      case LineNumber it -> {
        line = it.line();
        builder.with(it);
      }
      case InvokeDynamicInstruction it when lambdas.isLed(it) ->
          builder.invokedynamic(lambdas.led(it, method, line));
      default -> builder.with(element);
    }
  }

  private boolean goesBack(Label otherwise, List<SwitchCase> cases) {
    return passed.contains(otherwise)
        || cases.stream().anyMatch(each -> passed.contains(each.target()));
  }

  private void handler(CodeBuilder builder, ExceptionCatch it) {
    Label begin = it.handler();
    boolean isMonitor = it.catchType().isEmpty() && monitorHandlers.contains(begin);
    if (isMonitor && begin.equals(it.tryStart())) {
      // The handler covers itself: if it could not leave the monitor, it would try again for ever.
      return;
    }
    boolean catchesErrors =
        it.catchType().map(type -> ERRORS.contains(type.asInternalName())).orElse(true);
    boolean throwsBack = code.labelToBci(begin) < code.labelToBci(it.tryEnd());
    if (throwsBack || (catchesErrors && !isMonitor)) {
      Label stop = begins.computeIfAbsent(begin, old -> builder.newLabel());
      builder.with(ExceptionCatch.of(stop, it.tryStart(), it.tryEnd(), it.catchType()));
    } else {
      builder.with(it);
    }
  }

  @Override
  public void atEnd(CodeBuilder builder) {
    List<StackMapFrameInfo> frames = new ArrayList<>();
    Map<Label, StackMapFrameInfo> byLabel = new HashMap<>();
    code.findAttribute(Attributes.stackMapTable())
        .ifPresent(table -> frames.addAll(table.entries()));
    frames.forEach(frame -> byLabel.put(frame.target(), frame));
    begins.forEach(
        (begin, stop) -> {
          builder
              .labelBinding(stop)
              .dup()
              .invokestatic(STOP_POINT, StopPoint.CAUGHT, CAUGHT)
              .goto_(begin);
          StackMapFrameInfo frame = byLabel.get(begin);
          if (frame != null) {
            frames.add(StackMapFrameInfo.of(stop, frame.locals(), frame.stack()));
          }
        });
    if (!frames.isEmpty()) {
      builder.with(StackMapTableAttribute.of(frames));
    }
  }

  private static void passIf(CodeBuilder builder, boolean goesBack) {
    if (goesBack) {
      pass(builder);
    }
  }

  static void pass(CodeBuilder builder) {
    builder.invokestatic(STOP_POINT, StopPoint.PASS, ConstantDescs.MTD_void);
  }
}
