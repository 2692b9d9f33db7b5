package dev.tutti.host;

import dev.tutti.base.idle.Deadlines;
import dev.tutti.base.idle.Waiting;
import dev.tutti.engine.Engine;
import dev.tutti.engine.EngineConfig;
import dev.tutti.engine.machine.MachineModel;
import dev.tutti.engine.message.MessageWorld;
import dev.tutti.engine.trace.RunTrace;
import dev.tutti.host.config.ActiveMachineModel;
import dev.tutti.host.config.ActiveRules;
import dev.tutti.host.config.HostSettings;
import dev.tutti.host.config.PluginSource;
import dev.tutti.host.config.ProfileSettings;
import dev.tutti.host.config.ServedPlugins;
import dev.tutti.host.job.Job;
import dev.tutti.host.pool.rules.Calibration;
import dev.tutti.host.pool.rules.Rules;
import dev.tutti.host.status.OperationObserver;
import dev.tutti.host.watch.HostEvents;
import dev.tutti.host.watch.Watch;
import dev.tutti.plugin.store.Steps;
import dev.tutti.sdk.Arguments;
import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.Determinism;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.Operation;
import dev.tutti.sdk.TuttiException;
import dev.tutti.simulator.NetworkFile;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The configuration of a context. Not thread-safe. */
public final class ContextBuilder {

  private final PluginSource plugins = new PluginSource();
  private @Nullable Rte rte;
  private HostSettings settings = HostSettings.DEFAULTS;
  private EngineConfig engine = EngineConfig.defaults();
  private Waiting waiting = Waiting.system();
  private boolean isStrict;
  private Rules rules = Rules.none();
  private @Nullable Calibration calibration;
  private Duration joinDeadline = Duration.ofMinutes(1);
  private JobJoin jobs = new JobJoin(null);
  private @Nullable Integer flight;
  private int defaultFlight;
  private Map<String, String> environment = System.getenv();

  ContextBuilder() {}

  /** The runtime environment; by default that of {@link Rte#fromEnvironment}. */
  public ContextBuilder rte(Rte newRte) {
    Arguments.require(newRte, "newRte");
    rte = newRte;
    return this;
  }

  /**
   * Loads every {@code *.jar} of a directory, or one {@code .jar} file. Can be called several
   * times.
   */
  public ContextBuilder pluginsDirectory(Path directory) {
    Arguments.require(directory, "directory");
    plugins.directory(directory);
    return this;
  }

  /**
   * Loads the plugins that are dependencies of the application, on its class path or module path,
   * through the calling thread's context class loader.
   *
   * @see #pluginsFromClassPath(ClassLoader)
   */
  public ContextBuilder pluginsFromClassPath() {
    ClassLoader loader = Thread.currentThread().getContextClassLoader();
    return pluginsFromClassPath(loader == null ? ClassLoader.getSystemClassLoader() : loader);
  }

  /**
   * Loads the plugins that a class loader of the application finds as services, in named modules
   * and on its class path. They are code of the application, so the host neither guards nor
   * replaces them. An error of one of them is a problem, as with a jar. If none is found, {@link
   * #open} throws. A second call replaces the first.
   *
   * @param loader the class loader, for example that of a module layer
   */
  public ContextBuilder pluginsFromClassPath(ClassLoader loader) {
    Arguments.require(loader, "loader");
    plugins.classPath(loader);
    return this;
  }

  /**
   * Watches a directory of plugins and serves its changes while this context is open. In contrast,
   * {@link #pluginsDirectory} loads plugins once.
   *
   * <p>In a job of several processes, the one with rank 0 watches the directory and keeps the
   * state. All others serve the same plugins and change together with it; they use neither
   * directory.
   *
   * @param directory the plugins directory, which is watched
   * @param state the directory that holds the state; it is made if it is missing, and belongs to
   *     one context at a time
   */
  public ContextBuilder watchPlugins(Path directory, Path state) {
    Arguments.require(directory, "directory");
    Arguments.require(state, "state");
    plugins.watch(directory, state);
    return this;
  }

  /**
   * Refuses watched plugins without a signature of a trusted key.
   *
   * @param trustFile a line for each key: a name and the base64 text of an Ed25519 public key
   */
  public ContextBuilder requireSigned(Path trustFile) {
    Arguments.require(trustFile, "trustFile");
    plugins.trust(trustFile);
    return this;
  }

  /** Reports each step of each change of watched plugins to a listener. */
  ContextBuilder pluginSteps(Steps listener) {
    plugins.steps(listener);
    return this;
  }

  /**
   * Adds a listener that gets a sentence for each event of watched plugins, on any thread. An
   * exception of the listener goes to that thread's handler of uncaught exceptions and stops
   * nothing.
   */
  public ContextBuilder pluginNews(Consumer<String> listener) {
    Arguments.require(listener, "listener");
    plugins.news(listener);
    return this;
  }

