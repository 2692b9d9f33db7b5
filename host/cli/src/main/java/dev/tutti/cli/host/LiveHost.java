package dev.tutti.cli.host;

import dev.tutti.cli.control.RefusedClients;
import dev.tutti.cli.options.OperationSpec;
import dev.tutti.host.Context;
import dev.tutti.plugin.PluginManager;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/** The host that serves: its context, the groups of its commands, and its events. Thread-safe. */
public final class LiveHost implements AutoCloseable {

  private final LiveContext live;
  private final PluginPlaces places;
  private final HostNews news;
  private final Instant start = Instant.now();
  private final Set<GroupUse> groups = ConcurrentHashMap.newKeySet();
  private final CountDownLatch stop;
  private final RefusedClients refused = new RefusedClients(InstantSource.system());
  private volatile @Nullable Load load;

  /**
   * Makes the host.
   *
   * @param stop is counted down when the host has to end
   */
  public LiveHost(LiveContext live, PluginPlaces places, HostNews news, CountDownLatch stop) {
    this.live = live;
    this.places = places;
    this.news = news;
    this.stop = stop;
  }

  public Context context() {
    return live.context();
  }

  public PluginManager plugins() {
    return live.plugins();
  }

  public PluginPlaces places() {
    return places;
  }

  public Instant start() {
    return start;
  }

  /** The last changes, the oldest first. */
  public List<HostNews.Item> news() {
    return news.last();
  }

  /** Adds an event. */
  public void tell(String text) {
    news.accept(text);
  }

  /** The groups that commands have now. */
  public Set<GroupUse> groups() {
    return groups;
  }

  /** The clients that its control socket refused. */
  public RefusedClients refused() {
    return refused;
  }

  /** The load that runs all the time; null if there is none. */
  public @Nullable Load load() {
    return load;
  }

  /**
   * Runs an operation from now on.
   *
   * @param rate the largest number of runs per second; 0 for no limit
   */
  public void startLoad(OperationSpec spec, int rate) {
    load = new Load(context(), spec, rate, groups, news);
  }

  /** Asks the host to end. */
  public void stop() {
    stop.countDown();
  }

  /** Waits until the host is asked to end. */
  public void awaitStop() {
    try {
      stop.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Ends the load; the context is closed by its owner. */
  @Override
  public void close() {
    Load running = load;
    if (running != null) {
      running.close();
    }
  }
}
