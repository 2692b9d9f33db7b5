package dev.tutti.verifier.gate;

import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.MethodTransform;
import java.lang.classfile.attribute.CodeAttribute;
import java.lang.constant.ConstantDescs;
import java.lang.reflect.AccessFlag;

/**
 * Puts {@link StopPoint stop points} into a class file: at the start of each method, before each
 * backward jump, where an error is caught, and where a method reference leads out of the class.
 *
 * <p>Line numbers stay the same, and so do the stack map frames that the JVM's verifier needs: a
 * stop point is a call without a result, and the few added frames are copies of others. So the
 * weaver reads no other class.
 */
public final class StopWeaver {

  private static final String FINALIZER = "finalize";

  private static final ClassFile FILES =
      ClassFile.of(
          ClassFile.StackMapsOption.DROP_STACK_MAPS,
          ClassFile.DeadCodeOption.KEEP_DEAD_CODE,
          ClassFile.ShortJumpsOption.FAIL_ON_SHORT_JUMPS);

  private StopWeaver() {}

  /**
   * The class with stop points.
   *
   * @throws ClassFormatError if it is not a class file, if a method becomes too long, or if the
   *     class has a {@linkplain #hasFinalizer finalizer}
   */
  public static byte[] weave(String name, byte[] classFile) {
    try {
      ClassModel model = FILES.parse(classFile);
      if (hasFinalizer(model)) {
        throw new ClassFormatError(
            name + " has a finalizer, which would run on a thread of the JVM");
      }
      return FILES.transformClass(model, stopping(new StoppingLambdas(model)));
    } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
      throw new ClassFormatError(
          name + " cannot be given stop points; is one of its methods too long? (" + e + ")");
    }
  }

  private static ClassTransform stopping(StoppingLambdas lambdas) {
    ClassTransform methods =
        (builder, element) -> {
          if (element instanceof MethodModel method) {
            builder.transformMethod(method, stopping(method, lambdas));
          } else {
            builder.with(element);
          }
        };
    return methods.andThen(ClassTransform.endHandler(lambdas::addTo));
  }

  private static MethodTransform stopping(MethodModel method, StoppingLambdas lambdas) {
    String name = method.methodName().stringValue();
    return (builder, element) -> {
      if (element instanceof CodeModel code) {
        builder.transformCode(code, new StoppingCode((CodeAttribute) code, name, lambdas));
      } else {
        builder.with(element);
      }
    };
  }

  /** Whether a class declares a finalizer, which the JVM would call on its own thread. */
  public static boolean hasFinalizer(ClassModel model) {
    return model.methods().stream().anyMatch(StopWeaver::isFinalizer);
  }

  private static boolean isFinalizer(MethodModel method) {
    return method.methodName().equalsString(FINALIZER)
        && method.methodTypeSymbol().equals(ConstantDescs.MTD_void)
        && !method.flags().has(AccessFlag.STATIC);
  }
}
