package dev.tutti.host;

import dev.tutti.base.idle.Waiting;
import dev.tutti.engine.EngineConfig;
import dev.tutti.engine.machine.MachineModel;
import dev.tutti.host.config.HostSettings;
import dev.tutti.host.config.PluginSource;
import dev.tutti.host.pool.rules.Calibration;
import dev.tutti.host.pool.rules.Rules;
import dev.tutti.plugin.store.Steps;
import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.Determinism;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import dev.tutti.simulator.NetworkFile;
import dev.tutti.simulator.NetworkModel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** What a context can be opened with. Not thread-safe. */
abstract sealed class ContextOptions permits Context.Builder {

  final PluginSource plugins = new PluginSource();
  Rte rte = Rte.embedded();
  HostSettings settings = HostSettings.DEFAULTS;
  EngineConfig engine = EngineConfig.defaults();
  Waiting waiting = Waiting.system();
  boolean isStrict;
  Rules rules = Rules.none();
  @Nullable Calibration calibration;
  @Nullable Integer flight;
  int defaultFlight;
  UnaryOperator<@Nullable String> environment = name -> name == null ? null : System.getenv(name);

  abstract Context.Builder self();

  /** The runtime environment; embedded unless set. */
  public final Context.Builder rte(Rte newRte) {
    rte = newRte;
    return self();
  }

  /** Loads every {@code *.jar} of a directory; may be called for several. */
  public final Context.Builder pluginsDirectory(Path directory) {
    plugins.directory(directory);
    return self();
  }

  /**
   * Loads the plugins that the application has as dependencies: on its class path or module path,
   * as the calling thread's context class loader sees them.
   *
   * @see #pluginsFromClassPath(ClassLoader)
   */
  public final Context.Builder pluginsFromClassPath() {
    ClassLoader loader = Thread.currentThread().getContextClassLoader();
    return pluginsFromClassPath(loader == null ? ClassLoader.getSystemClassLoader() : loader);
  }

  /**
   * Loads the plugins that a class loader of the application finds as services, in named modules
   * and on its class path. They are code of the application: the host neither guards nor replaces
   * them. What is wrong with one of them is a problem, as with a jar. If none is found, {@link
   * Context.Builder#open} refuses. A second call replaces the first.
   *
   * @param loader the class loader, for example that of a module layer
   */
  public final Context.Builder pluginsFromClassPath(ClassLoader loader) {
    plugins.classPath(loader);
    return self();
  }

  /**
   * Serves the plugins of a directory as they come and go while this context works, instead of what
   * {@link #pluginsDirectory} loads once.
   *
   * @param directory the plugins directory, which is watched
   * @param state the directory that holds the state; it is made if it is missing, and belongs to
   *     one context at a time
   */
  public final Context.Builder watchPlugins(Path directory, Path state) {
    plugins.watch(directory, state);
    return self();
  }

  /**
   * Refuses watched plugins without a signature of a trusted key.
   *
   * @param trustFile a line for each key: a name and the base64 text of an Ed25519 public key
   */
  public final Context.Builder requireSigned(Path trustFile) {
    plugins.trust(trustFile);
    return self();
  }

  /** Tells somebody of each step of each change of watched plugins. */
  final Context.Builder pluginSteps(Steps listener) {
    plugins.steps(listener);
    return self();
  }

  /**
   * Gets a sentence for everything that happens to watched plugins, on any thread. What the
   * listener throws is given to that thread's handler of uncaught exceptions, and ends nothing.
   */
  public final Context.Builder pluginNews(Consumer<String> listener) {
    plugins.news(listener);
    return self();
  }

  /** Adds an algorithm of this process; its class must have {@code @CollAlgorithm}. */
  public final Context.Builder algorithm(CollExecutorBase<?> executor) {
    plugins.algorithm(executor);
    return self();
  }

  /** Adds an algorithm of this process under a name. */
  public final Context.Builder algorithm(String name, CollExecutorBase<?> executor) {
    plugins.algorithm(name, executor);
    return self();
  }

  /**
   * Whether a problem with any plugin ends {@link Context.Builder#open}; else they are only listed.
   */
  public final Context.Builder strict(boolean isWanted) {
    isStrict = isWanted;
    return self();
  }

  /**
   * The engine's workers, the calling thread included; one per processor unless set.
   *
   * @throws TuttiException with {@link ErrorCode#INVALID_ARGUMENT} if it is out of range
   */
  public final Context.Builder workers(int count) {
    engine = engine.withWorkers(count);
    return self();
  }