  /** Adds an algorithm of this process; its class must have {@code @CollAlgorithm}. */
  public ContextBuilder algorithm(CollExecutorBase<?> executor) {
    Arguments.require(executor, "executor");
    plugins.algorithm(executor);
    return this;
  }

  /** Adds an algorithm of this process under a name. */
  public ContextBuilder algorithm(String name, CollExecutorBase<?> executor) {
    Arguments.require(name, "name");
    Arguments.require(executor, "executor");
    plugins.algorithm(name, executor);
    return this;
  }

  /**
   * Loads only the algorithms of some operations from jars, which takes less time; others cannot be
   * called, and problems of their providers are not found. If there are rules, all are loaded,
   * because a rule may name any of them.
   *
   * @throws TuttiException with {@link ErrorCode#INVALID_ARGUMENT} if there is none
   */
  public ContextBuilder operations(Set<Operation> only) {
    Arguments.require(only, "only");
    plugins.operations(only);
    return this;
  }

  /**
   * Whether a problem with any plugin makes {@link #open} fail. By default, problems are only
   * listed.
   */
  public ContextBuilder strict(boolean isWanted) {
    isStrict = isWanted;
    return this;
  }

  /**
   * The number of the engine's workers, including the calling thread; one per processor by default.
   *
   * @throws TuttiException with {@link ErrorCode#INVALID_ARGUMENT} if it is out of range
   */
  public ContextBuilder workers(int count) {
    engine = engine.withWorkers(count);
    return this;
  }

  /**
   * The bytes of each rank's two staging buffers; 4 MiB by default.
   *
   * @throws TuttiException with {@link ErrorCode#INVALID_ARGUMENT} if it is out of range
   */
  public ContextBuilder cclBufferSize(long bytes) {
    settings = settings.with(values -> values.cclBufferSize = bytes);
    return this;
  }

  /**
   * The longest time of a run, if the request does not set one; 30 s by default.
   *
   * @throws TuttiException with {@link ErrorCode#INVALID_ARGUMENT} if it is not positive
   */
  public ContextBuilder deadline(Duration longest) {
    Arguments.require(longest, "longest");
    settings = settings.with(values -> values.deadline = longest);
    return this;
  }

  /** The required determinism, if the request does not set one; NONE by default. */
  public ContextBuilder determinism(Determinism least) {
    Arguments.require(least, "least");
    settings = settings.with(values -> values.determinism = least);
    return this;
  }

  /**
   * The longest time an executor may take to answer or to plan; 10 s by default.
   *
   * @throws TuttiException with {@link ErrorCode#INVALID_ARGUMENT} if it is not positive
   */
  public ContextBuilder planningLimit(Duration longest) {
    Arguments.require(longest, "longest");
    settings = settings.with(values -> values.planningLimit = longest);
    return this;
  }

  /**
   * The largest group whose plans keep the author's source lines, in ranks; 64 by default.
   *
   * @throws TuttiException with {@link ErrorCode#INVALID_ARGUMENT} if it is negative
   */
  public ContextBuilder sourceLinesUpTo(int ranks) {
    settings = settings.with(values -> values.sourceLinesUpTo = ranks);
    return this;
  }

  /** The machine model that chooses algorithms; {@link MachineModel#defaults} by default. */
  public ContextBuilder machine(MachineModel model) {
    Arguments.require(model, "model");
    calibration = null;
    settings = settings.withMachine(model, "given by the application");
    return this;
  }

  /**
   * A machine model that {@code tutti tune --model} has measured. The context ignores a model of
   * another kind of machine, and {@link Context#ruleNotes} gives the reason.
   *
   * @throws TuttiException with {@link ErrorCode#INVALID_RULES} or {@link ErrorCode#UNKNOWN_NAME}
   *     if the file cannot be read or is broken
   */
  public ContextBuilder machine(Path file) {
    Arguments.require(file, "file");
    calibration = Calibration.read(file);
    return this;
  }

  /**
   * The network model that chooses algorithms for groups of several nodes. By default, the ranks of
   * a node share its network cards, if the ranks of the job are on several machines that report
   * them, else a card of 200 Gbit/s; see {@link Context#networkOrigin}.
   *
   * @param file a network file of the simulator; its placement of ranks is ignored, because each
   *     group has its own
   * @throws TuttiException if the file cannot be read or is wrong
   */
  public ContextBuilder network(Path file) {
    Arguments.require(file, "file");
    settings = settings.withNetwork(NetworkFile.read(file), "file " + file);
    return this;
  }

  /**
   * Rules and measurements that choose algorithms. Can be called several times; earlier rules take
   * precedence. The rules of the environment variable {@code TUTTI_RULES} come last.
   */
  public ContextBuilder rules(Rules more) {
    Arguments.require(more, "more");
    rules = rules.then(more);
    return this;
  }

  /**
   * Keeps a record of the last operations of each group and of each rank for {@link Group#flight},
   * and times them for {@link Context#algorithmUse}. Takes precedence over the environment variable
   * {@code TUTTI_FLIGHT}.
   *
   * @param operations how many operations are kept, 0 to 65,536; 0 keeps none
   */
  public ContextBuilder flight(int operations) {
    flight = operations;
    return this;
  }

