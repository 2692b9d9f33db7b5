package dev.tutti.cli.options;

import dev.tutti.plugin.Algorithm;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.Names;
import dev.tutti.sdk.Operation;
import dev.tutti.sdk.TuttiException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The target of a request: an operation, an operation with one of its algorithms, an algorithm
 * alone, whose operation the plugins know, or the file of a {@link SavedPlan}.
 *
 * @param text the text of the target
 * @param known the request; null if the text names only an algorithm, or a file
 */
public record RequestTarget(String text, @Nullable RequestName known) {

  private static final String PLAN_SUFFIX = ".json";

  /** The most common operation. */
  public static final RequestTarget ALL_REDUCE = of("allreduce");

  /**
   * Parses a target.
   *
   * @throws TuttiException with {@link ErrorCode#UNKNOWN_NAME} if the text before a slash is not an
   *     operation
   */
  public static RequestTarget of(String text) {
    if (isPlanFile(text)) {
      return new RequestTarget(text, null);
    }
    if (text.indexOf('/') < 0) {
      try {
        return of(RequestName.of(text));
      } catch (TuttiException e) {
        // The plugins decide whether it is one of their algorithms.
        return new RequestTarget(text, null);
      }
    }
    return new RequestTarget(text, RequestName.of(text));
  }

  private static RequestTarget of(RequestName name) {
    return new RequestTarget(name.operation().label(), name);
  }

  /** Whether the target of a command is a plan file: its name ends in {@code .json}. */
  public static boolean isPlanFile(String target) {
    return target.endsWith(PLAN_SUFFIX);
  }

  /** The same target, with the path of a file resolved against a directory. */
  public RequestTarget in(Path directory) {
    return isPlanFile(text) ? new RequestTarget(directory.resolve(text).toString(), null) : this;
  }

  /** The file of a plan; null if it is not a file. */
  public @Nullable Path planFile() {
    return isPlanFile(text) ? Path.of(text) : null;
  }

  /** The operations whose algorithms may be needed: all if the plugins know which one it is. */
  public Set<Operation> operations() {
    if (known == null) {
      return EnumSet.allOf(Operation.class);
    }
    return known.operation().isTransfer()
        ? EnumSet.of(Operation.SEND, Operation.RECEIVE)
        : EnumSet.of(known.operation().operation());
  }

  /**
   * The request. If the algorithm has several operations, it is its all-reduce, or else the first
   * of them.
   *
   * @param all the algorithms of the plugins
   * @param notes gets a note if the algorithm has several operations
   * @throws TuttiException with {@link ErrorCode#UNKNOWN_NAME} if no plugin has such an algorithm
   */
  public RequestName among(List<Algorithm> all, Consumer<String> notes) {
    if (known != null) {
      return known;
    }
    if (isPlanFile(text)) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT,
          "'%s' is a plan file, which only plan, verify, simulate and run take; name an operation"
              + " or an algorithm",
          text);
    }
    boolean isQualified = text.indexOf(':') >= 0;
    Set<Operation> operations = EnumSet.noneOf(Operation.class);
    all.stream()
        .filter(each -> (isQualified ? each.qualifiedName() : each.name()).equals(text))
        .forEach(each -> operations.add(each.operation()));
    if (operations.contains(Operation.SEND)) {
      // SEND represents both sides of a transfer.
      operations.remove(Operation.RECEIVE);
    }
    if (operations.isEmpty()) {
      Stream<String> algorithms =
          all.stream().map(isQualified ? Algorithm::qualifiedName : Algorithm::name);
      throw Names.unknown(
          "operation or algorithm",
          text,
          Stream.concat(OperationName.labels().stream(), algorithms).distinct().toList());
    }
    // The set has the order of the enum, whose first constant is ALL_REDUCE.
    OperationName operation = OperationName.of(operations.iterator().next().label());
    if (operations.size() > 1) {
      notes.accept(
          text
              + " is an algorithm of "
              + operations.stream().map(Operation::label).collect(Collectors.joining(", "))
              + "; this is "
              + operation.label()
              + "/"
              + text);
    }
    return new RequestName(operation, text);
  }
}
