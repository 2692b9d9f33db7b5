package dev.tutti.cli.dev;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tutti.sdk.TuttiException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ProjectPomTest {

  private static final String SPI =
      "<dependency><artifactId>tutti-sdk-api</artifactId><scope>provided</scope></dependency>";

  @TempDir private Path directory;

  private ProjectPom read(String content) throws IOException {
    return ProjectPom.read(
        Files.writeString(directory.resolve("pom.xml"), "<project>" + content + "</project>"));
  }

  @Test
  void theProjectOfTheCommandNewNeedsNoMavenAndHasItsVersionInResources() {
    ProjectPom pom = ProjectPom.read(DevSession.makeProject(directory).resolve("pom.xml"));

    assertThat(pom.needsMaven()).isFalse();
    assertThat(pom.isFiltered()).isTrue();
    assertThat(pom.filled("\"version\": \"${project.version}\""))
        .isEqualTo("\"version\": \"1.0.0\"");
    assertThat(pom.jarName(Path.of("x"))).isEqualTo("gate-1.0.0.jar");
  }

  @Test
  void valuesReferToValuesAndWhatIsUnknownStays() throws IOException {
    ProjectPom pom =
        read(
            "<artifactId>a</artifactId><version>${revision}</version>"
                + "<properties><revision>1.${minor}</revision><minor>2</minor>"
                + "<loop>${loop}</loop></properties>");

    assertThat(pom.filled("${project.version} @minor@ ${env.HOME} a@b.c ${loop}"))
        .isEqualTo("1.2 2 ${env.HOME} a@b.c ${loop}");
    assertThat(pom.jarName(Path.of("x"))).isEqualTo("a-1.2.jar");
    assertThat(pom.isFiltered()).isFalse();
  }

  @Test
  void aParentOnThisMachineGivesWhatItsChildDoesNotSay() throws IOException {
    Path child = Files.createDirectory(directory.resolve("child")).resolve("pom.xml");
    read(
        "<artifactId>top</artifactId><version>3</version><properties><x>of top</x><y>y</y>"
            + "</properties>");
    Files.writeString(
        child,
        "<project><parent><artifactId>top</artifactId><version>3</version></parent>"
            + "<artifactId>low</artifactId><properties><x>of low</x></properties></project>");

    ProjectPom pom = ProjectPom.read(child);

    assertThat(pom.filled("${project.artifactId} ${project.version} ${x} ${y}"))
        .isEqualTo("low 3 of low y");
    assertThat(pom.needsMaven()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<dependencies>"
            + SPI
            + "<dependency><artifactId>tutti-plugin-templates</artifactId>"
            + "<scope>provided</scope></dependency></dependencies>",
        "<dependencies><dependency><artifactId>x</artifactId></dependency></dependencies>",
        "<parent><artifactId>of-a-repository</artifactId></parent>",
      })
  void whatMayNeedOtherJarsNeedsMaven(String content) throws IOException {
    assertThat(read(content).needsMaven()).isTrue();
  }

  @Test
  void testsAndTheSpiNeedNoMaven() throws IOException {
    assertThat(
            read("<dependencies>"
                    + SPI
                    + "<dependency><artifactId>junit</artifactId><scope>test</scope></dependency>"
                    + "</dependencies>")
                .needsMaven())
        .isFalse();
    assertThat(ProjectPom.read(directory.resolve("none.xml")).needsMaven()).isFalse();
  }

  @Test
  void aPomThatNamesAnotherFileIsRefused() throws IOException {
    Path secret = Files.writeString(directory.resolve("secret"), "x");
    Path pom =
        Files.writeString(
            directory.resolve("pom.xml"),
            "<!DOCTYPE project [<!ENTITY s SYSTEM '"
                + secret.toUri()
                + "'>]><project>&s;</project>");

    assertThatThrownBy(() -> ProjectPom.read(pom))
        .isInstanceOf(TuttiException.class)
        .hasMessageContaining("DOCTYPE");
  }
}
