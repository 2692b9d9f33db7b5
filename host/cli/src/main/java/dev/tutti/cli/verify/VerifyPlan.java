package dev.tutti.cli.verify;

import dev.tutti.base.idle.Clock;
import dev.tutti.cli.catalogue.AlgorithmWithPeer;
import dev.tutti.cli.options.SavedPlan;
import dev.tutti.host.call.CollectiveCall;
import dev.tutti.sdk.Operation;
import dev.tutti.sdk.param.OpParam;
import dev.tutti.verifier.Report;
import dev.tutti.verifier.VirtualCluster;
import dev.tutti.verifier.matrix.CollectiveCase;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Checks the plan of a file in the same way as the plans of algorithms. */
record VerifyPlan(SavedPlan saved, VerifyDepth depth) {

  /** Checks the plan. */
  VerifyResult run(AlgorithmWithPeer subject) {
    Clock clock = Clock.system();
    long start = clock.nanoTime();
    CollectiveCall call = saved.spec().call();
    CollectiveCase described = saved.asCase();
    VirtualCluster cluster = depth.cluster(described, depth.workers(), false, null);
    Report report =
        call.isTransfer()
            ? cluster.checkTransfer(
                saved.executor(Operation.SEND),
                saved.executor(Operation.RECEIVE),
                call.root(),
                call.destination(),
                call.dataType(),
                call.count())
            : check(cluster, saved.operations().getFirst());
    return new VerifyResult(
        subject,
        List.of(new VerifyOutcome(described, report, "")),
        1,
        Duration.ofNanos(clock.nanoTime() - start),
        true);
  }

  private <P extends OpParam> Report check(VirtualCluster cluster, Operation operation) {
    List<@Nullable OpParam> params = saved.params();
    return cluster.checkRanks(
        saved.<P>executor(operation),
        view -> {
          // All parameters belong to the operation.
          @SuppressWarnings("unchecked")
          P param = (P) Objects.requireNonNull(params.get(view.rank())).withComm(view);
          return param;
        });
  }
}
