//! Names a value that a rule binds by what it holds, where the value says so.

use super::fold_parts::FoldParts;
use redexter_language::ground::Name;
use redexter_language::term::{Kind, Prim, Term, TypeView, View};

/// `sum` for a fold that adds, `largest` for one that keeps the larger value (`max` is no name), `best` for one that keeps
/// where that was, `table` for a build; else the other name.
pub(super) fn name_of(value: &Term, other: &str) -> Name {
    let held = match value.kind() {
        Kind::Build(_) => Some("table"),
        Kind::Ifold(_) => FoldParts::of(value).and_then(|fold| kept(&fold.body)),
        _ => None,
    };
    Name::new(held.unwrap_or(other))
}

/// What iterations keep in their state, variable 1, where they put something else to it or choose between both.
fn kept(body: &Term) -> Option<&'static str> {
    match body.view() {
        View::Prim(op @ (Prim::Add | Prim::Max), operands) => {
            let with_state = match (is_state(&operands[0]), is_state(&operands[1])) {
                (true, _) => !mentions_state(&operands[1]),
                (_, true) => !mentions_state(&operands[0]),
                _ => false,
            };
            with_state.then_some(if op == Prim::Add { "sum" } else { "largest" })
        }
        View::If(condition, then, other) if is_state(&then) != is_state(&other) => {
            let View::Prim(op, sides) = condition.view() else { return None };
            let (smaller, larger) = match op {
                Prim::Lt | Prim::Le => (&sides[0], &sides[1]),
                Prim::Gt | Prim::Ge => (&sides[1], &sides[0]),
                _ => return None,
            };
            // Where the condition holds the larger side's value is kept.
            let (known, new) = if is_state(&then) { (larger, smaller) } else { (smaller, larger) };
            let chooses = mentions_state(known) && !mentions_state(new);
            let is_number = matches!(then.ty().view(), TypeView::Real | TypeView::Int);
            chooses.then_some(if is_number { "largest" } else { "best" })
        }
        _ => None,
    }
}

fn is_state(term: &Term) -> bool {
    matches!(term.view(), View::Var(1))
}

fn mentions_state(term: &Term) -> bool {
    term.free_at(1).is_some()
}
