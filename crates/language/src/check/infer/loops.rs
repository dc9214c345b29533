//! Reads the loops whose words are open, with their sizes: `scan n`, `scatter n m`, and `scatter n (m, k)`, which is one loop.

use super::Inference;
use crate::ground::{Diagnostic, Name, Span, Trouble, code};
use crate::syntax::raw::{
    Located, RawHead, RawIdent, RawParam, RawSizeKind, RawTerm, RawTermKind, RawType, RawTypeKind, sizes_of_loop,
};
use crate::term::Prim;

impl Inference<'_> {
    /// Whether a name before an argument, which is a size then, means a loop.
    pub(super) fn is_loop(&self, name: &Name, applied: bool) -> bool {
        applied && sizes_of_loop(name.as_str()) > 0 && self.local(name).is_none() && !self.scope.says(name)
    }
}

/// A loop with its sizes, which are taken from the arguments.
pub(super) fn loop_word(name: &Name, at: Span, arguments: &mut Vec<&RawTerm>) -> Result<RawHead, Trouble> {
    let form = if sizes_of_loop(name.as_str()) > 1 { "n m f" } else { "n f z" };
    let mut size = || {
        let argument = (!arguments.is_empty()).then(|| arguments.remove(0));
        argument.and_then(RawTerm::as_size).ok_or_else(|| {
            Diagnostic::error(code::UNKNOWN_SIZE, format!("`{name} {form}` takes a size, and this is none"))
                .at(argument.map_or(at, |argument| argument.span), "a size is needed here")
                .help("sizes are names, numerals, their sums and products")
        })
    };
    Ok(match name.as_str() {
        "scatter" => RawHead::Scatter(size()?, size()?),
        word => RawHead::Scan(size()?, word == "scanr"),
    })
}

/// `scatter n (m, k) f` as `scatter n (m * k) (fun e => f (e / k) (e % k))`, and so for more loops; nothing where there is one
/// loop, or where something else is wrong.
pub(super) fn flat_scatter(head: &RawTerm, arguments: &[&RawTerm]) -> Option<RawTerm> {
    let [places, loops, f, rest @ ..] = arguments else { return None };
    let mut sizes = Vec::new();
    let mut more = *loops;
    while let RawTermKind::Pair(first, others) = &more.kind {
        sizes.push(&**first);
        more = others;
    }
    sizes.push(more);
    if sizes.len() < 2 || sizes.iter().any(|size| size.as_size().is_none()) {
        return None;
    }
    let span = loops.span;
    let at = |kind| RawTerm { kind, span };
    let word = |name: &str| RawIdent { name: Name::new(name), span };
    let both = |prim: Prim, a, b| at(RawTermKind::Binary(prim, word(prim.text()), Box::new(a), Box::new(b)));
    let applied = |f, a| at(RawTermKind::App(Box::new(f), Box::new(a)));
    let mut index = "e".to_owned();
    while mentions(f, &index) {
        index.push('\'');
    }
    // The last loop's index changes fastest; what is left when it is taken off is the index of the loops before it.
    let mut indices = Vec::new();
    let mut whole = at(RawTermKind::Name(Name::new(&index)));
    for size in sizes[1..].iter().rev() {
        indices.push(both(Prim::Rem, whole.clone(), (*size).clone()));
        whole = both(Prim::Div, whole, (*size).clone());
    }
    indices.push(whole);
    let step = sizes.iter().rev().fold(located(RawTypeKind::Hole, span), |result: RawType, size| {
        let index = located(RawTypeKind::Fin(size.as_size().unwrap_or(located(RawSizeKind::Hole, span))), span);
        located(RawTypeKind::Fun(Box::new(index), Box::new(result)), span)
    });
    let step = RawTerm { kind: RawTermKind::Ascribe(Box::new((*f).clone()), step), span: f.span };
    let entry = indices.into_iter().rev().fold(step, applied);
    let param = RawParam { name: word(&index), ty: None };
    let step = RawTerm { kind: RawTermKind::Fun(vec![param], Box::new(entry)), span: f.span };
    let rounds = sizes.into_iter().cloned().reduce(|a, b| both(Prim::Mul, a, b))?;
    let scatter = applied(applied(applied(head.clone(), (*places).clone()), rounds), step);
    Some(rest.iter().fold(scatter, |f, a| applied(f, (*a).clone())))
}

/// Whether a name, or a pattern variable, stands somewhere in a term.
fn mentions(term: &RawTerm, name: &str) -> bool {
    let is_it = matches!(&term.kind, RawTermKind::Name(own) | RawTermKind::Pattern(own, _) if own.as_str() == name);
    is_it || term.parts().into_iter().any(|part| mentions(part, name))
}

fn located<T>(kind: T, span: Span) -> Located<T> {
    Located { kind, span }
}
