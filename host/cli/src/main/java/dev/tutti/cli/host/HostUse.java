package dev.tutti.cli.host;

import dev.tutti.cli.options.RequestName;
import dev.tutti.cli.options.RequestTarget;
import dev.tutti.cli.terminal.Terminal;
import dev.tutti.host.Context;
import dev.tutti.host.Group;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.topology.Topology;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The host of a command: its own one, which ends with it, or the host that serves. */
public final class HostUse implements AutoCloseable {

  private final Context context;
  private final @Nullable Session session;
  private @Nullable GroupUse group;

  private HostUse(Context context, @Nullable Session session) {
    this.context = context;
    this.session = session;
  }

  /** A host for one command. */
  public static HostUse own(Context context) {
    return new HostUse(context, null);
  }

  /** The host that serves. */
  static HostUse of(Session session) {
    return new HostUse(session.host().context(), session);
  }

  public Context context() {
    return context;
  }

  /**
   * The operation and the algorithm of a request, from the algorithms of the plugins.
   *
   * @param terminal gets a note if the algorithm has several operations
   */
  public RequestName name(RequestTarget target, Terminal terminal) {
    return target.among(
        context.plugins().algorithms(),
        note -> {
          if (context.rte().isLocal(0)) {
            terminal.err().println("tutti: note: " + note);
          }
        });
  }

  /**
   * Makes a group, which the caller must close; a command has one at a time.
   *
   * @param isWanted whether the user requested this topology, and not only a number of ranks; if
   *     not, ranks on several machines keep their real topology
   */
  public Group createGroup(Topology topology, boolean isWanted) {
    Topology found = isWanted ? topology : context.jobTopology().orElse(topology);
    return createGroup(found.rankSize() == topology.rankSize() ? found : topology);
  }

  /** The same for a requested topology. */
  public Group createGroup(Topology topology) {
    if (session != null && context.rte().ranks() > 0) {
      throw new TuttiException(
          ErrorCode.UNSUPPORTED,
          "the host that serves is one of %d processes, which can create groups only together;"
              + " leave out --live and --state, and add --processes to 'run' and 'bench'",
          context.rte().ranks());
    }
    Group created = context.createGroup(topology);
    if (session != null) {
      forgetGroup();
      group = new GroupUse(session.command(), Instant.now(), topology.rankSize());
      session.host().groups().add(group);
    }
    return created;
  }

  private void forgetGroup() {
    if (session != null && group != null) {
      session.host().groups().remove(group);
    }
  }

  @Override
  public void close() {
    forgetGroup();
    if (session == null) {
      context.close();
    }
  }
}
