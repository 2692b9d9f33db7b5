package dev.tutti.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.cli.Cli;
import dev.tutti.cli.Main;
import dev.tutti.cli.host.Hosts;
import dev.tutti.host.Await;
import dev.tutti.host.Context;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.RandomAccessFile;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A reader that does not read, as a pager or a stopped terminal, holds nobody up. */
@Timeout(600)
class LinePrinterTest {

  private static final int BYTES_OF_A_PIPE = 1 << 16;

  @Test
  void linesWaitForTheirReaderAndTooManyAreCounted() {
    BlockedWriter out = new BlockedWriter();
    try (LinePrinter printer = new LinePrinter(new PrintWriter(out))) {
      printer.println("");
      out.awaitPrinter();
      for (int i = 0; i < 1024 + 7; i++) {
        printer.println("line " + i);
      }
      assertThat(out.text()).isEmpty();

      out.unblock();
      assertThat(printer.finish()).isTrue();
    }
    assertThat(out.text().lines())
        .hasSize(1 + 1024 + 1)
        .startsWith("", "line 0", "line 1")
        .endsWith("line 1023", "7 lines were not printed, because nobody read them");
  }

  /** As {@code head} does: the pipe has not failed, and the exit code is that of the command. */
  @Test
  void aReaderThatGoesHasReadEnough() throws Exception {
    Process pipe =
        new ProcessBuilder(
                "bash",
                "-c",
                "set -o pipefail; \"$0\" -cp \"$1\" dev.tutti.cli.Main topo --topology 4+4 | :",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                System.getProperty("java.class.path"))
            .redirectErrorStream(true)
            .start();
    String said = new String(pipe.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

    assertThat(pipe.waitFor()).as(said).isZero();
    assertThat(said).isEmpty();
  }

  @Test
  void aHostWhoseOutputNobodyReadsServesAndStops(@TempDir Path directory) throws Exception {
    Path plugins = Files.createDirectory(directory.resolve("plugins"));
    Path pipe = directory.resolve("out");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    // Opened for both, so that opening it waits for nobody.
    try (RandomAccessFile full = new RandomAccessFile(pipe.toFile(), "rw")) {
      full.write(new byte[BYTES_OF_A_PIPE]);
      Process host =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-cp",
                  System.getProperty("java.class.path"),
                  Main.class.getName(),
                  "serve",
                  "--plugins",
                  plugins.toString())
              .redirectOutput(pipe.toFile())
              .redirectError(directory.resolve("err").toFile())
              .start();
      try {
        Await.until(() -> tutti(plugins, "status").contains("algorithms"));
        Files.writeString(plugins.resolve("bad.jar"), "no jar");
        Await.until(() -> tutti(plugins, "status").contains("bad.jar"));

        assertThat(tutti(plugins, "serve", "--stop")).contains("stopped");
        assertThat(host.waitFor(10, TimeUnit.MINUTES)).isTrue();
        assertThat(host.exitValue()).isEqualTo(ExitCode.ENVIRONMENT);
      } finally {
        host.destroyForcibly();
      }
    }
  }

  private static String tutti(Path plugins, String... arguments) {
    StringWriter out = new StringWriter();
    Terminal terminal =
        new Terminal(new PrintWriter(out), new PrintWriter(new StringWriter()), false, false);
    String[] all = Arrays.copyOf(arguments, arguments.length + 2);
    all[arguments.length] = "--plugins";
    all[arguments.length + 1] = plugins.toString();
    new Cli(terminal, new Hosts(List.of(), Context::builder)).run(all);
    return out.toString();
  }

  /** Waits at the first line until it is told to go on. */
  private static final class BlockedWriter extends Writer {
    private final StringWriter text = new StringWriter();
    private final CountDownLatch isReached = new CountDownLatch(1);
    private final CountDownLatch mayPrint = new CountDownLatch(1);

    @Override
    public void write(char[] characters, int offset, int length) throws IOException {
      isReached.countDown();
      try {
        mayPrint.await();
      } catch (InterruptedException e) {
        throw new IOException(e);
      }
      text.write(characters, offset, length);
    }

    void awaitPrinter() {
      try {
        isReached.await();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }

    void unblock() {
      mayPrint.countDown();
    }

    String text() {
      return text.toString();
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }
}
