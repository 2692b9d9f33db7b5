package dev.tutti.sdk.processor;

import javax.lang.model.element.Element;
import javax.lang.model.element.Modifier;

/** The visibility of an element, as a word for messages. */
final class Access {

  private Access() {}

  static String of(Element element) {
    for (Modifier modifier : element.getModifiers()) {
      switch (modifier) {
        case PUBLIC, PROTECTED, PRIVATE -> {
          return modifier.toString();
        }
        default -> {}
      }
    }
    return "package-private";
  }
}
