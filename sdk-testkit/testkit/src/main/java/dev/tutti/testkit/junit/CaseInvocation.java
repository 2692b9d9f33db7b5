package dev.tutti.testkit.junit;

import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.param.OpParam;
import dev.tutti.verifier.Report;
import dev.tutti.verifier.VirtualCluster;
import dev.tutti.verifier.matrix.CollectiveCase;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterTestExecutionCallback;
import org.junit.jupiter.api.extension.BeforeTestExecutionCallback;
import org.junit.jupiter.api.extension.Extension;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.TestTemplateInvocationContext;
import org.opentest4j.TestAbortedException;

/**
 * One run of a test method: its name, its arguments, and the files that it publishes on failure.
 */
final class CaseInvocation
    implements TestTemplateInvocationContext,
        ParameterResolver,
        BeforeTestExecutionCallback,
        AfterTestExecutionCallback {

  private final CaseCheck check;
  private final AtomicReference<@Nullable CaseCheck> runaway;

  /**
   * One run.
   *
   * @param runaway the case of this method in which planning broke a limit, if there is one
   */
  CaseInvocation(CaseCheck check, AtomicReference<@Nullable CaseCheck> runaway) {
    this.check = check;
    this.runaway = runaway;
  }

  @Override
  public String getDisplayName(int invocationIndex) {
    return check.name();
  }

  @Override
  public List<Extension> getAdditionalExtensions() {
    return List.of(this);
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return argument(parameter.getParameter().getType()).isPresent();
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    return argument(parameter.getParameter().getType()).orElseThrow();
  }

  private Optional<Object> argument(Class<?> type) {
    // A parameter of type Object may be meant for any extension.
    return type == Object.class
        ? Optional.empty()
        : arguments().filter(type::isInstance).findFirst();
  }

  private Stream<Object> arguments() {
    CollectiveCase c = check.definition();
    Stream<OpParam> requests = c.params().stream().filter(Objects::nonNull);
    List<CollExecutorBase<?>> executors = check.subject().executors();
    return Stream.of(
            Stream.of(check, c, VirtualCluster.builder(c).build()), executors.stream(), requests)
        .flatMap(each -> each);
  }

  @Override
  public void beforeTestExecution(ExtensionContext context) {
    CaseCheck broken = runaway.get();
    if (broken != null) {
      throw new TestAbortedException(
          "not run: planning broke its limit in " + broken.name() + ", and might here");
    }
  }

  @Override
  public void afterTestExecution(ExtensionContext context) {
    Throwable failure = context.getExecutionException().orElse(null);
    if (failure == null || failure instanceof TestAbortedException) {
      return;
    }
    Report report = check.lastReport();
    boolean isRunaway = report != null && report.brokePlanningLimit();
    if (isRunaway) {
      runaway.compareAndSet(null, check);
    }
    String text = report == null ? failure.toString() : report.toString();
    FailureFiles.publish(
        Publisher.to(context), check.subject(), check.definition(), report, text, !isRunaway);
  }
}
