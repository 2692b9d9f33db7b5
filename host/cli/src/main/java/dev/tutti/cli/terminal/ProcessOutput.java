package dev.tutti.cli.terminal;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/** An output of this process that remembers why it could not be written. Not thread-safe. */
public final class ProcessOutput extends FilterOutputStream {

  private @Nullable IOException failure;

  public ProcessOutput(OutputStream out) {
    super(out);
  }

  @Override
  public void write(int value) throws IOException {
    write(new byte[] {(byte) value}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    try {
      out.write(bytes, offset, length);
    } catch (IOException e) {
      failure = failure == null ? e : failure;
      throw e;
    }
  }

  /** The problem with this output, in words; empty if the reader has closed the pipe. */
  public String problem() {
    String reason = failure == null ? "it is closed" : String.valueOf(failure.getMessage());
    return reason.startsWith("Broken pipe")
        ? ""
        : "the output could not be written (" + reason + "); is the disk full?";
  }
}