  /**
   * As {@link #flight}, but applies only if neither {@link #flight} nor the environment variable is
   * set.
   *
   * @param operations how many operations are kept, 0 to 65,536; 0, the default, keeps none
   */
  public ContextBuilder defaultFlight(int operations) {
    defaultFlight = operations;
    return this;
  }

  /**
   * Traces every n-th run of each group and passes the trace to a listener. The listener is called
   * on the thread that sees the end of the run, when the group can run the next one. Only runs of
   * requests and captures are traced; calls of single ranks are traced by {@link
   * RankRequest#trace}. An exception of the listener goes to that thread's handler of uncaught
   * exceptions and stops nothing. Runs that are not traced do not become slower.
   *
   * @param everyNth 1 traces each run
   * @param listener gets the traces, possibly on several threads at the same time if there are
   *     several groups
   * @throws TuttiException with {@link ErrorCode#INVALID_ARGUMENT} if {@code everyNth} is less than
   *     1
   */
  public ContextBuilder profile(int everyNth, Consumer<RunTrace> listener) {
    Arguments.require(listener, "listener");
    ProfileSettings profile = new ProfileSettings(everyNth, listener);
    settings = settings.with(values -> values.profile = profile);
    return this;
  }

  /**
   * Sets an observer for all operations of the context, for example to trace them with
   * OpenTelemetry. It observes an operation once if one caller starts it for all ranks, and once
   * per rank if the ranks start it.
   *
   * @param observer the observer, which replaces an earlier one
   */
  public ContextBuilder observer(OperationObserver observer) {
    Arguments.require(observer, "observer");
    settings = settings.with(values -> values.observer = observer);
    return this;
  }

  /** The way in which threads wait, and the clock of deadlines; by default those of the machine. */
  ContextBuilder waiting(Waiting other) {
    waiting = other;
    return this;
  }

  /**
   * The longest time to wait for the processes of the other ranks, if each rank is a process; 60 s
   * by default.
   *
   * @throws TuttiException with {@link ErrorCode#INVALID_ARGUMENT} if it is not positive
   */
  public ContextBuilder joinDeadline(Duration longest) {
    Arguments.require(longest, "longest");
    joinDeadline = Deadlines.check(longest);
    return this;
  }

  /**
   * Connects the processes of a job without shared memory, each with some ranks; MPI by default.
   */
  ContextBuilder messages(MessageWorld world, int ranks) {
    rte = MpiRte.of(world.process(), world.processes(), ranks, null);
    jobs = new JobJoin(world);
    return this;
  }

  /** The environment variables; by default those of the process. */
  ContextBuilder environment(Map<String, String> variables) {
    environment = variables;
    return this;
  }

  /**
   * Loads the plugins and starts the engine.
   *
   * @throws TuttiException with {@link ErrorCode#PLUGIN_UNREADABLE} if a plugins directory is
   *     missing, or if {@link #pluginsFromClassPath} finds none; when strict, with the code of the
   *     first plugin problem and the text of all of them; {@link ErrorCode#UNKNOWN_NAME} if a rule
   *     names something that no plugin has, unless plugins are watched; the codes of {@link
   *     Rules#check} and {@link Rules#parse}; {@link ErrorCode#PLUGIN_STATE} if the state directory
   *     of watched plugins is in use or damaged; {@link ErrorCode#JOB_REFUSED} if this process is a
   *     rank of a job and cannot join the others, or the others do not arrive in time
   */
  public Context open() {
    Rte where = rte == null ? JobJoin.rteOf(environment) : rte;
    Watch watch = Watch.of(flight, environment.get(Watch.VARIABLE), defaultFlight, waiting.clock());
    HostEvents.install();
    Rules configured = ActiveRules.configured(environment.get(ActiveRules.VARIABLE), rules);
    ServedPlugins served =
        plugins.open(settings.planningLimit(), waiting.clock(), !where.isLocal(0), configured);
    try {
      if (isStrict) {
        served.plugins().requireNoProblems();
      }
      ActiveRules inForce = ActiveRules.of(configured, served, engine.workers());
      HostSettings complete = settings.with(values -> values.rules = inForce.rules());
      ActiveMachineModel machine = ActiveMachineModel.of(calibration, complete, engine.workers());
      Job job = jobs.join(where, served, complete, waiting.clock(), joinDeadline, environment);
      EngineConfig config = job == null ? engine : engine.withSpinNanos(0);
      return new Context(
          where,
          job == null ? machine.settings() : machine.settings().onMachines(job.topology()),
          served,
          new Engine(config, waiting),
          Stream.concat(inForce.notes().stream(), machine.notes().stream()).toList(),
          watch,
          job);
    } catch (RuntimeException | Error e) {
      served.close();
      throw e;
    }
  }
}
