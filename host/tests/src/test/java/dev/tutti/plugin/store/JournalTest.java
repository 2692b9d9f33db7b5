package dev.tutti.plugin.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.host.Errors;
import dev.tutti.plugin.store.PluginEvent.Pinned;
import dev.tutti.plugin.store.PluginEvent.Quarantined;
import dev.tutti.plugin.store.PluginEvent.Unpinned;
import dev.tutti.sdk.ErrorCode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

final class JournalTest {

  private static final String WHAT_TO_DO =
      "; put a copy of the file in its place, or move it away to begin without history: pins and"
          + " rollbacks are then forgotten, and every plugin is checked again";

  @TempDir private Path directory;

  private Path file() {
    return directory.resolve("journal.jsonl");
  }

  private Journal.Opened open() {
    return Journal.open(file(), Events.clock(), Steps.NONE);
  }

  private List<JournalEntry> read() {
    Journal.Opened opened = open();
    opened.journal().close();
    return opened.entries();
  }

  private List<JournalEntry> write(List<? extends PluginEvent> events) {
    try (Journal journal = open().journal()) {
      return events.stream().map(journal::append).toList();
    }
  }

  @Test
  void givesBackEveryKindOfEvent() {
    List<PluginEvent> events = Events.each();
    assertThat(events.stream().map(Object::getClass).distinct())
        .containsExactlyInAnyOrder(PluginEvent.class.getPermittedSubclasses());
    List<JournalEntry> written = write(events);
    assertThat(written).extracting(JournalEntry::event).isEqualTo(events);
    assertThat(written).extracting(JournalEntry::sequence).startsWith(1L, 2L, 3L);
    assertThat(read()).isEqualTo(written);
  }

  @Test
  void givesBackTextsOfAllScripts() {
    List<JournalEntry> written =
        write(Events.TEXTS.stream().map(text -> new Pinned("ring", text)).toList());
    assertThat(read()).isEqualTo(written);
  }

  @Test
  void hasOneReadableLineForEachEvent() throws IOException {
    write(List.of(new Pinned("ring", "環 2")));
    assertThat(Files.readString(file()))
        .isEqualTo(
            """
            {"journal":1,"seq":0,"kept":0,"sum":"5ba4fb11"}
            {"seq":1,"time":"2026-01-01T00:00:00.000000001Z","event":"pinned","plugin":"ring",\
            "version":"環 2","sum":"fc3d3459"}
            """);
  }

  @Test
  void goesOnWhereItEnded() {
    List<JournalEntry> first = write(List.of(new Unpinned("a"), new Unpinned("b")));
    List<JournalEntry> second = write(List.of(new Unpinned("c")));
    assertThat(second).extracting(JournalEntry::sequence).containsExactly(3L);
    assertThat(read()).containsExactly(first.get(0), first.get(1), second.get(0));
  }

  @Test
  void cutsALongReportAndSaysSo() {
    String report = "x".repeat(100_000);
    JournalEntry written =
        write(List.of(new Quarantined("a", "1", Events.hash(1), "a", "1", "c", report))).getFirst();
    Quarantined event = (Quarantined) written.event();
    assertThat(event.report())
        .hasSize(Texts.MAX_LENGTH)
        .endsWith(" … (cut from 100000 characters)");
    assertThat(read()).containsExactly(written);
  }

  @Test
  void leavesOutALineTornAtAnyByte() throws IOException {
    List<JournalEntry> entries = write(Events.each().subList(4, 9));
    byte[] whole = Files.readAllBytes(file());
    int header = Files.readAllLines(file()).getFirst().length() + 1;
    int lines = 0;
    for (int length = whole.length - 1; length >= header; length--) {
      lines += whole[length] == '\n' ? 1 : 0;
      JournalText text = JournalText.read(file(), Arrays.copyOf(whole, length));
      assertThat(text.entries()).isEqualTo(entries.subList(0, entries.size() - lines));
      assertThat(text.soundBytes()).isEqualTo(lastLine(whole, length));
      assertThat(text.tornBytes()).isEqualTo(length - lastLine(whole, length));
    }
    assertThat(lines).isEqualTo(entries.size());
  }

  @Test
  void cutsOffATornLineAndGoesOn() throws IOException {
    List<JournalEntry> entries = write(Events.each());
    byte[] whole = Files.readAllBytes(file());
    for (int torn = 1; torn < 100; torn += 7) {
      Files.write(file(), Arrays.copyOf(whole, whole.length - torn));
      JournalEntry next = write(List.of(new Unpinned("next"))).getFirst();
      assertThat(next.sequence()).isEqualTo(entries.size());
      assertThat(read()).startsWith(entries.getFirst()).hasSize(entries.size()).endsWith(next);
    }
  }

