package dev.tutti.plugin.guard;

import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A class {@code p.A} whose code uses members of the JDK, each in its own method. */
record ClassWithUses(List<Use> uses) {

  private static final String CONSTRUCTOR = "<init>";

  /**
   * A member.
   *
   * @param type of a field, or the parameters and the result of a method
   */
  record Use(Class<?> owner, String name, String type, boolean isStatic) {

    private boolean isField() {
      return !type.startsWith("(");
    }

    /** The class, with slashes. */
    String ownerName() {
      return owner.getName().replace('.', '/');
    }

    @Override
    public String toString() {
      return ownerName() + " " + name + " " + type;
    }

    private void write(CodeBuilder code) {
      ClassDesc of = ClassDesc.ofDescriptor(owner.descriptorString());
      if (isField()) {
        get(code, of);
      } else {
        call(code, of, MethodTypeDesc.ofDescriptor(type));
      }
      code.return_();
    }

    private void get(CodeBuilder code, ClassDesc of) {
      if (isStatic) {
        code.getstatic(of, name, ClassDesc.ofDescriptor(type));
      } else {
        code.aconst_null().getfield(of, name, ClassDesc.ofDescriptor(type));
      }
    }

    private void call(CodeBuilder code, ClassDesc of, MethodTypeDesc parameters) {
      if (name.equals(CONSTRUCTOR)) {
        code.new_(of).dup();
      } else if (!isStatic) {
        code.aconst_null();
      }
      parameters.parameterList().forEach(each -> push(code, TypeKind.from(each)));
      if (name.equals(CONSTRUCTOR)) {
        code.invokespecial(of, name, parameters);
      } else if (isStatic) {
        code.invokestatic(of, name, parameters, owner.isInterface());
      } else if (owner.isInterface()) {
        code.invokeinterface(of, name, parameters);
      } else {
        code.invokevirtual(of, name, parameters);
      }
    }

    private static void push(CodeBuilder code, TypeKind kind) {
      switch (kind.asLoadable()) {
        case LONG -> code.lconst_0();
        case FLOAT -> code.fconst_0();
        case DOUBLE -> code.dconst_0();
        case REFERENCE -> code.aconst_null();
        default -> code.iconst_0();
      }
    }
  }

  /** The class file, if that is the class. */
  byte @Nullable [] bytes(String className) {
    return className.equals("p/A") ? bytes() : null;
  }

  private byte[] bytes() {
    return ClassFile.of(ClassFile.StackMapsOption.DROP_STACK_MAPS)
        .build(
            ClassDesc.of("p.A"),
            builder -> {
              for (int i = 0; i < uses.size(); i++) {
                builder.withMethodBody(
                    "use" + i, ConstantDescs.MTD_void, ClassFile.ACC_STATIC, uses.get(i)::write);
              }
            });
  }
}
