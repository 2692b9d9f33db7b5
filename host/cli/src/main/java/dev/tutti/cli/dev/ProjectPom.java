package dev.tutti.cli.dev;

import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilder;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;
import org.xml.sax.SAXParseException;

/**
 * The parts of a pom.xml that affect a plugin's jar. Only parents in files of this machine are
 * read. A project without a pom.xml has an empty one. Immutable.
 *
 * @param values the values of <code>${…}</code>: the properties, and {@code project.version} and
 *     others
 * @param needsMaven whether the class path may have artifacts besides the SPI, which only Maven
 *     knows
 * @param isFiltered whether Maven replaces <code>${…}</code> in resources
 */
record ProjectPom(Map<String, String> values, boolean needsMaven, boolean isFiltered) {

  private static final Pattern REFERENCE = Pattern.compile("\\$\\{([^{}$]+)\\}|@([\\w.-]+)@");
  private static final String SPI = "tutti-sdk-api";
  private static final String RESOURCES = "src/main/resources";

  /** The most references from value to value; more of them are a loop. */
  private static final int DEEPEST = 20;

  private static final int MOST_PARENTS = 20;

  /** Takes an immutable copy. */
  ProjectPom {
    values = Map.copyOf(values);
  }

  /**
   * Reads a file, if it exists.
   *
   * @throws TuttiException with {@link ErrorCode#INVALID_ARGUMENT} if it is not a pom.xml
   */
  static ProjectPom read(Path file) {
    Map<String, String> values = new LinkedHashMap<>();
    List<Element> projects = new ArrayList<>();
    boolean isComplete = true;
    Path next = file;
    while (next != null && Files.isRegularFile(next) && projects.size() < MOST_PARENTS) {
      Element project = parse(next);
      projects.add(project);
      Element parent = child(project, "parent");
      Path above = parent == null ? null : parentFile(next, parent);
      isComplete = parent == null || above != null;
      addCoordinates(project, parent, values);
      addProperties(project, values);
      next = above;
    }
    boolean needsMaven =
        !projects.isEmpty()
            && (!isComplete || projects.stream().anyMatch(ProjectPom::hasLibraries));
    return new ProjectPom(
        values, needsMaven, projects.stream().anyMatch(ProjectPom::filtersResources));
  }

  private static Element parse(Path file) {
    try {
      DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
      // No entity in the file may refer to another file or to a server.
      factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
      DocumentBuilder builder = factory.newDocumentBuilder();
      builder.setErrorHandler(null);
      Element project =
          builder
              .parse(new InputSource(new StringReader(Files.readString(file))))
              .getDocumentElement();
      if (!project.getTagName().equals("project")) {
        throw unreadable(file, "its root is <" + project.getTagName() + "> instead of <project>");
      }
      return project;
    } catch (SAXParseException e) {
      throw unreadable(file, "line " + e.getLineNumber() + ": " + e.getMessage());
    } catch (SAXException | IOException e) {
      throw unreadable(file, String.valueOf(e.getMessage()));
    } catch (ParserConfigurationException e) {
      throw new IllegalStateException("the JDK's own parser has this feature", e);
    }
  }

  private static TuttiException unreadable(Path file, String why) {
    return new TuttiException(
        ErrorCode.INVALID_ARGUMENT,
        "%s cannot be read as a Maven project (%s); correct it",
        file.toAbsolutePath().normalize(),
        why);
  }

  /** The file of a parent; null if it is in a repository. */
  private static @Nullable Path parentFile(Path file, Element parent) {
    Element given = child(parent, "relativePath");
    String relative = given == null ? "../pom.xml" : given.getTextContent().strip();
    Path directory = file.toAbsolutePath().getParent();
    if (relative.isEmpty() || directory == null) {
      return null;
    }
    Path found = directory.resolve(relative).normalize();
    Path pom = Files.isDirectory(found) ? found.resolve("pom.xml") : found;
    if (!Files.isRegularFile(pom)) {
      return null;
    }
    return text(parse(pom), "artifactId").equals(text(parent, "artifactId")) ? pom : null;
  }

  /** Adds the coordinates of a project. The values of a child take precedence over its parents'. */
  private static void addCoordinates(
      Element project, @Nullable Element parent, Map<String, String> values) {
    for (String name : List.of("groupId", "artifactId", "version", "name", "description")) {
      String own = text(project, name);
      boolean isInherited = name.equals("groupId") || name.equals("version");
      String value = own.isEmpty() && isInherited && parent != null ? text(parent, name) : own;
      if (!value.isEmpty()) {
        values.putIfAbsent("project." + name, value);
        values.putIfAbsent("pom." + name, value);
      }
    }
  }

  private static void addProperties(Element project, Map<String, String> values) {
    Element properties = child(project, "properties");
    if (properties != null) {
      for (Element each : children(properties)) {
        values.putIfAbsent(each.getTagName(), each.getTextContent().strip());
      }
    }
  }

  private static boolean hasLibraries(Element project) {
    Element dependencies = child(project, "dependencies");
    return dependencies != null
        && children(dependencies).stream()
            .anyMatch(
                each ->
                    !text(each, "artifactId").equals(SPI) && !text(each, "scope").equals("test"));
  }

  private static boolean filtersResources(Element project) {
    Element build = child(project, "build");
    Element resources = build == null ? null : child(build, "resources");
    return resources != null
        && children(resources).stream()
            .anyMatch(
                each ->
                    text(each, "directory").endsWith(RESOURCES)
                        && text(each, "filtering").equals("true"));
  }

  private static String text(Element parent, String name) {
    Element child = child(parent, name);
    return child == null ? "" : child.getTextContent().strip();
  }

  private static @Nullable Element child(Element parent, String name) {
    return children(parent).stream()
        .filter(each -> each.getTagName().equals(name))
        .findFirst()
        .orElse(null);
  }

  private static List<Element> children(Element parent) {
    List<Element> children = new ArrayList<>();
    for (Node node = parent.getFirstChild(); node != null; node = node.getNextSibling()) {
      if (node instanceof Element element) {
        children.add(element);
      }
    }
    return children;
  }

  /** The file name of the jar that Maven makes. */
  String jarName(Path root) {
    Path directory = root.toAbsolutePath().normalize().getFileName();
    String name = value("project.artifactId");
    String version = value("project.version");
    String usual = directory == null ? "plugin" : directory.toString();
    String file = name.isEmpty() ? usual : version.isEmpty() ? name : name + "-" + version;
    return file.replaceAll("[^\\w.+-]", "_") + ".jar";
  }

  private String value(String name) {
    return filled(values.getOrDefault(name, ""));
  }

  /** Replaces the names of values in a text by the values; an unknown name stays. */
  String filled(String text) {
    String filled = text;
    for (int depth = 0; depth < DEEPEST; depth++) {
      Matcher matcher = REFERENCE.matcher(filled);
      String next =
          matcher.replaceAll(
              found -> {
                String name = found.group(1) == null ? found.group(2) : found.group(1);
                return Matcher.quoteReplacement(values.getOrDefault(name, found.group()));
              });
      if (next.equals(filled)) {
        return filled;
      }
      filled = next;
    }
    return filled;
  }
}
