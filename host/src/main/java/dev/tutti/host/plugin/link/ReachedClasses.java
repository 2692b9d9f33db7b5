package dev.tutti.host.plugin.link;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The classes of a jar that some of them lead to. */
record ReachedClasses(LinkedTypes types) {

  /** The given classes and all classes of the jar that they name, and so on. */
  List<ClassFacts> from(List<String> roots) {
    List<ClassFacts> found = new ArrayList<>();
    Set<String> seen = new HashSet<>(roots);
    Deque<String> open = new ArrayDeque<>(roots);
    while (!open.isEmpty()) {
      ClassFacts facts = types.ofJar(open.removeFirst());
      if (facts != null) {
        found.add(facts);
        for (String name : facts.classes()) {
          if (seen.add(name)) {
            open.add(name);
          }
        }
      }
    }
    return found;
  }
}
