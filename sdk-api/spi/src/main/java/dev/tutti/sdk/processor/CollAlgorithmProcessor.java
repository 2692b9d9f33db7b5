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
 * dev.tutti.sdk.CollAlgorithm}, and fails the build of a class that cannot be a provider.
 *
 * <p>Each broken rule is one error on the class, made of the rule, what was found, and the fix. Two
 * things are warnings: an executor that could be a provider but is not annotated, and an executor
 * with fields that can change. Types that the compiler cannot resolve are left to it.
 *
 * <p>It looks at every class and claims no annotation. It is aggregating: the services file depends
 * on all annotated classes of the compilation, and on those that an earlier one left in the class
 * output.
 */
@SupportedAnnotationTypes("*")
public final class CollAlgorithmProcessor extends AbstractProcessor {

  // Everything waits for the last round: until then other processors may generate superclasses.
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
