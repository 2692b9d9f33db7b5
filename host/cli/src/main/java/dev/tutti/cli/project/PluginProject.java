package dev.tutti.cli.project;

import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.Operation;
import dev.tutti.sdk.TuttiException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The project of a plugin with one algorithm, as the archetype makes it.
 *
 * @param operation the operation of the algorithm; a transfer has both sides
 * @param style the style of the algorithm's code
 * @param name the name of the project, the algorithm and the last part of the package
 * @param group the Maven group, which is also the parent package
 */
record PluginProject(Operation operation, ProjectStyle style, String name, String group) {

  /** The place of the archetype's files in the jar. */
  private static final String ROOT = "/archetype-resources/";

  private static final String CLASS = "__algorithmName__";
  private static final String TRANSFER = "send-receive";
  private static final String VERSION = "1.0.0";

  /**
   * Files that are copied unchanged. Those for Git have no leading dot here, because archetypes
   * drop .gitignore and .gitattributes.
   */
  private static final List<String> PLAIN =
      List.of(
          "gitattributes",
          "gitignore",
          ".github/workflows/verify.yml",
          ".mvn/jdk25.sh",
          ".mvn/wrapper/maven-wrapper.properties",
          "mvnw",
          "mvnw.cmd");

  private static final Set<String> WORDS_OF_JAVA =
      Set.of(
          ("abstract assert boolean break byte case catch char class const continue default do"
                  + " double else enum extends false final finally float for goto if implements"
                  + " import instanceof int interface long native new null package private protected"
                  + " public return short static strictfp super switch synchronized this throw"
                  + " throws transient true try void volatile while")
              .split(" "));

  /**
   * Checks the names, and that the operation has code in the style.
   *
   * @throws TuttiException with {@link ErrorCode#INVALID_ARGUMENT}
   */
  PluginProject {
    require(
        name.length() <= 40 && name.matches("[a-z][a-z0-9]*(-[a-z0-9]+)*"),
        "<name> must be up to 40 lower-case letters and digits, with single hyphens between them:"
            + " my-ring. Actual: '%s'",
        name);
    require(
        group.matches("[a-z][a-z0-9]*(\\.[a-z][a-z0-9]*)*"),
        "--group must be names of lower-case letters and digits with dots between them: org.example."
            + " Actual: '%s'",
        group);
    require(
        !group.equals("java") && !group.startsWith("java."),
        "no package can begin with 'java', which Java reserves for itself; use another group than"
            + " %s",
        group);
    for (String part : (group + "." + packageOf(name)).split("\\.", -1)) {
      require(
          !WORDS_OF_JAVA.contains(part),
          "no package can be called '%s', which is a keyword of Java; use another name than %s",
          part,
          WORDS_OF_JAVA.contains(packageOf(name)) ? name : group);
    }
    require(
        hasCode(operation, style),
        "--style %s is only for %s; leave it out. Actual: %s",
        style,
        Arrays.stream(Operation.values())
            .filter(each -> hasCode(each, style))
            .map(PluginProject::nameOf)
            .collect(Collectors.joining(", ")),
        nameOf(operation));
  }

  private static boolean hasCode(Operation operation, ProjectStyle style) {
    String code = ROOT + codeOf(operation, style) + CLASS + suffixes(operation).getFirst();
    return PluginProject.class.getResource(code) != null;
  }

  /** The place of an operation's code below the archetype's files. */
  private static String codeOf(Operation operation, ProjectStyle style) {
    return "operations/" + nameOf(operation) + "/" + style + "/";
  }

  /** The ends of the names of an operation's source files. */
  private static List<String> suffixes(Operation operation) {
    return nameOf(operation).equals(TRANSFER)
        ? List.of("Send.java", "Receive.java")
        : List.of(".java");
  }

  private static void require(boolean isRight, String message, Object... arguments) {
    if (!isRight) {
      throw new TuttiException(ErrorCode.INVALID_ARGUMENT, message, arguments);
    }
  }

  private static String packageOf(String name) {
    return name.replace("-", "");
  }

  /**
   * The class of the algorithm; for a transfer, the prefix of both classes. It ends in another word
   * if the code imports a class of the usual name, or a test has it.
   */
  String className() {
    String usual = camel(name) + (operationName().equals(TRANSFER) ? "" : camel(operationName()));
    return isTaken(usual) ? usual + "Algorithm" : usual;
  }

  private boolean isTaken(String className) {
    return className.equals("Plugin")
        || suffixes(operation).stream()
            .anyMatch(
                suffix -> {
                  String file = className + suffix.replace(".java", ";");
                  return read(codeOf(operation, style) + CLASS + suffix)
                      .lines()
                      .anyMatch(line -> line.startsWith("import ") && line.endsWith("." + file));
                });
  }

  /** The package of the algorithm. */
  String packageName() {
    return group + "." + packageOf(name);
  }

  private static String camel(String words) {
    return Arrays.stream(words.split("-"))
        .map(word -> word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1))
        .collect(Collectors.joining());
  }

  /** The archetype's name of the operation. */
  String operationName() {
    return nameOf(operation);
  }

  private static String nameOf(Operation operation) {
    return switch (operation) {
      case SEND, RECEIVE -> TRANSFER;
      default -> operation.name().toLowerCase(Locale.ROOT).replace('_', '-');
    };
  }

  /** The text of each file, by its path in the project. */
  Map<String, String> files() {
    Map<String, String> files = new LinkedHashMap<>();
    PLAIN.forEach(path -> files.put(path.startsWith("git") ? "." + path : path, read(path)));
    Map<String, String> values = values();
    for (String path :
        List.of("README.md", "pom.xml", "src/main/resources/META-INF/tutti/plugin.json")) {
      files.put(path, ProjectTemplate.fill(read(path), values));
    }
    for (String suffix : suffixes(operation)) {
      add(files, "src/main/java/", codeOf(operation, style), CLASS + suffix, values);
    }
    String test = "operations/" + operationName() + "/";
    add(files, "src/test/java/", test, CLASS + "Test.java", values);
    add(files, "src/test/java/", "src/test/java/", CLASS + "DataTest.java", values);
    add(files, "src/test/java/", "src/test/java/", "PluginTest.java", values);
    return files;
  }

  private void add(
      Map<String, String> files,
      String root,
      String from,
      String file,
      Map<String, String> values) {
    String path = root + packageName().replace('.', '/') + "/" + file.replace(CLASS, className());
    files.put(path, ProjectTemplate.fill(read(from + file), values));
  }

  /** The values of the variables in the archetype's files. */
  private Map<String, String> values() {
    return Map.of(
        "operation", operationName(),
        "style", style.label(),
        "groupId", group,
        "artifactId", name,
        "version", VERSION,
        "package", packageName(),
        "algorithmName", className(),
        "algorithmId", name,
        // The archetype's expression for groups with other characters.
        "groupId.toLowerCase().replaceAll('[^a-z0-9.-]', '-')", group);
  }

  private static String read(String path) {
    try (InputStream file = PluginProject.class.getResourceAsStream(ROOT + path)) {
      if (file == null) {
        throw new IllegalStateException("the jar of the command has no " + ROOT + path);
      }
      return new String(file.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
