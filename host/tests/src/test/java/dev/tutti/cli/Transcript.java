package dev.tutti.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A page of documentation as commands and prose. In a block {@code console}, a line that begins
 * with {@code $} is a command, and its output follows; a block {@code text} is the output of the
 * host meanwhile.
 */
final class Transcript {

  private static final String CONSOLE = "```console";
  private static final String HOST = "```text";
  private static final String PROMPT = "$ ";

  private static final Pattern NUMBER = Pattern.compile("\\d+(\\.\\d+)?( [KMGT]?i?B)?");

  /** A part of the page. */
  sealed interface Part {

    /** The lines of the page for it. */
    List<String> lines();

    /** The lines without what differs from run to run. */
    List<String> stable();
  }

  /** Text that is not run. */
  record Prose(List<String> lines) implements Part {

    @Override
    public List<String> stable() {
      return lines;
    }
  }

  /** A command and its output. */
  record Command(String command, List<String> output) implements Part {

    @Override
    public List<String> lines() {
      List<String> lines = new ArrayList<>(List.of(PROMPT + command));
      lines.addAll(output);
      return lines;
    }

    /**
     * The output without the parts that vary: the end of an older version, which may not be among
     * the changes yet, and the noise of the machine.
     */
    @Override
    public List<String> stable() {
      return lines().stream()
          .filter(line -> !isOfCollector(line) && !line.contains(" has no callers any more ("))
          .filter(line -> !line.startsWith("note       "))
          .map(Transcript::stable)
          .toList();
    }
  }

  /** The output of the host. */
  record HostOutput(List<String> lines) implements Part {

    @Override
    public List<String> stable() {
      return lines.stream().map(Transcript::stable).toList();
    }
  }

  private final List<Part> parts = new ArrayList<>();
  private List<String> collected = new ArrayList<>();

  private Transcript() {}

  static List<Part> parse(String page) {
    return new Transcript().read(page);
  }

  private List<Part> read(String page) {
    String block = "";
    for (String line : page.lines().toList()) {
      boolean isEnd = line.equals("```") && !block.isEmpty();
      boolean isCommand = block.equals(CONSOLE) && line.startsWith(PROMPT);
      if (isEnd || isCommand) {
        finish(block);
      }
      collected.add(line);
      if (isEnd) {
        block = "";
      } else if (line.equals(CONSOLE) || line.equals(HOST)) {
        finish("");
        block = line;
      }
    }
    finish("");
    return parts;
  }

  /** Makes a part of the lines since the last one. */
  private void finish(String block) {
    List<String> lines = collected;
    collected = new ArrayList<>();
    if (lines.isEmpty()) {
      return;
    }
    parts.add(
        switch (block) {
          case CONSOLE ->
              new Command(
                  lines.getFirst().substring(PROMPT.length()), lines.subList(1, lines.size()));
          case HOST -> new HostOutput(lines);
          default -> new Prose(lines);
        });
  }

  static String page(List<Part> parts) {
    return parts.stream()
        .flatMap(part -> part.lines().stream())
        .collect(Collectors.joining("\n", "", "\n"));
  }

  /** Whether the collector decides when a line comes. */
  static boolean isOfCollector(String line) {
    return line.endsWith(" is unloaded");
  }

  private static String stable(String line) {
    String known =
        line.replaceAll("\\d{4}-\\d\\d-\\d\\dT[0-9:.]+Z", "<instant>")
            .replaceAll("^\\d\\d:\\d\\d:\\d\\d", "<time>")
            .replaceAll("SHA-256 [0-9a-f]{12}", "SHA-256 <hash>")
            .replaceAll("\\(pid \\d+\\)", "(pid <pid>)")
            .replaceAll("(\\(|in )\\d+ ms", "$1<n> ms");
    if (known.matches("(process|memory|threads|classes|time|bandwidth) +.*")) {
      return NUMBER.matcher(known).replaceAll("<n>").replaceAll("<n>( min)?( <n>)? s$", "<n> s");
    }
    return known.startsWith("host  ") ? "host" : known;
  }
}
