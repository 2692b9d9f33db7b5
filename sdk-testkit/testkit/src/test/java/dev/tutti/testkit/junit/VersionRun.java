package dev.tutti.testkit.junit;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClasspathRoots;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.reporting.FileEntry;
import org.junit.platform.launcher.EngineFilter;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * Runs the samples and prints the results, in a process whose class path holds some version of
 * JUnit. Arguments: the directory of the tests, and one for published files.
 */
final class VersionRun {

  private VersionRun() {}

  private static final class Tally implements TestExecutionListener {
    private final TreeMap<String, Integer> counts = new TreeMap<>();

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
      if (test.isTest()) {
        counts.merge(result.getStatus().name(), 1, Integer::sum);
      } else {
        result.getThrowable().ifPresent(Throwable::printStackTrace);
      }
    }

    @Override
    public void fileEntryPublished(TestIdentifier test, FileEntry file) {
      counts.merge("files", 1, Integer::sum);
    }
  }

  /** Prints the version, then a line for each run. */
  public static void main(String[] arguments) {
    System.out.println("JUnit " + Test.class.getPackage().getImplementationVersion());
    for (Class<?> sample :
        Arrays.asList(VersionSamples.OneLine.class, VersionSamples.OneAnnotation.class)) {
      print(sample.getSimpleName(), request(arguments[1]).selectors(selectClass(sample)).build());
    }
    print(
        "providers",
        request(arguments[1])
            .selectors(selectClasspathRoots(Set.of(Path.of(arguments[0]))))
            .filters(EngineFilter.includeEngines(ProviderEngine.ID))
            .build());
  }

  private static LauncherDiscoveryRequestBuilder request(String outputs) {
    return LauncherDiscoveryRequestBuilder.request()
        .configurationParameter("junit.platform.reporting.output.dir", outputs);
  }

  private static void print(String name, LauncherDiscoveryRequest request) {
    Tally tally = new Tally();
    LauncherFactory.create().execute(request, tally);
    System.out.println(name + " " + tally.counts);
  }
}
