package dev.tutti.testkit.junit;

import dev.tutti.verifier.purity.OtherProcesses;
import org.junit.platform.engine.EngineDiscoveryRequest;
import org.junit.platform.engine.EngineExecutionListener;
import org.junit.platform.engine.ExecutionRequest;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.TestEngine;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.UniqueId;
import org.opentest4j.TestAbortedException;

/**
 * Runs the standard tests of providers that have no test of their own.
 *
 * <p>Builds select test classes, and this engine has none. So its tests run along with one class of
 * each directory, the first that has tests. Then they run once in every complete run, whether the
 * build selects all classes at once or one at a time, but not in most runs of single classes. They
 * also run if a whole directory is selected. A class that implements {@link ProvidersTck} replaces
 * them. The configuration parameter {@value #ENABLED} switches them off.
 */
public final class ProviderEngine implements TestEngine {

  /** The id of the engine. */
  public static final String ID = "tutti";

  /** The configuration parameter that switches the engine off if it is {@code false}. */
  public static final String ENABLED = "tutti.standard-tests.enabled";

  /** For {@link java.util.ServiceLoader}. */
  public ProviderEngine() {}

  @Override
  public String getId() {
    return ID;
  }

  @Override
  public TestDescriptor discover(EngineDiscoveryRequest request, UniqueId uniqueId) {
    ProvidersDescriptor engine = new ProvidersDescriptor(uniqueId);
    if (request.getConfigurationParameters().getBoolean(ENABLED).orElse(true)) {
      new ProviderDiscovery(request, engine).run();
    }
    return engine;
  }

  @Override
  public void execute(ExecutionRequest request) {
    ProvidersDescriptor root = (ProvidersDescriptor) request.getRootTestDescriptor();
    try (OtherProcesses _ = root.processes()) {
      execute(root, request);
    }
  }

  private static void execute(TestDescriptor descriptor, ExecutionRequest request) {
    EngineExecutionListener listener = request.getEngineExecutionListener();
    listener.executionStarted(descriptor);
    TestExecutionResult result = TestExecutionResult.successful();
    if (descriptor instanceof CaseDescriptor test) {
      result = run(test, Publisher.to(request, test));
    }
    descriptor.getChildren().forEach(child -> execute(child, request));
    listener.executionFinished(descriptor, result);
  }

  // Whatever a test throws is its result.
  @SuppressWarnings("CatchThrowable")
  private static TestExecutionResult run(CaseDescriptor test, Publisher publisher) {
    try {
      test.body().run(publisher);
      return TestExecutionResult.successful();
    } catch (TestAbortedException e) {
      return TestExecutionResult.aborted(e);
    } catch (OutOfMemoryError e) {
      throw e;
    } catch (Throwable e) {
      return TestExecutionResult.failed(e);
    }
  }
}
