//! Floats `let` and `if` outwards through every constructor; out of a loop's function this is loop-invariant code motion.

use crate::rule::footprint::{ANY_KID, HeadFilter, Inspection, SHALLOW};
use crate::rule::record::NativeStatement::Words;
use crate::rule::record::for_tests;
use crate::rule::{Exactness, Focus, NativeRule, Reason};
use redexter_language::term::{Head, Kind, Slot, Term, View};

/// `letFloatBranch`, which has no namesake among the ifs.
pub(super) const BRANCH_RULES: &[NativeRule] = &[NativeRule {
    name: "letFloatBranch",
    params: &[],
    group: "Let outwards",
    law: Words("f(let x := a; b) --> let x := a; f(b), where f is `if c then _ else e` or `if c then e else _`"),
    condition: "",
    doc: "Moves a let out of a branch: a is then computed in any case, which may add work. See letFloat.",
    exactness: Exactness::Exact,
    inspects: Inspection { heads: HeadFilter::Of(&[Head::If]), ways: &[&[1], &[2]], ..SHALLOW },
    left_sides: &["if c then (let x := a; b(x)) else d", "if c then d else (let x := a; b(x))"],
    examples: &[(
        "fun (v : real) (c : int) => if c then (let x := exp v; x * x) else v",
        "fun (v : real) (c : int) => let x := exp v; if c then x * x else v",
    )],
    refused: for_tests(&["fun (v : real) => if (let x := v; x < 1) then 1 else v"]),
    function: |focus, _| float_let(focus, |slot| matches!(slot, Slot::ThenBranch | Slot::ElseBranch)),
}];

