//! Explains names from other strategy languages and from the paper, where no name here simply means the same.

/// Names there, and what to say to those who write them.
const FOREIGN_NAMES: &[(&str, &str)] = &[
    // Almost those of other strategies.
    (
        "topdown",
        "at every node, parents first, is `allTopDown(s)`; `topDown(s)` has one success, as Stratego's `oncetd`",
    ),
    (
        "bottomup",
        "at every node, children first, is `allBottomUp(s)`; `bottomUp(s)` has one success, as Stratego's `oncebu`",
    ),
    ("td", "from the root down, `topDown(s)` has one success, and `allTopDown(s)` is tried at every node"),
    ("bu", "from the leaves up, `bottomUp(s)` has one success, and `allBottomUp(s)` is tried at every node"),
    // The paper's.
    ("run", "`t.apply(s)` runs s on the term t; in the REPL a strategy that stands alone runs on the current term"),
    (
        "count",
        "how often a variable occurs is `occurrences(x)` in the conditions of a rule; what running t counts is `t.counts(inputs)`",
    ),
    ("freeVars", "how often a variable occurs is `occurrences(x)` in the conditions of a rule"),
    ("subst", "in a law `b(a)` is b with a in its variable's place: `let x := a; b(x) --> b(a)`"),
    ("replaceVar", "in a law `b(a)` is b with a in its variable's place: `let x := a; b(x) --> b(a)`"),
    ("freshTerm", "nothing has to be renamed: substitution captures no variable"),
    ("freshM", "nothing has to be renamed: substitution captures no variable"),
    ("failure", "what always fails is `fail`"),
    ("diamond", "on exactly one child is `one(s)`"),
    ("mkpair", "a pair is a term, `(a, b)`"),
    ("geti", "an element is a term, `v[i]`"),
    ("letin", "it is a term, `let x := a; b`"),
    ("lam", "it is a term, `fun x => b`"),
    ("app", "it is a term, `f a`"),
    ("addInt", "it is a term, `a + b`"),
    ("fromInt", "it is a term, `real i`"),
    ("diff", "it is a term, `D e`"),
    // Ends of exports.
    ("write_c", "C is written on the command line: `redexter export c FILE.arr:NAME -o OUT`"),
    (
        "write",
        "at the prompt `:export page sum.html` writes a derivation and `:export futhark sum.fut` a term; in a script \
         `t.trace(s).write_html(\"sum.html\")` and `t.write_futhark(\"sum.fut\")`; the stage is `fastGradient.write`",
    ),
    ("write_page", "a page is `t.trace(s).write_html(\"file.html\")`"),
];

/// The advice for a name that isn't known.
pub(crate) fn said(name: &str) -> Option<&'static str> {
    FOREIGN_NAMES.iter().find(|(there, _)| *there == name).map(|(_, said)| *said)
}
