package dev.tutti.host;

import dev.tutti.host.engine.Engine;
import dev.tutti.host.engine.EngineConfig;
import dev.tutti.host.live.Catalogues;
import dev.tutti.host.live.LivePlugins;
import dev.tutti.host.live.LiveSettings;
import dev.tutti.host.machine.MachineModel;
import dev.tutti.host.memory.NativeMemory;
import dev.tutti.host.plugin.PluginManager;
import dev.tutti.host.plugin.PluginSet;
import dev.tutti.host.plugin.store.Steps;
import dev.tutti.host.pool.PlanPool;
import dev.tutti.host.pool.rules.Rules;
import dev.tutti.host.status.AlgorithmUse;
import dev.tutti.host.status.GroupStatus;
import dev.tutti.host.watch.Counters;
import dev.tutti.host.watch.Events;
import dev.tutti.host.watch.Watch;
import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.Determinism;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.topology.Topology;
import dev.tutti.testkit.simulate.NetworkFile;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Execution resources: the engine and its workers, the plugins and their algorithms, memory and
 * configuration. Thread-safe.
 */
public final class Context implements AutoCloseable {

  /** The most ranks of one group while all ranks live in one JVM. */
  public static final int MAX_EMBEDDED_RANKS = 1 << 16;

  private final Rte rte;
  private final HostSettings settings;
  private final Catalogues catalogues;
  private final Runnable unloading;
  private final @Nullable PluginManager manager;
  private final Engine engine;
  private final List<String> ruleNotes;
  private final Watch watch;
  private final Set<Group> groups = ConcurrentHashMap.newKeySet();
  private final MemoryRegistry memories = new MemoryRegistry();
  private volatile boolean isClosed;

  private Context(
      Rte rte,
      HostSettings settings,
      Catalogues catalogues,
      Runnable unloading,
      @Nullable PluginManager manager,
      Engine engine,
      List<String> ruleNotes,
      Watch watch) {
    this.rte = rte;
    this.settings = settings;
    this.catalogues = catalogues;
    this.unloading = unloading;
    this.manager = manager;
    this.engine = engine;
    this.ruleNotes = ruleNotes;
    this.watch = watch;
  }

  /** Starts a configuration with the defaults. */
  public static Builder builder() {
    return new Builder();
  }

  /** The runtime environment. */
  public Rte rte() {
    return rte;
  }

  /** What is loaded now, and what was wrong. */
  public PluginSet plugins() {
    return catalogues.current().plugins();
  }

  /** Every algorithm that is served now, and the choice among them. */
  public PlanPool planPool() {
    return catalogues.current().pool();
  }

  /** Threads that may work on one run, the calling one included. */
  public int workers() {
    return engine.config().workers();
  }

  /** The rules and measurements by which algorithms are chosen. */
  public Rules rules() {
    return settings.rules();
  }

  /** A sentence for everything in the configured rules that is ignored here. */
  public List<String> ruleNotes() {
    return ruleNotes;
  }

  /**
   * A sentence for each algorithm that serves now and has failed while plans were compared; calls
   * went on with others.
   */
  public List<String> passedOver() {
    return catalogues.passedOver();
  }

  /**
   * The plugins as they come and go.
   *
   * @throws TuttiException with {@link ErrorCode#INVALID_STATE} unless this context was made with
   *     {@link Builder#watchPlugins}
   */
  public PluginManager pluginManager() {
    if (manager == null) {
      throw new TuttiException(
          ErrorCode.INVALID_STATE,
          "the plugins of this context are fixed; open it with watchPlugins(directory, state)");
    }
    return manager;
  }

  /** The groups that are open, in no order. */
  public List<Group> groups() {
    return List.copyOf(groups);
  }

  /**
   * What the open groups are doing, in the order in which they were made; with what each rank waits
   * for where a group has not gone on for some time. Nothing that goes on is disturbed.
   *
   * @param patience how long to look at groups that are busy
   * @throws TuttiException with {@link ErrorCode#INVALID_ARGUMENT} if it is not positive
   */
  public List<GroupStatus> status(Duration patience) {
    Map<Group, GroupLook> looks = new LinkedHashMap<>();
    groups.stream()
        .sorted(Comparator.comparingLong(group -> group.watch().number()))
        .forEach(group -> looks.put(group, group.watch().look()));
    if (looks.values().stream().anyMatch(GroupLook::isBusy)) {
      long end = System.nanoTime() + Deadlines.nanos(patience);
      while (end - System.nanoTime() > 0 && !Thread.currentThread().isInterrupted()) {
        LockSupport.parkNanos(end - System.nanoTime());
      }
    }
    List<GroupStatus> all = new ArrayList<>();
    looks.forEach(
        (group, look) -> all.add(group.watch().status(look.equals(group.watch().look()))));
    return all;
  }

