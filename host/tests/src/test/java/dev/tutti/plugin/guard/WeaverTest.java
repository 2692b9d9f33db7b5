package dev.tutti.plugin.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.plugin.link.LinkCheck;
import dev.tutti.verifier.capability.Capability;
import dev.tutti.verifier.capability.Restrictions;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.constantpool.ConstantDynamicEntry;
import java.lang.classfile.constantpool.InvokeDynamicEntry;
import java.lang.classfile.constantpool.LoadableConstantEntry;
import java.lang.classfile.constantpool.MethodHandleEntry;
import java.lang.classfile.instruction.ConstantInstruction.LoadConstantInstruction;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.DirectMethodHandleDesc;
import java.lang.constant.DynamicCallSiteDesc;
import java.lang.constant.DynamicConstantDesc;
import java.lang.constant.MethodHandleDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Handles are guarded wherever a class file has them, also where no compiler puts them. */
class WeaverTest {

  private static final ClassDesc METHOD = ClassDesc.of("java.lang.reflect.Method");
  private static final DirectMethodHandleDesc INVOKE =
      MethodHandleDesc.ofMethod(
          DirectMethodHandleDesc.Kind.VIRTUAL,
          METHOD,
          "invoke",
          MethodTypeDesc.of(
              ConstantDescs.CD_Object,
              ConstantDescs.CD_Object,
              ConstantDescs.CD_Object.arrayType()));
  private static final DirectMethodHandleDesc STATIC_FINAL =
      ConstantDescs.ofConstantBootstrap(
          ConstantDescs.CD_ConstantBootstraps, "getStaticFinal", ConstantDescs.CD_Object);

  private final LinkCheck check = new LinkCheck(new Restrictions(), "0.1.0");

  /** The code of a class with one method, with guards. */
  private List<CodeElement> woven(Consumer<CodeBuilder> code) {
    byte[] bytes =
        ClassFile.of()
            .build(
                ClassDesc.of("p.A"),
                builder ->
                    builder.withMethodBody(
                        "use", ConstantDescs.MTD_void, ClassFile.ACC_STATIC, code));
    List<Guarded> guarded =
        check.guarded(name -> null, "p/A", bytes, Set.of(Capability.REFLECTION));
    ClassModel model = ClassFile.of().parse(Weaver.weave(bytes, guarded));
    return model.methods().stream()
        .filter(method -> method.methodName().equalsString("use"))
        .findFirst()
        .flatMap(method -> method.code())
        .orElseThrow()
        .elementList();
  }

  /** The owners of the methods of all handles that code has in its constants. */
  private static List<String> handles(List<CodeElement> code) {
    List<String> handles = new ArrayList<>();
    for (CodeElement element : code) {
      switch (element) {
        case LoadConstantInstruction load -> add(load.constantEntry(), handles);
        case InvokeDynamicInstruction call -> addAll(call.invokedynamic(), handles);
        default -> {}
      }
    }
    return handles;
  }

  private static void addAll(InvokeDynamicEntry call, List<String> handles) {
    add(call.bootstrap().bootstrapMethod(), handles);
    call.bootstrap().arguments().forEach(each -> add(each, handles));
  }

  private static void add(LoadableConstantEntry entry, List<String> handles) {
    switch (entry) {
      case MethodHandleEntry handle ->
          handles.add(handle.reference().owner().asInternalName().replace('/', '.'));
      case ConstantDynamicEntry dynamic -> {
        add(dynamic.bootstrap().bootstrapMethod(), handles);
        dynamic.bootstrap().arguments().forEach(each -> add(each, handles));
      }
      default -> {}
    }
  }

  private static Stream<String> calls(List<CodeElement> code) {
    return code.stream()
        .filter(InvokeInstruction.class::isInstance)
        .map(InvokeInstruction.class::cast)
        .map(call -> call.owner().asInternalName().replace('/', '.') + "." + call.name());
  }

  @Test
  void aHandleInNestedDynamicConstantsIsInspected() {
    DynamicConstantDesc<?> inner =
        DynamicConstantDesc.ofNamed(
            ConstantDescs.BSM_INVOKE, "inner", ConstantDescs.CD_Object, INVOKE);
    DynamicConstantDesc<?> outer =
        DynamicConstantDesc.ofNamed(
            ConstantDescs.BSM_INVOKE, "outer", ConstantDescs.CD_Object, INVOKE, inner);

    List<CodeElement> code = woven(builder -> builder.loadConstant(outer).pop().return_());

    assertThat(handles(code))
        .containsExactly(
            "java.lang.invoke.ConstantBootstraps",
            "p.A",
            "java.lang.invoke.ConstantBootstraps",
            "p.A");
  }

  @Test
  void aBootstrapMethodThatIsInspectedIsLedThroughItsGuard() {
    DynamicCallSiteDesc site =
        DynamicCallSiteDesc.of(INVOKE, "site", MethodTypeDesc.of(ConstantDescs.CD_void), INVOKE);

    List<CodeElement> code = woven(builder -> builder.invokedynamic(site).return_());

    assertThat(handles(code)).containsExactly("p.A", "p.A");
  }

  @Test
  void aBootstrapMethodThatIsRefusedIsNeverCalled() {
    DynamicConstantDesc<?> constant =
        DynamicConstantDesc.ofNamed(STATIC_FINAL, "out", ConstantDescs.CD_Object);
    DynamicCallSiteDesc site =
        DynamicCallSiteDesc.of(STATIC_FINAL, "site", MethodTypeDesc.of(ConstantDescs.CD_void));

    assertThat(calls(woven(builder -> builder.loadConstant(constant).pop().return_())))
        .containsExactly(Guard.NAME + ".refuse");
    assertThat(calls(woven(builder -> builder.invokedynamic(site).return_())))
        .containsExactly(Guard.NAME + ".refuse");
  }
}
