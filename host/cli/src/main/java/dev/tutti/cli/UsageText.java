package dev.tutti.cli;

import dev.tutti.base.text.Sentence;
import dev.tutti.sdk.Names;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.OverwrittenOptionException;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.TypeConversionException;

/** Describes wrong arguments in the words of this program instead of the parser's. */
final class UsageText {

  private static final Pattern NO_NUMBER = Pattern.compile("'(.*)' is not an? (int|long)");
  private static final Pattern WHOLE = Pattern.compile("\\+?\\d+");

  private UsageText() {}

  static String of(ParameterException e) {
    ArgSpec argument = e.getArgSpec();
    if (e instanceof MissingParameterException missing) {
      return missing(missing);
    }
    if (e instanceof OverwrittenOptionException overwritten) {
      return name(overwritten.getOverwritten()) + " is given more than once; give it once";
    }
    if (argument == null) {
      return String.valueOf(e.getMessage());
    }
    if (isSwitch(argument)) {
      return Sentence.of("%s takes no value. Actual: '%s'", name(argument), value(e));
    }
    if (e.getCause() instanceof TypeConversionException cause) {
      return name(argument) + ": " + plain(String.valueOf(cause.getMessage()));
    }
    return Sentence.of(
        "%s takes %s. Actual: '%s'", name(argument), argument.paramLabel(), value(e));
  }

  private static String value(ParameterException e) {
    return Names.shown(String.valueOf(e.getValue()));
  }

  private static String missing(MissingParameterException e) {
    ArgSpec first = e.getMissing().getFirst();
    if (first instanceof OptionSpec option) {
      return Sentence.of(
          "%s takes a value: %s=%s",
          option.longestName(), option.longestName(), option.paramLabel());
    }
    String command = e.getCommandLine().getCommandSpec().qualifiedName();
    return command + " takes " + first.paramLabel() + "; name it";
  }

  private static boolean isSwitch(ArgSpec argument) {
    return argument.arity().max() == 0 && argument.isOption();
  }

  private static String name(ArgSpec argument) {
    return argument instanceof OptionSpec option ? option.longestName() : argument.paramLabel();
  }

  /** A message without the Java types that the parser uses for numbers. */
  private static String plain(String message) {
    Matcher matcher = NO_NUMBER.matcher(message);
    if (!matcher.matches()) {
      return message;
    }
    String text = matcher.group(1);
    if (!WHOLE.matcher(text).matches()) {
      return Sentence.of("'%s' is not a whole number", text);
    }
    return Sentence.of(
        "'%s' is too large; the largest number is %d",
        Names.shown(text), matcher.group(2).equals("int") ? Integer.MAX_VALUE : Long.MAX_VALUE);
  }
}
