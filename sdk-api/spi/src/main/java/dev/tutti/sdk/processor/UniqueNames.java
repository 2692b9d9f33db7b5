package dev.tutti.sdk.processor;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import javax.lang.model.element.TypeElement;

/** Checks that no two algorithms of one compilation share a name and an operation. */
final class UniqueNames {

  /** The unique key; the parameter record identifies the operation. */
  private record Key(String name, TypeElement param) {}

  private UniqueNames() {}

  static void check(List<Algorithm> algorithms, ExecutorTypes executors, Findings findings) {
    Map<Key, List<TypeElement>> named = new LinkedHashMap<>();
    for (Algorithm algorithm : algorithms) {
      algorithm
          .name()
          .flatMap(
              name -> executors.paramRecord(algorithm.type()).map(param -> new Key(name, param)))
          .ifPresent(
              key -> named.computeIfAbsent(key, _ -> new ArrayList<>()).add(algorithm.type()));
    }
    named.forEach(
        (key, types) -> {
          if (types.size() > 1) {
            Problem problem = shared(key, types);
            types.forEach(type -> findings.error(type, problem));
          }
        });
  }

  private static Problem shared(Key key, List<TypeElement> types) {
    String sharers = types.stream().map(Object::toString).collect(Collectors.joining(" and "));
    return new Problem(
        "the name of an algorithm must be unique within its operation",
        "'" + key.name() + "' for " + key.param().getSimpleName() + " names " + sharers,
        "rename all but one");
  }
}
