package dev.tutti.testkit.junit;

import dev.tutti.verifier.purity.OtherProcesses;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives all standard tests of a test run the same {@link OtherProcesses}, because starting a
 * process for each test class costs more than its plans. The processes end with the run.
 */
final class SharedProcesses implements ParameterResolver {

  private static final Namespace NAMESPACE = Namespace.create(SharedProcesses.class);

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext extension) {
    return parameter.getParameter().getType() == OtherProcesses.class;
  }

  @Override
  public OtherProcesses resolveParameter(ParameterContext parameter, ExtensionContext extension) {
    return extension
        .getRoot()
        .getStore(NAMESPACE)
        .getOrComputeIfAbsent(
            OtherProcesses.class, type -> ClassPathPlans.processes(), OtherProcesses.class);
  }
}
