//! Defines the predicates of conditions: one word for each thing that can be said of terms and bound variables.

use redexter_language::term::{Kind, Node, Term, TermRef, TypeView};

use super::super::focus::Focus;
use super::cheap::is_cheap;
use super::enclosing::EnclosingMarks;
use super::{ConditionVariable, Substitution};

macro_rules! predicates {
    ($($(#[doc = $doc:literal])+ $name:ident $text:literal $least:literal $most:literal $says:literal;)*) => {
        /// A property of terms and bound variables.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Predicate { $($(#[doc = $doc])+ $name,)* }

        impl Predicate {
            /// All of them with the words that users write, and the sentence that each stands for: `{1}` and `{2}` are
            /// the variables that it speaks of, `{any}` is one of them.
            pub const ALL: &[(&str, Predicate, &str)] = &[$(($text, Predicate::$name, $says)),*];

            /// The least and the greatest number of variables that it speaks of.
            pub fn arity(self) -> (usize, usize) {
                match self { $(Predicate::$name => ($least, $most),)* }
            }
        }
    };
}

predicates! {
    /// A number, or a size.
    Constant "constant" 1 1 "{1} is a number, or a size";
    /// A number.
    Literal "literal" 1 1 "{1} is a number";
    /// The number 0.
    Zero "zero" 1 1 "{1} is the number 0";
    /// A variable.
    Variable "variable" 1 1 "{1} is a variable";
    /// A bound variable that may be replaced by its value without repeating work.
    Safe "safe" 1 1 "{1} may be replaced by its value without repeating work";
    /// A bound variable whose value costs no flops, compares or rounds where it is used: a build that every use indexes
    /// costs what its elements do.
    Cheap "cheap" 1 1 "the value of {1} costs no flops, compares or rounds where it is used";
    /// A bound variable that occurs under a `build`, an `ifold` body or a `fun`.
    Looped "looped" 1 1 "{1} occurs under a `build`, an `ifold` body or a `fun`";
    /// Of type `real`.
    IsReal "isReal" 1 1 "{1} is of type `real`";
    /// Of type `int`.
    IsInt "isInt" 1 1 "{1} is of type `int`";
    /// An index.
    IsFin "isFin" 1 1 "{1} is an index";
    /// An array.
    IsArray "isArray" 1 1 "{1} is an array";
    /// A pair.
    IsPair "isPair" 1 1 "{1} is a pair";
    /// A function.
    IsFunction "isFunction" 1 1 "{1} is a function";
    /// A variable that occurs in the term after it.
    Free "free" 2 2 "{1} occurs in {2}";
    /// A term that mentions the variable after it, or the variable of an enclosing `let` or `ifold` whose parts do.
    Depends "depends" 2 2 "{1} mentions {2}, or the variable of an enclosing `let` or `ifold` whose parts do";
    /// One of these terms depends on a parameter index: on the variable of a `build` around the result, or of an `ifold` that
    /// is the result where there is no such `build` around, that some `=` below compares with an index bound further in.
    Tangent "tangent" 1 8
        "{any} depends on a parameter index: the variable of a `build` around the result, or of an `ifold` that is the result where there is no such `build` around, that some `=` below compares with an index bound further in";
    /// One of these terms holds an `if` whose condition depends on a parameter index.
    OneHot "oneHotIn" 1 8 "{any} holds an `if` whose condition depends on a parameter index";
}

impl Predicate {
    /// Whether it holds; false of variables that it can't be asked about.
    pub(super) fn holds(self, all: &[ConditionVariable], found: &dyn Substitution, focus: &Focus) -> bool {
        let Some(first) = all.first() else { return false };
        match self {
            Predicate::Safe => {
                first.bound(focus.term).is_some_and(|(scope, value)| value.is_some_and(|v| safe(&v, scope)))
            }
            Predicate::Cheap => {
                first.bound(focus.term).is_some_and(|(scope, value)| value.is_some_and(|v| is_cheap(&v, scope)))
            }
            Predicate::Looped => first.bound(focus.term).is_some_and(|(scope, _)| is_looped(scope)),
            Predicate::Free => all.get(1).is_some_and(|e| depends(e, first, focus, false)),
            Predicate::Depends => all.get(1).is_some_and(|x| depends(first, x, focus, true)),
            Predicate::Tangent => all.iter().any(|v| in_context(v, focus, |place, term| place.marks(term))),
            Predicate::OneHot => all.iter().any(|v| in_context(v, focus, |place, term| place.holds_choice(term))),
            _ => first.term(found, focus.term).is_some_and(|term| self.says(&term)),
        }
    }

    /// Whether it asks for no more than a term's root and type.
    pub(in super::super) fn is_of_form(self) -> bool {
        use Predicate::{Cheap, Depends, Free, Looped, OneHot, Safe, Tangent};
        !matches!(self, Safe | Cheap | Looped | Free | Depends | Tangent | OneHot)
    }

    fn says(self, term: &Term) -> bool {
        match (self, term.kind()) {
            (Predicate::Constant, Kind::Real(_) | Kind::Int(_) | Kind::Fin(..) | Kind::SizeVar(_)) => true,
            (Predicate::Literal, Kind::Real(_) | Kind::Int(_) | Kind::Fin(..)) => true,
            (Predicate::Zero, Kind::Real(x)) => *x == 0.0,
            (Predicate::Zero, Kind::Int(0) | Kind::Fin(0, _)) => true,
            (Predicate::Variable, Kind::Var) => true,
            (word, _) => matches!(
                (word, term.ty().view()),
                (Predicate::IsReal, TypeView::Real)
                    | (Predicate::IsInt, TypeView::Int)
                    | (Predicate::IsFin, TypeView::Fin(_))
                    | (Predicate::IsArray, TypeView::Array(..))
                    | (Predicate::IsPair, TypeView::Pair(..))
                    | (Predicate::IsFunction, TypeView::Fun(..))
            ),
        }
    }
}

/// Whether variable 0 of `scope` may be replaced by `value` without repeating work.
pub(super) fn safe(value: &Node, scope: TermRef) -> bool {
    // A variable that doesn't occur repeats nothing, whatever its value costs.
    let Some(uses) = scope.free_at(0) else { return true };
    let mut root = value;
    while let Kind::Fst | Kind::Snd = root.kind() {
        root = &root.nodes()[0];
    }
    // A variable's halves cost no more than it does. A function or a constant must be the value itself, since a half of
    // anything else has to be computed where it is used.
    let free_of_work = match root.kind() {
        Kind::Var => true,
        Kind::Lam(..) | Kind::Real(_) | Kind::Int(_) | Kind::Fin(..) | Kind::SizeVar(_) => std::ptr::eq(root, value),
        _ => false,
    };
    free_of_work || (uses.count <= 1 && !uses.looped)
}

fn is_looped(scope: TermRef) -> bool {
    scope.free_at(0).is_some_and(|uses| uses.looped)
}

/// What `ask` says of the variable's term at its place, seen from the parameter indices.
fn in_context(variable: &ConditionVariable, focus: &Focus, ask: fn(&EnclosingMarks, &Term) -> bool) -> bool {
    let Some((frames, term)) = variable.place(focus.term) else { return false };
    ask(&EnclosingMarks::at(focus, &frames), &term)
}

/// Whether the term mentions the variable; with `through`, be it through enclosing lets and folds.
fn depends(e: &ConditionVariable, x: &ConditionVariable, focus: &Focus, through: bool) -> bool {
    let (Some(level), Some((frames, term))) = (level(x, e, focus), e.place(focus.term)) else { return false };
    let enclosing = EnclosingMarks::on(level, focus, &frames);
    if through {
        return enclosing.marks(&term);
    }
    enclosing.depth().checked_sub(level + 1).is_some_and(|index| term.free_at(index as u32).is_some())
}

/// Where the variable is bound, counted from the root, if `within` can mention it.
fn level(x: &ConditionVariable, within: &ConditionVariable, focus: &Focus) -> Option<usize> {
    let (frames, term) = x.place(focus.term)?;
    let enclosing = EnclosingMarks::at(focus, &frames);
    match (x.of_law, term.kind()) {
        // What the left side binds is in scope only below its binder, so that nothing beside that can mention it.
        (None, _) => within.path.starts_with(&x.path).then_some(enclosing.depth()),
        (Some(_), Kind::Var) => enclosing.depth().checked_sub(term.free().next()?.0 as usize + 1),
        _ => None,
    }
}