  /** The end of the last complete line of a prefix. */
  private static int lastLine(byte[] bytes, int length) {
    int end = length;
    while (bytes[end - 1] != '\n') {
      end--;
    }
    return end;
  }

  @Test
  void cutsOffBlocksThatWereNeverWritten() throws IOException {
    List<JournalEntry> entries = write(Events.each());
    byte[] whole = Files.readAllBytes(file());
    Files.write(file(), Arrays.copyOf(whole, whole.length + 5000));
    assertThat(read()).isEqualTo(entries);
    assertThat(file()).hasBinaryContent(whole);
  }

  @Test
  void noticesEveryChangedByte() throws IOException {
    write(Events.each().subList(4, 9));
    byte[] whole = Files.readAllBytes(file());
    Random random = new Random(5);
    int line = 1;
    for (int i = 0; i < whole.length; i++) {
      byte[] changed = whole.clone();
      changed[i] ^= (byte) (1 + random.nextInt(255));
      assertThat(Errors.message(ErrorCode.PLUGIN_STATE, () -> JournalText.read(file(), changed)))
          .as("byte %d", i)
          .matches("line (%d|%d) of .* is damaged: .*".formatted(line, line + 1));
      changed[i] = whole[i] == '\n' ? (byte) ' ' : (byte) '\n';
      Errors.message(ErrorCode.PLUGIN_STATE, () -> JournalText.read(file(), changed));
      line += whole[i] == '\n' ? 1 : 0;
    }
  }

  @Test
  void noticesLinesThatAreMissingDoubledOrExchanged() throws IOException {
    write(Events.each());
    List<String> lines = Files.readAllLines(file());
    for (int i = 1; i < lines.size() - 1; i++) {
      List<String> missing = new ArrayList<>(lines);
      missing.remove(i);
      Files.write(file(), missing);
      assertThat(Errors.message(ErrorCode.PLUGIN_STATE, this::open))
          .isEqualTo(
              "line %d of %s is damaged: its number must be %d. Actual: %d" + WHAT_TO_DO,
              i + 1,
              file(),
              i,
              i + 1);
      List<String> doubled = new ArrayList<>(lines);
      doubled.add(i, lines.get(i));
      Files.write(file(), doubled);
      Errors.message(ErrorCode.PLUGIN_STATE, this::open);
      Collections.swap(doubled, i + 1, i + 2);
      doubled.remove(i);
      Files.write(file(), doubled);
      Errors.message(ErrorCode.PLUGIN_STATE, this::open);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "event 'pinned'|event 'flown'|this host does not know the event 'flown'",
        "version'|color'|the line must have a field 'version'",
        "event|extra':1,'event|unknown field of the line 'extra' (known: event, plugin, seq,"
            + " sum, time, version)",
        "version':'2'|version':2|'version' must be a string. Actual: 2",
        "time':'|time':'on |'time' must be like 2026-01-31T12:00:00Z. Actual: on"
            + "2026-01-01T00:00:00.000000001Z",
        "seq':1|seq':1.5|'seq' must be a whole number. Actual: 1.5",
      })
  void saysWhatANewerHostWrote(String part, String other, String problem) throws IOException {
    write(List.of(new Pinned("ring", "2")));
    String text = Files.readString(file());
    String line = text.lines().toList().get(1);
    String open = line.substring(0, line.indexOf(",\"sum\"")) + "}";
    String changed =
        open.replace(
            part.replace(" '", "':'").replace('\'', '"'),
            other.replace("event '", "event':'").replace('\'', '"'));
    assertThat(changed).isNotEqualTo(open);
    Files.write(
        file(),
        (text.lines().findFirst().orElseThrow()
                + "\n"
                + new String(Seal.put(changed), StandardCharsets.UTF_8))
            .getBytes(StandardCharsets.UTF_8));
    assertThat(Errors.message(ErrorCode.PLUGIN_STATE, this::open))
        .isEqualTo(
            "line 2 of %s was written by another version of the host: %s; start that version, or"
                + " move the file away to begin without history",
            file(), problem);
  }

  @Test
  void saysThatItsFormatIsNewer() throws IOException {
    Files.write(file(), Seal.put("{\"journal\":2}"));
    assertThat(Errors.message(ErrorCode.PLUGIN_STATE, this::open))
        .contains("line 1 of " + file())
        .contains("it has format 2, this host reads format 1");
  }

