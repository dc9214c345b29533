//! Writes terms as blocks of text and possible breaks: which words, which parentheses, where a line may end.
//!
//! Recursion is as deep as the term, so that deep terms need a thread made by `ground::with_stack`.

mod binders;
mod terms;

use std::borrow::Cow;
use std::hash::{Hash, Hasher};

use rustc_hash::FxHashMap;

pub(super) use self::terms::{is_guarded_read, is_written_as_if, strength};
use super::ascriptions::SettledTypes;
use super::descent::{Descent, RelativePath};
use super::names::BinderNames;
use super::survey::{SurveyFindings, TermSurvey};
use super::{PrintRole, PrintedPiece};
use crate::ground::Name;
use crate::ground::blocks::{LaidText, TextBlockId, TextBlocks};
use crate::ground::layout::{Indent, LineMeasure};
use crate::ground::writing::goes_on;
use crate::term::Term;

/// Binding strength of an application, above every operator's.
pub(super) const APPLICATION: u8 = 9;
/// Binding strength of `a[i]`: what an argument needs at least.
pub(super) const POSTFIX: u8 = 10;
/// Binding strength of names, numerals and what stands in brackets.
pub(super) const ATOM: u8 = 11;

/// The most parameters that share one `fun`.
pub(super) const MAX_PARAMS: usize = 64;

/// The most blocks that are remembered.
const MAX_BLOCKS: usize = 100_000;

/// Of types that unfold to more parts than these the rest is elided.
const MAX_TYPE_PARTS: u32 = 1_000_000;

/// Blocks of text as they grow, with those that recur.
pub(super) struct Emitter {
    pub(super) blocks: TextBlocks<PrintRole>,
    /// The blocks of unmarked subterms.
    written: FxHashMap<WrittenKey, TextBlockId>,
    /// Where paths are written: those of the blocks that are a subterm.
    pub(super) paths: FxHashMap<TextBlockId, RelativePath>,
    pub(super) names: BinderNames,
    pub(super) known: SettledTypes,
    pub(super) survey: TermSurvey,
    found: SurveyFindings,
    scope: Vec<Name>,
    measure: LineMeasure,
    /// So many characters are written before the rest may be elided; where nothing says so, all are.
    characters: Option<usize>,
    /// The names in scope at the marked subterm, once it was reached.
    pub(super) at_mark: Option<Vec<Name>>,
    pub(super) type_parts: u32,
    visited: u64,
    /// The function whose parameters are the inputs of the whole, as long as it isn't written.
    inputs: Option<Term>,
}

/// The key of an unmarked subterm's text, all that it depends on: which object it is, for its binders' hints, and its scope.
#[derive(PartialEq, Eq, Hash)]
struct WrittenKey {
    term: TermIdentity,
    scope: u32,
    form: WrittenForm,
    path: Option<RelativePath>,
}

/// The form in which a subterm is written.
#[derive(PartialEq, Eq, Hash)]
enum WrittenForm {
    /// As an operand of this strength; whether the context gives its type.
    Operand(u8, bool),
    /// As more lets of a chain; whether the context gives its type.
    Lets(bool),
}

/// A term, equal to itself alone.
struct TermIdentity(Term);

impl PartialEq for TermIdentity {
    fn eq(&self, other: &TermIdentity) -> bool {
        self.0.same(&other.0)
    }
}

impl Eq for TermIdentity {}

impl Hash for TermIdentity {
    fn hash<H: Hasher>(&self, state: &mut H) {
        std::ptr::from_ref(&*self.0).hash(state);
    }
}

impl Emitter {
    /// For lines of this width; what follows the first `characters` characters may be elided, if it is said how many.
    pub(super) fn new(width: usize, characters: Option<usize>) -> Emitter {
        let measure = LineMeasure { width, behind: 1 };
        Emitter {
            blocks: TextBlocks::new(measure),
            written: FxHashMap::default(),
            paths: FxHashMap::default(),
            names: BinderNames::default(),
            known: SettledTypes::default(),
            survey: TermSurvey::default(),
            found: SurveyFindings::default(),
            scope: Vec::new(),
            measure,
            characters,
            at_mark: None,
            type_parts: MAX_TYPE_PARTS,
            visited: 0,
            inputs: None,
        }
    }

    /// Goes on with these terms, all in the scope of the variables `scope`, outermost first: no name in any of them hides a
    /// size of another one.
    pub(super) fn enter(&mut self, terms: &[&Term], scope: &[Name]) {
        if self.is_full() {
            let visited = self.visited();
            *self = Emitter { visited, ..Emitter::new(self.measure.width, self.characters) };
        }
        let found = self.survey.of(terms);
        if self.found != found || self.scope != scope {
            self.names = BinderNames::new(scope, found.sizes.iter().cloned());
            self.written.clear();
            (self.found, self.scope) = (found, scope.to_vec());
        }
        (self.at_mark, self.type_parts) = (None, MAX_TYPE_PARTS);
    }

