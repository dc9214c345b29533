//! Prints terms as text of the language, which reads back as the same term up to bound names.
//!
//! Users' names survive: a binder's hint gets a number only where it would hide a name in scope (`names`).
//! Ascriptions and parameter types appear where reading back would infer something else. What comes out is a
//! list of [`PrintedPiece`]s, each with its role, so that `render` can colour it; this module knows no colours.
//!
//! What is shared in a term is looked at once, and written as often as it stands there: so writing asks for each piece
//! whether it [goes on](crate::ground::writing).
//!
//! Two things are not printed faithfully. Constants that no numeral denotes appear as quotients of the same value
//! (`0 / 0`, `1 / 0`, `-1 / 0`), and of types that unfold to more than a million parts the rest is shown as `…`.

mod ascriptions;
mod descent;
mod emit;
mod excerpt;
mod names;
mod operators;
mod rewritten;
mod sheet;
mod survey;
mod types;

use descent::Descent;
pub use descent::RelativePath;
use emit::Emitter;
pub use excerpt::{Excerpt, ExcerptPrinter, Window};
pub use rewritten::RewrittenBlock;
pub use sheet::{BlockId, Sheet, SheetBlock, SheetPart};

use std::borrow::Cow;

use crate::ground::Name;
use crate::term::{Path, Term, Type};

/// The layout of printed text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PrintStyle {
    /// Lines are broken to stay within so many characters where that is possible.
    pub width: usize,
}

impl Default for PrintStyle {
    fn default() -> PrintStyle {
        PrintStyle { width: 100 }
    }
}

/// The role of a piece of printed text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PrintRole {
    /// `fun`, `let`, `if`, `build`, …
    Keyword,
    /// A variable where it is bound.
    Binder,
    /// A variable where it is used.
    Variable,
    /// A numeral.
    Number,
    /// An operator.
    Operator,
    /// A primitive written as a function.
    Primitive,
    /// A size.
    Size,
    /// A word of a type.
    Type,
    /// Punctuation and space.
    Plain,
}

/// A piece of printed text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PrintedPiece {
    /// The text; a line break comes with the indentation that follows it.
    pub text: Cow<'static, str>,
    /// What it is.
    pub role: PrintRole,
    /// Whether it belongs to the marked subterm.
    pub marked: bool,
}

/// A closed term as text.
pub fn print_term(term: &Term, style: &PrintStyle) -> String {
    print_open(term, &[], style, usize::MAX).unwrap_or_default()
}

/// A term in the scope of the variables `scope`, outermost first, as text; None where that has more than so many characters
/// on one line.
pub fn print_open(term: &Term, scope: &[Name], style: &PrintStyle, most: usize) -> Option<String> {
    let mut emit = Emitter::new(style.width, None);
    emit.enter(&[term], scope);
    let whole = emit.whole(term, Descent::default());
    (emit.blocks.width(whole) <= most).then(|| emit.flat(whole))
}

/// A type as text, on one line.
pub fn print_type(ty: &Type) -> String {
    let mut emit = Emitter::new(usize::MAX, None);
    let block = emit.block(|e| e.ty(ty, 0));
    flatten(&emit.pieces(block))
}

/// The beginning of a term's text, at least its first `characters`, in the scope of the variables `scope`; what follows them
/// is elided as `…`.
pub fn print_beginning(term: &Term, scope: &[Name], characters: usize, style: &PrintStyle) -> Vec<PrintedPiece> {
    let mut emit = Emitter::new(style.width, Some(characters));
    emit.enter(&[term], scope);
    let whole = emit.whole(term, Descent::default());
    emit.pieces(whole)
}

/// A term in the scope of the variables `scope`, outermost first, as pieces; the subterm at `mark` is marked.
pub fn print_pieces(term: &Term, scope: &[Name], mark: Option<&Path>, style: &PrintStyle) -> Vec<PrintedPiece> {
    let mut emit = Emitter::new(style.width, None);
    emit.enter(&[term], scope);
    let whole = emit.whole(term, Descent::to(mark.map(|path| path.0.as_slice())));
    emit.pieces(whole)
}

/// The names in scope at a place of a closed term, outermost first, as the term prints; `None` where there is no such
/// place.
pub fn names_at(term: &Term, place: &Path) -> Option<Vec<Name>> {
    Scopes::default().at(term, place)
}

/// The names in scope at many places of closed terms that have much in common: what was written for one isn't written again.
pub struct Scopes {
    emit: Emitter,
}

impl Default for Scopes {
    fn default() -> Scopes {
        Scopes { emit: Emitter::new(0, None) }
    }
}

impl Scopes {
    /// What [`names_at`] gives.
    pub fn at(&mut self, term: &Term, place: &Path) -> Option<Vec<Name>> {
        self.emit.enter(&[term], &[]);
        self.emit.whole(term, Descent::to(Some(&place.0)));
        self.emit.at_mark.take()
    }
}

/// A term in the scope of the variables `scope`, outermost first, piece by piece.
pub fn print_each(term: &Term, scope: &[Name], style: &PrintStyle, out: &mut dyn FnMut(PrintedPiece)) {
    let mut emit = Emitter::new(style.width, None);
    emit.enter(&[term], scope);
    let whole = emit.whole(term, Descent::default());
    emit.blocks.lay_each(whole, &mut |laid| out(laid.into()));
}

/// The text of pieces.
pub fn flatten(pieces: &[PrintedPiece]) -> String {
    pieces.iter().map(|p| &*p.text).collect()
}
