package dev.tutti.plugin.store;

import static dev.tutti.plugin.store.Events.HOST;
import static dev.tutti.plugin.store.Events.hash;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.plugin.store.Decision.Choice;
import dev.tutti.plugin.store.PluginEvent.Admitted;
import dev.tutti.plugin.store.PluginEvent.Pinned;
import dev.tutti.plugin.store.PluginEvent.Quarantined;
import dev.tutti.plugin.store.PluginEvent.RolledBack;
import dev.tutti.plugin.store.PluginEvent.Serving;
import dev.tutti.plugin.store.PluginEvent.Staged;
import dev.tutti.plugin.store.PluginEvent.Unpinned;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Properties of every selection, on random states and directories of two plugins. */
final class SelectionPropertiesTest {

  private static final int CASES = 3000;
  private static final Comparator<String> VERSIONS = Comparator.comparing(Integer::valueOf);

  private Random random = new Random(0);
  private PluginState state = PluginState.EMPTY;
  private List<PresentJar> jars = List.of();
  private Predicate<String> isStored = sha256 -> true;

  private Selection select(List<PresentJar> listed) {
    return Selection.of(state, listed, HOST, isStored, _ -> "", VERSIONS);
  }

  /** Content 0 to 5 is of ring, 6 to 11 of tree; two contents have the same version. */
  private static String plugin(int content) {
    return content < 6 ? "ring" : "tree";
  }

  private static String version(int content) {
    return String.valueOf(content % 6 / 2);
  }

