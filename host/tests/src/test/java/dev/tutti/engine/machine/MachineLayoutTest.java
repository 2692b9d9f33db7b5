package dev.tutti.engine.machine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.host.Errors;
import dev.tutti.sdk.ErrorCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MachineLayoutTest {

  @TempDir private Path directory;

  private void write(String file, String text) throws IOException {
    Path path = directory.resolve(file);
    Files.createDirectories(path.getParent());
    Files.writeString(path, text + "\n");
  }

  /** Eight processors on four cores, two to a last-level cache of two cores, two domains. */
  private void eight() throws IOException {
    write("status", "Name:\tjava\nCpus_allowed_list:\t0-7");
    write("node/online", "0-1");
    write("node/node0/cpulist", "0-3");
    write("node/node1/cpulist", "4-7");
    for (int number = 0; number < 8; number++) {
      int core = number / 2 * 2;
      int half = number / 4 * 4;
      String cpu = "cpu/cpu" + number + "/";
      write(cpu + "topology/thread_siblings_list", core + "-" + (core + 1));
      cache(cpu + "cache/index0/", "1", "Data", "48K", core + "," + (core + 1));
      cache(cpu + "cache/index1/", "1", "Instruction", "32K", core + "," + (core + 1));
      cache(cpu + "cache/index2/", "3", "Unified", "32M", half + "-" + (half + 3));
    }
  }

  private void cache(String place, String level, String type, String size, String shared)
      throws IOException {
    write(place + "level", level);
    write(place + "type", type);
    write(place + "size", size);
    write(place + "shared_cpu_list", shared);
  }

  private MachineLayout read() {
    return MachineLayout.read(directory, directory.resolve("status"), 3);
  }

  @Test
  void ranksAreDealtToTheDomainsOfMemory() throws IOException {
    eight();
    MachineLayout layout = read();
    assertThat(layout)
        .hasToString(
            "8 processors on 4 cores, 2 memory domains, 2 last-level caches, L1 48 KiB for 2, L3"
                + " 32768 KiB for 4");
    assertThat(layout.topology(8)).hasToString("4+4");
    assertThat(layout.topology(5)).hasToString("2+3");
    assertThat(layout.topology(1).rankSize()).isEqualTo(1);
    assertThat(layout.topology(64).rankSize()).isEqualTo(64);
    Errors.message(ErrorCode.INVALID_RANK, () -> layout.topology(0));
  }

  @Test
  void onlyProcessorsThatMayBeUsedCount() throws IOException {
    eight();
    write("status", "Cpus_allowed_list:\t1,5-6");
    assertThat(read().processors())
        .extracting(MachineLayout.Processor::number)
        .containsExactly(1, 5, 6);
    assertThat(read().topology(3)).hasToString("1+2");
  }

  @Test
  void withOneDomainTheLastLevelCachesCount() throws IOException {
    eight();
    write("node/online", "0");
    write("node/node0/cpulist", "0-7");
    assertThat(read().domains()).isEqualTo(1);
    assertThat(read().topology(4)).hasToString("2+2");
  }

  @Test
  void whereNobodySaysAllShareEverything() throws IOException {
    assertThat(read().topology(6)).hasToString("6");
    assertThat(read().processors()).hasSize(3);
    eight();
    write("cpu/cpu3/topology/thread_siblings_list", "what");
    assertThat(read().processors()).hasSize(3);
    write("cpu/cpu3/topology/thread_siblings_list", "");
    assertThat(read().processors()).hasSize(3);
  }

  @Test
  void thisMachineHasOne() {
    MachineLayout layout = MachineLayout.found();
    assertThat(layout.processors()).isNotEmpty();
    assertThat(layout.topology(7).rankSize()).isEqualTo(7);
  }
}
