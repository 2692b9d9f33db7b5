package dev.tutti.testkit.junit;

import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.verifier.matrix.CollectiveCase;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContextProvider;
import org.junit.platform.commons.support.AnnotationSupport;

/** Runs methods with {@link CollectiveTest} once for each of their cases. */
final class CollectiveTestExtension implements TestTemplateInvocationContextProvider {

  @Override
  public boolean supportsTestTemplate(ExtensionContext context) {
    return AnnotationSupport.isAnnotated(context.getTestMethod(), CollectiveTest.class);
  }

  @Override
  public Stream<TestTemplateInvocationContext> provideTestTemplateInvocationContexts(
      ExtensionContext context) {
    CollectiveTest test =
        AnnotationSupport.findAnnotation(context.getRequiredTestMethod(), CollectiveTest.class)
            .orElseThrow();
    List<Class<? extends CollExecutorBase<?>>> types = List.of(test.value());
    // Made before the cases, so that an error in the executors is reported first.
    Subject first = subject(types);
    List<CollectiveCase> cases = AnnotatedMatrix.cases(test, first);
    AtomicReference<@Nullable CaseCheck> runaway = new AtomicReference<>();
    return cases.stream().map(c -> new CaseInvocation(new CaseCheck(subject(types), c), runaway));
  }

  private static Subject subject(List<Class<? extends CollExecutorBase<?>>> types) {
    return new Subject(types.stream().<CollExecutorBase<?>>map(Executors::make).toList());
  }
}
