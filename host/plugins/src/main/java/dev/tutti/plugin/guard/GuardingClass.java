package dev.tutti.plugin.guard;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.Handle;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import net.bytebuddy.jar.asm.Type;
import org.jspecify.annotations.Nullable;

/**
 * Rewrites one class. An inspected call goes through a method that is added to the same class. This
 * method takes the same arguments and calls the guard first, so the JDK sees the same caller as
 * without a guard.
 */
final class GuardingClass extends ClassVisitor {

  private static final String GUARD = Guard.NAME.replace('.', '/');

  private final Map<String, Guarded> guarded;
  private final Map<String, Bridge> bridges = new LinkedHashMap<>();
  private String className = "";
  private boolean isInterface;

  GuardingClass(ClassVisitor next, Map<String, Guarded> guarded) {
    super(Opcodes.ASM9, next);
    this.guarded = guarded;
  }

  /** A method to add. */
  private record Bridge(Handle target, Handle call, Inspection inspection) {}

  @Override
  public void visit(
      int version,
      int access,
      String name,
      @Nullable String signature,
      @Nullable String superName,
      String @Nullable [] interfaces) {
    className = name;
    isInterface = (access & Opcodes.ACC_INTERFACE) != 0;
    super.visit(version, access, name, signature, superName, interfaces);
  }

  @Override
  public MethodVisitor visitMethod(
      int access,
      String name,
      String descriptor,
      @Nullable String signature,
      String @Nullable [] exceptions) {
    return new GuardingMethod(
        super.visitMethod(access, name, descriptor, signature, exceptions), this);
  }

  /** The guard of a reference, or null if the reference has none. */
  @Nullable Guarded guard(String owner, String name, String descriptor) {
    return guarded.get(Weaver.key(owner, name, descriptor));
  }

  /** The method through which an inspected method is called; it takes the receiver first. */
  Handle bridge(Handle target) {
    String key = Weaver.key(target.getOwner(), target.getName(), target.getDesc());
    return bridges.computeIfAbsent(key, _ -> newBridge(target)).call();
  }

  private Bridge newBridge(Handle target) {
    Type[] arguments = Type.getArgumentTypes(target.getDesc());
    Type[] all = new Type[arguments.length + 1];
    all[0] = Type.getObjectType(target.getOwner());
    System.arraycopy(arguments, 0, all, 1, arguments.length);
    Handle call =
        new Handle(
            Opcodes.H_INVOKESTATIC,
            className,
            Guard.BRIDGE + bridges.size(),
            Type.getMethodDescriptor(Type.getReturnType(target.getDesc()), all),
            isInterface);
    Inspection inspection =
        Objects.requireNonNull(Inspection.of(target.getOwner(), target.getName()));
    return new Bridge(target, call, inspection);
  }

  @Override
  public void visitEnd() {
    bridges.values().forEach(this::write);
    super.visitEnd();
  }

  private void write(Bridge bridge) {
    Handle call = bridge.call();
    MethodVisitor method =
        super.visitMethod(
            Opcodes.ACC_PRIVATE | Opcodes.ACC_STATIC | Opcodes.ACC_SYNTHETIC,
            call.getName(),
            call.getDesc(),
            null,
            null);
    Type[] types = Type.getArgumentTypes(call.getDesc());
    int[] slots = new int[types.length];
    int size = 0;
    for (int i = 0; i < types.length; i++) {
      slots[i] = size;
      size += types[i].getSize();
    }
    method.visitCode();
    Inspection inspection = bridge.inspection();
    for (int i = inspection.first(); i < inspection.first() + inspection.count(); i++) {
      method.visitVarInsn(types[i].getOpcode(Opcodes.ILOAD), slots[i]);
    }
    method.visitMethodInsn(
        Opcodes.INVOKESTATIC, GUARD, Guard.INSPECT, inspection.descriptor(), false);
    for (int i = 0; i < types.length; i++) {
      method.visitVarInsn(types[i].getOpcode(Opcodes.ILOAD), slots[i]);
    }
    Handle target = bridge.target();
    method.visitMethodInsn(
        Opcodes.INVOKEVIRTUAL, target.getOwner(), target.getName(), target.getDesc(), false);
    method.visitInsn(Type.getReturnType(call.getDesc()).getOpcode(Opcodes.IRETURN));
    method.visitMaxs(size + 1, size);
    method.visitEnd();
  }

  static void refuse(MethodVisitor method, Guarded guarded) {
    method.visitLdcInsn(guarded.refusal());
    method.visitMethodInsn(
        Opcodes.INVOKESTATIC, GUARD, Guard.REFUSE, "(Ljava/lang/String;)V", false);
  }
}
