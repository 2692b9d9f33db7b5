package dev.tutti.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** A host that jars are dropped into has few of the JDK's modules. */
class LimitedModulesTest {

  private static final Pattern OF_THE_JDK = Pattern.compile("\\bjrt:/([a-z.]+)");

  @Test
  void theScriptLimitsTheModulesOfAHostThatServes() throws IOException {
    assertThat(Script.text()).containsPattern("\\n  serve\\) .* --limit-modules \"\\$modules\"\\)");
  }

  @Test
  void aHostRunsWithTheModulesThatItNeedsAndNoOthers() throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(Script.limits());
    command.addAll(
        List.of(
            "-p",
            Path.of(System.getProperty("tutti.dist"), "lib").toString(),
            "--show-module-resolution",
            "-m",
            "dev.tutti.cli/dev.tutti.cli.Main",
            "--version"));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

    assertThat(process.waitFor()).as(output).isZero();
    Set<String> modules = new TreeSet<>();
    OF_THE_JDK.matcher(output).results().forEach(found -> modules.add(found.group(1)));
    assertThat(modules)
        .containsExactly(
            "java.management",
            "jdk.charsets",
            "jdk.httpserver",
            "jdk.incubator.vector",
            "jdk.jfr",
            "jdk.management",
            "jdk.net");
  }
}
