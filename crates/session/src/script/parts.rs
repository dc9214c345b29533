//! Takes terms apart and puts them together again, for rules that are computed: `t.kind`, `t.children`, `t.value`,
//! `t.rebuild([…])`, `t.literal(2)`.

use rhai::{Array, Dynamic, Engine};

use super::errors::{RhaiResult, fail};
use super::terms::{TermValue, binder};
use super::words;
use redexter_language::ground::{Diagnostic, Name, code};
use redexter_language::term::{Kind, RangeProver, Term, TypeView};

pub(crate) fn register(engine: &mut Engine) {
    engine.register_get("kind", |t: &mut TermValue| kind(&t.program.term).to_owned());
    engine.register_get("value", |t: &mut TermValue| value(&t.program.term));
    engine.register_get("children", |t: &mut TermValue| {
        (0..t.program.term.kid_count()).map(|k| Dynamic::from(child(t, k))).collect::<Array>()
    });
    engine.register_fn("child", |t: &mut TermValue, k: i64| -> RhaiResult<TermValue> {
        let count = t.program.term.kid_count();
        match usize::try_from(k) {
            Ok(k) if k < count => Ok(child(t, k)),
            _ => Err(fail(wrong(format!("this term has {count} children, counted from 0, and none is number {k}")))),
        }
    });
    engine.register_fn("rebuild", |t: &mut TermValue, children: Array| rebuild(t, &children).map_err(fail));
    engine.register_fn("literal", |t: &mut TermValue, n: i64| literal(t, n as f64, n).map_err(fail));
    engine.register_fn("literal", |t: &mut TermValue, x: f64| literal(t, x, x as i64).map_err(fail));
}

/// The word for a term's constructor; of a primitive, its name.
fn kind(term: &Term) -> &'static str {
    match term.kind() {
        Kind::Get => "get",
        Kind::Prim(prim) => prim.text(),
        kind => kind.noun(),
    }
}

/// The number that a literal is, or nothing.
fn value(term: &Term) -> Dynamic {
    match term.kind() {
        Kind::Real(x) => Dynamic::from(*x),
        Kind::Int(n) => Dynamic::from(*n),
        Kind::Fin(k, _) => words::number(*k),
        _ => Dynamic::UNIT,
    }
}

/// A child, in whose scope is what the term binds there.
fn child(subject: &TermValue, k: usize) -> TermValue {
    let term = &subject.program.term;
    let scope: Vec<Name> = subject.scope.iter().cloned().chain(binder(term, k)).collect();
    let program = subject.program.with(term.kid(k));
    TermValue { program, name: None, scope: scope.into() }
}

/// The same constructor around other children. They keep the types of the old ones where that is needed.
fn rebuild(subject: &TermValue, children: &Array) -> Result<TermValue, Diagnostic> {
    let term = &subject.program.term;
    if children.len() != term.kid_count() {
        return Err(wrong(format!("this term has {} children, not {}", term.kid_count(), children.len())));
    }
    let mut kids = Vec::new();
    for (k, new) in children.iter().enumerate() {
        let Some(new) = new.read_lock::<TermValue>() else {
            return Err(wrong(format!("a child is a term, but this is {}", words::what(new))));
        };
        if new.scope.len() != subject.scope.len() + term.binders(k) as usize {
            return Err(wrong(format!("child {k} comes from another scope: its variables would mean something else")));
        }
        kids.push(new.program.term.clone());
    }
    let built = term.with_kids(kids.into()).map_err(|e| wrong(format!("these children don't fit: {e}")))?;
    if let Kind::Within(size) = term.kind() {
        let variables = vec![None; subject.scope.len()];
        let shown = RangeProver::new(&subject.program.bounds, &variables).is_index(&built.kid(0), size);
        shown.map_err(|_| wrong(format!("this child isn't shown to be an index below {size}")))?;
    }
    Ok(subject.with(built))
}

/// A number of the term's type.
fn literal(subject: &TermValue, x: f64, n: i64) -> Result<TermValue, Diagnostic> {
    let ty = subject.program.term.ty();
    let whole = n as f64 == x;
    let term = match ty.view() {
        TypeView::Real => Some(Term::real(x)),
        TypeView::Int if whole => Some(Term::int(n)),
        TypeView::Fin(below) if whole && u64::try_from(n).is_ok_and(|n| n < below.least(&subject.program.bounds)) => {
            Term::fin(n as u64, below.clone()).ok()
        }
        _ => None,
    };
    term.map(|term| subject.with(term)).ok_or_else(|| wrong(format!("{x} is no number of type {ty}")))
}

fn wrong(headline: String) -> Diagnostic {
    Diagnostic::error(code::SCRIPT, headline)
}
