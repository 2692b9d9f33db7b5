package dev.tutti.plugin.store;

import dev.tutti.base.text.Sentence;

/** The form of texts in the journal. */
final class Texts {

  /** The longest text that is kept, in chars. */
  static final int MAX_LENGTH = 16_384;

  private Texts() {}

  /** The text, cut if it is too long. A cut text is marked, and is not cut again. */
  static String limited(String text) {
    if (text.length() <= MAX_LENGTH) {
      return text;
    }
    String announcement = Sentence.of(" … (cut from %d characters)", text.length());
    return text.substring(0, MAX_LENGTH - announcement.length()) + announcement;
  }

  /**
   * JSON that can be encoded as UTF-8: lone surrogates, which UTF-8 cannot encode, are escaped.
   * Outside strings, JSON has no such characters.
   */
  static String escapeLoneSurrogates(String json) {
    StringBuilder text = new StringBuilder(json.length());
    for (int i = 0; i < json.length(); i++) {
      char c = json.charAt(i);
      if (!Character.isSurrogate(c)) {
        text.append(c);
      } else if (i + 1 < json.length() && Character.isSurrogatePair(c, json.charAt(i + 1))) {
        text.append(c).append(json.charAt(++i));
      } else {
        text.append(Sentence.of("\\u%04x", (int) c));
      }
    }
    return text.toString();
  }
}
