package dev.tutti.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * The code of the tutorial: a class that lacks its last lines, those lines, and fragments of the
 * class.
 *
 * @param broken the class as the page shows it first
 * @param mended the class with the end that the page shows later
 * @param fragments what the page shows of the class on its own
 */
record TutorialCode(String broken, String mended, List<String> fragments) {

  private static final String BROKEN_END = "    }\n  }\n}\n";

  static TutorialCode of(List<Page.Part> page) {
    List<String> blocks =
        page.stream().filter(part -> part.language().equals("java")).map(Page.Part::text).toList();
    String broken = only(blocks, block -> block.startsWith("package "));
    String end = only(blocks, block -> block.endsWith("  }\n}\n") && !block.equals(broken));
    assertThat(broken).endsWith(BROKEN_END);
    List<String> fragments = new ArrayList<>(blocks);
    fragments.removeAll(List.of(broken, end));
    String start = broken.substring(0, broken.length() - BROKEN_END.length());
    return new TutorialCode(broken, start + end, fragments);
  }

  private static String only(List<String> blocks, Predicate<String> isIt) {
    List<String> found = blocks.stream().filter(isIt).toList();
    assertThat(found).hasSize(1);
    return found.getFirst();
  }

  /** The lines that an author writes: neither imports nor comments nor empty. */
  static long lines(String source) {
    return source
        .lines()
        .map(String::strip)
        .filter(line -> !line.isEmpty())
        .filter(line -> !line.matches("(package|import|//|/\\*|\\*).*"))
        .count();
  }
}
