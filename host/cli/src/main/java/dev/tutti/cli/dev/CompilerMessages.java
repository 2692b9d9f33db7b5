package dev.tutti.cli.dev;

import dev.tutti.base.text.Sentence;
import dev.tutti.cli.terminal.Text;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import javax.tools.Diagnostic;
import javax.tools.Diagnostic.Kind;
import javax.tools.JavaFileObject;

/**
 * The compiler's messages, with the place and the line of the source.
 *
 * @param root the directory that the shown paths are relative to
 * @param all the messages, in the order of the compiler
 */
record CompilerMessages(Path root, List<Diagnostic<? extends JavaFileObject>> all) {

  private static final int TAB = 4;

  /** Takes an immutable copy. */
  CompilerMessages {
    all = List.copyOf(all);
  }

  /** The numbers of errors and of warnings; empty if there are none. */
  String summary() {
    List<String> parts = new ArrayList<>();
    if (count(true) > 0) {
      parts.add(Text.count(count(true), "error"));
    }
    if (count(false) > 0) {
      parts.add(Text.count(count(false), "warning"));
    }
    return String.join(", ", parts);
  }

  private long count(boolean isError) {
    return all.stream()
        .filter(each -> isError ? each.getKind() == Kind.ERROR : isWarning(each))
        .count();
  }

  private static boolean isWarning(Diagnostic<?> each) {
    return each.getKind() == Kind.WARNING || each.getKind() == Kind.MANDATORY_WARNING;
  }

  /** All errors and warnings, without notes. */
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    for (Diagnostic<? extends JavaFileObject> each : all) {
      if (each.getKind() == Kind.ERROR || isWarning(each)) {
        add(each, lines);
      }
    }
    return lines;
  }

  private void add(Diagnostic<? extends JavaFileObject> each, List<String> lines) {
    List<String> message = each.getMessage(Locale.ROOT).lines().toList();
    String kind = each.getKind() == Kind.ERROR ? "error" : "warning";
    String first = message.isEmpty() ? "" : message.getFirst();
    JavaFileObject source = each.getSource();
    if (source == null || each.getPosition() == Diagnostic.NOPOS) {
      lines.add(kind + ": " + first);
    } else {
      String text = content(source);
      int position = (int) Math.min(each.getPosition(), text.length());
      int start = text.lastIndexOf('\n', position - 1) + 1;
      int end = text.indexOf('\n', position);
      lines.add(
          Sentence.of(
              "%s:%d:%d: %s: %s",
              shown(source), each.getLineNumber(), position - start + 1, kind, first));
      lines.add(expanded(text.substring(start, end < 0 ? text.length() : end)).stripTrailing());
      lines.add(" ".repeat(expanded(text.substring(start, position)).length()) + "^");
    }
    message.stream().skip(1).forEach(lines::add);
  }

  private String shown(JavaFileObject source) {
    Path file = Path.of(source.toUri());
    Path top = root.toAbsolutePath().normalize();
    return (file.startsWith(top) ? top.relativize(file) : file).toString();
  }

  private static String content(JavaFileObject source) {
    try {
      return source.getCharContent(true).toString();
    } catch (IOException e) {
      // The file has changed or disappeared, and will be compiled again.
      return "";
    }
  }

  private static String expanded(String line) {
    return line.replace("\t", " ".repeat(TAB));
  }
}
