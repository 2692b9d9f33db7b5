package dev.tutti.cli.serve;

import dev.tutti.cli.Cli;
import dev.tutti.cli.CommandLineHarness.Outcome;
import dev.tutti.cli.TestAlgorithms;
import dev.tutti.cli.host.FakePlugins;
import dev.tutti.cli.host.Hosts;
import dev.tutti.cli.host.LiveContext;
import dev.tutti.cli.terminal.Terminal;
import dev.tutti.host.Context;
import dev.tutti.host.ContextBuilder;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/** {@code tutti serve} on a thread of the test, with fake plugins and the test's algorithms. */
public final class ServedHost implements AutoCloseable {

  private final Path plugins;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private final CountDownLatch isReady = new CountDownLatch(1);
  private final FutureTask<Integer> served;

  /** The context that serves, once it is ready. */
  private final AtomicReference<Context> context = new AtomicReference<>();

  private ServedHost(
      Path plugins,
      List<String> options,
      UnaryOperator<ContextBuilder> settings,
      Supplier<List<Path>> jobs) {
    this.plugins = plugins;
    List<String> arguments = new ArrayList<>(List.of("serve"));
    arguments.addAll(options);
    Terminal terminal =
        new Terminal(
            new PrintWriter(new Noticing(), true), new PrintWriter(err, true), false, false);
    served =
        new FutureTask<>(
            () -> {
              try {
                return new Cli(terminal, hosts(plugins, settings, context::set, jobs))
                    .run(arguments.toArray(String[]::new));
              } finally {
                isReady.countDown();
              }
            });
  }

  /** Serves, from when this returns. */
  public static ServedHost start(Path plugins, String... options) throws InterruptedException {
    return start(new ServedHost(plugins, List.of(options), UnaryOperator.identity(), List::of));
  }

  /** Serves with other settings. */
  public static ServedHost start(Path plugins, UnaryOperator<ContextBuilder> settings)
      throws InterruptedException {
    return start(new ServedHost(plugins, List.of(), settings, List::of));
  }

  /** Serves where there are jobs. */
  public static ServedHost start(Path plugins, Supplier<List<Path>> jobs)
      throws InterruptedException {
    return start(new ServedHost(plugins, List.of(), UnaryOperator.identity(), jobs));
  }

  private static ServedHost start(ServedHost host) throws InterruptedException {
    Thread.ofPlatform().daemon().start(host.served);
    host.isReady.await();
    return host;
  }

  Context context() {
    return context.get();
  }

  /** Counts down at the line that says that the host is ready. */
  private final class Noticing extends Writer {
    @Override
    public void write(char[] characters, int offset, int length) {
      out.write(characters, offset, length);
      String text = out.toString();
      int line = text.indexOf("serving ");
      // The end of the line is a separate write.
      if (line >= 0 && text.indexOf('\n', line) >= 0) {
        isReady.countDown();
      }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }

  /** Hosts with fake plugins. */
  static Hosts hosts(Path plugins) {
    return hosts(plugins, UnaryOperator.identity(), opened -> {}, List::of);
  }

  private static Hosts hosts(
      Path plugins,
      UnaryOperator<ContextBuilder> settings,
      Consumer<Context> listener,
      Supplier<List<Path>> jobs) {
    return new Hosts(
        List.of(plugins),
        () -> settings.apply(TestAlgorithms.addTo(Context.builder())),
        (builder, places, trust, news) -> {
          Context opened = builder.open();
          listener.accept(opened);
          FakePlugins fake = new FakePlugins(places, news);
          return new LiveContext(opened, () -> fake);
        },
        null,
        jobs);
  }

  public Path state() {
    return plugins.resolveSibling(plugins.getFileName() + ".state");
  }

  String out() {
    return out.toString();
  }

  String err() {
    return err.toString();
  }

  /** Calls a command as another process would. */
  public Outcome call(String... arguments) {
    return call(plugins, arguments);
  }

  public static Outcome call(Path plugins, String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    Terminal terminal = new Terminal(new PrintWriter(out), new PrintWriter(err), false, false);
    int exitCode = new Cli(terminal, hosts(plugins)).run(arguments);
    return new Outcome(exitCode, out.toString(), err.toString());
  }

  /** Waits for its end, however that comes about. */
  int exitCode() throws InterruptedException, ExecutionException {
    return served.get();
  }

  @Override
  public void close() throws InterruptedException, ExecutionException {
    if (!served.isDone()) {
      call("serve", "--stop");
    }
    served.get();
  }
}
