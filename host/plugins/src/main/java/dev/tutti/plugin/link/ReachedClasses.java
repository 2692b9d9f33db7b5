package dev.tutti.plugin.link;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/** The classes of a jar that are reachable from some of its classes. Not thread-safe. */
final class ReachedClasses {

  private final LinkedTypes types;

  /** For each class of the jar, the classes that name it. */
  private final Map<String, List<String>> users = new HashMap<>();

  ReachedClasses(LinkedTypes types) {
    this.types = types;
  }

  /** Visits the given classes and all classes of the jar that they reach, each once. */
  void forEach(Collection<String> roots, Consumer<ClassFacts> visitor) {
    Set<String> seen = new HashSet<>(roots);
    Deque<String> open = new ArrayDeque<>(seen);
    while (!open.isEmpty()) {
      ClassFacts facts = types.ofJar(open.removeFirst());
      if (facts != null) {
        visitor.accept(facts);
        for (String name : facts.classes()) {
          if (!types.isOfHost(name)) {
            users.computeIfAbsent(name, _ -> new ArrayList<>()).add(facts.shape().name());
            if (seen.add(name)) {
              open.add(name);
            }
          }
        }
      }
    }
  }

  /** The given classes, and all visited classes that reach one of them. */
  Set<String> leadingTo(Collection<String> targets) {
    Set<String> found = new HashSet<>(targets);
    Deque<String> open = new ArrayDeque<>(targets);
    while (!open.isEmpty()) {
      for (String user : users.getOrDefault(open.removeFirst(), List.of())) {
        if (found.add(user)) {
          open.add(user);
        }
      }
    }
    return found;
  }
}
