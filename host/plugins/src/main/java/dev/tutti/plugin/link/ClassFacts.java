package dev.tutti.plugin.link;

import dev.tutti.base.text.Sentence;
import dev.tutti.sdk.TuttiException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.constantpool.DynamicConstantPoolEntry;
import java.lang.classfile.constantpool.MemberRefEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A class of a jar, with the classes and members in its constant pool. The constant pool has every
 * member that the code, the method handles and the bootstrap arguments use, so no reference is
 * missed. The places of a reference are searched only once it is known to be a problem. Immutable.
 *
 * @param shape the parts that others can refer to
 * @param model the parsed class, or null if it is broken
 * @param classes the classes in the constant pool
 * @param members the members in the constant pool
 * @param defect why the class cannot be used, or null
 */
record ClassFacts(
    TypeShape shape,
    @Nullable ClassModel model,
    List<String> classes,
    List<MemberReference> members,
    @Nullable String defect) {

  private static final int JAVA_1_CLASS_FILE = 44;
  private static final int PREVIEW = 0xffff;
  private static final int HEADER_BYTES = 8;

  /** The longest name, because messages repeat names; compilers do not make longer ones. */
  private static final int LONGEST_NAME = 4096;

  static ClassFacts read(String name, byte[] bytes, Effort effort) {
    String defect = defectOfHeader(name, bytes);
    if (defect != null) {
      return broken(name, defect);
    }
    try {
      ClassModel model = ClassFile.of().parse(bytes);
      if (!model.thisClass().asInternalName().equals(name)) {
        return broken(
            name,
            Sentence.of(
                "the file %s.class holds the class %s; build the jar again",
                name, Names.dotted(model.thisClass().asInternalName())));
      }
      return of(name, model, effort);
    } catch (TuttiException e) {
      throw e;
    } catch (RuntimeException e) {
      return broken(name, invalid(name, String.valueOf(e.getMessage())));
    }
  }

  private static ClassFacts of(String name, ClassModel model, Effort effort) {
    Set<String> classes = new LinkedHashSet<>();
    List<MemberReference> members = new ArrayList<>();
    List<DynamicConstantPoolEntry> dynamics = new ArrayList<>();
    effort.spend(model.constantPool().size());
    for (PoolEntry entry : model.constantPool()) {
      switch (entry) {
        case ClassEntry type -> {
          String element = Names.element(limited(type.asInternalName()));
          if (!element.isEmpty()) {
            classes.add(element);
          }
        }
        case MemberRefEntry member ->
            members.add(
                new MemberReference(
                    limited(member.owner().asInternalName()),
                    limited(member.name().stringValue()),
                    member.type().stringValue()));
        case DynamicConstantPoolEntry dynamic -> dynamics.add(dynamic);
        default -> {}
      }
    }
    if (DynamicConstants.areTooDeep(dynamics, effort)) {
      return broken(
          name,
          invalid(
              name,
              "its dynamic constants are nested more than "
                  + DynamicConstants.MOST_NESTED
                  + " deep, or in a circle"));
    }
    TypeShape shape = TypeShape.of(model);
    shape.members().keySet().forEach(ClassFacts::limited);
    return new ClassFacts(shape, model, List.copyOf(classes), members, null);
  }

  private static String limited(String name) {
    if (name.length() > LONGEST_NAME) {
      throw new IllegalArgumentException(
          "it has a name of " + name.length() + " characters; at most " + LONGEST_NAME);
    }
    return name;
  }

  private static @Nullable String defectOfHeader(String name, byte[] bytes) {
    if (bytes.length < HEADER_BYTES) {
      return invalid(name, "it has only " + bytes.length + " bytes");
    }
    int magic = unsignedShort(bytes, 0) << 16 | unsignedShort(bytes, 2);
    if (magic != ClassFile.MAGIC_NUMBER) {
      return invalid(name, "it does not start like one");
    }
    if (name.startsWith("java/")) {
      return Names.dotted(name) + " is in a package of the JDK; give it another one";
    }
    int major = unsignedShort(bytes, 6);
    int host = Runtime.version().feature();
    if (major - JAVA_1_CLASS_FILE > host) {
      return Sentence.of(
          "%s is compiled for Java %d, but the host runs on Java %d; compile the plugin with"
              + " --release %d",
          Names.dotted(name), major - JAVA_1_CLASS_FILE, host, host);
    }
    if (unsignedShort(bytes, 4) == PREVIEW) {
      return Names.dotted(name)
          + " uses preview features, which the host does not enable; compile the plugin without"
          + " --enable-preview";
    }
    return null;
  }

  private static ClassFacts broken(String name, String defect) {
    TypeShape shape = new TypeShape(name, null, List.of(), 0, Map.of());
    return new ClassFacts(shape, null, List.of(), List.of(), defect);
  }

  static String invalid(String name, String how) {
    return Sentence.of(
        "%s is not a valid class file (%s); build the jar again", Names.dotted(name), how);
  }

  private static int unsignedShort(byte[] bytes, int at) {
    return Byte.toUnsignedInt(bytes[at]) << 8 | Byte.toUnsignedInt(bytes[at + 1]);
  }
}