  @Test
  void isNotBegunAnewWhenItIsEmpty() throws IOException {
    Files.write(file(), new byte[0]);
    assertThat(Errors.message(ErrorCode.PLUGIN_STATE, this::open))
        .isEqualTo("line 1 of " + file() + " is damaged: it has no first line" + WHAT_TO_DO);
  }

  @Test
  void keepsChosenEntriesAndTheirNumbersWhenItIsRewritten() throws IOException {
    List<JournalEntry> entries = write(Events.each());
    List<JournalEntry> kept = List.of(entries.get(1), entries.get(4), entries.get(5));
    Journal.Opened opened = open();
    JournalEntry next;
    try (Journal journal = opened.journal()) {
      journal.rewrite(kept);
      next = journal.append(new Unpinned("next"));
    }
    assertThat(next.sequence()).isEqualTo(entries.size() + 1);
    assertThat(read()).containsExactly(kept.get(0), kept.get(1), kept.get(2), next);
    assertThat(directory).isDirectoryNotContaining("glob:**.tmp");
    if (Durable.hasPermissions(file())) {
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file())))
          .isEqualTo("rw-------");
    }

    List<String> lines = Files.readAllLines(file());
    Files.write(file(), lines.subList(0, 3));
    assertThat(Errors.message(ErrorCode.PLUGIN_STATE, this::open))
        .contains("it ends after 2 of 3 kept entries");
    Files.write(file(), List.of(lines.get(0), lines.get(2), lines.get(1), lines.get(3)));
    assertThat(Errors.message(ErrorCode.PLUGIN_STATE, this::open))
        .contains("line 3 of")
        .contains("its number 2 is not between 6 and 16");
  }

  @Test
  void remembersItsNumberWhenNothingIsKept() {
    write(Events.each());
    try (Journal journal = open().journal()) {
      journal.rewrite(List.of());
    }
    assertThat(read()).isEmpty();
    assertThat(write(List.of(new Unpinned("next"))).getFirst().sequence()).isEqualTo(17);
  }

  private Journal failing(Step where) {
    return Journal.open(
            file(),
            Events.clock(),
            step -> {
              if (step == where && Files.exists(directory.resolve("full"))) {
                throw new IOException("No space left on device");
              }
            })
        .journal();
  }

  @ParameterizedTest
  @EnumSource(names = {"APPEND_STARTED", "APPEND_WRITTEN", "APPEND_SYNCED"})
  void takesALineBackThatCannotBeWritten(Step where) throws IOException {
    try (Journal journal = failing(where)) {
      journal.append(new Unpinned("a"));
      Files.createFile(directory.resolve("full"));
      assertThat(Errors.message(ErrorCode.PLUGIN_STATE, () -> journal.append(new Unpinned("b"))))
          .startsWith("%s cannot be written (its disk is full, with ".formatted(file()))
          .endsWith("MiB left: make room); check its disk and its permissions");
      Files.delete(directory.resolve("full"));
      assertThat(journal.append(new Unpinned("c")).sequence()).isEqualTo(2);
    }
    assertThat(read())
        .extracting(JournalEntry::event)
        .containsExactly(new Unpinned("a"), new Unpinned("c"));
  }

  @ParameterizedTest
  @EnumSource(names = {"REWRITE_STARTED", "REWRITE_WRITING", "REWRITE_SYNCED", "REWRITE_NAMED"})
  void goesOnWhenItCannotBeRewritten(Step where) throws IOException {
    try (Journal journal = failing(where)) {
      JournalEntry first = journal.append(new Unpinned("a"));
      Files.createFile(directory.resolve("full"));
      Errors.message(ErrorCode.PLUGIN_STATE, () -> journal.rewrite(List.of(first)));
      journal.append(new Unpinned("b"));
    }
    assertThat(read())
        .extracting(JournalEntry::event)
        .containsExactly(new Unpinned("a"), new Unpinned("b"));
    assertThat(directory).isDirectoryNotContaining("glob:**.tmp");
  }

  @Test
  void recordsWhenItsThreadIsInterrupted() {
    Thread.currentThread().interrupt();
    List<JournalEntry> written = write(List.of(new Unpinned("a"), new Unpinned("b")));
    assertThat(Thread.interrupted()).isTrue();
    assertThat(read()).isEqualTo(written);
  }

  @Test
  void refusesToGoOnWhenItsFileIsGone() throws IOException {
    try (Journal journal = open().journal()) {
      Files.delete(file());
      assertThat(Errors.message(ErrorCode.PLUGIN_STATE, () -> journal.append(new Unpinned("a"))))
          .isEqualTo(
              file() + " was deleted while the host is running; put it back or restart the host");
    }
  }
}
