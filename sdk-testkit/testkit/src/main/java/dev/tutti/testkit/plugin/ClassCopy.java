package dev.tutti.testkit.plugin;

import dev.tutti.sdk.CollAlgorithm;
import net.bytebuddy.jar.asm.AnnotationVisitor;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.ClassWriter;
import net.bytebuddy.jar.asm.commons.ClassRemapper;
import net.bytebuddy.jar.asm.commons.SimpleRemapper;
import net.bytebuddy.utility.OpenedClassReader;
import org.jspecify.annotations.Nullable;

/** Writes the same class under another name, as another algorithm. */
final class ClassCopy {

  private ClassCopy() {}

  /** The class file of the copy; both names are binary names. */
  static byte[] of(byte[] classFile, String name, String newName, String algorithm) {
    ClassReader reader = OpenedClassReader.of(classFile);
    ClassWriter writer = new ClassWriter(0);
    SimpleRemapper renaming =
        new SimpleRemapper(
            OpenedClassReader.ASM_API, name.replace('.', '/'), newName.replace('.', '/'));
    reader.accept(new Renamed(new ClassRemapper(writer, renaming), algorithm), 0);
    return writer.toByteArray();
  }

  private static final class Renamed extends ClassVisitor {

    private final String algorithm;

    Renamed(ClassVisitor next, String algorithm) {
      super(OpenedClassReader.ASM_API, next);
      this.algorithm = algorithm;
    }

    @Override
    public void visitNestHost(String host) {
      // The copy has no nest host: the enclosing class is not copied.
    }

    @Override
    public void visitInnerClass(
        String name, @Nullable String outer, @Nullable String inner, int access) {
      // As above.
    }

    @Override
    public @Nullable AnnotationVisitor visitAnnotation(String descriptor, boolean isVisible) {
      AnnotationVisitor next = super.visitAnnotation(descriptor, isVisible);
      if (next == null || !descriptor.equals(CollAlgorithm.class.descriptorString())) {
        return next;
      }
      return new AnnotationVisitor(OpenedClassReader.ASM_API, next) {
        @Override
        public void visit(String name, Object value) {
          super.visit(name, name.equals("name") ? algorithm : value);
        }
      };
    }
  }
}
