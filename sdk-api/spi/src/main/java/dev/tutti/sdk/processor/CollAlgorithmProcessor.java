package dev.tutti.sdk.processor;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import javax.annotation.processing.AbstractProcessor;
import javax.annotation.processing.ProcessingEnvironment;
import javax.annotation.processing.RoundEnvironment;
import javax.annotation.processing.SupportedAnnotationTypes;
import javax.lang.model.SourceVersion;
import javax.lang.model.element.Element;
import javax.lang.model.element.ModuleElement;
import javax.lang.model.element.TypeElement;
import javax.lang.model.util.Elements;

/**
 * Writes {@code META-INF/services/dev.tutti.sdk.CollExecutorBase} for the classes with {@link
 * dev.tutti.sdk.CollAlgorithm}, and fails the build if such a class cannot be a provider.
 *
 * <p>Each broken rule is one error on the class: the rule, what was found, and the fix. The
 * processor warns about an executor that could be a provider but is not annotated, and about an
 * executor with mutable fields. It ignores types that the compiler cannot resolve, because the
 * compiler reports them.
 *
 * <p>It looks at every class and claims no annotation. It is aggregating: the services file depends
 * on all annotated classes of the compilation, and on those that earlier compilations left in the
 * class output.
 */
@SupportedAnnotationTypes("*")
public final class CollAlgorithmProcessor extends AbstractProcessor {

  // All checks run in the last round, because other processors may generate superclasses before it.
  private final SourceNames sources = new SourceNames();

  /** For the compiler, which finds processors with {@link java.util.ServiceLoader}. */
  public CollAlgorithmProcessor() {}

  @Override
  public SourceVersion getSupportedSourceVersion() {
    return SourceVersion.latestSupported();
  }

  @Override
  public boolean process(Set<? extends TypeElement> annotations, RoundEnvironment round) {
    for (Element root : round.getRootElements()) {
      sources.add(root, processingEnv.getElementUtils());
    }
    if (round.processingOver()) {
      ExecutorTypes.find(processingEnv)
          .ifPresent(executors -> finish(processingEnv, executors, round.errorRaised()));
    }
    return false;
  }

  private void finish(
      ProcessingEnvironment environment, ExecutorTypes executors, boolean errorRaised) {
    Findings findings = new Findings(environment.getMessager());
    Elements elements = environment.getElementUtils();
    ProviderRules rules = new ProviderRules(executors, elements);
    List<Algorithm> algorithms = new ArrayList<>();
    boolean isComplete = !errorRaised;
    for (TypeElement type : sources.types(elements)) {
      if (executors.isUnresolved(type)) {
        isComplete = false;
      } else {
        ExecutorWarnings.check(type, executors, rules, findings);
        Algorithm.of(type).ifPresent(algorithms::add);
      }
    }
    for (Algorithm algorithm : algorithms) {
      TypeElement type = algorithm.type();
      rules.problems(type).forEach(problem -> findings.error(type, problem));
      algorithm.problems().forEach(problem -> findings.error(type, problem));
    }
    UniqueNames.check(algorithms, executors, findings);
    for (ModuleElement module : sources.modules(elements)) {
      ModuleProvides.check(module, algorithms, executors, elements, findings);
    }
    if (isComplete && !findings.hasErrors()) {
      ServicesFile.update(algorithms, environment, rules, findings);
    }
  }
}
