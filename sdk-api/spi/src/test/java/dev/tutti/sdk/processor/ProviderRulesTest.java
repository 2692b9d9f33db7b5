package dev.tutti.sdk.processor;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProviderRulesTest {

  private static final String RING = AuthorBuild.annotated("ring");
  private static final String BASE = "dev.tutti.sdk.CollExecutorBase";

  @TempDir Path directory;

  private List<String> errorsOf(String declaration) {
    AuthorBuild.Result result = new AuthorBuild(directory).source("Ring", declaration).run();
    assertThat(result.isSuccess()).isFalse();
    assertThat(result.services()).isEmpty();
    return result.errors();
  }

  @Test
  void anAlgorithmExtendsTheBaseOfExecutors() {
    assertThat(errorsOf(RING + "public final class Ring extends Thread {}"))
        .containsExactly(
            "an algorithm must extend CollExecutorBase, but p.Ring extends java.lang.Thread;"
                + " extend CollExecutorBase with the record of its operation,"
                + " for example CollExecutorBase<AllReduceParam>");
  }

  @ParameterizedTest
  @CsvSource({
    "public interface Ring {}, an interface",
    "public enum Ring { ONE }, an enum",
    "public record Ring() {}, a record",
    "public @interface Ring {}, an annotation type"
  })
  void anAlgorithmIsAClass(String declaration, String kind) {
    assertThat(errorsOf(RING + declaration))
        .containsExactly(
            "an algorithm must be a class, but p.Ring is "
                + kind
                + "; make it a class that extends CollExecutorBase");
  }

  @Test
  void anAlgorithmIsNotAbstract() {
    assertThat(errorsOf(RING + "public abstract class Ring extends Base<AllReduceParam> {}"))
        .containsExactly(
            "an algorithm must not be abstract, but p.Ring is; remove 'abstract', or move"
                + " @CollAlgorithm to its subclasses");
  }

  @Test
  void anAlgorithmIsPublic() {
    assertThat(errorsOf(RING + "final class Ring extends Base<AllReduceParam> {}"))
        .containsExactly(
            "an algorithm, and every class around it, must be public, but p.Ring is"
                + " package-private; declare it public");
  }

  @ParameterizedTest
  @CsvSource({"protected", "private"})
  void aNestedAlgorithmIsPublic(String access) {
    assertThat(
            errorsOf(
                "public class Ring {%s %s static class Flat extends Base<AllReduceParam> {} }"
                    .formatted(RING, access)))
        .containsExactly(
            "an algorithm, and every class around it, must be public, but p.Ring.Flat is "
                + access
                + "; declare it public");
  }

  @Test
  void theClassesAroundAnAlgorithmArePublic() {
    assertThat(
            errorsOf(
                "class Ring {%s public static class Flat extends Base<AllReduceParam> {} }"
                    .formatted(RING)))
        .containsExactly(
            "an algorithm, and every class around it, must be public, but p.Ring is"
                + " package-private; declare it public");
  }

  @Test
  void anAlgorithmIsNotAnInnerClass() {
    assertThat(
            errorsOf(
                "public class Ring {%s public class Flat extends Base<AllReduceParam> {} }"
                    .formatted(RING)))
        .containsExactly(
            "an algorithm must not be an inner class, but p.Ring.Flat is not static;"
                + " declare it static, or move it to a file of its own");
  }

  @ParameterizedTest
  @CsvSource({"private, private", "protected, protected", "'', package-private"})
  void theConstructorIsPublic(String modifier, String access) {
    assertThat(
            errorsOf(
                RING
                    + "public final class Ring extends Base<AllReduceParam> { %s Ring() {} }"
                        .formatted(modifier)))
        .containsExactly(
            "an algorithm must have a public constructor without parameters, but that of p.Ring"
                + " is "
                + access
                + "; declare it public");
  }

  @Test
  void theConstructorHasNoParameters() {
    assertThat(
            errorsOf(
                RING
                    + "public final class Ring extends Base<AllReduceParam> {"
                    + " public Ring(int radix, String tag) {} Ring(long bytes) {} }"))
        .containsExactly(
            "an algorithm must have a public constructor without parameters, but p.Ring has only"
                + " Ring(int, java.lang.String), Ring(long); add 'public Ring() {}',"
                + " and read settings from the options of the request");
  }

  @Test
  void anAlgorithmIsNotGeneric() {
    assertThat(errorsOf(RING + "public final class Ring<P extends OpParam> extends Base<P> {}"))
        .containsExactly(
            "an algorithm must not have type parameters, but p.Ring has <P>; remove them, and"
                + " extend CollExecutorBase with the record of one operation,"
                + " for example CollExecutorBase<AllReduceParam>");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Base<OpParam> | fixes it to dev.tutti.sdk.param.OpParam",
        "Base | leaves it out",
        "Base<String> | fixes it to java.lang.String"
      })
  void theOperationFollowsFromTheRecord(String superclass, String found) {
    assertThat(errorsOf(RING + "public final class Ring extends " + superclass + " {}"))
        .containsExactly(
            "an algorithm must fix the P of CollExecutorBase<P> to the record of one operation,"
                + " but p.Ring "
                + found
                + "; write for example CollExecutorBase<AllReduceParam>");
  }

  @Test
  void anInnerClassMayNotTakeTheOperationFromTheClassAroundIt() {
    assertThat(
            errorsOf(
                "public class Ring<Q extends OpParam> {%s public class Flat extends Base<Q> {} }"
                    .formatted(RING)))
        .contains(
            "an algorithm must fix the P of CollExecutorBase<P> to the record of one operation,"
                + " but p.Ring.Flat leaves it open as Q;"
                + " write for example CollExecutorBase<AllReduceParam>")
        .hasSize(2);
  }

  @Test
  void everyBrokenRuleIsReportedAtOnce() {
    assertThat(
            errorsOf(
                "@CollAlgorithm(name = \"Ring\", summary = \"\")\n"
                    + "abstract class Ring extends Base<OpParam> { private Ring() {} }"))
        .hasSize(6)
        .allMatch(message -> message.matches("[^;]+, but [^;]+; [^;]+"));
  }

  @Test
  void anErrorPointsAtTheClass() {
    assertThat(
            new AuthorBuild(directory)
                .source("Ring", RING + "final class Ring extends Base<AllReduceParam> {}")
                .run()
                .places())
        .containsExactly("Ring.java:3");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "public class Ring extends Base<AllReduceParam> {}",
        "public class Ring extends Base<BarrierParam> { public Ring() {} Ring(int radix) {} }",
        "public class Ring extends Mid<String, AllGatherParam> {}"
            + " abstract class Mid<T, R extends OpParam> extends Base<R> {}",
        "public class Ring extends Mid {} abstract class Mid extends Base<ScanParam> {}"
      })
  void aSoundProviderIsAccepted(String declaration) {
    assertThat(new AuthorBuild(directory).source("Ring", RING + declaration).run().providers())
        .containsExactly("p.Ring");
  }

  @Test
  void anExecutorMayExtendTheBaseDirectly() {
    String methods =
        " public AlgResourceRequest calcResRequest(SendParam param) { return null; }"
            + " public void orchestrate(SendParam param, AlgResourceResponse resources) {}";
    assertThat(
            new AuthorBuild(directory)
                .source(
                    "Ring",
                    RING + "public class Ring extends " + BASE + "<SendParam> {" + methods + "}")
                .run()
                .providers())
        .containsExactly("p.Ring");
  }
}
