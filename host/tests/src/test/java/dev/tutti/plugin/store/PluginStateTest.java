package dev.tutti.plugin.store;

import static dev.tutti.plugin.store.Events.hash;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.plugin.store.PluginEvent.Admitted;
import dev.tutti.plugin.store.PluginEvent.Discarded;
import dev.tutti.plugin.store.PluginEvent.Pinned;
import dev.tutti.plugin.store.PluginEvent.Quarantined;
import dev.tutti.plugin.store.PluginEvent.Removed;
import dev.tutti.plugin.store.PluginEvent.RolledBack;
import dev.tutti.plugin.store.PluginEvent.Serving;
import dev.tutti.plugin.store.PluginEvent.Staged;
import dev.tutti.plugin.store.PluginEvent.Unpinned;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class PluginStateTest {

  private static final Staged V1 = new Staged("ring", "1.0", hash(1), "ring.jar", 10);
  private static final Staged V2 = new Staged("ring", "2.0", hash(2), "ring.jar", 20);
  private static final Serving SERVES_V1 = new Serving("ring", "1.0", hash(1), "ring.jar", null);
  private static final Serving SERVES_V2 = new Serving("ring", "2.0", hash(2), "ring.jar", hash(1));
  private static final RolledBack BACK =
      new RolledBack("ring", hash(2), hash(1), "1.0", "ring.jar", "3 calls failed", true);

  private static PluginFacts ring(PluginEvent... events) {
    return state(events).plugin("ring");
  }

  private static PluginState state(PluginEvent... events) {
    PluginState state = PluginState.EMPTY;
    for (PluginEvent event : events) {
      state = state.with(new JournalEntry(state.sequence() + 1, Instant.EPOCH, event));
    }
    return state;
  }

  @Test
  void knowsNothingAtFirst() {
    assertThat(ring().serving()).isEmpty();
    assertThat(ring().pinned()).isEmpty();
    assertThat(ring().contents()).isEmpty();
    assertThat(ring().history()).isEmpty();
    assertThat(PluginState.EMPTY.plugins()).isEmpty();
  }

  @Test
  void knowsWhatServesAndWhatServedBefore() {
    assertThat(ring(V1, SERVES_V1, V2, SERVES_V2).serving())
        .hasValue(new PluginFacts.Served("2.0", hash(2), "ring.jar", hash(1)));
    PluginFacts facts = ring(V1, SERVES_V1, V2, SERVES_V2);
    assertThat(facts.isKept(hash(1))).isTrue();
    assertThat(facts.isKept(hash(2))).isTrue();
    assertThat(facts.isKept(hash(3))).isFalse();
    assertThat(ring(V1, SERVES_V1, new Removed("ring", hash(1), "gone")).serving()).isEmpty();
  }

  @Test
  void excludesWhatWasRolledBack() {
    PluginFacts facts = ring(V1, SERVES_V1, V2, SERVES_V2, BACK);
    assertThat(facts.serving()).hasValue(new PluginFacts.Served("1.0", hash(1), "ring.jar", null));
    assertThat(facts.content(hash(2)).orElseThrow().rolledBack()).hasValue(BACK);
    assertThat(facts.content(hash(1)).orElseThrow().rolledBack()).isEmpty();
  }

  @Test
  void excludesUntilItServesAgainOrIsForgotten() {
    assertThat(ring(V1, V2, SERVES_V2, BACK, SERVES_V2).content(hash(2)).orElseThrow().rolledBack())
        .isEmpty();
    RolledBack forth =
        new RolledBack("ring", hash(1), hash(2), "2.0", "ring.jar", "by hand", false);
    PluginFacts turned = ring(V1, V2, SERVES_V2, BACK, forth);
    assertThat(turned.content(hash(2)).orElseThrow().rolledBack()).isEmpty();
    assertThat(turned.content(hash(1)).orElseThrow().rolledBack()).hasValue(forth);
    PluginFacts forgotten = ring(V1, V2, SERVES_V2, BACK, new Discarded("ring", hash(2)));
    assertThat(forgotten.content(hash(2))).isEmpty();
    assertThat(ring(V1, V2, SERVES_V2, BACK, new Discarded("ring", hash(2)), V2).content(hash(2)))
        .hasValueSatisfying(content -> assertThat(content.rolledBack()).isEmpty());
  }

  @Test
  void servesNothingWhenThereIsNothingToReturnTo() {
    assertThat(
            ring(V1, SERVES_V1, new RolledBack("ring", hash(1), null, "", "", "bad", true))
                .serving())
        .isEmpty();
  }

  @Test
  void remembersTheLastVerdictOfAHostVersion() {
    Quarantined bad = new Quarantined("ring", "1.0", hash(1), "a", "1.4", "TUTTI-409", "wrong");
    Content content =
        ring(V1, new Admitted("ring", "1.0", hash(1), "1.4"), bad).content(hash(1)).orElseThrow();
    assertThat(content.version()).isEqualTo("1.0");
    assertThat(content.isAdmittedBy("1.4")).isFalse();
    assertThat(content.quarantinedBy("1.4")).hasValue(bad);
    assertThat(content.quarantinedBy("1.5")).isEmpty();
    content =
        ring(V1, bad, new Admitted("ring", "1.0", hash(1), "1.5")).content(hash(1)).orElseThrow();
    assertThat(content.isAdmittedBy("1.5")).isTrue();
    assertThat(content.isAdmittedBy("1.4")).isFalse();
    assertThat(content.quarantinedBy("1.4")).isEmpty();
  }

  @Test
  void remembersThePin() {
    assertThat(ring(new Pinned("ring", "1.0"), new Pinned("ring", "2.0")).pinned()).hasValue("2.0");
    assertThat(ring(new Pinned("ring", "1.0"), new Unpinned("ring")).pinned()).isEmpty();
  }

  @Test
  void tellsTheLastEventsOfEachPluginOnly() {
    List<PluginEvent> events = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      events.add(new Pinned("ring", "1." + i));
      events.add(new Unpinned("direct"));
    }
    PluginFacts facts = ring(events.toArray(PluginEvent[]::new));
    assertThat(facts.history()).hasSize(PluginFacts.HISTORY);
    assertThat(facts.history())
        .last()
        .extracting(JournalEntry::event)
        .isEqualTo(new Pinned("ring", "1.99"));
    assertThat(facts.history()).allMatch(entry -> entry.event().plugin().equals("ring"));
  }

  @Test
  void keepsTheEntryOfWhatServesHoweverOldItIs() {
    PluginState state = state(V1, SERVES_V1, V2, SERVES_V2);
    for (int i = 0; i < 2 * PluginFacts.HISTORY; i++) {
      Pinned pinned = new Pinned("ring", "1." + i);
      state = state.with(new JournalEntry(state.sequence() + 1, Instant.EPOCH, pinned));
    }
    PluginState shortened = PluginState.of(state.entries(), state.sequence());
    assertThat(shortened.plugin("ring").serving())
        .hasValueSatisfying(served -> assertThat(served.sha256()).isEqualTo(hash(2)));
    assertThat(shortened).isEqualTo(state);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void followsFromTheEntriesThatAreKept(long seed) {
    Random random = new Random(seed);
    PluginState state = PluginState.EMPTY;
    PluginState shortened = PluginState.EMPTY;
    for (int i = 1; i <= 3000; i++) {
      PluginEvent event = Events.random(random, state);
      JournalEntry entry = new JournalEntry(i, Instant.ofEpochSecond(i), event);
      state = state.with(entry);
      shortened = shortened.with(entry);
      if (random.nextInt(10) == 0) {
        shortened = PluginState.of(shortened.entries(), shortened.sequence());
      }
      assertThat(shortened).as("after event %d: %s", i, event).isEqualTo(state);
    }
    assertThat(state.entries().size()).isLessThan(3 * PluginFacts.HISTORY + 100);
  }
}
