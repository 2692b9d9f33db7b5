package dev.tutti.site;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The files of the site: every page is there, and every link leads somewhere. */
class SiteTest {

  private static final Path SITE = Path.of(System.getProperty("tutti.site"));
  private static final Path DOCS = Path.of(System.getProperty("tutti.docs")).normalize();
  private static final Pattern LINK = Pattern.compile("(?:href|src)=\"([^\"]*)\"");
  private static final Pattern ID = Pattern.compile(" id=\"([^\"]*)\"");

  private final Map<Path, Set<String>> ids = new HashMap<>();

  private static List<Path> files(Path directory, String ending) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      return files.filter(file -> file.toString().endsWith(ending)).sorted().toList();
    }
  }

  private static List<String> all(Pattern pattern, Path page) throws IOException {
    return pattern.matcher(Files.readString(page)).results().map(found -> found.group(1)).toList();
  }

  @Test
  void everyPageOfTheDocumentationIsThere() throws IOException {
    List<Path> expected =
        files(DOCS, ".md").stream()
            .filter(page -> !page.startsWith(DOCS.resolve("site")))
            .map(page -> SITE.resolve("docs").resolve(DOCS.relativize(page)).toString())
            .map(page -> Path.of(page.replaceFirst("\\.md$", ".html")))
            .toList();

    assertThat(expected).hasSizeGreaterThan(60);
    assertThat(files(SITE.resolve("docs"), ".html")).containsExactlyInAnyOrderElementsOf(expected);
  }

  @Test
  void everyLinkLeadsToAFileOfTheSiteAndToAPlaceInIt() throws IOException {
    List<String> broken = new ArrayList<>();
    int links = 0;
    for (Path page : files(SITE, ".html")) {
      for (String link : all(LINK, page)) {
        if (!link.matches("https?:.*")) {
          links++;
          if (!leadsSomewhere(page, link)) {
            broken.add(SITE.relativize(page) + " -> " + link);
          }
        }
      }
    }

    assertThat(broken).isEmpty();
    assertThat(links).isGreaterThan(3000);
  }

  private boolean leadsSomewhere(Path page, String link) throws IOException {
    int hash = link.indexOf('#');
    String path = hash < 0 ? link : link.substring(0, hash);
    Path target = path.isEmpty() ? page : page.resolveSibling(path).normalize();
    if (!target.startsWith(SITE) || !Files.isRegularFile(target)) {
      return false;
    }
    return hash < 0 || ids(target).contains(link.substring(hash + 1));
  }

  private Set<String> ids(Path page) throws IOException {
    Set<String> known = ids.get(page);
    if (known == null) {
      known = all(ID, page).stream().collect(Collectors.toSet());
      ids.put(page, known);
    }
    return known;
  }

  @Test
  void nothingIsLoadedFromElsewhere() throws IOException {
    Pattern loaded = Pattern.compile("<(?:img|script|link|iframe)[^>]*(?:src|href)=\"([^\"]*)\"");
    for (Path page : files(SITE, ".html")) {
      assertThat(all(loaded, page)).as(page.toString()).noneMatch(link -> link.contains(":"));
    }
    for (Path style : files(SITE.resolve("site"), ".css")) {
      assertThat(style).content().doesNotContain("url(", "@import");
    }
  }

  @Test
  void everyPageHasATitleAndLeadsToAllOthers() throws IOException {
    for (Path page : files(SITE.resolve("docs"), ".html")) {
      String text = Files.readString(page);
      Matcher title = Pattern.compile("<title>([^<]+) – Tutti</title>").matcher(text);
      assertThat(title.find()).as("title of " + page).isTrue();
      assertThat(title.group(1)).doesNotContain(".html");
      String pages = text.substring(text.indexOf("<nav"), text.indexOf("</nav>"));
      assertThat(pages).as("navigation of " + page).contains("benchmarks.html", "tutorial.html");
    }
  }

  @Test
  void theLicenceOfTheSearchLibraryIsBesideIt() {
    assertThat(SITE.resolve("site/lunr/lunr.min.js")).isRegularFile();
    assertThat(SITE.resolve("site/lunr/LICENSE")).content().contains("Permission is hereby");
  }
}
