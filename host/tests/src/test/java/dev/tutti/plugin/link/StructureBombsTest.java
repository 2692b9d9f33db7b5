package dev.tutti.plugin.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tutti.host.Errors;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.verifier.capability.Restrictions;
import java.lang.classfile.Annotation;
import java.lang.classfile.AnnotationElement;
import java.lang.classfile.AnnotationValue;
import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassFile;
import java.lang.classfile.TypeAnnotation;
import java.lang.classfile.TypeAnnotation.TargetInfo;
import java.lang.classfile.attribute.RuntimeVisibleTypeAnnotationsAttribute;
import java.lang.classfile.constantpool.ConstantDynamicEntry;
import java.lang.classfile.constantpool.ConstantPoolBuilder;
import java.lang.classfile.constantpool.PoolEntry;
import java.lang.classfile.constantpool.StringEntry;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.DynamicConstantDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Class files that are small and would take a reader's time, memory or stack. */
@Timeout(600)
final class StructureBombsTest {

  private static final MethodTypeDesc NOTHING = MethodTypeDesc.of(ConstantDescs.CD_void);

  private final LinkCheck check = new LinkCheck(new Restrictions(), "0.1.0");
  private final Map<String, byte[]> classes = new HashMap<>();

  private void type(String name, Consumer<ClassBuilder> body) {
    classes.put(
        name,
        ClassFile.of()
            .build(
                ClassDesc.of(name),
                builder -> {
                  builder.withFlags(ClassFile.ACC_PUBLIC);
                  body.accept(builder);
                }));
  }

  private LinkReport check(String... providers) {
    return check.check(name -> classes.get(name.replace('/', '.')), List.of(providers), Set.of());
  }

  private static ClassDesc[] of(String... names) {
    return List.of(names).stream().map(ClassDesc::of).toArray(ClassDesc[]::new);
  }

  @Test
  void aLongChainOfSuperclassesIsAProblem() {
    for (int i = 1; i <= 5_000; i++) {
      ClassDesc parent = i == 1 ? ConstantDescs.CD_Object : ClassDesc.of("p.C" + (i - 1));
      type("p.C" + i, builder -> builder.withSuperclass(parent));
    }

    LinkReport report = check("p.C5000", "p.C50");

    assertThat(report.affected()).containsExactly("p.C5000");
    assertThat(report.message())
        .contains(
            "p.C5000 has superclasses and interfaces on more than 1000 paths, or more than 100")
        .hasSizeLessThan(10_000);
  }

  @Test
  void interfacesThatDoubleWithEachStepAreAProblem() {
    for (int i = 0; i < 40; i++) {
      ClassDesc[] parents = i == 0 ? of() : of("p.A" + (i - 1), "p.B" + (i - 1));
      for (String each : List.of("A", "B")) {
        type(
            "p." + each + i,
            builder ->
                builder
                    .withFlags(
                        ClassFile.ACC_PUBLIC | ClassFile.ACC_INTERFACE | ClassFile.ACC_ABSTRACT)
                    .withInterfaceSymbols(parents));
      }
    }
    type("p.C", builder -> builder.withInterfaceSymbols(of("p.A39", "p.B39")));

    assertThat(check("p.C").affected()).containsExactly("p.C");
    assertThatThrownBy(
            () ->
                check.guarded(
                    name -> classes.get(name.replace('/', '.')),
                    "p/C",
                    classes.get("p.C"),
                    Set.of()))
        .isInstanceOf(ClassFormatError.class)
        .hasMessageContaining("p.C has superclasses and interfaces");
  }

  @Test
  void aClassThatIsItsOwnAncestorIsAProblem() {
    type("p.A", builder -> builder.withSuperclass(ClassDesc.of("p.B")));
    type("p.B", builder -> builder.withSuperclass(ClassDesc.of("p.A")));

    assertThat(check("p.A").affected()).containsExactly("p.A");
  }

  private static ConstantDesc nested(int depth, int width) {
    ConstantDesc constant = "end";
    for (int i = 0; i < depth; i++) {
      ConstantDesc[] arguments = new ConstantDesc[width];
      java.util.Arrays.fill(arguments, constant);
      constant =
          DynamicConstantDesc.ofNamed(
              ConstantDescs.ofConstantBootstrap(
                  ClassDesc.of("p.A"),
                  "make",
                  ConstantDescs.CD_Object,
                  ConstantDescs.CD_Object.arrayType()),
              "c" + i,
              ConstantDescs.CD_Object,
              arguments);
    }
    return constant;
  }

  private void typeWithConstant(ConstantDesc constant) {
    type(
        "p.A",
        builder ->
            builder.withMethodBody(
                "m",
                NOTHING,
                ClassFile.ACC_STATIC,
                code -> code.loadConstant(constant).pop().return_()));
  }

  @Test
  void dynamicConstantsMayBeNestedButNotDeep() {
    typeWithConstant(nested(10, 2));
    assertThat(check("p.A").message()).contains("the method p.A.make").doesNotContain("nested");

    typeWithConstant(nested(300, 1));
    assertThat(check("p.A").message())
        .contains("its dynamic constants are nested more than 16 deep, or in a circle");
  }

