package dev.tutti.sdk.processor;

import javax.annotation.processing.Messager;
import javax.lang.model.element.Element;
import javax.tools.Diagnostic.Kind;

/** Hands problems to the compiler, and knows whether one of them fails the build. */
final class Findings {

  private final Messager messager;
  private boolean hasErrors;

  Findings(Messager messager) {
    this.messager = messager;
  }

  void error(Element element, Problem problem) {
    hasErrors = true;
    messager.printMessage(Kind.ERROR, problem.sentence(), element);
  }

  /** An error that no element of the sources is to blame for. */
  void error(Problem problem) {
    hasErrors = true;
    messager.printMessage(Kind.ERROR, problem.sentence());
  }

  void warning(Element element, Problem problem) {
    messager.printMessage(Kind.WARNING, problem.sentence(), element);
  }

  boolean hasErrors() {
    return hasErrors;
  }
}
