package dev.tutti.simulator.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class HtmlTest {

  @Test
  void textsAndValuesAreEscaped() {
    Html html = new Html().open("p", "title", "a \"b\" & 'c'").text("<i>&amp;</i>").close();

    assertThat(html)
        .hasToString(
            "<p title=\"a &quot;b&quot; &amp; &#39;c&#39;\">&lt;i&gt;&amp;amp;&lt;/i&gt;</p>");
  }

  @Test
  void charactersThatXmlDoesNotHaveAreReplaced() {
    assertThat(new Html().text("a\u0000b\u001bc\ud800d\ufffee\u0085f"))
        .hasToString("a\ufffdb\ufffdc\ufffdd\ufffde\ufffdf");
    assertThat(new Html().text("tab\tline\nsmile \ud83d\ude00"))
        .hasToString("tab\tline\nsmile \ud83d\ude00");
  }

  @Test
  void whatIsNullIsLeftOutAndVoidElementsCloseThemselves() {
    assertThat(new Html().open("input", "class", null, "type", "text"))
        .hasToString("<input type=\"text\"/>");
  }

  @Test
  void anElementThatStaysOpenIsAnError() {
    Html html = new Html().open("p");

    assertThatThrownBy(html::toString)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("still open: [p]");
  }

  @Test
  void dataCannotEndItsScript() {
    HtmlPage page = new HtmlPage("</title><script>");
    page.drawing("lanes", PageScript.LANES, "{\"text\": \"</script><!--&\"}", "a drawing");

    assertThat(page.toString())
        .contains("<title>&lt;/title&gt;&lt;script&gt;</title>")
        .contains("{\"text\": \"\\u003c/script\\u003e\\u003c!--\\u0026\"}");
  }
}
