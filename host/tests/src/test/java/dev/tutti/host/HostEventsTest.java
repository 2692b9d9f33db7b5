package dev.tutti.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.host.watch.HostEvents;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.ReduceOp;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.ValueDescriptor;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The events of operations and their phases. */
@Timeout(600)
final class HostEventsTest {

  private static final int RANKS = 2;
  private static final String ALL_REDUCE = "allreduce of 4 float32, sum";

  @TempDir private Path directory;
  private List<RecordedEvent> events;

  private void record(Runnable work) throws Exception {
    Path file = directory.resolve("flight.jfr");
    HostEvents.install();
    try (Recording recording = new Recording()) {
      recording.start();
      assertThat(HostEvents.areWanted()).isTrue();
      work.run();
      recording.dump(file);
    }
    assertThat(HostEvents.areWanted()).isFalse();
    events =
        RecordingFile.readAllEvents(file).stream()
            .filter(event -> event.getEventType().getName().startsWith("dev.tutti."))
            .toList();
  }

  private List<RecordedEvent> of(String type) {
    return events.stream()
        .filter(event -> event.getEventType().getName().equals("dev.tutti." + type))
        .toList();
  }

  @Test
  void requestsCapturesAndRanksAreSeenPhaseByPhase() throws Exception {
    record(HostEventsTest::work);

    for (String phase : List.of("Choose", "Record", "Compile", "Bind", "Run")) {
      assertThat(of(phase))
          .as(phase)
          .anySatisfy(
              event -> {
                assertThat(event.getString("operation")).isEqualTo("allreduce");
                assertThat(event.getString("call")).isEqualTo(ALL_REDUCE);
                assertThat(event.getString("dataType")).isEqualTo("float32");
                assertThat(event.getLong("bytes")).isEqualTo(16);
                assertThat(event.getInt("ranks")).isEqualTo(RANKS);
                assertThat(event.getLong("group")).isEqualTo(1);
                assertThat(event.getString("algorithm")).endsWith(":pull");
                assertThat(event.getString("plugin")).isNotEmpty();
                assertThat(event.getString("version")).isNotNull();
                assertThat(event.getString("outcome")).isEqualTo("done");
              });
    }
    assertThat(of("Run"))
        .extracting(event -> event.getString("call"))
        .contains("capture of 2 operations");
    assertThat(of("RankCall"))
        .extracting(event -> event.getInt("rank") + " " + event.getString("outcome"))
        .containsExactlyInAnyOrder("0 done", "1 done", "0 TUTTI-310");
    assertThat(of("Wait"))
        .anySatisfy(
            event -> {
              assertThat(event.getInt("rank")).isZero();
              assertThat(event.getInt("lastRank")).isEqualTo(1);
              assertThat(event.getLong("forRanks")).isPositive();
              assertThat(event.getString("algorithm")).endsWith(":pull");
            })
        .allSatisfy(event -> assertThat(event.getString("call")).isEqualTo(ALL_REDUCE))
        .noneMatch(event -> event.getInt("rank") == 1);
  }

  private static void work() {
    try (Context context = SampleAlgorithms.context();
        Group group = context.createGroup(RANKS);
        Arena arena = Arena.ofShared()) {
      MemorySegment[] inputs = Floats.filled(arena, RANKS, 4);
      MemorySegment[] outputs = Floats.zeros(arena, RANKS, 4);
      RequestBuilder builder = group.allReduce(inputs, outputs, DataType.FLOAT32, ReduceOp.SUM);
      builder.run();
      try (Captured captured =
          group.capture(
              () -> {
                builder.run();
                group.barrier().run();
              })) {
        captured.run();
      }
      RankRequest[] requests = new RankRequest[RANKS];
      for (int rank = 0; rank < RANKS; rank++) {
        requests[rank] =
            group
                .rank(rank)
                .requests()
                .allReduce(inputs[rank], outputs[rank], DataType.FLOAT32, ReduceOp.SUM);
      }
      requests[0].start();
      requests[1].start().await();
      requests[0].await();
      requests[0].start().cancel();
      Errors.message(ErrorCode.CANCELLED, requests[0]::await);
    }
  }

  @Test
  void everyFieldSaysWhatItIs() throws Exception {
    record(HostEventsTest::work);

    assertThat(events).isNotEmpty();
    for (RecordedEvent event : events) {
      assertThat(event.getEventType().getCategoryNames()).startsWith("Tutti");
      assertThat(event.getEventType().getLabel()).isNotEmpty();
      for (ValueDescriptor field : event.getFields()) {
        assertThat(field.getLabel()).as(field.getName()).isNotEmpty();
      }
    }
  }
}