    /// Whether it begins anew for the next terms.
    pub(super) fn is_full(&self) -> bool {
        self.blocks.count() > MAX_BLOCKS
    }

    /// What comes next is a whole term: the parameters of the function that it is are inputs.
    pub(super) fn begin(&mut self, term: &Term) {
        self.inputs = Some(term.clone()).filter(|_| self.names.scope().is_empty());
    }

    /// A term as a block.
    pub(super) fn whole(&mut self, term: &Term, descent: Descent) -> TextBlockId {
        self.begin(term);
        self.block(|e| e.term(term, 0, false, descent))
    }

    /// What is written inside as a block of its own.
    pub(super) fn block(&mut self, inside: impl FnOnce(&mut Emitter)) -> TextBlockId {
        self.blocks.open(None, false);
        inside(self);
        self.blocks.close()
    }

    /// The text of a block.
    pub(super) fn pieces(&mut self, block: TextBlockId) -> Vec<PrintedPiece> {
        let mut all = Vec::new();
        self.blocks.lay_each(block, &mut |laid| all.push(laid.into()));
        // Nobody reads a text that a limit ended.
        if goes_on() { all } else { Vec::new() }
    }

    /// The text of a block without its pieces. Of one that a limit ended nothing is left, so that nobody goes through it.
    pub(super) fn flat(&mut self, block: TextBlockId) -> String {
        let mut text = String::new();
        self.blocks.lay_each(block, &mut |laid| text.push_str(&laid.text));
        if goes_on() { text } else { String::new() }
    }

    /// How many subterms were written, and how many blocks visited to lay them out.
    pub(super) fn visited(&self) -> u64 {
        self.visited + self.blocks.visited()
    }

    /// Whether a constant somewhere asks for a lower bound of an open size.
    pub(super) fn bounds_a_size(&self) -> bool {
        self.found.bounds_a_size
    }

    pub(super) fn is_spent(&self) -> bool {
        self.characters == Some(0)
    }

    pub(super) fn text(&mut self, text: impl Into<Cow<'static, str>>, role: PrintRole) {
        let text = text.into();
        self.characters = self.characters.map(|left| left.saturating_sub(text.len()));
        self.blocks.text(text, role);
    }

    pub(super) fn line(&mut self) {
        self.blocks.line(PrintRole::Plain);
    }

    pub(super) fn group(&mut self, indent: Indent, inside: impl FnOnce(&mut Emitter)) {
        self.blocks.open(Some(indent), false);
        inside(self);
        let block = self.blocks.close();
        self.blocks.again(block);
    }

    pub(super) fn parenthesised(&mut self, really: bool, inside: impl FnOnce(&mut Emitter)) {
        if really {
            self.text("(", PrintRole::Plain);
        }
        inside(self);
        if really {
            self.text(")", PrintRole::Plain);
        }
    }

    /// Marks what is written inside, if this is the marked subterm, or gives it its path.
    pub(super) fn marking(&mut self, descent: Descent, inside: impl FnOnce(&mut Emitter)) {
        if let Some(path) = descent.path() {
            let block = self.block(inside);
            self.paths.insert(block, path);
            return self.blocks.again(block);
        }
        if !descent.is_marked() {
            return inside(self);
        }
        self.at_mark = Some(self.names.scope().to_vec());
        self.blocks.open(None, true);
        inside(self);
        let block = self.blocks.close();
        self.blocks.again(block);
    }

    /// Writes a subterm, or takes what was written of it before in the same scope and form. What is marked, or may be elided,
    /// isn't remembered.
    fn once(&mut self, term: &Term, form: WrittenForm, descent: Descent, write: impl FnOnce(&mut Emitter)) {
        self.visited += 1;
        if descent.leads_to_mark() || term.kid_count() == 0 || self.characters.is_some() {
            return write(self);
        }
        let key = WrittenKey { term: TermIdentity(term.clone()), scope: self.names.id(), form, path: descent.path() };
        let known = self.written.get(&key).copied();
        let block = known.unwrap_or_else(|| {
            let block = self.block(write);
            self.written.insert(key, block);
            block
        });
        self.blocks.again(block);
    }
}

impl From<LaidText<PrintRole>> for PrintedPiece {
    fn from(laid: LaidText<PrintRole>) -> PrintedPiece {
        PrintedPiece { text: laid.text, role: laid.with, marked: laid.marked }
    }
}
