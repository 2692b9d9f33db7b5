package dev.tutti.verifier.gate;

import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.MethodModel;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.DirectMethodHandleDesc;
import java.lang.constant.DirectMethodHandleDesc.Kind;
import java.lang.constant.DynamicCallSiteDesc;
import java.lang.constant.MethodHandleDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.AccessFlag;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * Redirects the method references of one class through added methods that have stop points.
 * Otherwise a stream that uses only method references, such as {@code
 * Stream.generate(Object::new).count()}, could run for ever in code of the JDK alone. References to
 * the SPI stay as they are, because the SPI counts the emitted actions and looks for the line that
 * called it.
 */
final class StoppingLambdas {

  private static final String FACTORY = "Ljava/lang/invoke/LambdaMetafactory;";
  private static final String SPI = "Ldev/tutti/sdk/";
  private static final int IMPLEMENTATION = 1;

  private final ClassDesc type;
  private final boolean isInterface;
  private final Set<String> declared = new HashSet<>();
  private final Map<Target, Step> steps = new LinkedHashMap<>();

  /** The called method, and the types of its parameters, the receiver first. */
  private record Target(DirectMethodHandleDesc method, MethodTypeDesc parameters) {}

  /** An added method, and the line that first needed it. */
  private record Step(String name, int line) {}

  StoppingLambdas(ClassModel model) {
    this.type = model.thisClass().asSymbol();
    this.isInterface = model.flags().has(AccessFlag.INTERFACE);
    for (MethodModel method : model.methods()) {
      declared.add(method.methodName().stringValue() + method.methodType().stringValue());
    }
  }

  /** Whether the method reference of a call site is redirected. */
  boolean isLed(InvokeDynamicInstruction site) {
    return site.bootstrapMethod().owner().descriptorString().equals(FACTORY)
        && site.bootstrapArgs().size() > IMPLEMENTATION
        && site.bootstrapArgs().get(IMPLEMENTATION) instanceof DirectMethodHandleDesc target
        && isLed(target);
  }

  /** The call site with its method reference redirected through an added method. */
  DynamicCallSiteDesc led(InvokeDynamicInstruction site, String method, int line) {
    ConstantDesc[] arguments = site.bootstrapArgs().toArray(ConstantDesc[]::new);
    DirectMethodHandleDesc target = (DirectMethodHandleDesc) arguments[IMPLEMENTATION];
    arguments[IMPLEMENTATION] = step(target, site.typeSymbol(), method, line);
    return DynamicCallSiteDesc.of(
        site.bootstrapMethod(), site.name().stringValue(), site.typeSymbol(), arguments);
  }

  private boolean isLed(DirectMethodHandleDesc target) {
    boolean isOwn =
        target.owner().equals(type)
            && declared.contains(target.methodName() + target.lookupDescriptor());
    boolean isCall =
        switch (target.kind()) {
          case VIRTUAL, INTERFACE_VIRTUAL, STATIC, INTERFACE_STATIC, CONSTRUCTOR -> true;
          default -> false;
        };
    return isCall && !isOwn && !target.owner().descriptorString().startsWith(SPI);
  }

  private MethodHandleDesc step(
      DirectMethodHandleDesc target, MethodTypeDesc captured, String method, int line) {
    MethodTypeDesc parameters = target.invocationType();
    boolean hasReceiver = target.kind() == Kind.VIRTUAL || target.kind() == Kind.INTERFACE_VIRTUAL;
    if (hasReceiver && captured.parameterCount() > 0) {
      // For a static method, the factory requires exactly the captured types.
      parameters = parameters.changeParameterType(0, captured.parameterType(0));
    }
    Step step =
        steps.computeIfAbsent(
            new Target(target, parameters),
            _ -> new Step("lambda$" + simple(method) + "$stop$" + steps.size(), line));
    return MethodHandleDesc.ofMethod(
        isInterface ? Kind.INTERFACE_STATIC : Kind.STATIC, type, step.name(), parameters);
  }

  private static String simple(String method) {
    return method.startsWith("<") ? method.substring(1, method.length() - 1) : method;
  }

  /** Adds the new methods to the class. */
  void addTo(ClassBuilder builder) {
    steps.forEach(
        (target, step) ->
            builder.withMethodBody(
                step.name(),
                target.parameters(),
                ClassFile.ACC_PRIVATE | ClassFile.ACC_STATIC | ClassFile.ACC_SYNTHETIC,
                code -> write(code, target, step.line())));
  }

  private static void write(CodeBuilder code, Target target, int line) {
    if (line > 0) {
      code.lineNumber(line);
    }
    StoppingCode.pass(code);
    DirectMethodHandleDesc method = target.method();
    if (method.kind() == Kind.CONSTRUCTOR) {
      code.new_(method.owner()).dup();
    }
    for (int i = 0; i < target.parameters().parameterCount(); i++) {
      code.loadLocal(TypeKind.from(target.parameters().parameterType(i)), code.parameterSlot(i));
    }
    MethodTypeDesc type = MethodTypeDesc.ofDescriptor(method.lookupDescriptor());
    switch (method.kind()) {
      case VIRTUAL -> code.invokevirtual(method.owner(), method.methodName(), type);
      case INTERFACE_VIRTUAL -> code.invokeinterface(method.owner(), method.methodName(), type);
      case CONSTRUCTOR -> code.invokespecial(method.owner(), ConstantDescs.INIT_NAME, type);
      default ->
          code.invokestatic(method.owner(), method.methodName(), type, method.isOwnerInterface());
    }
    code.return_(TypeKind.from(target.parameters().returnType()));
  }
}
