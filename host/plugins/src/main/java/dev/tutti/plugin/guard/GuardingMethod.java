package dev.tutti.plugin.guard;

import net.bytebuddy.jar.asm.ConstantDynamic;
import net.bytebuddy.jar.asm.Handle;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;

/**
 * Rewrites one method. Before a refused use, it inserts a call that always throws. The code after
 * it stays, so that the JVM's verifier sees the same frames as before.
 */
final class GuardingMethod extends MethodVisitor {

  /** The stack slot for the sentence of a refusal. */
  private static final int MORE_STACK = 1;

  private final GuardingClass owner;

  GuardingMethod(MethodVisitor next, GuardingClass owner) {
    super(Opcodes.ASM9, next);
    this.owner = owner;
  }

  @Override
  public void visitMethodInsn(
      int opcode, String type, String name, String descriptor, boolean isInterface) {
    Guarded guard = owner.guard(type, name, descriptor);
    if (guard == null) {
      super.visitMethodInsn(opcode, type, name, descriptor, isInterface);
    } else if (guard.isRefused()) {
      GuardingClass.refuse(mv, guard);
      super.visitMethodInsn(opcode, type, name, descriptor, isInterface);
    } else {
      Handle bridge =
          owner.bridge(new Handle(Opcodes.H_INVOKEVIRTUAL, type, name, descriptor, isInterface));
      super.visitMethodInsn(
          Opcodes.INVOKESTATIC,
          bridge.getOwner(),
          bridge.getName(),
          bridge.getDesc(),
          bridge.isInterface());
    }
  }

  @Override
  public void visitFieldInsn(int opcode, String type, String name, String descriptor) {
    Guarded guard = owner.guard(type, name, descriptor);
    if (guard != null) {
      GuardingClass.refuse(mv, guard);
    }
    super.visitFieldInsn(opcode, type, name, descriptor);
  }

  @Override
  public void visitInvokeDynamicInsn(
      String name, String descriptor, Handle bootstrap, Object... arguments) {
    Object[] changed = new Object[arguments.length];
    for (int i = 0; i < arguments.length; i++) {
      changed[i] = constant(arguments[i]);
    }
    super.visitInvokeDynamicInsn(name, descriptor, handle(bootstrap), changed);
  }

  @Override
  public void visitLdcInsn(Object value) {
    super.visitLdcInsn(constant(value));
  }

  /** The constant, with inspected method handles replaced by their bridges. */
  private Object constant(Object constant) {
    return switch (constant) {
      case Handle handle -> handle(handle);
      case ConstantDynamic dynamic -> dynamic(dynamic);
      default -> constant;
    };
  }

  private ConstantDynamic dynamic(ConstantDynamic dynamic) {
    Object[] arguments = new Object[dynamic.getBootstrapMethodArgumentCount()];
    for (int i = 0; i < arguments.length; i++) {
      arguments[i] = constant(dynamic.getBootstrapMethodArgument(i));
    }
    return new ConstantDynamic(
        dynamic.getName(),
        dynamic.getDescriptor(),
        handle(dynamic.getBootstrapMethod()),
        arguments);
  }

  private Handle handle(Handle handle) {
    Guarded guard = owner.guard(handle.getOwner(), handle.getName(), handle.getDesc());
    if (guard != null && !guard.isRefused()) {
      return owner.bridge(handle);
    }
    if (guard != null) {
      GuardingClass.refuse(mv, guard);
    }
    return handle;
  }

  @Override
  public void visitMaxs(int maxStack, int maxLocals) {
    super.visitMaxs(maxStack + MORE_STACK, maxLocals);
  }
}
