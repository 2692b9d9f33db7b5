package dev.tutti.host.rank;

import dev.tutti.host.job.BodyReader;
import dev.tutti.host.job.BodyWriter;
import dev.tutti.host.job.MemoryWindows;
import dev.tutti.host.job.MemoryWindows.Place;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Where a rank's memories for plans are.
 *
 * @param places by column; null where it has none
 */
record PlanMemories(@Nullable Place[] places) {

  /** The memories of the rank of this process. */
  static PlanMemories of(@Nullable MemorySegment[] present, MemoryWindows windows) {
    @Nullable Place[] places = new Place[present.length];
    for (int column = 0; column < present.length; column++) {
      MemorySegment memory = present[column];
      places[column] = memory == null ? null : windows.placeOf(memory);
    }
    return new PlanMemories(places);
  }

  /** Memories that matter to no other rank. */
  static PlanMemories none() {
    return new PlanMemories(new Place[0]);
  }

  void write(BodyWriter body) {
    body.number(places.length);
    for (Place each : places) {
      Place.write(body, each);
    }
  }

  static PlanMemories read(BodyReader body) {
    @Nullable Place[] places = new Place[body.count()];
    for (int column = 0; column < places.length; column++) {
      places[column] = Place.readAny(body);
    }
    return new PlanMemories(places);
  }

  /** The memories, in the process of another rank. */
  @Nullable MemorySegment[] segments(MemoryWindows windows) {
    @Nullable MemorySegment[] segments = new MemorySegment[places.length];
    for (int column = 0; column < segments.length; column++) {
      Place place = places[column];
      segments[column] = place == null ? null : windows.segment(place, false);
    }
    return segments;
  }
}