const fn at(heads: &'static [Head], ways: &'static [&'static [u32]]) -> Inspection {
    Inspection { heads: HeadFilter::Of(heads), ways, ..SHALLOW }
}

macro_rules! floats {
    ($($suffix:literal $slots:pat, $around:literal, $inspects:expr;
        let [$($let_left:literal),*] [$let_before:literal => $let_after:literal] [$let_refused:literal]
        if [$($if_left:literal),*] [$if_before:literal => $if_after:literal] [$if_refused:literal];
    )*) => {
        pub(super) const RULES: &[NativeRule] = &[
            NativeRule {
                name: "letFloat",
                params: &[],
                group: "Let outwards",
                law: Words("f(let x := a; b) --> let x := a; f(b)"),
                condition: "f is any constructor but let; a mentions no variable that f binds",
                doc: "Moves a let out of the leftmost place below; out of a loop this is loop-invariant code motion, \
                      out of a branch it may add work.",
                exactness: Exactness::Exact,
                inspects: Inspection { heads: HeadFilter::Inner(&[Head::Let]), ways: &[&[ANY_KID]], scope: 2, ..SHALLOW },
                left_sides: &[
                    $($($let_left,)*)*
                    "if c then (let x := a; b(x)) else d",
                    "if c then d else (let x := a; b(x))",
                ],
                examples: &[("fun (v : real) => exp (let x := v * v; x + v)", "fun (v : real) => let x := v * v; exp (x + v)")],
                refused: for_tests(&[
                    "fun (v : real) => let x := v * v; x",
                    "fun (v : array n real) => ifold n (fun a i => let x := a * v[i]; x + x) 1",
                    "fun (v : real) => let y := v; let x := v * v; x + y",
                ]),
                function: |focus, _| float_let(focus, |_| true),
            },
            $(NativeRule {
                name: concat!("letFloat", $suffix),
                params: &[],
                group: "Let outwards",
                law: Words(concat!("f(let x := a; b) --> let x := a; f(b), where f is ", $around)),
                condition: "a mentions no variable that f binds",
                doc: "Moves a let out of this place only; see letFloat.",
                exactness: Exactness::Exact,
                inspects: $inspects,
                left_sides: &[$($let_left),*],
                examples: &[($let_before, $let_after)],
                refused: for_tests(&[$let_refused]),
                function: |focus, _| float_let(focus, |slot| matches!(slot, $slots)),
            },)*
            NativeRule {
                name: "ifFloat",
                params: &[],
                group: "If outwards",
                law: Words("f(if c then a else b) --> if c then f(a) else f(b)"),
                condition: "c mentions no variable that f binds; f is no branch of an if",
                doc: "Moves an if out of the leftmost place below, towards the fold that ifoldOneHot removes; repeats f.",
                exactness: Exactness::Exact,
                inspects: Inspection { heads: HeadFilter::Inner(&[]), ways: &[&[ANY_KID]], scope: 2, ..SHALLOW },
                left_sides: &[
                    $($($if_left,)*)*
                    "let x := (if c then a else b); d(x)",
                    "let x := a; if c then b(x) else d(x)",
                ],
                examples: &[(
                    "fun (v : real) => v * (if v < 1 then v else 2)",
                    "fun (v : real) => if v < 1 then v * v else v * 2",
                )],
                refused: for_tests(&[
                    "build n (fun i => if real i < 1 then 1 else 2)",
                    "fun (v : real) (c d : int) => (fun (w : real) => if w < 1 then c else d)",
                    "fun (v : array n real) => build n (fun i => if v[i] < 1 then (if v[i] < 2 then 1 else 2) else 3)",
                    "fun (v : real) => let x := v * v; if x < 1 then x else v",
                ]),
                function: |focus, _| float_if(focus, |_| true),
            },
            $(NativeRule {
                name: concat!("ifFloat", $suffix),
                params: &[],
                group: "If outwards",
                law: Words(concat!("f(if c then a else b) --> if c then f(a) else f(b), where f is ", $around)),
                condition: "c mentions no variable that f binds; f is no branch of an if",
                doc: "Moves an if out of this place only; see ifFloat.",
                exactness: Exactness::Exact,
                inspects: $inspects,
                left_sides: &[$($if_left),*],
                examples: &[($if_before, $if_after)],
                refused: for_tests(&[$if_refused]),
                function: |focus, _| float_if(focus, |slot| matches!(slot, $slots)),
            },)*
        ];
    };
}

floats! {
    "Function" Slot::Function, "`_ e`", at(&[Head::App], &[&[0]]);
        let ["(let x := a; fun y => b(x, y)) c"]
            ["fun (v : real) => (let x := v * v; fun (y : real) => x + y) 1"
             => "fun (v : real) => let x := v * v; (fun (y : real) => x + y) 1"]
            ["fun (v : real) => (fun (y : real) => y + v) (let x := v * v; x)"]
        if ["(if c then f else g) a"]
            ["fun (v : real) => (if v < 1 then (fun (x : real) => x) else (fun x => x * v)) v"
             => "fun (v : real) => if v < 1 then (fun (x : real) => x) v else (fun x => x * v) v"]
            ["fun (v : real) => (fun (y : real) => y + v) (if v < 1 then v else 2)"];
    "Argument" Slot::Argument, "`e _`", at(&[Head::App], &[&[1]]);
        let ["f (let x := a; b(x))"]
            ["fun (v : real) => (fun (y : real) => y + v) (let x := v * v; x)"
             => "fun (v : real) => let x := v * v; (fun (y : real) => y + v) x"]
            ["fun (v : real) => (let x := v * v; fun (y : real) => x + y) 1"]
        if ["f (if c then a else b)"]
            ["fun (v : real) => (fun (y : real) => y + v) (if v < 1 then v else 2)"
             => "fun (v : real) => if v < 1 then (fun (y : real) => y + v) v else (fun (y : real) => y + v) 2"]
            ["fun (v : real) => (if v < 1 then (fun (x : real) => x) else (fun x => x * v)) v"];
    "Body" Slot::Body, "`fun y => _`", Inspection { scope: 2, ..at(&[Head::Lam], &[&[0]]) };
        let ["fun y => let x := a; b(x, y)"]
            ["fun (v : real) => build n (fun i => let x := v * v; x + real i)"
             => "fun (v : real) => build n (let x := v * v; fun i => x + real i)"]
            ["build n (fun i => let x := real i; x + x)"]
        if ["fun y => if c then a(y) else b(y)", "fun y => if c(y) then a(y) else b(y)"]
            ["fun (v : real) => build n (fun i => if v < 1 then real i else v)"
             => "fun (v : real) => build n (if v < 1 then (fun i => real i) else (fun i => v))"]
            ["build n (fun i => if real i < 1 then 1 else 2)"];
    "Condition" Slot::Condition, "`if _ then e1 else e2`", at(&[Head::If], &[&[0]]);
        let ["if (let x := a; b(x)) then c else d"]
            ["fun (v : real) => if (let x := v * v; x < v) then v else 1"
             => "fun (v : real) => let x := v * v; if x < v then v else 1"]
            ["fun (v : real) => if v < 1 then (let x := v * v; x) else v"]
        if ["if (if c then a else b) then d else e"]
            ["fun (v : real) => if (if v < 1 then 1 else 0) then v else 2"
             => "fun (v : real) => if v < 1 then (if 1 then v else 2) else (if 0 then v else 2)"]
            ["fun (v : real) => if v < 1 then (if v < 2 then 1 else 2) else v"];
    "PairFirst" Slot::PairFirst, "`(_, e)`", at(&[Head::Pair], &[&[0]]);
        let ["(let x := a; b(x), c)"]
            ["fun (v : real) => (let x := v * v; x, v)"
             => "fun (v : real) => let x := v * v; (x, v)"]
            ["fun (v : real) => (v, let x := v * v; x)"]
        if ["(if c then a else b, d)"]
            ["fun (v : real) => (if v < 1 then v else 2, v)"
             => "fun (v : real) => if v < 1 then (v, v) else (2, v)"]
            ["fun (v : real) => (v, if v < 1 then v else 2)"];
    "PairSecond" Slot::PairSecond, "`(e, _)`", at(&[Head::Pair], &[&[1]]);
        let ["(c, let x := a; b(x))"]
            ["fun (v : real) => (v, let x := v * v; x)"
             => "fun (v : real) => let x := v * v; (v, x)"]
            ["fun (v : real) => (let x := v * v; x, v)"]
        if ["(d, if c then a else b)"]
            ["fun (v : real) => (v, if v < 1 then v else 2)"
             => "fun (v : real) => if v < 1 then (v, v) else (v, 2)"]
            ["fun (v : real) => (if v < 1 then v else 2, v)"];
    "Projected" Slot::Projected, "`fst _` or `snd _`", at(&[Head::Fst, Head::Snd], &[&[0]]);
        let ["fst (let x := a; b(x))", "snd (let x := a; b(x))"]
            ["fun (v : real) => snd (let x := v * v; (x, v))"
             => "fun (v : real) => let x := v * v; snd (x, v)"]
            ["fun (v : array n real) (i : fin n) => (let x := v; x)[i]"]
        if ["fst (if c then a else b)", "snd (if c then a else b)"]
            ["fun (v : real) => fst (if v < 1 then (v, v) else (2, v))"
             => "fun (v : real) => if v < 1 then fst (v, v) else fst (2, v)"]
            ["fun (v w : array n real) (i : fin n) => (if v[i] < 1 then v else w)[i]"];
    "Array" Slot::Array, "`_[i]`", at(&[Head::Get], &[&[0]]);
        let ["(let x := a; b(x))[i]"]
            ["fun (v : array n real) (i : fin n) => (let x := v; x)[i]"
             => "fun (v : array n real) (i : fin n) => let x := v; x[i]"]
            ["fun (v : array n real) (i : fin n) => v[let j := i; j]"]
        if ["(if c then a else b)[i]"]
            ["fun (v w : array n real) (i : fin n) => (if v[i] < 1 then v else w)[i]"
             => "fun (v w : array n real) (i : fin n) => if v[i] < 1 then v[i] else w[i]"]
            ["fun (v : array n real) (i j : fin n) => v[if i < j then i else j]"];
    "Index" Slot::Index, "`v[_]`", at(&[Head::Get], &[&[1]]);
        let ["v[let x := a; b(x)]", "v[let x := i; x]"]
            ["fun (v : array n real) (i : fin n) => v[let j := i; j]"
             => "fun (v : array n real) (i : fin n) => let j := i; v[j]"]
            ["fun (v : array n real) (i : fin n) => (let x := v; x)[i]"]
        if ["v[if c then i else j]"]
            ["fun (v : array n real) (i j : fin n) => v[if i < j then i else j]"
             => "fun (v : array n real) (i j : fin n) => if i < j then v[i] else v[j]"]
            ["fun (v w : array n real) (i : fin n) => (if v[i] < 1 then v else w)[i]"];
    "BuildBody" Slot::BuildBody, "`build n _`", at(&[Head::Build], &[&[0]]);
        let ["build n (let x := a; fun i => b(x, i))"]
            ["fun (v : real) => build n (let x := v * v; fun i => x)"
             => "fun (v : real) => let x := v * v; build n (fun i => x)"]
            ["fun (v : real) => build n (fun i => let x := v * v; x + real i)"]
        if ["build n (if c then f else g)"]
            ["fun (v : real) => build n (if v < 1 then (fun i => real i) else (fun i => v))"
             => "fun (v : real) => if v < 1 then build n (fun i => real i) else build n (fun i => v)"]
            ["fun (v : real) => build n (fun i => if v < 1 then real i else v)"];
    "FoldBody" Slot::FoldBody, "`ifold n _ z`", at(&[Head::Ifold], &[&[0]]);
        let ["ifold n (let x := a; fun s i => b(x, s, i)) z"]
            ["fun (v : real) => ifold n (let x := v * v; fun a i => a + x) 0"
             => "fun (v : real) => let x := v * v; ifold n (fun a i => a + x) 0"]
            ["fun (v : real) => ifold n (fun a i => a + v) (let x := v * v; x)"]
        if ["ifold n (if c then f else g) z"]
            ["fun (v : real) => ifold n (if v < 1 then (fun a i => a + v) else (fun a i => a)) 0"
             => "fun (v : real) => if v < 1 then ifold n (fun a i => a + v) 0 else ifold n (fun a i => a) 0"]
            ["fun (v : real) => ifold n (fun a i => a + v) (if v < 1 then v else 2)"];
    "FoldInit" Slot::FoldInit, "`ifold n f _`", at(&[Head::Ifold], &[&[1]]);
        let ["ifold n f (let x := a; b(x))"]
            ["fun (v : real) => ifold n (fun a i => a + v) (let x := v * v; x)"
             => "fun (v : real) => let x := v * v; ifold n (fun a i => a + v) x"]
            ["fun (v : real) => ifold n (let x := v * v; fun a i => a + x) 0"]
        if ["ifold n f (if c then a else b)"]
            ["fun (v : real) => ifold n (fun a i => a + v) (if v < 1 then v else 2)"
             => "fun (v : real) => if v < 1 then ifold n (fun a i => a + v) v else ifold n (fun a i => a + v) 2"]
            ["fun (v : real) => ifold n (if v < 1 then (fun a i => a + v) else (fun a i => a)) 0"];
    "Operand" Slot::Operand(_), "a primitive, in any operand", Inspection { heads: HeadFilter::AnyPrim, ..at(&[], &[&[ANY_KID]]) };
        let ["(let x := a; b(x)) + c", "c * (let x := a; b(x))", "sin (let x := a; b(x))", "c < (let x := a; b(x))"]
            ["fun (v : real) => v + (let x := v * v; x)"
             => "fun (v : real) => let x := v * v; v + x"]
            ["fun (v : real) => [v, let x := v * v; x]"]
        if ["(if c then a else b) + d",
             "d * (if c then a else b)",
             "sin (if c then a else b)",
             "d < (if c then a else b)"]
            ["fun (v : real) => exp (if v < 1 then v else 2)"
             => "fun (v : real) => if v < 1 then exp v else exp 2"]
            ["fun (v : real) => [v, if v < 1 then v else 2]"];
    "Element" Slot::Element(_), "an array literal, in any element", at(&[Head::Array], &[&[ANY_KID]]);
        let ["[let x := a; b(x), c]", "[c, let x := a; b(x)]"]
            ["fun (v : real) => [v, let x := v * v; x]"
             => "fun (v : real) => let x := v * v; [v, x]"]
            ["fun (v : real) => (v, let x := v * v; x)"]
        if ["[if c then a else b, d]", "[d, if c then a else b]"]
            ["fun (v : real) => [v, if v < 1 then v else 2]"
             => "fun (v : real) => if v < 1 then [v, v] else [v, 2]"]
            ["fun (v : real) => (v, if v < 1 then v else 2)"];
}

/// `f(let x := a; b) --> let x := a; f(b)`, for the leftmost child in one of these slots where it is allowed.
fn float_let(focus: &Focus, slots: fn(Slot) -> bool) -> Result<Term, Reason> {
    let kind = focus.term.kind();
    if let Kind::Let(_) = kind {
        return Err(Reason::native("letSwap and letLet move a let out of a let"));
    }
    let mut reason = Reason::native("no let in the place that it floats from");
    for (k, node) in focus.term.nodes().iter().enumerate() {
        if !matches!(node.kind(), Kind::Let(_)) || !slots(kind.slot(k)) {
            continue;
        }
        let View::Let(x, value, body) = focus.term.kid(k).view() else { continue };
        let binders = kind.binders(k);
        // The value must not leave the scope of a variable that it mentions; a let in a later child may still float.
        let Some(outer) = value.lower(binders) else {
            reason = Reason { progress: 1, ..Reason::native("the let's value mentions the function's variable") };
            continue;
        };
        // The let's variable comes to be bound outside of this constructor's binders instead of inside.
        let inside = body.rename(|i| match i {
            0 => binders,
            i if i <= binders => i - 1,
            i => i,
        });
        let rest = focus.term.shift(1);
        let floated = rest.with_kid(k, inside).and_then(|body| Term::let_in(&x, outer, body));
        return floated.map_err(|_| Reason::native("the let can't stand further out"));
    }
    Err(reason)
}

/// `f(if c then a else b) --> if c then f(a) else f(b)`, for the leftmost child in one of these slots where it is
/// allowed.
fn float_if(focus: &Focus, slots: fn(Slot) -> bool) -> Result<Term, Reason> {
    let kind = focus.term.kind();
    let mut reason = Reason::native("no if in the place that it floats from");
    for (k, node) in focus.term.nodes().iter().enumerate() {
        let slot = kind.slot(k);
        // Out of a branch it would float for ever, since the outer `if` comes to stand in the branches of the inner one.
        let branch = matches!(slot, Slot::ThenBranch | Slot::ElseBranch);
        if !matches!(node.kind(), Kind::If) || branch || !slots(slot) {
            continue;
        }
        let View::If(condition, a, b) = focus.term.kid(k).view() else { continue };
        let Some(outer) = condition.lower(kind.binders(k)) else {
            reason = Reason { progress: 1, ..Reason::native("the condition mentions a variable that is bound here") };
            continue;
        };
        let around = |branch: Term| focus.term.with_kid(k, branch);
        let floated = around(a).and_then(|a| around(b).and_then(|b| Term::if_else(outer, a, b)));
        return floated.map_err(|_| Reason::native("the if can't stand further out"));
    }
    Err(reason)
}
