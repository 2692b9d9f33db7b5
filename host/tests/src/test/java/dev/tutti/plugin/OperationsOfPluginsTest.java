package dev.tutti.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.host.Errors;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.Operation;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sets of plugins that have only the algorithms of some operations. */
final class OperationsOfPluginsTest {

  private static final String BASE = "dev.tutti.sdk.CollExecutorBase";
  private static final String NATIVE = "dev.tutti.sdk.NativeExecutorBase";
  private static final String PARAM = "dev.tutti.sdk.param.";

  /** If the class is used, there is a problem. */
  private static final String FAILS = "static { if (true) throw new IllegalStateException(); }";

  @TempDir private Path directory;
  private PluginSet set;

  @AfterEach
  void close() {
    if (set != null) {
      set.close();
    }
  }

  private PluginSet load(Operation first, Operation... others) {
    set = PluginSet.builder().directory(directory).operations(EnumSet.of(first, others)).load();
    return set;
  }

  private static String executor(String name, String parent, String body) {
    return """
    package p;
    @dev.tutti.sdk.CollAlgorithm(name = "bad", summary = "")
    public class %s extends %s { %s }
    """
        .formatted(name, parent, body);
  }

  private static String methods(String param) {
    return """
    @Override public dev.tutti.sdk.resource.AlgResourceRequest calcResRequest(%1$s param) {
      return null;
    }
    @Override public void orchestrate(
        %1$s param, dev.tutti.sdk.resource.AlgResourceResponse resources) {}
    """
        .formatted(param);
  }

  private static String nativeMethods() {
    return """
    @Override protected dev.tutti.sdk.resource.OpCommTransport calcCommInfo(%1$s param) {
      return null;
    }
    @Override protected void kernelRun(%1$s param, dev.tutti.sdk.ExecMem mem) {}
    """
        .formatted(PARAM + "GatherParam");
  }

  /** A gather through classes whose type variables differ in name and place from the base's. */
  private static PluginJars withGather(String id) {
    return PluginJars.plugin(id)
        .source(
            "Outer",
            "package p; public abstract class Outer<X, Q extends %sOpParam> extends %s<Q> { %s }"
                .formatted(PARAM, BASE, methods("Q")))
        .source(
            "Inner",
            "package p; public abstract class Inner<R extends %1$sOpParam>"
                .concat(" extends Outer<%1$sScanParam, R> {}")
                .formatted(PARAM))
        .source(
            "Gather",
            "package p; public abstract class Gather extends Inner<%sGatherParam> {}"
                .formatted(PARAM));
  }

  @Test
  void providersOfOtherOperationsAreNeitherCheckedNorCreated() {
    withGather("mixed")
        .allReduce("Good", "good")
        .missing("Gone", "package p; public class Gone {}")
        .provider("Unlinked", executor("Unlinked", "Gather", "Gone gone = new Gone();"))
        .provider("Fails", executor("Fails", "Gather", FAILS))
        .provider(
            "Native",
            executor(
                "Native", NATIVE + "<%sGatherParam>".formatted(PARAM), FAILS + nativeMethods()))
        .write(directory, "mixed.jar");

    assertThat(load(Operation.ALL_REDUCE, Operation.SCAN).problems()).isEmpty();
    assertThat(set.algorithms()).extracting(Algorithm::qualifiedName).containsExactly("mixed:good");

    set.close();
    assertThat(load(Operation.GATHER).problems()).hasSize(3);
    assertThat(set.algorithms()).isEmpty();
  }

  @Test
  void aJarWithoutAnyIsListedWithoutAlgorithms() {
    PluginJars.plugin("other").allReduce("Good", "good").write(directory, "other.jar");

    assertThat(load(Operation.BARRIER).problems()).isEmpty();
    assertThat(set.plugins()).extracting(Plugin::id).containsExactly("other");
    assertThat(set.algorithms()).isEmpty();
  }

  @Test
  void providersWhoseOperationsAreUnknownAreChecked() {
    PluginJars.plugin("unknown")
        .missing("Absent", PluginJars.allReduceSource("Absent", "absent", ""))
        .provider("OfAbsent", executor("OfAbsent", "Absent", FAILS))
        .provider("Raw", executor("Raw", BASE, FAILS + methods(PARAM + "OpParam")))
        .provided("p.Nowhere")
        .allReduce("Damaged", "damaged")
        .damaged("Damaged")
        .write(directory, "unknown.jar");

    assertThat(load(Operation.BARRIER).problems())
        .extracting(PluginProblem::message)
        .anyMatch(each -> each.contains("p.Absent is neither"))
        .anyMatch(each -> each.contains("p.Damaged is not a valid class file"))
        .anyMatch(each -> each.contains("initialiser of p.Raw threw"))
        .anyMatch(each -> each.contains("p.Nowhere is named"));
  }

  @Test
  void aClassThatIsItsOwnParentIsChecked() {
    PluginJars.plugin("loop")
        .provider("Loop", executor("Loop", "Back", ""))
        .source("Back", "package p; public class Back extends Loup {}")
        .source("Loup", "package p; public class Loup {}")
        .referringTo("Back", "Loup", "Loop")
        .write(directory, "loop.jar");

    assertThat(load(Operation.BARRIER).problems()).isNotEmpty();
  }

  /** As when all are loaded, a jar without problems is better than a newer one with some. */
  @Test
  void allOperationsCountWhenOneOfTwoVersionsIsChosen() {
    PluginJars.pluginOf("twice", "1.0.0").allReduce("Good", "old").write(directory, "old.jar");
    String scan = PARAM + "ScanParam";
    PluginJars.pluginOf("twice", "2.0.0")
        .allReduce("Good", "new")
        .provider("Fails", executor("Fails", BASE + "<" + scan + ">", FAILS + methods(scan)))
        .write(directory, "new.jar");

    assertThat(load(Operation.ALL_REDUCE).algorithms())
        .extracting(Algorithm::qualifiedName)
        .containsExactly("twice:old");
    assertThat(set.notes()).singleElement().asString().contains("new.jar is passed over");
  }

  @Test
  void noOperationIsRefused() {
    assertThat(
            Errors.message(
                ErrorCode.INVALID_ARGUMENT, () -> PluginSet.builder().operations(Set.of())))
        .isEqualTo("name at least one operation, or leave out operations to load all");
  }
}
