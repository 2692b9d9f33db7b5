package dev.tutti.plugin.live;

import dev.tutti.base.text.Sentence;
import dev.tutti.plugin.PluginInstance;
import dev.tutti.plugin.PluginProblem;
import dev.tutti.plugin.VersionOrder;
import dev.tutti.plugin.store.Content;
import dev.tutti.plugin.store.Decision;
import dev.tutti.plugin.store.PluginEvent;
import dev.tutti.plugin.store.PluginFacts;
import dev.tutti.plugin.store.PluginStore;
import dev.tutti.plugin.store.PresentJar;
import dev.tutti.plugin.store.Selection;
import dev.tutti.plugin.store.Step;
import dev.tutti.plugin.store.Steps;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Brings the served plugins in line with the state and the directory: checks unchecked jars,
 * selects, loads, records, and publishes. One such pass is a turn. Guarded by the lock of its
 * owner, except for the results of the last turn, which any thread may read.
 */
final class Reconciler {

  private final Path directory;
  private final PluginStore store;
  private final Examiner examiner;
  private final Trust trust;
  private final GenerationManager generations;
  private final Offers offers;
  private final News news;
  private final Steps steps;
  private final GenerationRecord written;
  private final Quarantine quarantine;

  /** Threads that only read do so without the lock. */
  private volatile List<PresentJar> jars = List.of();

  private List<PluginProblem> refused = List.of();

  /** Whether all jars have been read. */
  private boolean isSettled;

  /** The contents at the last completed turn. */
  private JarStaging.@Nullable Contents taken;

  /** The revision of the trusted keys at that turn. */
  private long trusted;

  /** Threads that only read do so without the lock. */
  private volatile Map<String, Decision> decisions = Map.of();

  private List<PluginProblem> problems = List.of();

  /** The plugin that was admitted before its jar was in the directory. */
  private @Nullable PluginInstance expected;

  Reconciler(
      Path directory,
      PluginStore store,
      Examiner examiner,
      Trust trust,
      GenerationManager generations,
      Offers offers,
      News news,
      Steps steps) {
    this.directory = directory;
    this.store = store;
    this.examiner = examiner;
    this.trust = trust;
    this.generations = generations;
    this.offers = offers;
    this.news = news;
    this.steps = steps;
    this.written = new GenerationRecord(store, generations, news);
    this.quarantine = new Quarantine(directory, store, trust);
  }

  /** The jars in the directory at the last turn. */
  List<PresentJar> jars() {
    return jars;
  }

  /** Whether a file was seen with a content at the last turn. */
  boolean holds(String file, String sha256) {
    return jars.stream().anyMatch(it -> it.file().equals(file) && it.sha256().equals(sha256));
  }

  /** The quarantine of this host. */
  Quarantine quarantine() {
    return quarantine;
  }

  /** The decisions of the last turn, by plugin id. */
  Map<String, Decision> decisions() {
    return decisions;
  }

  /**
   * Takes a turn with the current contents of the directory. Does nothing if they have not changed
   * since the last turn, because each turn reads the store's copies again.
   */
  void turn(JarStaging.Contents contents) {
    if (contents.equals(taken) && trusted == trust.revision()) {
      return;
    }
    jars = contents.jars();
    refused = contents.refused();
    isSettled = contents.isSettled();
    turn();
    // After the turn: a failed turn is taken again.
    taken = contents;
  }

  /** Takes a turn with the known contents of the directory if trusted signatures have changed. */
  void turnIfTrustChanged() {
    if (trusted != trust.revision()) {
      turn();
    }
  }

  /**
   * Takes an admitted plugin over if its content is in the directory at one of the next turns.
   * Otherwise the owner keeps it.
   */
  void expect(PluginInstance instance) {
    expected = instance;
  }

  void expectNothing() {
    expected = null;
  }

  private Selection selection() {
    return Selection.of(
        store.state(),
        jars,
        HostVersion.CURRENT,
        // A loaded content was read and compared with its hash, and no longer needs its copy.
        sha256 -> generations.loaded(sha256) != null || store.find(sha256).isPresent(),
        this::distrust,
        VersionOrder.INSTANCE);
  }

