package dev.tutti.cli.catalogue;

import dev.tutti.cli.options.OperationName;
import dev.tutti.plugin.Algorithm;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.Names;
import dev.tutti.sdk.Operation;
import dev.tutti.sdk.TuttiException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds algorithms by the names in commands: {@code ring} is that algorithm of every operation and
 * plugin, {@code plugin-id:ring} is that of one plugin, {@code allreduce/ring} is that of one
 * operation, and {@code allreduce} is all algorithms of the operation. If an algorithm and an
 * operation have the same name, it means the algorithm.
 */
public final class AlgorithmNames {

  private AlgorithmNames() {}

  /** The operation before the slash; null if there is none. */
  static @Nullable OperationName operationOf(String name) {
    int slash = name.indexOf('/');
    // The word before a slash need not be an operation: the text may be a path.
    return slash < 0 ? null : OperationName.find(name.substring(0, slash)).orElse(null);
  }

  /**
   * The algorithms that names mean, in the order of the catalogue.
   *
   * @param all the catalogue
   * @param names the names; empty for all
   * @param operation the only requested operation; null for all
   * @throws TuttiException with {@link ErrorCode#UNKNOWN_NAME} for an unknown name; with {@link
   *     ErrorCode#UNSUPPORTED} if the operation has no algorithm
   */
  public static List<Algorithm> select(
      List<Algorithm> all, List<String> names, @Nullable OperationName operation) {
    List<Algorithm> known = operation == null ? all : ofOperation(all, operation);
    if (names.isEmpty()) {
      return known;
    }
    Set<Algorithm> wanted = new LinkedHashSet<>();
    names.forEach(name -> wanted.addAll(named(known, name)));
    return known.stream().filter(wanted::contains).toList();
  }

  private static List<Algorithm> ofOperation(List<Algorithm> all, OperationName operation) {
    List<Algorithm> found =
        all.stream().filter(each -> isFor(operation, each.operation())).toList();
    if (found.isEmpty()) {
      throw new TuttiException(
          ErrorCode.UNSUPPORTED,
          "no plugin has an algorithm for %s; the plugins have algorithms for: %s. Name another"
              + " plugins directory with --plugins",
          operation.label(),
          String.join(", ", operations(all)));
    }
    return found;
  }

  /** Whether a name means an operation. A transfer means two, unless it names one of its sides. */
  private static boolean isFor(OperationName name, Operation operation) {
    boolean isSide =
        name.label().equals(Operation.SEND.label())
            || name.label().equals(Operation.RECEIVE.label());
    if (name.isTransfer() && !isSide) {
      return operation == Operation.SEND || operation == Operation.RECEIVE;
    }
    return operation.label().equals(name.label());
  }

  private static List<Algorithm> named(List<Algorithm> all, String name) {
    OperationName operation = operationOf(name);
    if (operation != null) {
      return plainly(
          ofOperation(all, operation),
          operation.label() + " algorithm",
          name.substring(name.indexOf('/') + 1),
          List.of());
    }
    String label = asOperation(name);
    if (label != null && all.stream().noneMatch(each -> each.name().equals(name))) {
      return ofOperation(all, OperationName.of(label));
    }
    return plainly(all, "algorithm or operation", name, operations(all));
  }

  /** Whether a name means all algorithms of an operation. */
  public static boolean isOperation(List<Algorithm> all, String name) {
    String label = asOperation(name);
    return label != null
        && operations(all).contains(label)
        && all.stream().noneMatch(each -> each.name().equals(name));
  }

  private static @Nullable String asOperation(String name) {
    return OperationName.find(name).map(OperationName::label).orElse(null);
  }

  private static List<Algorithm> plainly(
      List<Algorithm> all, String what, String name, List<String> others) {
    boolean isQualified = name.indexOf(':') >= 0;
    List<Algorithm> found =
        all.stream()
            .filter(each -> (isQualified ? each.qualifiedName() : each.name()).equals(name))
            .toList();
    if (found.isEmpty()) {
      Stream<String> names =
          all.stream().map(isQualified ? Algorithm::qualifiedName : Algorithm::name);
      throw Names.unknown(what, name, Stream.concat(names, others.stream()).distinct().toList());
    }
    return found;
  }

  private static List<String> operations(List<Algorithm> all) {
    return all.stream().map(each -> each.operation().label()).distinct().toList();
  }
}
