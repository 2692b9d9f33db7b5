package dev.tutti.sdk.processor;

import javax.annotation.processing.Messager;
import javax.lang.model.element.Element;
import javax.tools.Diagnostic.Kind;

/** Reports problems to the compiler and records whether one is an error. */
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

  /** An error that belongs to no source element. */
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