  /** Takes a turn after any other change. */
  void turn() {
    taken = null;
    long revision = trust.revision();
    Selection selection = selection();
    Set<String> tried = new HashSet<>();
    while (true) {
      List<String> open =
          selection.unchecked().stream().filter(sha256 -> !tried.contains(sha256)).toList();
      if (!open.isEmpty()) {
        tried.addAll(open);
        examine(open);
      } else if (loadAll(selection) && isTaken(selection)) {
        break;
      }
      selection = selection();
    }
    trusted = revision;
  }

  /** Why the signature of a content prevents it from serving; empty if it may serve. */
  String distrust(String sha256) {
    return trust.objection(sha256, generations.loaded(sha256) != null);
  }

  private void examine(List<String> contents) {
    Map<String, Subject> subjects = subjects();
    List<Examiner.Task> tasks = new ArrayList<>();
    for (String sha256 : contents) {
      Subject subject = subjects.get(sha256);
      Optional<Path> blob = store.find(sha256);
      if (subject != null && blob.isPresent()) {
        tasks.add(
            new Examiner.Task(
                subject.plugin(),
                subject.version(),
                sha256,
                blob.get(),
                directory.resolve(subject.file())));
      }
    }
    for (Examiner.Verdict verdict : verdicts(tasks)) {
      steps.passed(Step.EXAMINED);
      Examiner.Task task = verdict.task();
      String file = task.file().getFileName().toString();
      PluginInstance instance = verdict.instance();
      if (instance != null) {
        store.record(
            new PluginEvent.Admitted(
                task.plugin(), task.version(), task.sha256(), HostVersion.CURRENT));
        generations.take(task.sha256(), instance);
      } else {
        quarantine(
            task.plugin(), task.version(), task.sha256(), file, verdict.code(), verdict.report());
      }
    }
  }

  private void quarantine(
      String plugin, String version, String sha256, String file, ErrorCode code, String report) {
    store.record(
        new PluginEvent.Quarantined(
            plugin, version, sha256, file, HostVersion.CURRENT, code.id(), report));
    news.tell(
        Sentence.of(
            "%s %s (%s) is quarantined: [%s] %s",
            plugin, version, file, code.id(), Sentence.firstLine(report)));
  }

  private List<Examiner.Verdict> verdicts(List<Examiner.Task> tasks) {
    List<Examiner.Verdict> verdicts = new ArrayList<>();
    PluginInstance ready = expected;
    List<Examiner.Task> open = new ArrayList<>(tasks);
    if (ready != null && open.removeIf(task -> task.sha256().equals(ready.sha256()))) {
      Examiner.Task known =
          tasks.stream().filter(it -> !open.contains(it)).findFirst().orElseThrow();
      verdicts.add(Examiner.Verdict.admitted(known, ready.handOver()));
      expected = null;
    }
    verdicts.addAll(examiner.examine(open, served()));
    return verdicts;
  }

  /** A content with its plugin, and the file that has it, or that it represents. */
  private record Subject(String plugin, String version, String file) {}

  private Map<String, Subject> subjects() {
    Map<String, Subject> subjects = new HashMap<>();
    for (PluginFacts facts : store.state().plugins().values()) {
      facts
          .serving()
          .ifPresent(
              it ->
                  subjects.put(it.sha256(), new Subject(facts.plugin(), it.version(), it.file())));
    }
    for (PresentJar jar : jars) {
      if (!jar.plugin().isEmpty()) {
        subjects.put(jar.sha256(), new Subject(jar.plugin(), jar.version(), jar.file()));
      }
    }
    return subjects;
  }

  private List<Admission.Known> served() {
    return Examiner.served(generations.catalogues().current(), store);
  }

  /** Loads the selected contents; if one cannot be loaded, quarantines it and returns false. */
  private boolean loadAll(Selection selection) {
    for (Decision decision : selection.decisions().values()) {
      Decision.Choice choice = decision.choice().orElse(null);
      if (choice != null && !generations.reserve(choice.sha256())) {
        if (!load(decision.plugin(), choice.version(), choice.sha256(), choice.file())) {
          return false;
        }
      }
    }
    return true;
  }

