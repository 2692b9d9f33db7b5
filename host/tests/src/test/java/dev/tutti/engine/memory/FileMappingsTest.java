package dev.tutti.engine.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class FileMappingsTest {

  private static final int PAGES = 8;
  private static final long BYTES = PAGES * NativeMemory.PAGE;

  @TempDir Path directory;

  private MemorySegment map(Arena arena) throws IOException {
    Path file = Files.write(directory.resolve("mapped"), new byte[(int) BYTES]);
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      return channel.map(FileChannel.MapMode.READ_WRITE, 0, BYTES, arena);
    }
  }

  @Test
  void aMappedSegmentAndItsPartsLieInAFile() throws IOException {
    try (Arena arena = Arena.ofShared()) {
      MemorySegment mapped = map(arena);
      MemorySegment part = mapped.asSlice(5, 7).asReadOnly();
      assertThat(new FileMappings("/no/such/list").among(List.of(mapped, part)))
          .isEqualTo(Set.of(mapped, part));
    }
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void memoryThatProcessesShareIsNoFileAsItsSizeIsFixed() {
    try (NativeMemory shared = NativeMemory.reserveShared(BYTES, BYTES, freed -> {})) {
      MemorySegment mapped = SharedMemory.map(Objects.requireNonNull(shared.handle()));
      shared.segment().set(ValueLayout.JAVA_INT, 12, 345);
      assertThat(mapped.get(ValueLayout.JAVA_INT, 12)).isEqualTo(345);
      assertThat(mapped.address()).isNotEqualTo(shared.segment().address());
      assertThat(new FileMappings().among(List.of(mapped, shared.segment()))).isEmpty();
    }
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void memoryThatHidesItsFileIsFoundByItsAddress() throws IOException {
    try (Arena arena = Arena.ofShared();
        Arena other = Arena.ofShared()) {
      MemorySegment mapped = map(arena);
      MemorySegment address = MemorySegment.ofAddress(mapped.address());
      MemorySegment ordinary = other.allocate(BYTES);
      MemorySegment lastPage =
          address.asSlice(0, 0).reinterpret(BYTES, other, null).asSlice(BYTES - 3);
      FileMappings mappings = new FileMappings();
      for (int round = 0; round < 2; round++) {
        assertThat(
                mappings.among(
                    Arrays.asList(
                        null,
                        ordinary,
                        mapped.reinterpret(BYTES),
                        address.reinterpret(BYTES),
                        lastPage,
                        MemorySegment.ofArray(new byte[3]))))
            .isEqualTo(Set.of(mapped, lastPage));
      }
    }
  }

  @Test
  void theListIsReadOnceForTheMemoryOfAScopeButEachTimeForMemoryWithoutAnEnd() throws IOException {
    Path list = directory.resolve("maps");
    FileMappings mappings = new FileMappings(list.toString());
    try (Arena arena = Arena.ofShared()) {
      MemorySegment own = arena.allocate(64);
      MemorySegment global = Arena.global().allocate(64);
      Files.writeString(list, line(own, 0) + line(global, 0));
      assertThat(mappings.among(List.of(own, global))).isEmpty();
      Files.writeString(list, line(own, 7) + line(global, 7));
      assertThat(mappings.among(List.of(own))).isEmpty();
      assertThat(mappings.among(List.of(own, global))).containsExactly(global);
    }
  }

  private static String line(MemorySegment segment, int inode) {
    return String.format(
        "%x-%x rw-p 00000000 00:00 %d    /some where\n",
        segment.address(), segment.address() + segment.byteSize(), inode);
  }

  @Test
  void neighbouringMappingsWithoutAFileAreOne() throws IOException {
    Path list = directory.resolve("maps");
    try (Arena arena = Arena.ofShared()) {
      MemorySegment all = arena.allocate(64);
      List<String> lines = new ArrayList<>();
      for (int from = 0; from < 64; from += 16) {
        lines.add(line(all.asSlice(from, 16), 0));
      }
      Files.writeString(list, String.join("", lines));
      FileMappings mappings = new FileMappings(list.toString());
      assertThat(mappings.among(List.of(all))).isEmpty();
      Files.delete(list);
      Files.writeString(list, line(all, 3));
      assertThat(mappings.among(List.of(all, all.asSlice(20)))).isEmpty();
    }
  }
}
