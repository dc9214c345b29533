//! Models: files of definitions, what they import, and what is in scope where.

use std::cell::OnceCell;
use std::fmt;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::diagnose;
use super::lower::Lower;
use super::tree::Tree;
use crate::ground::{Budget, Diagnostic, Name, Span, Trouble, code, name::did_you_mean, text::listed};
use crate::term::{Bindings, Bounds, Program, Size, Term, Type};

/// A checked definition.
pub struct Definition {
    pub(super) name: Name,
    pub(super) sizes: Vec<(Name, u64)>,
    pub(super) types: Vec<Name>,
    pub(super) params: Vec<Name>,
    pub(super) param_types: Vec<Type>,
    pub(super) statics: Vec<bool>,
    pub(super) result: Type,
    pub(super) ty: Type,
    pub(super) body: Tree,
    pub(super) span: Span,
    pub(super) term: OnceCell<Result<Term, Trouble>>,
}

impl Definition {
    /// The name that is defined.
    pub fn name(&self) -> &Name {
        &self.name
    }

    /// The type of the definition as a function of its parameters.
    pub fn ty(&self) -> &Type {
        &self.ty
    }

    /// Where it stands.
    pub fn span(&self) -> Span {
        self.span
    }

    /// Whether it has a parameter that must be known before it has a term: a function under D.
    pub fn is_static(&self) -> bool {
        self.statics.contains(&true)
    }

    /// Its implicit parameters at these sizes and types.
    pub(super) fn bindings(&self, sizes: &[Size], types: &[Type]) -> Bindings {
        Bindings {
            sizes: self.sizes.iter().zip(sizes).map(|((name, _), size)| (name.clone(), size.clone())).collect(),
            types: self.types.iter().cloned().zip(types.iter().cloned()).collect(),
        }
    }

    /// The λ over its parameters, made when first asked for.
    pub(super) fn term(&self, budget: &Budget) -> Result<Term, Trouble> {
        match self.term.get() {
            Some(done) => done.clone(),
            None => {
                let done = self.lower(budget);
                if !matches!(done, Err(Trouble::Stopped { .. })) {
                    let _ = self.term.set(done.clone());
                }
                done
            }
        }
    }

    fn lower(&self, budget: &Budget) -> Result<Term, Trouble> {
        let mut lower = Lower::new(Bindings::default(), budget);
        for _ in &self.params {
            lower.enter(None);
        }
        let mut term = lower.term(&self.body)?;
        for (name, ty) in self.params.iter().zip(&self.param_types).rev() {
            term = Term::lam(name, ty, term).map_err(|e| diagnose::bug(self.span, e))?;
        }
        budget.measure(term.size(), term.depth())?;
        Ok(term)
    }

    /// The term with the lower bounds of its sizes.
    ///
    /// Fails with E0213 where a static parameter leaves it without a term of its own.
    pub fn program(&self, budget: &Budget) -> Result<Program, Trouble> {
        if let Some(k) = self.statics.iter().position(|s| *s) {
            let f = &self.params[k];
            return Err(Diagnostic::error(code::STATIC_VALUE, format!("`{}` has no term of its own", self.name))
                .at(self.span, format!("its parameter `{f}` stands under D, so it must be known first"))
                .help(format!("define what you want with a function in its place: `def g … := {} f …`", self.name))
                .into());
        }
        let mut bounds = Bounds::default();
        for (name, lower) in &self.sizes {
            bounds.require(name, *lower);
        }
        Ok(Program { term: self.term(budget)?, bounds })
    }
}

impl fmt::Display for Definition {
    /// Its head as in a model file: `gradient {n} (v : array n real) : array n real`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.name)?;
        for (name, lower) in &self.sizes {
            match lower {
                0 => write!(f, " {{{name}}}")?,
                _ => write!(f, " {{{name} >= {lower}}}")?,
            }
        }
        for name in &self.types {
            write!(f, " {{{name} : type}}")?;
        }
        for (name, ty) in self.params.iter().zip(&self.param_types) {
            write!(f, " ({name} : {ty})")?;
        }
        write!(f, " : {}", self.result)
    }
}

impl fmt::Debug for Definition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// What a name means: a definition, or one that was wrong and has been reported.
#[derive(Clone, Debug)]
pub(super) enum Symbol {
    Known(Rc<Definition>),
    Broken,
}

/// A checked model file.
#[derive(Debug)]
pub struct Model {
    /// The path as it was asked for.
    pub path: String,
    pub(super) own: Vec<Rc<Definition>>,
    /// Its own definitions and what it imports, but not the prelude.
    pub(super) visible: FxHashMap<Name, Symbol>,
    pub(super) prelude: Option<Rc<Model>>,
}

impl Model {
    /// Its own definitions, in order.
    pub fn definitions(&self) -> &[Rc<Definition>] {
        &self.own
    }

    /// The names of its own definitions, in order.
    pub fn names(&self) -> impl Iterator<Item = &Name> {
        self.own.iter().map(|d| &d.name)
    }

    /// Its own definition with this name.
    pub fn definition(&self, name: &str) -> Option<&Rc<Definition>> {
        self.own.iter().find(|d| d.name.as_str() == name)
    }

    /// The term of a definition. An unknown name is E0305.
    pub fn program(&self, name: &str, budget: &Budget) -> Result<Program, Trouble> {
        match self.definition(name) {
            Some(d) => d.program(budget),
            None => Err(self.no_such(name).into()),
        }
    }

    fn no_such(&self, name: &str) -> Diagnostic {
        let d = Diagnostic::error(code::NO_SUCH_DEFINITION, format!("{} defines no `{name}`", self.path));
        match did_you_mean(name, self.names().map(Name::as_str)) {
            Some(help) => d.help(help),
            None if self.own.is_empty() => d.help("the model is empty"),
            None => d.help(format!("it defines {}", listed(self.names()))),
        }
    }

    /// What a term or a rule sees from here.
    pub(super) fn scope(&self) -> Scope {
        Scope {
            visible: self.visible.clone(),
            prelude: self.prelude.clone(),
            current: None,
            later: FxHashSet::default(),
        }
    }
}

/// The definitions that are in scope.
#[derive(Default)]
pub(super) struct Scope {
    pub(super) visible: FxHashMap<Name, Symbol>,
    pub(super) prelude: Option<Rc<Model>>,
    /// The definition that is being checked.
    pub(super) current: Option<Name>,
    /// Names that the file defines further down.
    pub(super) later: FxHashSet<Name>,
}

impl Scope {
    pub(super) fn find(&self, name: &Name) -> Option<Symbol> {
        if let Some(entry) = self.visible.get(name) {
            return Some(entry.clone());
        }
        self.prelude.as_ref()?.visible.get(name).cloned()
    }

    /// Whether the name has a meaning here, be it that it can't be used yet.
    pub(super) fn says(&self, name: &Name) -> bool {
        self.find(name).is_some() || self.current.as_ref() == Some(name) || self.later.contains(name)
    }

    /// Every name in scope, sorted.
    pub(super) fn names(&self) -> Vec<Name> {
        let mut all: Vec<Name> = self.visible.keys().cloned().collect();
        if let Some(prelude) = &self.prelude {
            all.extend(prelude.visible.keys().cloned());
        }
        all.sort();
        all.dedup();
        all
    }
}