  /** Serves the selection, unless another process refuses a jar, which is quarantined then. */
  private boolean isTaken(Selection selection) {
    steps.passed(Step.LOADED);
    Map<String, String> target = new TreeMap<>();
    selection
        .decisions()
        .forEach(
            (plugin, decision) ->
                decision.choice().ifPresent(choice -> target.put(plugin, choice.sha256())));
    try {
      if (isServing(target)) {
        publish(selection, target, Changeover.ALONE);
        return true;
      }
      return switch (offers.offer(selection)) {
        case Followers.Veto veto -> {
          refuse(selection, veto);
          yield false;
        }
        case Followers.Ready ready -> {
          try (Changeover changeover = ready.changeover()) {
            publish(selection, target, changeover);
          }
          yield true;
        }
      };
    } finally {
      generations.giveBack(target.values());
    }
  }

  private void refuse(Selection selection, Followers.Veto veto) {
    for (Decision decision : selection.decisions().values()) {
      Decision.Choice choice = decision.choice().orElse(null);
      if (choice != null && choice.sha256().equals(veto.content())) {
        String plugin = decision.plugin();
        quarantine(
            plugin, choice.version(), choice.sha256(), choice.file(), veto.code(), veto.report());
        return;
      }
    }
    throw new IllegalStateException("no jar offers what is refused: " + veto);
  }

  private boolean load(String plugin, String version, String sha256, String file) {
    try {
      Path blob =
          store
              .find(sha256)
              .orElseThrow(
                  () ->
                      new TuttiException(
                          ErrorCode.PLUGIN_STATE, "the store has lost its copy of it"));
      generations.take(sha256, examiner.load(blob, directory.resolve(file)));
      return true;
    } catch (TuttiException e) {
      store.record(
          new PluginEvent.Quarantined(
              plugin,
              version,
              sha256,
              file,
              HostVersion.CURRENT,
              e.code().id(),
              String.valueOf(e.getMessage())));
      news.tell(
          Sentence.of(
              "%s %s (%s) cannot be loaded any more: %s", plugin, version, file, e.getMessage()));
      return false;
    }
  }

  /** Records what will serve, and serves it. */
  private void publish(Selection selection, Map<String, String> target, Changeover changeover) {
    decisions = selection.decisions();
    decisions.values().forEach(written::goesOn);
    for (PluginFacts facts : store.state().plugins().values()) {
      if (facts.serving().isPresent() && !target.containsKey(facts.plugin())) {
        written.ends(facts, decisions.get(facts.plugin()));
      }
    }
    steps.passed(Step.RECORDED);
    boolean isSame = isServing(target);
    List<PluginProblem> present = new ArrayList<>(refused);
    present.addAll(quarantine.problems(jars));
    if (isSame && present.equals(problems)) {
      return;
    }
    problems = present;
    Set<String> toKeep = previous();
    changeover.publish(
        () -> generations.serve(target, toKeep, present).forEach(PluginJfr::swapped));
  }

  /**
   * Discards contents that are not in the directory, not loaded, and not needed for a rollback.
   * Only after all jars have been read: the facts about an unread one would be lost.
   */
  void sweep() {
    if (!isSettled) {
      return;
    }
    Set<String> inUse = generations.contents();
    jars.forEach(jar -> inUse.add(jar.sha256()));
    try {
      trust.forget(store.sweep(inUse));
    } catch (TuttiException e) {
      // Contents that are kept too long do no harm, and the next turn tries again.
      news.tell(String.valueOf(e.getMessage()));
    }
  }

  private boolean isServing(Map<String, String> target) {
    Map<String, String> now = new TreeMap<>();
    generations
        .catalogues()
        .current()
        .generations()
        .forEach(each -> now.put(each.plugin(), each.content()));
    return now.equals(target);
  }

  /** The contents to which a rollback would return. */
  private Set<String> previous() {
    Set<String> previous = new HashSet<>();
    for (PluginFacts facts : store.state().plugins().values()) {
      facts
          .serving()
          .map(PluginFacts.Served::previous)
          .filter(sha256 -> facts.content(sha256).filter(this::mayServe).isPresent())
          .ifPresent(previous::add);
    }
    return previous;
  }

  /** Whether a content is admitted, was not rolled back, and is signed if it must be. */
  boolean mayServe(Content content) {
    return content.isAdmittedBy(HostVersion.CURRENT)
        && content.rolledBack().isEmpty()
        && distrust(content.sha256()).isEmpty();
  }
}
