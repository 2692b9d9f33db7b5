package dev.tutti.cli.catalogue;

import dev.tutti.cli.options.SavedPlan;
import dev.tutti.plugin.Algorithm;
import dev.tutti.plugin.Plugin;
import dev.tutti.plugin.PluginSet;
import dev.tutti.plugin.TransferPeers;
import dev.tutti.plugin.process.JarPlans;
import dev.tutti.sdk.AlgParameter;
import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.Operation;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An algorithm with the additional facts that its check needs.
 *
 * @param algorithm the algorithm
 * @param partner the other side of a transfer; null for other operations, and if there is none
 * @param reference the arguments with which another process finds both; empty if one exists only in
 *     this process
 */
public record AlgorithmWithPeer(
    Algorithm algorithm, @Nullable Algorithm partner, List<String> reference) {

  /** Takes an immutable copy. */
  public AlgorithmWithPeer {
    reference = List.copyOf(reference);
  }

  /** The plan of a file as a subject, in place of an algorithm or of both sides of a transfer. */
  public static AlgorithmWithPeer of(SavedPlan saved) {
    List<Algorithm> sides = saved.algorithms();
    return new AlgorithmWithPeer(
        sides.getFirst(), sides.size() == 1 ? null : sides.getLast(), List.of());
  }

  /**
   * The subjects of a selection. The partner of a send is the receive with the same plugin and
   * name, or else the same plugin, or else the same name, or else any receive. A receive that is
   * checked with its send is not a separate subject.
   *
   * @param selected the algorithms to check
   * @param plugins the plugins from which partners are chosen
   */
  public static List<AlgorithmWithPeer> of(List<Algorithm> selected, PluginSet plugins) {
    List<Algorithm> all = plugins.algorithms();
    List<AlgorithmWithPeer> subjects = new ArrayList<>();
    List<Algorithm> covered = new ArrayList<>();
    for (Algorithm algorithm : selected) {
      Algorithm partner = TransferPeers.of(algorithm, all);
      if (!covered.contains(algorithm)) {
        subjects.add(
            new AlgorithmWithPeer(algorithm, partner, reference(algorithm, partner, plugins)));
      }
      if (algorithm.operation() == Operation.SEND && partner != null) {
        covered.add(partner);
      }
    }
    return subjects;
  }

  private static List<String> reference(
      Algorithm algorithm, @Nullable Algorithm partner, PluginSet plugins) {
    List<String> reference = new ArrayList<>();
    for (Algorithm each : partner == null ? List.of(algorithm) : List.of(algorithm, partner)) {
      Path jar =
          plugins.plugins().stream()
              .filter(plugin -> plugin.id().equals(each.plugin()))
              .map(Plugin::jar)
              .filter(Objects::nonNull)
              .findFirst()
              .orElse(null);
      if (jar == null) {
        return List.of();
      }
      reference.addAll(JarPlans.reference(each, jar));
    }
    return reference;
  }

  public Operation operation() {
    return algorithm.operation();
  }

  /** The parameters of the algorithm and of the other side of its transfer. */
  public List<AlgParameter<?>> parameters() {
    List<AlgParameter<?>> parameters = new ArrayList<>(algorithm.parameters());
    if (partner != null) {
      parameters.addAll(partner.parameters());
    }
    return parameters;
  }

  /** Whether the other side of a transfer is missing. */
  public boolean lacksPartner() {
    return partner == null && TransferPeers.other(operation()) != null;
  }

  public List<CollExecutorBase<?>> executors() {
    return partner == null
        ? List.of(algorithm.executor())
        : List.of(algorithm.executor(), partner.executor());
  }

  /** The algorithm, and the other side of its transfer. */
  String label() {
    return partner == null
        ? algorithm.qualifiedName()
        : algorithm.qualifiedName()
            + " with "
            + partner.operation().label()
            + " "
            + partner.qualifiedName();
  }
}