  /**
   * How much each algorithm was used, in all groups that are or were open. Of a run that ends
   * meanwhile, it may not tell.
   */
  public List<AlgorithmUse> algorithmUse() {
    Counters all = watch.counters().copy();
    groups.forEach(group -> group.addTo(all));
    return all.read();
  }

  Watch watch() {
    return watch;
  }

  /**
   * A group of ranks on one node.
   *
   * @param ranks 1 or more
   * @throws TuttiException with {@link ErrorCode#INVALID_RANK}; {@link ErrorCode#INVALID_STATE} if
   *     this is closed
   */
  public Group createGroup(int ranks) {
    if (ranks < 1) {
      throw new TuttiException(
          ErrorCode.INVALID_RANK, "a group must have at least one rank. Actual: %d", ranks);
    }
    return createGroup(Topology.flat(ranks));
  }

  /**
   * A group of ranks in nodes and pods, at most {@link #MAX_EMBEDDED_RANKS}.
   *
   * @throws TuttiException with {@link ErrorCode#INVALID_RANK} if there are more; {@link
   *     ErrorCode#INVALID_STATE} if this is closed
   */
  public Group createGroup(Topology topology) {
    return createGroup(topology, RankNames.ofWorld(), null);
  }

  /** A group made from another one. */
  Group createSubGroup(Topology topology, RankNames names, SubGroups siblings) {
    return createGroup(topology, names, siblings);
  }

  private Group createGroup(Topology topology, RankNames names, @Nullable SubGroups siblings) {
    requireOpen();
    if (topology.rankSize() > MAX_EMBEDDED_RANKS) {
      throw new TuttiException(
          ErrorCode.INVALID_RANK,
          "one JVM holds groups of at most %d ranks. Actual: %d",
          MAX_EMBEDDED_RANKS,
          topology.rankSize());
    }
    boolean recordsSources = topology.rankSize() <= settings.sourceLinesUpTo();
    long number = watch.nextGroup();
    Planner planner = new Planner(number, topology, settings, catalogues, engine, recordsSources);
    Group group = new Group(this, number, topology, names, siblings, settings, engine, planner);
    groups.add(group);
    catalogues.join(group.user());
    return group;
  }

  void closed(Group group) {
    groups.remove(group);
    catalogues.part(group.user());
  }

  /**
   * Allocates native memory that all ranks can reach, zero-filled. It lives until it or this
   * context is closed.
   *
   * @param bytes 0 or more
   * @throws TuttiException with {@link ErrorCode#INVALID_ARGUMENT} if the size is negative; {@link
   *     ErrorCode#OUT_OF_MEMORY} if there is not that much; {@link ErrorCode#INVALID_STATE} if this
   *     is closed
   */
  public RegisteredMemory allocate(long bytes) {
    requireOpen();
    OwnedMemory memory = new OwnedMemory(NativeMemory.allocate(bytes), memories::remove);
    memories.add(memory);
    return memory;
  }

  /** The memory of this context that a segment is a part of, or the segment itself. */
  MemorySegment allocationOf(MemorySegment segment) {
    return segment.isNative() ? memories.allocationOf(segment) : segment;
  }

  private void requireOpen() {
    if (isClosed) {
      throw new TuttiException(ErrorCode.INVALID_STATE, "the context is closed; open another one");
    }
  }

  /**
   * Closes all groups, frees all memory, ends the workers, unloads the plugins. Does nothing twice.
   *
   * @throws TuttiException with {@link ErrorCode#INVALID_STATE} while a run is under way; then
   *     nothing more than idle groups is closed
   */
  @Override
  public void close() {
    List.copyOf(groups).forEach(Group::close);
    if (!isClosed) {
      isClosed = true;
      engine.close();
      memories.all().forEach(OwnedMemory::close);
      unloading.run();
    }
  }