  /**
   * The bytes of each rank's two staging buffers; 4 MiB unless set.
   *
   * @throws TuttiException with {@link ErrorCode#INVALID_ARGUMENT} if it is out of range
   */
  public final Context.Builder cclBufferSize(long bytes) {
    settings = settings.with(values -> values.cclBufferSize = bytes);
    return self();
  }

  /**
   * The longest a run may take unless a request says otherwise; 30 s unless set.
   *
   * @throws TuttiException with {@link ErrorCode#INVALID_ARGUMENT} if it is not positive
   */
  public final Context.Builder deadline(Duration longest) {
    settings = settings.with(values -> values.deadline = longest);
    return self();
  }

  /** The least reproducibility unless a request says otherwise; NONE unless set. */
  public final Context.Builder determinism(Determinism least) {
    settings = settings.with(values -> values.determinism = least);
    return self();
  }

  /**
   * The longest an executor may take to answer or to plan; 10 s unless set.
   *
   * @throws TuttiException with {@link ErrorCode#INVALID_ARGUMENT} if it is not positive
   */
  public final Context.Builder planningLimit(Duration longest) {
    settings = settings.with(values -> values.planningLimit = longest);
    return self();
  }

  /**
   * The most ranks of a group whose plans remember the author's source lines; 64 unless set.
   *
   * @throws TuttiException with {@link ErrorCode#INVALID_ARGUMENT} if it is negative
   */
  public final Context.Builder sourceLinesUpTo(int ranks) {
    settings = settings.with(values -> values.sourceLinesUpTo = ranks);
    return self();
  }

  /**
   * What the machine costs, by which algorithms are chosen; {@link MachineModel#defaults} unless
   * set.
   */
  public final Context.Builder machine(MachineModel model) {
    calibration = null;
    settings =
        settings.with(
            values -> {
              values.machine = model;
              values.machineOrigin = "given by the application";
            });
    return self();
  }

  /**
   * What the machine costs, as {@code tutti calibrate} has measured it. If it was measured on
   * another kind of machine, it is ignored, and {@link Context#ruleNotes} says so.
   *
   * @throws TuttiException with {@link ErrorCode#INVALID_RULES} or {@link ErrorCode#UNKNOWN_NAME}
   *     if the file cannot be read or is broken
   */
  public final Context.Builder machine(Path file) {
    calibration = Calibration.read(file);
    return self();
  }

  /**
   * What the network between nodes costs, by which algorithms of groups of several nodes are
   * chosen; nodes that share a network card of 200 Gbit/s unless set.
   *
   * @param file a network file as the simulator reads it; where its ranks are does not matter,
   *     because each group says where its own are
   * @throws TuttiException if the file cannot be read or is wrong
   */
  public final Context.Builder network(Path file) {
    NetworkModel model = NetworkFile.read(file);
    settings = settings.with(values -> values.network = model);
    return self();
  }

  /**
   * Rules and measurements by which algorithms are chosen; may be called several times, the first
   * rules being the strongest. Those of the environment variable {@code TUTTI_RULES} come after all
   * of them.
   */
  public final Context.Builder rules(Rules more) {
    rules = rules.then(more);
    return self();
  }

  /**
   * Keeps a record of the last operations of each group and of each rank, which {@link
   * Group#flight} shows, and times them for {@link Context#algorithmUse}. Comes before the
   * environment variable {@code TUTTI_FLIGHT}, which counts if this is not called.
   *
   * @param operations how many operations are kept, 0 to 65,536; 0 keeps none
   */
  public final Context.Builder flight(int operations) {
    flight = operations;
    return self();
  }

  /**
   * As {@link #flight}, but counts only if neither that nor the environment variable is set.
   *
   * @param operations how many operations are kept, 0 to 65,536; 0, which it is unless set, keeps
   *     none
   */
  public final Context.Builder defaultFlight(int operations) {
    defaultFlight = operations;
    return self();
  }

  /** How threads wait, and what deadlines go by; the clock and cores of the machine unless set. */
  final Context.Builder waiting(Waiting other) {
    waiting = other;
    return self();
  }

  /** Where environment variables come from; those of the process unless set. */
  final Context.Builder environment(UnaryOperator<@Nullable String> variables) {
    environment = variables;
    return self();
  }
}
