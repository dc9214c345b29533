//! Which names bound variables are printed under.
//!
//! A hint stays unless it can't be written, names a size that is used as an `int` in its scope or a primitive that is used
//! there, or would hide a variable that is used there. Every visible use therefore means the innermost binder of its name, so that one look decides.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::ground::{Name, text::begins_name};
use crate::syntax::words::{in_word, reserved};
use crate::term::{Atom, Fixity, Held, Kind, Size, Term, Type, TypeView};

/// The scope at a place of a term.
pub(super) struct Names {
    scope: Vec<Name>,
    /// For each name the depths at which it is bound, the innermost last.
    bound: FxHashMap<Name, Vec<usize>>,
    survey: Survey,
    mentions: FxHashMap<(Name, u128), bool>,
    fresh: u32,
}

impl Names {
    pub(super) fn new(term: &Term, scope: &[Name]) -> Names {
        let mut names = Names {
            scope: Vec::new(),
            bound: FxHashMap::default(),
            survey: Survey::of(term),
            mentions: FxHashMap::default(),
            fresh: 0,
        };
        for name in scope {
            names.push(name.clone());
        }
        names
    }

    /// Whether a constant of the term asks for a lower bound of an open size.
    pub(super) fn bounds_a_size(&self) -> bool {
        self.survey.bounds_a_size
    }

    pub(super) fn scope(&self) -> &[Name] {
        &self.scope
    }

    /// The name of the variable with this index.
    pub(super) fn of(&self, index: u32) -> Name {
        let depth = self.scope.len().checked_sub(1 + index as usize);
        depth.map_or_else(|| Name::new(&format!("#{index}")), |d| self.scope[d].clone())
    }

    /// The name for a binder with this hint around `body`.
    pub(super) fn choose(&mut self, hint: &Name, body: &Term) -> Name {
        let used = body.free_at(0).is_some();
        if hint.as_str() == "_" && !used {
            return hint.clone();
        }
        if !writable(hint.as_str()) || self.hides(hint, body) || self.hides_word(hint, body) {
            return self.fresh();
        }
        hint.clone()
    }

    /// Whether a binder of this name around `body` would hide a variable that `body` uses.
    fn hides(&self, name: &Name, body: &Term) -> bool {
        let innermost = self.bound.get(name).and_then(|depths| depths.last());
        innermost.is_some_and(|depth| body.free_at((self.scope.len() - depth) as u32).is_some())
    }

    fn hides_word(&mut self, name: &Name, body: &Term) -> bool {
        (self.survey.sizes.contains(name) || self.survey.words.contains(name)) && self.mentions(name, body)
    }

    /// Whether `term` has a primitive of this name, or mentions this size variable where a binder of its name would hide
    /// it: as an `int`. Sizes in types, `build` and `ifold` are never variables.
    fn mentions(&mut self, name: &Name, term: &Term) -> bool {
        if !term.is_open() && !self.survey.words.contains(name) {
            return false;
        }
        let key = (name.clone(), term.fingerprint());
        if let Some(known) = self.mentions.get(&key) {
            return *known;
        }
        let own = match term.kind() {
            Kind::SizeVar(n) => n == name,
            kind => kind.word() == Some((name.as_str(), Fixity::Open)),
        };
        let found = own || (0..term.kid_count()).any(|k| self.mentions(name, &term.kid(k)));
        self.mentions.insert(key, found);
        found
    }

    fn fresh(&mut self) -> Name {
        loop {
            self.fresh += 1;
            let name = Name::new(&format!("x{}", self.fresh));
            if !self.survey.hints.contains(&name)
                && !self.survey.sizes.contains(&name)
                && !self.bound.contains_key(&name)
            {
                return name;
            }
        }
    }

    /// Enters a binder's scope.
    pub(super) fn push(&mut self, name: Name) {
        self.bound.entry(name.clone()).or_default().push(self.scope.len());
        self.scope.push(name);
    }

    /// Leaves the innermost `count` binders' scopes.
    pub(super) fn pop(&mut self, count: usize) {
        for _ in 0..count {
            if let Some(depths) = self.scope.pop().and_then(|name| self.bound.get_mut(&name)) {
                depths.pop();
            }
        }
    }
}

fn writable(name: &str) -> bool {
    begins_name(name) && name.chars().all(in_word) && name != "_" && !reserved(name)
}

/// What one look over the whole term tells.
#[derive(Default)]
struct Survey {
    hints: FxHashSet<Name>,
    sizes: FxHashSet<Name>,
    /// The primitives' names that aren't reserved.
    words: FxHashSet<Name>,
    bounds_a_size: bool,
}

impl Survey {
    fn of(term: &Term) -> Survey {
        let mut survey = Survey::default();
        let mut types = FxHashSet::default();
        let mut seen = FxHashSet::default();
        let mut rest = vec![term.clone()];
        while let Some(term) = rest.pop() {
            if term.kid_count() > 0 && !seen.insert(term.fingerprint()) {
                continue;
            }
            survey.hints.extend(term.kind().hint().cloned());
            if let Kind::Fin(c, n) = term.kind() {
                survey.bounds_a_size |= *c >= n.constant();
            }
            if let Some((word, Fixity::Open)) = term.kind().word() {
                survey.words.insert(Name::new(word));
            }
            collect(term.kind(), &mut survey.sizes, &mut types);
            rest.extend(term.kids());
        }
        survey
    }
}

/// The size and type variables that a node's own text mentions.
fn collect(kind: &Kind, into: &mut FxHashSet<Name>, seen: &mut FxHashSet<u128>) {
    kind.each_held(|held| match held {
        Held::Size(n) => collect_size(n, into),
        Held::SizeVar(n) => {
            into.insert(n.clone());
        }
        Held::Type(ty) => collect_type(ty, into, seen),
        Held::Hint(_) | Held::Real(_) | Held::Int(_) | Held::Index(_) | Held::Prim(_) => {}
    });
}

fn collect_size(size: &Size, into: &mut FxHashSet<Name>) {
    for atom in size.atoms() {
        if let Atom::Var(name) = atom {
            into.insert(name.clone());
        }
    }
}

fn collect_type(ty: &Type, into: &mut FxHashSet<Name>, seen: &mut FxHashSet<u128>) {
    let mut rest = vec![ty.clone()];
    while let Some(ty) = rest.pop() {
        if !ty.is_open() || !seen.insert(ty.fingerprint()) {
            continue;
        }
        match ty.view() {
            TypeView::Real | TypeView::Int | TypeView::Unknown(_) => {}
            TypeView::Var(name) => {
                into.insert(name.clone());
            }
            TypeView::Fin(n) => collect_size(n, into),
            TypeView::Array(n, a) => {
                collect_size(n, into);
                rest.push(a.clone());
            }
            TypeView::Pair(a, b) | TypeView::Fun(a, b) => rest.extend([a.clone(), b.clone()]),
        }
    }
}