  /** The configuration of a context. Not thread-safe. */
  public static final class Builder {

    private final PluginSet.Builder plugins = PluginSet.builder();
    private Rte rte = Rte.embedded();
    private HostSettings settings = HostSettings.DEFAULTS;
    private EngineConfig engine = EngineConfig.defaults();
    private boolean isStrict;
    private boolean hasDirectory;
    private @Nullable LiveSettings live;
    private Steps steps = Steps.NONE;
    private @Nullable Path trust;
    private Consumer<String> news = text -> {};
    private Rules rules = Rules.none();
    private int flight;
    private UnaryOperator<@Nullable String> environment =
        name -> name == null ? null : System.getenv(name);

    private Builder() {}

    /** The runtime environment; embedded unless set. */
    public Builder rte(Rte newRte) {
      this.rte = newRte;
      return this;
    }

    /** Loads every {@code *.jar} of a directory; may be called for several. */
    public Builder pluginsDirectory(Path directory) {
      hasDirectory = true;
      plugins.directory(directory);
      return this;
    }

    /**
     * Serves the plugins of a directory as they come and go while this context works, instead of
     * what {@link #pluginsDirectory} loads once.
     *
     * @param directory the plugins directory, which is watched
     * @param state the directory that holds the state; it is made if it is missing, and belongs to
     *     one context at a time
     */
    public Builder watchPlugins(Path directory, Path state) {
      live = LiveSettings.of(directory, state);
      return this;
    }

    /**
     * Refuses watched plugins without a signature of a trusted key.
     *
     * @param trustFile a line for each key: a name and the base64 text of an Ed25519 public key
     */
    public Builder requireSigned(Path trustFile) {
      trust = trustFile;
      return this;
    }

    /** Tells somebody of each step of each change of watched plugins. */
    Builder pluginSteps(Steps listener) {
      steps = listener;
      return this;
    }

    /** Gets a sentence for everything that happens to watched plugins, on any thread. */
    public Builder pluginNews(Consumer<String> listener) {
      news = listener;
      return this;
    }

    /** Adds an algorithm of this process; its class must have {@code @CollAlgorithm}. */
    public Builder algorithm(CollExecutorBase<?> executor) {
      plugins.algorithm(executor);
      return this;
    }

    /** Adds an algorithm of this process under a name. */
    public Builder algorithm(String name, CollExecutorBase<?> executor) {
      plugins.algorithm(name, executor);
      return this;
    }

    /** Whether a problem with any plugin ends {@link #open}; else they are only listed. */
    public Builder strict(boolean isWanted) {
      this.isStrict = isWanted;
      return this;
    }

    /**
     * The engine's workers, the calling thread included; one per processor unless set.
     *
     * @throws TuttiException with {@link ErrorCode#INVALID_ARGUMENT} if it is out of range
     */
    public Builder workers(int count) {
      engine = engine.withWorkers(count);
      return this;
    }

    /**
     * The bytes of each rank's two staging buffers; 4 MiB unless set.
     *
     * @throws TuttiException with {@link ErrorCode#INVALID_ARGUMENT} if it is out of range
     */
    public Builder cclBufferSize(long bytes) {
      settings = settings.withCclBufferSize(bytes);
      return this;
    }

    /**
     * The longest a run may take unless a request says otherwise; 30 s unless set.
     *
     * @throws TuttiException with {@link ErrorCode#INVALID_ARGUMENT} if it is not positive
     */
    public Builder deadline(Duration longest) {
      settings = settings.withDeadline(longest);
      return this;
    }

    /** The least reproducibility unless a request says otherwise; NONE unless set. */
    public Builder determinism(Determinism least) {
      settings = settings.withDeterminism(least);
      return this;
    }

    /**
     * The longest an executor may take to answer or to plan; 10 s unless set.
     *
     * @throws TuttiException with {@link ErrorCode#INVALID_ARGUMENT} if it is not positive
     */
    public Builder planningLimit(Duration longest) {
      settings = settings.withPlanningLimit(longest);
      return this;
    }

    /**
     * The most ranks of a group whose plans remember the author's source lines; 64 unless set.
     *
     * @throws TuttiException with {@link ErrorCode#INVALID_ARGUMENT} if it is negative
     */
    public Builder sourceLinesUpTo(int ranks) {
      settings = settings.withSourceLinesUpTo(ranks);
      return this;
    }

