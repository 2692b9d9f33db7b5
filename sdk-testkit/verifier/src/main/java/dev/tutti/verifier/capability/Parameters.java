package dev.tutti.verifier.capability;

import java.util.StringJoiner;

/** The parameters of a method in the notation of the table: {@code (String,int[],Map$Entry)}. */
final class Parameters {

  private Parameters() {}

  /**
   * The parameters of a descriptor. A malformed descriptor gives a text that no line of the table
   * has.
   */
  static String text(String descriptor) {
    StringJoiner text = new StringJoiner(",", "(", ")");
    int at = 1;
    while (at < descriptor.length() && descriptor.charAt(at) != ')') {
      int start = at;
      while (at < descriptor.length() && descriptor.charAt(at) == '[') {
        at++;
      }
      String brackets = "[]".repeat(at - start);
      if (at < descriptor.length() && descriptor.charAt(at) == 'L') {
        int end = descriptor.indexOf(';', at);
        if (end < 0) {
          return "";
        }
        String name = descriptor.substring(at + 1, end);
        text.add(name.substring(name.lastIndexOf('/') + 1) + brackets);
        at = end + 1;
      } else {
        text.add(primitive(at < descriptor.length() ? descriptor.charAt(at) : ' ') + brackets);
        at++;
      }
    }
    return text.toString();
  }

  private static String primitive(char code) {
    return switch (code) {
      case 'Z' -> "boolean";
      case 'B' -> "byte";
      case 'C' -> "char";
      case 'S' -> "short";
      case 'I' -> "int";
      case 'J' -> "long";
      case 'F' -> "float";
      case 'D' -> "double";
      default -> "?";
    };
  }
}
