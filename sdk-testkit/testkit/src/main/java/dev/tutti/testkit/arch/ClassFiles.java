package dev.tutti.testkit.arch;

import com.tngtech.archunit.core.domain.JavaClass;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.net.URLConnection;
import java.util.Optional;

/** Reads class files with their instructions, which ArchUnit does not keep. */
final class ClassFiles {

  private ClassFiles() {}

  /** The class file of an imported class; empty if it was not imported from a file. */
  static Optional<ClassModel> read(JavaClass type) {
    return type.getSource()
        .map(
            source -> {
              try {
                URLConnection connection = source.getUri().toURL().openConnection();
                // A cached jar would stay open, and some systems cannot replace an open file.
                connection.setUseCaches(false);
                try (InputStream stream = connection.getInputStream()) {
                  return ClassFile.of().parse(stream.readAllBytes());
                }
              } catch (IOException e) {
                throw new UncheckedIOException("cannot read " + source.getUri(), e);
              }
            });
  }
}