  private void randomCase() {
    state = PluginState.EMPTY;
    for (int i = random.nextInt(20); i > 0; i--) {
      state = state.with(new JournalEntry(state.sequence() + 1, Instant.EPOCH, randomEvent()));
    }
    jars = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      int content = random.nextInt(13);
      String file = "file" + i + ".jar";
      Instant modified = Instant.ofEpochSecond(random.nextInt(3));
      if (content == 12) {
        jars.add(new PresentJar(file, hash(99), "", "", "is not a jar", modified));
      } else if (random.nextInt(3) > 0) {
        jars.add(
            new PresentJar(file, hash(content), plugin(content), version(content), "", modified));
      }
    }
    String lost = hash(random.nextInt(40));
    isStored = sha256 -> !sha256.equals(lost);
  }

  private PluginEvent randomEvent() {
    int content = random.nextInt(12);
    String plugin = plugin(content);
    String version = version(content);
    String sha256 = hash(content);
    String file = "file" + random.nextInt(4) + ".jar";
    String host = random.nextInt(4) == 0 ? "1.3.0" : HOST;
    boolean isKnown = state.plugin(plugin).content(sha256).isPresent();
    return switch (isKnown ? random.nextInt(8) : 0) {
      case 0 -> new Staged(plugin, version, sha256, file, 1);
      case 1, 2, 3 -> new Admitted(plugin, version, sha256, host);
      case 4 -> new Quarantined(plugin, version, sha256, file, host, "TUTTI-409", "wrong");
      case 5 -> new Serving(plugin, version, sha256, file, null);
      case 6 ->
          random.nextBoolean()
              ? new RolledBack(plugin, sha256, null, "", "", "bad", true)
              : new Pinned(plugin, version);
      default -> new Unpinned(plugin);
    };
  }

  private interface Property {
    void check(Decision decision, PluginFacts facts);
  }

  private void everywhere(long seed, Property property) {
    random = new Random(seed);
    for (int i = 0; i < CASES; i++) {
      randomCase();
      select(jars)
          .decisions()
          .values()
          .forEach(decision -> property.check(decision, state.plugin(decision.plugin())));
    }
  }

  private boolean isFit(PluginFacts facts, String sha256) {
    return isStored.test(sha256)
        && facts
            .content(sha256)
            .filter(it -> it.isAdmittedBy(HOST) && it.rolledBack().isEmpty())
            .isPresent();
  }

  private boolean isFit(PresentJar jar) {
    return jar.problem().isEmpty() && isFit(state.plugin(jar.plugin()), jar.sha256());
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2})
  void theOrderOfTheListingDoesNotMatter(long seed) {
    random = new Random(seed);
    for (int i = 0; i < CASES; i++) {
      randomCase();
      Selection selection = select(jars);
      List<PresentJar> shuffled = new ArrayList<>(jars);
      Collections.shuffle(shuffled, random);
      assertThat(select(shuffled)).isEqualTo(selection);
    }
  }

  @Test
  void onlyWhatIsAdmittedAndNotRolledBackServes() {
    everywhere(
        3,
        (decision, facts) ->
            decision
                .choice()
                .ifPresent(choice -> assertThat(isFit(facts, choice.sha256())).isTrue()));
  }

  @Test
  void whatServesIsInItsFileOrServedFromItBefore() {
    everywhere(
        4,
        (decision, facts) ->
            decision.choice().ifPresent(choice -> assertOrigin(choice, decision, facts)));
  }

  private void assertOrigin(Choice choice, Decision decision, PluginFacts facts) {
    PresentJar jar =
        jars.stream().filter(it -> it.file().equals(choice.file())).findAny().orElseThrow();
    assertThat(jar.sha256().equals(choice.sha256())).isEqualTo(!choice.isKept());
    if (choice.isKept()) {
      assertThat(facts.serving().orElseThrow().sha256()).isEqualTo(choice.sha256());
      assertThat(facts.serving().orElseThrow().file()).isEqualTo(choice.file());
    } else {
      assertThat(jar.plugin()).isEqualTo(decision.plugin());
    }
  }

  @Test
  void withoutAPinNoFitJarIsNewerThanWhatServes() {
    everywhere(
        5,
        (decision, facts) -> {
          if (facts.pinned().isEmpty()) {
            assertThat(
                    jars.stream()
                        .filter(jar -> jar.plugin().equals(decision.plugin()) && isFit(jar))
                        .filter(jar -> isNewer(jar, decision.choice())))
                .isEmpty();
          }
        });
  }

  private static boolean isNewer(PresentJar jar, Optional<Choice> choice) {
    return choice.isEmpty() || VERSIONS.compare(jar.version(), choice.get().version()) > 0;
  }

  @Test
  void withAPinItsVersionServesOrWhatServedAlready() {
    everywhere(
        6,
        (decision, facts) ->
            facts
                .pinned()
                .ifPresent(
                    pin ->
                        decision
                            .choice()
                            .filter(choice -> !choice.version().equals(pin))
                            .ifPresent(
                                choice ->
                                    assertThat(facts.serving().orElseThrow().sha256())
                                        .isEqualTo(choice.sha256()))));
  }

  @Test
  void everyOtherJarIsRejectedWithAReason() {
    everywhere(
        7,
        (decision, facts) -> {
          long own = jars.stream().filter(jar -> jar.plugin().equals(decision.plugin())).count();
          boolean isOwnChosen = decision.choice().filter(it -> !it.isKept()).isPresent();
          assertThat(decision.rejected()).hasSize((int) own - (isOwnChosen ? 1 : 0));
        });
  }

  @ParameterizedTest
  @ValueSource(longs = {8, 9})
  void servingWhatWasSelectedChangesNothing(long seed) {
    random = new Random(seed);
    for (int i = 0; i < CASES; i++) {
      randomCase();
      Selection before = select(jars);
      for (Decision decision : before.decisions().values()) {
        decision.choice().ifPresent(choice -> serve(decision.plugin(), choice));
      }
      for (Decision after : select(jars).decisions().values()) {
        assertThat(after.choice()).isEqualTo(before.decisions().get(after.plugin()).choice());
      }
    }
  }

  private void serve(String plugin, Choice choice) {
    Serving event = new Serving(plugin, choice.version(), choice.sha256(), choice.file(), null);
    state = state.with(new JournalEntry(state.sequence() + 1, Instant.EPOCH, event));
  }
}
