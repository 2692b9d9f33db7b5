package dev.tutti.testkit.rules;

import java.util.List;

/** The examples, one for each rule, in the order of the rules. */
final class RuleExamples {

  private RuleExamples() {}

  static List<RuleExample<?>> all() {
    return List.of(
        new Cap1Example(),
        new Cap2Example(),
        new Cap3Example(),
        new Cap4Example(),
        new Pur1Example(),
        new Pur2Example(),
        new Pur3Example(),
        new Api1Example(),
        new Api2Example(),
        new Res1Example(),
        new Res2Example(),
        new Lnk1Example(),
        new Lnk2Example(),
        new Syn1Example(),
        new Syn2Example(),
        new Syn3Example(),
        new Syn4Example(),
        new Syn5Example(),
        new Mem1Example(),
        new Mem2Example(),
        new Mem3Example(),
        new Sem1Example(),
        new Sem2Example(),
        new Sem3Example(),
        new Sem4Example(),
        new Sem5Example(),
        new Sem6Example(),
        new Det1Example(),
        new Det2Example(),
        new Det3Example(),
        new Seq1Example(),
        new Seq2Example(),
        new Val1Example(),
        new Val2Example(),
        new Val3Example(),
        new Val4Example(),
        new Flt1Example(),
        new Flt2Example(),
        new Flt3Example(),
        new Opt1Example(),
        new Opt2Example());
  }
}
