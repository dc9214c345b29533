//! The rules of the book that text can't say, as one table.

mod collect;
mod constants;
mod elements;
mod floats;
mod gather;
mod halves;
mod known;
mod linear;
mod normal;
mod order;
mod ring;
mod scans;
mod share;
mod sum;
mod sums;
mod tabulate;
mod unroll;
mod unzip;

use std::rc::Rc;

use crate::ground::Name;
use crate::term::Slot;

use super::info::{Body, Exactness, LazyFootprint, Native, Origin, RuleInfo, State};

use floats::{float_if, float_let};
use known::{compare_offsets, if_known, if_true};

/// One row: name, group, law in words, conditions, when it helps and what blocks it, function.
struct Row {
    name: &'static str,
    group: &'static str,
    law: &'static str,
    condition: &'static str,
    doc: &'static str,
    exactness: Exactness,
    function: Native,
}

/// The native rules, in the order of the book.
pub(super) fn all() -> impl Iterator<Item = Rc<RuleInfo>> {
    let tables = [
        SINGLE,
        unzip::ROWS,
        sums::ROWS,
        order::ROWS,
        collect::ROWS,
        normal::ROWS,
        gather::ROWS,
        linear::ROWS,
        share::ROWS,
        tabulate::ROWS,
        constants::ROWS,
        unroll::ROWS,
        elements::ROWS,
    ];
    let counted =
        RuleInfo { params: vec![Name::new("k")], body: Body::Counted(unroll::unroll_up_to), ..unroll::UP_TO.info() };
    let plain = tables.into_iter().flatten().map(Row::info);
    plain.chain([counted]).chain(FLOATS.iter().map(Row::info)).map(Rc::new)
}

impl Row {
    fn info(&self) -> RuleInfo {
        RuleInfo {
            name: Name::new(self.name),
            group: self.group.to_owned(),
            params: Vec::new(),
            laws: vec![self.law.to_owned()],
            conditions: if self.condition.is_empty() { Vec::new() } else { vec![self.condition.to_owned()] },
            doc: self.doc.to_owned(),
            exactness: self.exactness,
            origin: Origin::Book,
            unchecked: false,
            state: State::at_first(Origin::Book),
            footprint: LazyFootprint::of(scans::scan(self.name)),
            body: Body::Native(self.function),
        }
    }
}

const SINGLE: &[Row] = &[
    Row {
        name: "ifTrue",
        group: "Conditionals",
        law: "if k then a else b --> a",
        condition: "k is a number other than 0",
        doc: "Takes the first branch of an if that is decided; ifKnown decides them.",
        exactness: Exactness::Exact,
        function: if_true,
    },
    Row {
        name: "ifKnown",
        group: "Conditionals",
        law: "if c then a else b --> if c then a[c := 1] else b[c := 0]",
        condition: "c is a comparison, `&&`, `||` or `not`, and occurs in a branch",
        doc: "Uses in each branch what its condition says; an occurrence where one of c's variables is bound again is \
              another condition.",
        exactness: Exactness::Exact,
        function: if_known,
    },
    Row {
        name: "letFloatBranch",
        group: "Let outwards",
        law: "f(let x := a; b) --> let x := a; f(b), where f is `if c then _ else e` or `if c then e else _`",
        condition: "",
        doc: "Moves a let out of a branch: a is then computed in any case, which may add work. See letFloat.",
        exactness: Exactness::Exact,
        function: |focus| float_let(focus, |slot| matches!(slot, Slot::ThenBranch | Slot::ElseBranch)),
    },
    Row {
        name: "eqOffset",
        group: "Conditionals",
        law: "i + c = k + d --> i + (c - m) = k + (d - m)",
        condition: "m is the smaller of the literals c and d, and above 0; the same for every comparison",
        doc: "Frees a comparison of shifted indices for ifoldOneHot; blocked where only one side is shifted and the \
              other is no constant.",
        exactness: Exactness::Exact,
        function: compare_offsets,
    },
];

macro_rules! floats {
    ($($suffix:literal $places:pat, $around:literal;)*) => {
        const FLOATS: &[Row] = &[
            Row {
                name: "letFloat",
                group: "Let outwards",
                law: "f(let x := a; b) --> let x := a; f(b)",
                condition: "f is any constructor but let; a mentions no variable that f binds",
                doc: "Moves a let out of the leftmost place below; out of a loop this is loop-invariant code motion, \
                      out of a branch it may add work.",
                exactness: Exactness::Exact,
                function: |focus| float_let(focus, |_| true),
            },
            $(Row {
                name: concat!("letFloat", $suffix),
                group: "Let outwards",
                law: concat!("f(let x := a; b) --> let x := a; f(b), where f is ", $around),
                condition: "a mentions no variable that f binds",
                doc: "Moves a let out of this place only; see letFloat.",
                exactness: Exactness::Exact,
                function: |focus| float_let(focus, |slot| matches!(slot, $places)),
            },)*
            Row {
                name: "ifFloat",
                group: "If outwards",
                law: "f(if c then a else b) --> if c then f(a) else f(b)",
                condition: "c mentions no variable that f binds; f is no branch of an if",
                doc: "Moves an if out of the leftmost place below, towards the fold that ifoldOneHot removes; repeats f.",
                exactness: Exactness::Exact,
                function: |focus| float_if(focus, |_| true),
            },
            $(Row {
                name: concat!("ifFloat", $suffix),
                group: "If outwards",
                law: concat!("f(if c then a else b) --> if c then f(a) else f(b), where f is ", $around),
                condition: "c mentions no variable that f binds; f is no branch of an if",
                doc: "Moves an if out of this place only; see ifFloat.",
                exactness: Exactness::Exact,
                function: |focus| float_if(focus, |slot| matches!(slot, $places)),
            },)*
        ];
    };
}

floats! {
    "Function" Slot::Function, "`_ e`";
    "Argument" Slot::Argument, "`e _`";
    "Body" Slot::Body, "`fun y => _`";
    "Condition" Slot::Condition, "`if _ then e1 else e2`";
    "PairFirst" Slot::PairFirst, "`(_, e)`";
    "PairSecond" Slot::PairSecond, "`(e, _)`";
    "Projected" Slot::Projected, "`fst _` or `snd _`";
    "Array" Slot::Array, "`_[i]`";
    "Index" Slot::Index, "`v[_]`";
    "BuildBody" Slot::BuildBody, "`build n _`";
    "FoldBody" Slot::FoldBody, "`ifold n _ z`";
    "FoldInit" Slot::FoldInit, "`ifold n f _`";
    "Operand" Slot::Operand(_), "a primitive, in any operand";
    "Element" Slot::Element(_), "an array literal, in any element";
}