  private static int index(byte[] bytes, Class<? extends PoolEntry> kind) {
    for (PoolEntry entry : ClassFile.of().parse(bytes).constantPool()) {
      if (kind.isInstance(entry)) {
        return entry.index();
      }
    }
    throw new IllegalArgumentException(kind.getName());
  }

  @Test
  void aDynamicConstantThatIsItsOwnArgumentIsAProblem() {
    typeWithConstant(nested(1, 1));
    byte[] bytes = classes.get("p.A");
    int constant = index(bytes, ConstantDynamicEntry.class);
    int text = index(bytes, StringEntry.class);
    // The last two bytes of the class file are the argument of its only bootstrap method.
    assertThat(bytes[bytes.length - 1]).isEqualTo((byte) text);
    bytes[bytes.length - 1] = (byte) constant;

    assertThat(check("p.A").message()).contains("nested more than 16 deep, or in a circle");
  }

  @Test
  void deeplyNestedAnnotationsOfCodeTakeNoStack() throws InterruptedException {
    // Writing these class files needs a large stack.
    Thread writer = new Thread(null, this::typeWithAnnotation, "writer", 1L << 30);
    writer.start();
    writer.join();

    assertThat(check("p.A").message())
        .contains("the class p.Gone is neither in the jar")
        .contains("used by p.A");
  }

  private void typeWithAnnotation() {
    AnnotationValue value = AnnotationValue.of(1);
    for (int i = 0; i < 20_000; i++) {
      value = AnnotationValue.ofArray(value);
    }
    TypeAnnotation annotation =
        TypeAnnotation.of(
            TargetInfo.ofField(),
            List.of(),
            Annotation.of(ClassDesc.of("p.X"), AnnotationElement.of("v", value)));
    type(
        "p.A",
        builder ->
            builder.withMethodBody(
                "m",
                NOTHING,
                ClassFile.ACC_STATIC,
                code -> {
                  code.invokestatic(ClassDesc.of("p.Gone"), "gone", NOTHING).return_();
                  code.with(RuntimeVisibleTypeAnnotationsAttribute.of(annotation));
                }));
  }

  @Test
  void membersThatPairLongNamesInManyWaysTakeNoMemory() {
    String[] names =
        IntStream.range(0, 60).mapToObj(i -> ("n" + i).repeat(1_000)).toArray(String[]::new);
    String long1 = "L" + "x".repeat(30_000);
    type(
        "p.A",
        builder -> {
          for (String name : names) {
            for (int i = 0; i < 60; i++) {
              builder.withMethod(
                  name,
                  MethodTypeDesc.ofDescriptor("(" + long1 + i + ";)V"),
                  ClassFile.ACC_ABSTRACT,
                  method -> {});
            }
          }
        });

    assertThat(check("p.A").problems()).isEmpty();
  }

  @Test
  void aNameWithoutEndIsAProblemAndCutInTheMessage() {
    String name = "x".repeat(60_000);
    type(
        "p.A",
        builder ->
            builder.withMethodBody(
                "m",
                NOTHING,
                ClassFile.ACC_STATIC,
                code -> code.invokestatic(ClassDesc.of("p.B"), name, NOTHING).return_()));

    assertThat(check("p.A").message())
        .contains("it has a name of 60000 characters; at most 4096")
        .hasSizeLessThan(1_000);
  }

  @Test
  void ofVeryManyProblemsOfAClassSomeAreTold() {
    type(
        "p.A",
        builder ->
            builder.withMethodBody(
                "m",
                NOTHING,
                ClassFile.ACC_STATIC,
                code -> {
                  for (int i = 0; i < 5_000; i++) {
                    code.invokestatic(ClassDesc.of("p.Gone" + i), "gone", NOTHING);
                  }
                  code.return_();
                }));

    LinkReport report = check("p.A");

    assertThat(report.problems().size()).isEqualTo(501);
    assertThat(report.problems().getLast()).isEqualTo("p.A has 500 problems or more");
    assertThat(report.message()).hasSizeLessThan(10_000);
  }

  @Test
  void classesThatReferToEachOtherInTooManyWaysAreRefusedAfterSomeSteps() {
    int members = 5_000;
    for (int i = 1; i <= 90; i++) {
      ClassDesc parent = i == 1 ? ConstantDescs.CD_Object : ClassDesc.of("p.C" + (i - 1));
      int declared = i == 1 ? members : 0;
      type(
          "p.C" + i,
          builder -> {
            builder.withSuperclass(parent);
            for (int member = 0; member < declared; member++) {
              builder.withField("f" + member, ConstantDescs.CD_int, ClassFile.ACC_STATIC);
            }
          });
    }
    for (int user = 0; user < 8; user++) {
      ClassDesc next = ClassDesc.of("p.U" + (user + 1));
      type(
          "p.U" + user,
          builder -> {
            builder.withSuperclass(next);
            ConstantPoolBuilder pool = builder.constantPool();
            for (int owner = 80; owner <= 90; owner++) {
              for (int member = 0; member < members; member++) {
                pool.fieldRefEntry(ClassDesc.of("p.C" + owner), "f" + member, ConstantDescs.CD_int);
              }
            }
          });
    }

    assertThat(Errors.message(ErrorCode.PLUGIN_LINK, () -> check("p.U0")))
        .contains("in so many ways that they cannot be checked in 20000000 steps");
  }
}
