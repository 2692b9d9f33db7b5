package dev.tutti.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import javax.xml.xpath.XPath;
import javax.xml.xpath.XPathConstants;
import javax.xml.xpath.XPathExpressionException;
import javax.xml.xpath.XPathFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/** The poms say what a public repository asks of them, and the address in one place. */
class PublishedPomsTest {

  private static final Path ROOT = Path.of("..");
  private static final XPath XPATH = XPathFactory.newInstance().newXPath();

  @Test
  void everyModuleSaysWhatItIs() throws Exception {
    List<Path> poms = poms(ROOT);

    assertThat(poms).hasSizeGreaterThan(20);
    for (Path pom : poms) {
      assertThat(text(pom, "/project/name")).as("name of %s", pom).startsWith("Tutti");
      assertThat(text(pom, "/project/description")).as("description of %s", pom).isNotBlank();
    }
  }

  @Test
  void theRootSaysWhoseItIsAndWhere() throws Exception {
    Path pom = ROOT.resolve("pom.xml");

    assertThat(text(pom, "/project/licenses/license/name")).isEqualTo("Apache-2.0");
    assertThat(text(pom, "/project/developers/developer/name")).isNotBlank();
    for (String address :
        List.of(
            "url",
            "developers/developer/url",
            "scm/url",
            "scm/connection",
            "scm/developerConnection")) {
      assertThat(text(pom, "/project/" + address)).as(address).contains("${tutti.public.url}");
    }
    assertThat(Files.readString(pom)).containsOnlyOnce("<tutti.public.url");
    for (Path module : poms(ROOT)) {
      assertThat(text(module, "/project/parent/artifactId") + text(module, "/project/url"))
          .as("%s inherits the address", module)
          .matches("tutti-.*[a-z]|\\$\\{tutti.public.url}");
    }
  }

  @Test
  void theBomHasWhatAuthorsAndProgramsNeed() throws Exception {
    String artifacts = "/project/dependencyManagement/dependencies/dependency/artifactId";
    List<String> managed = new ArrayList<>(texts(ROOT.resolve("bom/pom.xml"), artifacts));
    managed.addAll(texts(ROOT.resolve("pom.xml"), artifacts));

    assertThat(managed)
        .contains(
            "tutti-sdk-api",
            "tutti-plan",
            "tutti-sdk-testkit",
            "tutti-plugin-templates",
            "tutti-plugins",
            "tutti-host");
  }

  @Test
  void allPluginsAreOneDependencyAndInTheBom() throws Exception {
    Path plugins = ROOT.resolve("reference-plugins");
    List<String> all = new ArrayList<>();
    for (String module : texts(plugins.resolve("pom.xml"), "//modules/module")) {
      if (!List.of("templates", "tests", "all").contains(module)) {
        all.add(text(plugins.resolve(module).resolve("pom.xml"), "/project/artifactId"));
      }
    }

    assertThat(all).hasSizeGreaterThan(10);
    assertThat(texts(plugins.resolve("all/pom.xml"), "/project/dependencies/*/artifactId"))
        .containsExactlyElementsOf(all);
    assertThat(texts(ROOT.resolve("bom/pom.xml"), "//dependency/artifactId")).containsAll(all);
  }

  @Test
  void eachPluginHasTemplatesInAPackageOfItsOwn() throws Exception {
    Path plugins = ROOT.resolve("reference-plugins");
    List<String> packages = new ArrayList<>();
    for (String module : texts(plugins.resolve("pom.xml"), "//modules/module")) {
      if (!module.equals("all")) {
        packages.add(
            text(plugins.resolve(module).resolve("pom.xml"), "//*[name()='tutti.plugin.package']"));
      }
    }

    assertThat(packages).doesNotContain("").doesNotHaveDuplicates();
  }

  @Test
  void aQuickInstallHasSourcesAndTheJavadocOfWhatAuthorsAndProgramsCall() throws Exception {
    String quick = "//profile[id='quick']";
    String plugins = quick + "/build/plugins/plugin";
    Path root = ROOT.resolve("pom.xml");

    assertThat(texts(root, plugins + "/artifactId"))
        .containsExactly("maven-source-plugin", "maven-javadoc-plugin");
    assertThat(texts(root, plugins + "//goal")).containsExactly("jar-no-fork", "jar");
    // Not at package, which is all that the command builds.
    assertThat(texts(root, plugins + "//phase")).containsExactly("verify", "verify");
    assertThat(text(root, quick + "/properties/maven.javadoc.skip")).isEqualTo("true");
    for (String module :
        List.of("sdk-api", "sdk-testkit/testkit", "reference-plugins/templates", "host/core")) {
      assertThat(text(ROOT.resolve(module + "/pom.xml"), "/project/properties/maven.javadoc.skip"))
          .as(module)
          .isEqualTo("false");
    }
  }

  private static List<Path> poms(Path directory) throws Exception {
    Path pom = directory.resolve("pom.xml");
    List<Path> poms = new ArrayList<>(List.of(pom));
    for (String module : texts(pom, "//modules/module")) {
      poms.addAll(poms(directory.resolve(module)));
    }
    return poms;
  }

  private static String text(Path pom, String path) throws Exception {
    return String.join(" ", texts(pom, path));
  }

  private static List<String> texts(Path pom, String path)
      throws IOException, ParserConfigurationException, SAXException, XPathExpressionException {
    Document document =
        DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(pom.toFile());
    NodeList nodes = (NodeList) XPATH.evaluate(path, document, XPathConstants.NODESET);
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < nodes.getLength(); i++) {
      texts.add(nodes.item(i).getTextContent());
    }
    return texts;
  }
}
