package dev.tutti.verifier.gate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.time.Duration;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Class files that no compiler writes. */
@Timeout(600)
class StopWeaverTest {

  private static final String NAME = "p.Odd";
  private static final ClassFile FILES = ClassFile.of(ClassFile.StackMapsOption.DROP_STACK_MAPS);

  /** A class file of an old version, which needs no frames, with the given code in {@code run}. */
  private static byte[] classFile(Consumer<CodeBuilder> run) {
    return FILES.build(
        ClassDesc.of(NAME),
        it ->
            it.withVersion(ClassFile.JAVA_5_VERSION, 0)
                .withFlags(ClassFile.ACC_PUBLIC)
                .withInterfaceSymbols(ClassDesc.of("java.lang.Runnable"))
                .withMethodBody(
                    "<init>",
                    ConstantDescs.MTD_void,
                    ClassFile.ACC_PUBLIC,
                    code ->
                        code.aload(0)
                            .invokespecial(
                                ConstantDescs.CD_Object, "<init>", ConstantDescs.MTD_void)
                            .return_())
                .withMethodBody("run", ConstantDescs.MTD_void, ClassFile.ACC_PUBLIC, run));
  }

  private static final class Loader extends ClassLoader {
    Loader() {
      super(StopWeaver.class.getClassLoader());
    }

    Runnable load(byte[] classFile) throws ReflectiveOperationException {
      byte[] woven = StopWeaver.weave(NAME, classFile);
      return (Runnable) defineClass(NAME, woven, 0, woven.length).getConstructor().newInstance();
    }
  }

  private static void assertEnds(Consumer<CodeBuilder> code) throws ReflectiveOperationException {
    Runnable woven = new Loader().load(classFile(code));

    Outcome<?> outcome =
        Gate.of(GateLimits.of(Duration.ofMillis(100)))
            .runUninterrupted(
                () -> {
                  woven.run();
                  return "";
                });

    assertThat(outcome)
        .isInstanceOfSatisfying(
            Outcome.Stopped.class, it -> assertThat(it.isLeftRunning()).isFalse());
  }

  @Test
  void aHandlerBeforeWhatItCoversEnds() throws ReflectiveOperationException {
    assertEnds(
        code -> {
          Label handler = code.newLabel();
          Label body = code.newLabel();
          Label end = code.newLabel();
          code.goto_(body)
              .labelBinding(handler)
              .pop()
              .labelBinding(body)
              .aconst_null()
              .athrow()
              .labelBinding(end)
              .exceptionCatch(body, end, handler, ClassDesc.of("java.lang.RuntimeException"));
        });
  }

  @Test
  void aHandlerThatCoversItselfEnds() throws ReflectiveOperationException {
    assertEnds(
        code -> {
          Label handler = code.newLabel();
          Label start = code.newLabel();
          Label end = code.newLabel();
          code.labelBinding(start)
              .aconst_null()
              .athrow()
              .labelBinding(handler)
              .athrow()
              .labelBinding(end)
              .exceptionCatchAll(start, end, handler);
        });
  }

  @Test
  void aMonitorThatCannotBeLeftIsNotLeftForEver() throws ReflectiveOperationException {
    Runnable woven =
        new Loader()
            .load(
                classFile(
                    code -> {
                      Label handler = code.newLabel();
                      Label start = code.newLabel();
                      Label end = code.newLabel();
                      code.labelBinding(start)
                          .aconst_null()
                          .athrow()
                          .labelBinding(handler)
                          .astore(1)
                          .aload(0)
                          .monitorexit()
                          .labelBinding(end)
                          .aload(1)
                          .athrow()
                          .exceptionCatchAll(start, handler, handler)
                          .exceptionCatchAll(handler, end, handler);
                    }));

    assertThatThrownBy(woven::run).isInstanceOf(IllegalMonitorStateException.class);
  }

  @Test
  void aFinalizerIsRefusedWithTheNameOfItsClass() {
    byte[] classFile =
        FILES.build(
            ClassDesc.of(NAME),
            it ->
                it.withMethodBody(
                    "finalize",
                    ConstantDescs.MTD_void,
                    ClassFile.ACC_PROTECTED,
                    CodeBuilder::return_));

    assertThatThrownBy(() -> StopWeaver.weave(NAME, classFile))
        .isInstanceOf(ClassFormatError.class)
        .hasMessage("p.Odd has a finalizer, which would run on a thread of the JVM");
  }

  @Test
  void aMethodThatBecomesTooLongIsRefused() {
    byte[] classFile =
        classFile(
            code -> {
              Label start = code.newBoundLabel();
              for (int i = 0; i < 6_000; i++) {
                code.aconst_null().ifnull(start).nop();
              }
              code.return_();
            });

    assertThatThrownBy(() -> StopWeaver.weave(NAME, classFile))
        .isInstanceOf(ClassFormatError.class)
        .hasMessageStartingWith(
            "p.Odd cannot be given stop points; is one of its methods too long?");
  }

  @Test
  void whatIsNoClassFileIsRefused() {
    assertThatThrownBy(() -> StopWeaver.weave(NAME, new byte[] {1, 2, 3}))
        .isInstanceOf(ClassFormatError.class);
  }
}
