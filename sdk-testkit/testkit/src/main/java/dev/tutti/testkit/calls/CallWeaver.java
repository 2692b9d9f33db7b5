package dev.tutti.testkit.calls;

import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.ClassWriter;
import net.bytebuddy.jar.asm.Handle;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import net.bytebuddy.utility.OpenedClassReader;
import org.jspecify.annotations.Nullable;

/** Puts a call of {@link CallHook} in front of every forbidden call of a class. */
final class CallWeaver extends ClassVisitor {

  private static final String HOOK = CallHook.class.getName().replace('.', '/');

  /** The bootstrap class of method references: these name a method that is called elsewhere. */
  private static final String LAMBDAS = "java/lang/invoke/LambdaMetafactory";

  private CallWeaver(ClassVisitor next) {
    super(OpenedClassReader.ASM_API, next);
  }

  /** The class file with its calls watched. */
  static byte[] weave(byte[] classFile) {
    ClassReader reader = OpenedClassReader.of(classFile);
    // The hook's argument needs a stack slot. Frames do not change: the hook leaves nothing there.
    ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
    reader.accept(new CallWeaver(writer), 0);
    return writer.toByteArray();
  }

  @Override
  public @Nullable MethodVisitor visitMethod(
      int access,
      String name,
      String descriptor,
      @Nullable String signature,
      String @Nullable [] exceptions) {
    MethodVisitor next = super.visitMethod(access, name, descriptor, signature, exceptions);
    return next == null ? null : new Watch(next);
  }

  private static final class Watch extends MethodVisitor {

    Watch(MethodVisitor next) {
      super(OpenedClassReader.ASM_API, next);
    }

    @Override
    public void visitMethodInsn(
        int opcode, String owner, String name, String descriptor, boolean isInterface) {
      watch(owner, name, descriptor);
      super.visitMethodInsn(opcode, owner, name, descriptor, isInterface);
    }

    @Override
    public void visitFieldInsn(int opcode, String owner, String name, String descriptor) {
      watch(owner, name, descriptor);
      super.visitFieldInsn(opcode, owner, name, descriptor);
    }

    @Override
    public void visitInvokeDynamicInsn(
        String name, String descriptor, Handle bootstrap, Object... arguments) {
      if (bootstrap.getOwner().equals(LAMBDAS) && arguments[1] instanceof Handle target) {
        watch(target.getOwner(), target.getName(), target.getDesc());
      }
      super.visitInvokeDynamicInsn(name, descriptor, bootstrap, arguments);
    }

    private void watch(String owner, String name, String descriptor) {
      String type = owner.replace('/', '.');
      CallKind kind = CallKind.ofMember(type, name, descriptor);
      if (kind != null) {
        visitLdcInsn(type + "#" + name + "#" + kind);
        super.visitMethodInsn(Opcodes.INVOKESTATIC, HOOK, "before", "(Ljava/lang/String;)V", false);
      }
    }
  }
}
