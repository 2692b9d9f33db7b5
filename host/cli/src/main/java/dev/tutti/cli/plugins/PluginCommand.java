package dev.tutti.cli.plugins;

import dev.tutti.cli.host.Hosts;
import dev.tutti.cli.host.LiveTarget;
import dev.tutti.cli.host.PluginPlaceOptions;
import dev.tutti.cli.host.PluginPlaces;
import dev.tutti.cli.host.Session;
import dev.tutti.cli.host.TemporaryDirectory;
import dev.tutti.cli.terminal.ExitCode;
import dev.tutti.cli.terminal.Terminal;
import dev.tutti.plugin.PluginManager;
import dev.tutti.plugin.store.StateDirectory;
import dev.tutti.plugin.store.StateInUseException;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * A command about the plugins of a host. The host that serves runs it. If none does, the command
 * opens the directories itself.
 */
abstract class PluginCommand implements Callable<Integer>, LiveTarget {

  private final Terminal terminal;
  private final Hosts hosts;

  @Mixin private final PluginPlaceOptions places = new PluginPlaceOptions();

  @Option(names = "--json", description = "Prints one JSON object, on one line.")
  private boolean isJson;

  PluginCommand(Terminal terminal, Hosts hosts) {
    this.terminal = terminal;
    this.hosts = hosts;
  }

  /** Refuses what is plainly wrong, before the plugins of a directory are examined. */
  void check() {}

  /** Refuses a jar that is not there. */
  static void requireJar(Path jar) {
    if (!Files.exists(jar, LinkOption.NOFOLLOW_LINKS)) {
      throw new TuttiException(
          ErrorCode.PLUGIN_UNREADABLE, "%s does not exist; name the jar of a plugin", jar);
    }
  }

  /** Runs the command and prints the result. */
  abstract void run(PluginManager plugins, PluginPrinter printer);

  @Override
  public Where where() {
    return Where.SERVED_OR_HERE;
  }

  @Override
  public @Nullable Path state(Hosts whose) {
    return places.state(whose);
  }

  /** Whether the command changes nothing. */
  boolean isReading() {
    return false;
  }

  /** The directories, opened for this command. */
  PluginUse open(Hosts from) {
    PluginPlaces named = places.places(from);
    return isReading() ? StateCopy.open(from, named) : PluginUse.open(from, named);
  }

  @Override
  public final Integer call() {
    Session session = hosts.session();
    if (session == null) {
      check();
    }
    Path sought = state(hosts);
    boolean mayMakeState = session == null && needsState() && !isReading();
    Path made = mayMakeState && sought != null && Files.notExists(sought) ? sought : null;
    try {
      answer(session, sought);
    } catch (StateInUseException e) {
      throw e;
    } catch (RuntimeException | Error e) {
      if (made != null && Files.isDirectory(made)) {
        delete(made, e);
      }
      throw e;
    }
    return ExitCode.OK;
  }

  /** Deletes the state directory that a failed command has made, unless a host uses it by now. */
  private static void delete(Path state, Throwable failure) {
    try (StateDirectory _ = StateDirectory.open(state)) {
      TemporaryDirectory.delete(state);
    } catch (IOException | TuttiException e) {
      failure.addSuppressed(e);
    }
  }

  private void answer(@Nullable Session session, @Nullable Path sought) {
    try (PluginUse use = session == null ? open(hosts) : PluginUse.of(session)) {
      // A command such as verify may use a temporary state directory of its own.
      if (!use.isServing() && sought != null) {
        terminal.err().println("tutti: no host serves " + sought);
      }
      Path shown = sought == null ? use.plugins().state() : sought;
      run(use.plugins(), new PluginPrinter(terminal, isJson, use.isServing(), shown));
    }
  }
}
