package dev.tutti.testkit.arch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.tools.ToolProvider;

/** Compiles sources that are made in a test. */
public final class Compiled {

  private Compiled() {}

  /** The directory of the classes of one source. */
  public static Path into(Path directory, String className, String source) throws IOException {
    Path file = directory.resolve("src").resolve(className.replace('.', '/') + ".java");
    Files.createDirectories(file.getParent());
    Files.writeString(file, source);
    Path classes = Files.createDirectories(directory.resolve("classes"));
    int result =
        ToolProvider.getSystemJavaCompiler()
            .run(
                null,
                null,
                null,
                "-proc:none",
                "-cp",
                System.getProperty("java.class.path"),
                "-d",
                classes.toString(),
                file.toString());
    assertThat(result).as("the sources of the test compile").isZero();
    return classes;
  }
}
