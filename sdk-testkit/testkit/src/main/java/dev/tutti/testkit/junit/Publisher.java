package dev.tutti.testkit.junit;

import java.nio.file.Path;
import org.junit.jupiter.api.MediaType;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.engine.ExecutionRequest;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.reporting.FileEntry;

/** Publishes the files of a test. */
@FunctionalInterface
interface Publisher {

  /** Writes a file. */
  @FunctionalInterface
  interface Content {
    void writeTo(Path file) throws Exception;
  }

  void publish(String name, String mediaType, Content content);

  /** Publishes through a factory's reporter; does nothing if JUnit cannot publish files. */
  static Publisher to(TestReporter reporter) {
    return (name, mediaType, content) ->
        ifAble(() -> reporter.publishFile(name, MediaType.parse(mediaType), content::writeTo));
  }

  /** Publishes through an extension's context; does nothing if JUnit cannot publish files. */
  static Publisher to(ExtensionContext context) {
    return (name, mediaType, content) ->
        ifAble(() -> context.publishFile(name, MediaType.parse(mediaType), content::writeTo));
  }

  /** Publishes through an engine's listener; does nothing if JUnit cannot publish files. */
  static Publisher to(ExecutionRequest request, TestDescriptor test) {
    return (name, mediaType, content) ->
        ifAble(
            () -> {
              try {
                Path file =
                    request.getOutputDirectoryCreator().createOutputDirectory(test).resolve(name);
                content.writeTo(file);
                request
                    .getEngineExecutionListener()
                    .fileEntryPublished(test, FileEntry.from(file, mediaType));
              } catch (Exception e) {
                throw new IllegalStateException("cannot publish " + name, e);
              }
            });
  }

  private static void ifAble(Runnable publish) {
    try {
      publish.run();
    } catch (NoSuchMethodError | NoClassDefFoundError e) {
      // JUnit 5.13 and older cannot publish files; the failure's message contains the report.
    }
  }
}
