package dev.tutti.plugin.store;

import static dev.tutti.plugin.store.Events.HOST;
import static dev.tutti.plugin.store.Events.hash;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.host.Errors;
import dev.tutti.plugin.store.Decision.Choice;
import dev.tutti.plugin.store.PluginEvent.Admitted;
import dev.tutti.plugin.store.PluginEvent.Pinned;
import dev.tutti.plugin.store.PluginEvent.Quarantined;
import dev.tutti.plugin.store.PluginEvent.Removed;
import dev.tutti.plugin.store.PluginEvent.RolledBack;
import dev.tutti.plugin.store.PluginEvent.Serving;
import dev.tutti.plugin.store.PluginEvent.Staged;
import dev.tutti.sdk.ErrorCode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class SelectionTest {

  /** By the number, so that 10 is newer than 9; 2 and 2.0 are the same. */
  private static final Comparator<String> VERSIONS = Comparator.comparing(Double::valueOf);

  private final List<PresentJar> jars = new ArrayList<>();
  private final Set<String> lost = new HashSet<>();
  private final Set<String> unsigned = new HashSet<>();
  private PluginState state = PluginState.EMPTY;

  private void happened(PluginEvent... events) {
    for (PluginEvent event : events) {
      state = state.with(new JournalEntry(state.sequence() + 1, Instant.EPOCH, event));
    }
  }

  private void staged(int content, String version) {
    happened(new Staged("ring", version, hash(content), "x.jar", 1));
  }

  private void admitted(int content, String version) {
    staged(content, version);
    happened(new Admitted("ring", version, hash(content), HOST));
  }

  private void quarantined(int content, String version) {
    staged(content, version);
    happened(
        new Quarantined(
            "ring", version, hash(content), "x.jar", HOST, "TUTTI-409", "SEM-1: wrong\nmore"));
  }

  private void serving(int content, String version, String file) {
    happened(new Serving("ring", version, hash(content), file, null));
  }

  private void rolledBack(int from, int to, String version, String file) {
    happened(new RolledBack("ring", hash(from), hash(to), version, file, "3 calls failed", true));
  }

  private void present(String file, int content, String version) {
    present(file, content, version, 0);
  }

  private void present(String file, int content, String version, int modified) {
    jars.add(
        new PresentJar(file, hash(content), "ring", version, "", Instant.ofEpochSecond(modified)));
  }

  private void broken(String file) {
    jars.add(new PresentJar(file, hash(99), "", "", "is not a jar", Instant.EPOCH));
  }

  private Selection select() {
    return Selection.of(
        state,
        jars,
        HOST,
        sha256 -> !lost.contains(sha256),
        sha256 -> unsigned.contains(sha256) ? "is not signed" : "",
        VERSIONS);
  }

  private Decision decision() {
    Selection selection = select();
    assertThat(selection.decisions()).containsOnlyKeys("ring");
    return selection.decisions().get("ring");
  }

  private void assertChoice(String version, int content, String file, String reason) {
    assertThat(decision().choice()).hasValue(new Choice(version, hash(content), file, false));
    assertThat(decision().reason()).isEqualTo(reason);
  }

  private void assertKept(String version, int content, String file, String reason) {
    assertThat(decision().choice()).hasValue(new Choice(version, hash(content), file, true));
    assertThat(decision().reason()).isEqualTo(reason);
  }

  private void assertNothing(String reason) {
    assertThat(decision().choice()).isEmpty();
    assertThat(decision().reason()).isEqualTo(reason);
  }

  @Test
  void choosesNothingFromNothing() {
    assertThat(select().decisions()).isEmpty();
    assertThat(select().unchecked()).isEmpty();
  }

  @Test
  void choosesWhatIsAdmitted() {
    admitted(1, "1");
    present("ring.jar", 1, "1");
    assertChoice("1", 1, "ring.jar", "version 1 in ring.jar is the only one that can serve");
    assertThat(decision().rejected()).isEmpty();
  }

  @Test
  void choosesTheNewestVersionInTheOrderThatIsGiven() {
    admitted(1, "9");
    admitted(2, "10");
    present("b.jar", 1, "9", 50);
    present("a.jar", 2, "10", 1);
    assertChoice("10", 2, "a.jar", "version 10 in a.jar is the newest of 2 that can serve");
    assertThat(decision().rejected()).containsExactly("b.jar (9) is not the one chosen");
  }

  @Test
  void choosesTheLaterOfOneVersionThenTheGreaterName() {
    admitted(1, "2");
    admitted(2, "2.0");
    admitted(3, "2");
    present("c.jar", 1, "2", 1);
    present("a.jar", 2, "2.0", 5);
    present("b.jar", 3, "2", 5);
    assertChoice("2", 3, "b.jar", "version 2 in b.jar is the newest of 3 that can serve");
  }

  @Test
  void namesACopyOfWhatServes() {
    admitted(1, "1");
    present("a.jar", 1, "1");
    present("b.jar", 1, "1");
    assertThat(decision().choice()).hasValue(new Choice("1", hash(1), "b.jar", false));
    assertThat(decision().rejected()).containsExactly("a.jar has the same content as b.jar");
  }

  @Test
  void choosesNothingThatIsQuarantinedOrRolledBackOrUnchecked() {
    admitted(1, "1");
    admitted(2, "2");
    quarantined(3, "3");
    serving(2, "2", "b.jar");
    rolledBack(2, 1, "1", "a.jar");
    present("a.jar", 1, "1");
    present("b.jar", 2, "2");
    present("c.jar", 3, "3");
    present("d.jar", 4, "4");
    jars.add(new PresentJar("e.jar", "", "ring", "5", "", Instant.EPOCH));
    assertChoice("1", 1, "a.jar", "version 1 in a.jar took over again when 2 was rolled back");
    assertThat(decision().rejected())
        .containsExactly(
            "b.jar (2) was rolled back: 3 calls failed",
            "c.jar (3) is quarantined (TUTTI-409): SEM-1: wrong",
            "d.jar (4) is still to be checked",
            "e.jar (5) is still to be read");
    assertThat(select().unchecked()).containsExactly(hash(4));
  }

  @Test
  void saysWhenNothingCanServe() {
    quarantined(1, "1");
    present("a.jar", 1, "1");
    assertNothing("no version of it can serve");
    assertThat(decision().rejected())
        .containsExactly("a.jar (1) is quarantined (TUTTI-409): SEM-1: wrong");
  }

  @Test
  void forgetsVerdictsOfOtherHostVersions() {
    staged(1, "1");
    staged(2, "2");
    happened(new Admitted("ring", "1", hash(1), "1.3"));
    happened(new Quarantined("ring", "2", hash(2), "b.jar", "1.3", "TUTTI-409", "wrong"));
    present("a.jar", 1, "1");
    present("b.jar", 2, "2");
    assertNothing("no version of it can serve");
    assertThat(select().unchecked()).containsExactly(hash(1), hash(2));
    assertThat(decision().rejected())
        .containsExactly(
            "a.jar (1) is still to be checked by host 1.4.0",
            "b.jar (2) is still to be checked by host 1.4.0");
  }

  @Test
  void checksAgainWhatTheStoreHasLost() {
    admitted(1, "1");
    present("a.jar", 1, "1");
    lost.add(hash(1));
    assertNothing("no version of it can serve");
    assertThat(select().unchecked()).containsExactly(hash(1));
  }

  @Test
  void keepsWhatServesWhenItsFileGetsBroken() {
    admitted(1, "1");
    serving(1, "1", "ring.jar");
    broken("ring.jar");
    assertKept(
        "1",
        1,
        "ring.jar",
        "version 1 still serves from the store, because its file cannot replace it: ring.jar is not"
            + " a jar");
  }

  @Test
  void keepsWhatServesWhenItsFileIsQuarantinedOrUncheckedOrRolledBack() {
    admitted(1, "1");
    serving(1, "1", "ring.jar");
    present("ring.jar", 2, "2");
    String reason =
        "version 1 still serves from the store, because its file cannot replace it: ring.jar (2) ";
    assertKept("1", 1, "ring.jar", reason + "is still to be checked");
    assertThat(select().unchecked()).containsExactly(hash(2));
    quarantined(2, "2");
    assertKept("1", 1, "ring.jar", reason + "is quarantined (TUTTI-409): SEM-1: wrong");
    happened(new Admitted("ring", "2", hash(2), HOST));
    serving(2, "2", "ring.jar");
    assertThat(decision().choice()).hasValue(new Choice("2", hash(2), "ring.jar", false));
    rolledBack(2, 1, "1", "ring.jar");
    assertKept("1", 1, "ring.jar", reason + "was rolled back: 3 calls failed");
  }

  @Test
  void changesToAnOlderVersionThatWasWrittenOverANewerOne() {
    admitted(1, "1");
    admitted(2, "2");
    serving(2, "2", "ring.jar");
    present("ring.jar", 1, "1");
    assertChoice("1", 1, "ring.jar", "version 1 in ring.jar is the only one that can serve");
  }

  @Test
  void prefersANewerVersionToOneThatIsKept() {
    admitted(1, "1");
    admitted(2, "2");
    serving(1, "1", "ring.jar");
    broken("ring.jar");
    present("other.jar", 2, "2");
    assertThat(decision().choice()).hasValue(new Choice("2", hash(2), "other.jar", false));
  }

  @Test
  void doesNotLetABrokenFileExchangeContentsOfOneVersion() {
    admitted(1, "1");
    admitted(2, "1");
    serving(1, "1", "ring.jar");
    broken("ring.jar");
    present("z.jar", 2, "1", 1000);
    assertThat(decision().choice()).hasValue(new Choice("1", hash(1), "ring.jar", true));
    assertThat(decision().rejected()).containsExactly("z.jar (1) is not the one chosen");
  }

  @Test
  void endsWhatServesWithItsFile() {
    admitted(1, "1");
    admitted(2, "2");
    serving(2, "2", "b.jar");
    assertNothing("no version of it can serve");
    present("a.jar", 1, "1");
    assertThat(decision().choice()).hasValue(new Choice("1", hash(1), "a.jar", false));
  }

  @Test
  void followsAFileThatWasRenamed() {
    admitted(1, "1");
    serving(1, "1", "a.jar");
    present("b.jar", 1, "1");
    assertThat(decision().choice()).hasValue(new Choice("1", hash(1), "b.jar", false));
  }

  @Test
  void endsWhatServesWhenItsFileBelongsToAnotherPlugin() {
    admitted(1, "1");
    serving(1, "1", "ring.jar");
    happened(new Staged("tree", "1", hash(7), "ring.jar", 1));
    jars.add(new PresentJar("ring.jar", hash(7), "tree", "1", "", Instant.EPOCH));
    Selection unchecked = select();
    assertThat(unchecked.decisions().get("ring").choice()).isPresent();
    assertThat(unchecked.decisions().get("tree").choice()).isEmpty();
    happened(new Admitted("tree", "1", hash(7), HOST));
    assertThat(select().decisions().get("ring").choice()).isEmpty();
    assertThat(select().decisions().get("tree").choice()).isPresent();
  }

  @Test
  void keepsNothingThatMayNotServe() {
    quarantined(1, "1");
    serving(1, "1", "ring.jar");
    broken("ring.jar");
    assertNothing("no version of it can serve");
    staged(2, "2");
    serving(2, "2", "ring.jar");
    assertNothing("no version of it can serve");
    assertThat(select().unchecked()).containsExactly(hash(2));
  }

  @Test
  void prefersThePinnedVersionToNewerOnes() {
    admitted(1, "1");
    admitted(2, "2");
    present("a.jar", 1, "1");
    present("b.jar", 2, "2");
    happened(new Pinned("ring", "1"));
    assertChoice("1", 1, "a.jar", "it is pinned to version 1");
  }

  @Test
  void keepsWhatServesWhenThePinnedVersionIsNotThere() {
    admitted(1, "1");
    admitted(2, "2");
    present("a.jar", 1, "1");
    present("b.jar", 2, "2");
    serving(1, "1", "a.jar");
    happened(new Pinned("ring", "3"));
    assertChoice(
        "1",
        1,
        "a.jar",
        "version 1 still serves, because it is pinned to version 3, and the plugins directory has only"
            + " 1, 2");
  }

  @Test
  void keepsWhatServesWhenThePinnedVersionIsQuarantined() {
    admitted(1, "1");
    quarantined(3, "3");
    present("a.jar", 1, "1");
    present("c.jar", 3, "3");
    serving(1, "1", "a.jar");
    happened(new Pinned("ring", "3"));
    assertChoice(
        "1",
        1,
        "a.jar",
        "version 1 still serves, because it is pinned to version 3, and c.jar (3) is quarantined"
            + " (TUTTI-409): SEM-1: wrong");
  }

  @Test
  void keepsThePinnedVersionWhenItsFileIsUpgraded() {
    admitted(1, "1");
    admitted(2, "2");
    serving(1, "1", "ring.jar");
    happened(new Pinned("ring", "1"));
    present("ring.jar", 2, "2");
    assertKept(
        "1",
        1,
        "ring.jar",
        "it is pinned to version 1, which still serves from the store although ring.jar holds"
            + " something else");
  }

  @Test
  void changesToNoOtherVersionThanThePinnedOne() {
    admitted(1, "1");
    admitted(2, "2");
    serving(1, "1", "a.jar");
    happened(new Pinned("ring", "1"));
    assertNothing("it is pinned to version 1, and no version of it is in the plugins directory");
    present("b.jar", 2, "2");
    assertNothing("it is pinned to version 1, and the plugins directory has only 2");
    assertThat(decision().rejected()).containsExactly("b.jar (2) is not the one chosen");
  }

  @Test
  void saysThatAPinnedPluginIsGone() {
    admitted(1, "1");
    serving(1, "1", "a.jar");
    happened(new Removed("ring", hash(1), "gone"));
    assertThat(select().decisions()).isEmpty();
    happened(new Pinned("ring", "1"));
    assertNothing("it is pinned to version 1, and no version of it is in the plugins directory");
  }

  @Test
  void hasNoDecisionAboutJarsWithoutAnId() {
    broken("a.jar");
    assertThat(select().decisions()).isEmpty();
  }

  @Test
  void refusesTwoJarsOfOneName() {
    broken("a.jar");
    broken("a.jar");
    assertThat(Errors.message(ErrorCode.INVALID_ARGUMENT, this::select))
        .isEqualTo("two jars have the file name 'a.jar'");
  }

  @Test
  void namesAreOfAnyScript() {
    happened(
        new Staged("ring", "1", hash(1), "環.jar", 1), new Admitted("ring", "1", hash(1), HOST));
    present("環.jar", 1, "1");
    assertThat(decision().choice().map(Choice::file)).isEqualTo(Optional.of("環.jar"));
  }

  @Test
  void whatSomebodyObjectsToNeitherServesNorGoesOnNorIsChecked() {
    admitted(1, "1");
    serving(1, "1", "ring.jar");
    unsigned.add(hash(1));
    present("ring.jar", 1, "1");
    assertNothing("no version of it can serve: ring.jar (1) is not signed");

    jars.clear();
    broken("ring.jar");
    assertNothing(
        "no version of it can serve: the version that served (1), which only the store has, is not"
            + " signed");

    jars.clear();
    unsigned.add(hash(2));
    present("b.jar", 2, "2");
    assertThat(select().unchecked()).isEmpty();
  }
}