    /**
     * What the machine costs, by which algorithms are chosen; {@link MachineModel#defaults} unless
     * set.
     */
    public Builder machine(MachineModel model) {
      settings = settings.withMachine(model);
      return this;
    }

    /**
     * What the network between nodes costs, by which algorithms of groups of several nodes are
     * chosen; nodes that share a network card of 200 Gbit/s unless set.
     *
     * @param file a network file as the simulator reads it; where its ranks are does not matter,
     *     because each group says where its own are
     * @throws TuttiException if the file cannot be read or is wrong
     */
    public Builder network(Path file) {
      settings = settings.withNetwork(NetworkFile.read(file));
      return this;
    }

    /**
     * Rules and measurements by which algorithms are chosen; may be called several times, the first
     * rules being the strongest. Those of the environment variable {@code TUTTI_RULES} come before
     * all of them.
     */
    public Builder rules(Rules more) {
      rules = rules.then(more);
      return this;
    }

    /**
     * Keeps a record of the last operations of each group and of each rank, which {@link
     * Group#flight} shows, and times them for {@link Context#algorithmUse}. The environment
     * variable {@code TUTTI_FLIGHT} comes before this.
     *
     * @param operations how many operations are kept; 0, which it is unless set, keeps none
     */
    public Builder flight(int operations) {
      flight = operations;
      return this;
    }

    /** Where environment variables come from; those of the process unless set. */
    Builder environment(UnaryOperator<@Nullable String> variables) {
      environment = variables;
      return this;
    }

    /**
     * Loads the plugins and starts the engine.
     *
     * @throws TuttiException with {@link ErrorCode#PLUGIN_UNREADABLE} if a plugins directory is
     *     missing; when strict, with the code of the first plugin problem and the text of all of
     *     them; {@link ErrorCode#UNKNOWN_NAME} if a rule names what no plugin has, or what {@link
     *     Rules#check} and {@link Rules#parse} say, unless plugins are watched; {@link
     *     ErrorCode#PLUGIN_STATE} if the state directory of watched plugins is in use or damaged
     */
    public Context open() {
      Watch watch = Watch.of(environment.apply(Watch.VARIABLE), flight);
      Events.install();
      return live == null ? openFixed(watch) : openLive(live, watch);
    }

    private Context openFixed(Watch watch) {
      PluginSet loaded = plugins.limit(settings.planningLimit()).load();
      try {
        if (isStrict) {
          loaded.requireNoProblems();
        }
        Rules all = configuredRules();
        all.check(loaded.algorithms());
        RulesInForce inForce = RulesInForce.of(all, engine.workers(), loaded);
        Catalogues catalogues = Catalogues.fixed(loaded, settings.planningLimit());
        return new Context(
            rte,
            settings.withRules(inForce.rules()),
            catalogues,
            loaded::close,
            null,
            new Engine(engine),
            inForce.notes(),
            watch);
      } catch (RuntimeException | Error e) {
        loaded.close();
        throw e;
      }
    }

    private Rules configuredRules() {
      return RulesInForce.withEnvironment(environment.apply(RulesInForce.VARIABLE), rules);
    }

    private Context openLive(LiveSettings watched, Watch watch) {
      if (hasDirectory) {
        throw new TuttiException(
            ErrorCode.INVALID_ARGUMENT,
            "plugins are either watched or loaded once; leave out pluginsDirectory or watchPlugins");
      }
      LiveSettings complete =
          watched.withPlanningLimit(settings.planningLimit()).withNews(news).withSteps(steps);
      PluginSet own = plugins.limit(settings.planningLimit()).load();
      LivePlugins opened =
          LivePlugins.open(trust == null ? complete : complete.withTrust(trust), own.plugins());
      try {
        if (isStrict) {
          opened.catalogues().current().plugins().requireNoProblems();
        }
        RulesInForce inForce =
            RulesInForce.of(
                configuredRules(), engine.workers(), opened.catalogues().current().plugins());
        Context context =
            new Context(
                rte,
                settings.withRules(inForce.rules()),
                opened.catalogues(),
                opened::close,
                opened,
                new Engine(engine),
                inForce.notes(),
                watch);
        return context;
      } catch (RuntimeException | Error e) {
        opened.close();
        throw e;
      }
    }
  }
}
