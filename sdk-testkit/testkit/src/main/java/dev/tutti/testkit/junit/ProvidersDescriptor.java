package dev.tutti.testkit.junit;

import dev.tutti.verifier.purity.OtherProcesses;
import org.junit.platform.engine.UniqueId;
import org.junit.platform.engine.support.descriptor.EngineDescriptor;

/** The providers to test for a discovery request, and the processes that their tests share. */
final class ProvidersDescriptor extends EngineDescriptor {

  private final OtherProcesses processes = ClassPathPlans.processes();

  ProvidersDescriptor(UniqueId id) {
    super(id, "Tutti");
  }

  /** Processes that start on first use. */
  OtherProcesses processes() {
    return processes;
  }
}
