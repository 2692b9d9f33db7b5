package dev.tutti.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.cli.CommandLineHarness.Outcome;
import dev.tutti.cli.host.Hosts;
import dev.tutti.host.Context;
import dev.tutti.host.soak.Soak;
import dev.tutti.plugin.live.PullJar;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Processes of {@code tutti serve}, one after another on the same state, with commands, clients
 * that send invalid data, disks that are full now and then, and SIGKILL at any moment. The next
 * process must have every confirmed change.
 */
public final class KilledHosts implements Soak.Actor {

  private static final List<String> VERSIONS = List.of("1.0", "1.1", "1.2");
  private static final int MOST_COMMANDS = 6;

  private final CrashSite site;

  /** The versions that may serve now: the last confirmed one, and those requested since. */
  private final Set<String> possible = new HashSet<>(Set.of(""));

  /**
   * Hosts of a directory.
   *
   * @param directory empty
   */
  public KilledHosts(Path directory) throws IOException {
    Path jars = directory.resolve("jars");
    for (String version : VERSIONS) {
      PullJar.of(CrashSite.ID, version)
          // Takes so little that it is admitted soon.
          .replace("WorkflowMode.GRAPH\n", "WorkflowMode.GRAPH && param.comm().rankSize() == 2\n")
          .write(Files.createDirectories(jars.resolve(version)).resolve("pull.jar"));
    }
    site = new CrashSite(jars, directory.resolve("site"));
  }

  @Override
  public void turn(Random random) throws Exception {
    Process process = site.startProcess();
    try (BufferedReader said = process.inputReader(StandardCharsets.UTF_8);
        PrintWriter orders = new PrintWriter(process.outputWriter(StandardCharsets.UTF_8), true)) {
      CrashSite.readUntil(said, "stop it with");
      boolean isFull = random.nextInt(3) == 0;
      if (isFull) {
        orders.println(SteppedHost.FULL_DISK + random.nextInt(1000));
        CrashSite.readUntil(said, "armed");
      }
      assertThat(site.serving()).as("after a restart").isIn(possible);
      List<SocketChannel> clients = new ArrayList<>();
      for (int i = random.nextInt(MOST_COMMANDS); i >= 0; i--) {
        client(random, clients);
        command(random, isFull);
      }
      Thread last = Thread.ofPlatform().daemon().unstarted(command(random));
      last.start();
      LockSupport.parkNanos(random.nextInt(100_000_000));
      process.toHandle().destroyForcibly();
      last.join();
      for (SocketChannel each : clients) {
        each.close();
      }
    } finally {
      process.toHandle().destroyForcibly();
      process.waitFor();
    }
    goOn();
  }

  /** Runs a host without disturbance. */
  private void goOn() throws Exception {
    try (CrashSite.Served served = site.serve(new Hosts(List.of(), Context::builder))) {
      String serving = site.serving();
      assertThat(serving).as(served.out()).isIn(possible);
      assertThat(served.out()).doesNotContain("internal error");
      assertThat(CrashSite.names(site.state().resolve("store")))
          .allMatch(name -> name.matches("[0-9a-f]{64}\\.jar"));
      possible.clear();
      possible.add(serving);
    }
  }

  /** A command that may be cut off. */
  private Runnable command(Random random) {
    if (random.nextBoolean()) {
      String version = VERSIONS.get(random.nextInt(VERSIONS.size()));
      possible.add(version);
      return () -> site.tutti("plugins", "install", site.jar(version).toString());
    }
    possible.add("");
    return () -> site.tutti("plugins", "remove", CrashSite.ID);
  }

  private void command(Random random, boolean isFull) {
    String version = VERSIONS.get(random.nextInt(VERSIONS.size()));
    switch (random.nextInt(5)) {
      case 0, 1 ->
          change(version, isFull, site.tutti("plugins", "install", site.jar(version).toString()));
      case 2 -> {
        possible.addAll(VERSIONS);
        change(null, isFull, site.tutti("plugins", "rollback", CrashSite.ID));
      }
      case 3 -> change("", isFull, site.tutti("plugins", "remove", CrashSite.ID));
      default -> understood(site.tutti("status"));
    }
  }

  /**
   * Notes the outcome of a change.
   *
   * @param result the version that serves if it was made; null if that is not known
   */
  private void change(@Nullable String result, boolean isFull, Outcome outcome) {
    understood(outcome);
    String serving = site.serving();
    if (outcome.exitCode() == 0 && result != null) {
      assertThat(serving).as("%s", outcome).isEqualTo(result);
    } else {
      assertThat(serving)
          .as("%s", outcome)
          .satisfies(each -> assertThat(each.isEmpty() || VERSIONS.contains(each)).isTrue());
    }
    if (!isFull) {
      possible.clear();
    } else if (result != null) {
      // The jar may be in its place although its arrival could not be written down.
      possible.add(result);
    }
    possible.add(serving);
  }

  private static void understood(Outcome outcome) {
    assertThat(outcome.out() + outcome.err()).doesNotContain("internal error");
    if (outcome.exitCode() != 0) {
      assertThat(outcome.err()).as("%s", outcome).contains("[TUTTI-");
    }
  }

  /** Connects and sends invalid data, or nothing. */
  private void client(Random random, List<SocketChannel> clients) throws IOException {
    byte[] nonsense = new byte[random.nextInt(4_000)];
    random.nextBytes(nonsense);
    SocketChannel channel =
        SocketChannel.open(UnixDomainSocketAddress.of(site.state().resolve("control.sock")));
    clients.add(channel);
    try {
      channel.write(ByteBuffer.wrap(nonsense));
      if (random.nextBoolean()) {
        channel.shutdownOutput();
      }
    } catch (IOException e) {
      // The host may hang up on nonsense at any moment.
    }
  }
}
