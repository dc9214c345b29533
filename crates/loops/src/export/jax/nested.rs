//! Writes data of pairs as tuples: an array of pairs is a pair of arrays, and a pair in the second half goes on with its tuple.

use redexter_language::ground::writing::goes_on;
use redexter_language::term::{Size, Type, TypeView};

/// A text for each number or array of numbers, in tuples.
pub(super) enum Nested {
    One(String),
    Tuple(Vec<Nested>),
}

impl Nested {
    /// The data of a type, where a part is as `one` writes it, for the lengths of the arrays around it.
    pub(super) fn of(ty: &Type, one: &mut dyn FnMut(&[&Size], &Type) -> String) -> Nested {
        fn go<'a>(ty: &'a Type, around: &mut Vec<&'a Size>, one: &mut dyn FnMut(&[&Size], &Type) -> String) -> Nested {
            match ty.view() {
                TypeView::Pair(a, b) if goes_on() => {
                    let mut all = vec![go(a, around, one)];
                    match go(b, around, one) {
                        Nested::Tuple(more) => all.extend(more),
                        one => all.push(one),
                    }
                    Nested::Tuple(all)
                }
                TypeView::Array(n, element) if goes_on() => {
                    around.push(n);
                    let element = go(element, around, one);
                    around.pop();
                    element
                }
                _ => Nested::One(one(around, ty)),
            }
        }
        go(ty, &mut Vec::new(), one)
    }

    /// As an expression, a pattern or a type: what stands in front of a tuple, and around it.
    pub(super) fn text(&self, open: &str, close: &str) -> String {
        match self {
            Nested::One(text) => text.clone(),
            Nested::Tuple(all) => format!("{open}{}{close}", self.inside(all, open, close)),
        }
    }

    /// As the target of an assignment.
    pub(super) fn target(&self) -> String {
        match self {
            Nested::One(text) => text.clone(),
            Nested::Tuple(all) => self.inside(all, "(", ")"),
        }
    }

    fn inside(&self, all: &[Nested], open: &str, close: &str) -> String {
        all.iter().map(|one| one.text(open, close)).collect::<Vec<_>>().join(", ")
    }
}
