//! Scans a law before inference for the names that are sizes, and for the pattern variables with their arguments.

use rustc_hash::{FxHashMap, FxHashSet};

use super::unbound;
use crate::check::model::ModelScope;
use crate::check::other_names;
use crate::ground::{Diagnostic, Name, Span, code};
use crate::syntax::raw::{RawHead, RawSize, RawSizeKind, RawTerm, RawTermKind, RawType, RawTypeKind, sizes_of_loop};

/// A pattern variable.
pub(super) struct ScannedVariable {
    pub(super) name: Name,
    /// The bound variables that it is applied to, made distinct; none for one that stands for a term itself.
    pub(super) arguments: Vec<Name>,
    pub(super) span: Span,
}

/// The pattern variables and the sizes of a law.
#[derive(Default)]
pub(super) struct LawNames {
    pub(super) vars: Vec<ScannedVariable>,
    pub(super) sizes: FxHashSet<Name>,
}

/// A scan over both sides of a law, the left one first.
pub(super) struct LawScan<'a> {
    found: LawNames,
    scope: &'a ModelScope,
    bound: Vec<Name>,
    left: bool,
    /// Names that stand somewhere else than before an argument.
    bare: FxHashSet<Name>,
}

impl LawScan<'_> {
    pub(super) fn law(left: &RawTerm, right: &RawTerm, scope: &ModelScope) -> Result<LawNames, Diagnostic> {
        let bare = bare(bare(FxHashSet::default(), left), right);
        let mut scan = LawScan { found: LawNames::default(), scope, bound: Vec::new(), left: true, bare };
        sizes(left, &mut scan.found.sizes);
        sizes(right, &mut scan.found.sizes);
        scan.term(left)?;
        scan.left = false;
        scan.term(right)?;
        // A pattern comes as the law that changes nothing: both sides are the same text.
        let is_pattern = left.span == right.span;
        let mut bare = left;
        while let (RawTermKind::Ascribe(inner, _), false) = (&bare.kind, is_pattern) {
            bare = inner;
        }
        if let RawTermKind::Name(_) | RawTermKind::Hole | RawTermKind::Pattern(..) = bare.kind
            && !scan.found.vars.is_empty()
        {
            let (headline, help) = match is_pattern {
                true => {
                    ("the pattern matches every term", "write `id` for what succeeds everywhere, or more of a pattern")
                }
                false => (
                    "the left side matches every term",
                    "start the left side with a constructor, such as `f a` or `x + y`",
                ),
            };
            return Err(Diagnostic::error(code::BAD_RULE, headline).at(left.span, "a variable alone").help(help));
        }
        Ok(scan.found)
    }

    fn term(&mut self, t: &RawTerm) -> Result<(), Diagnostic> {
        match &t.kind {
            RawTermKind::Name(name) => self.variable(name, &[], t.span),
            RawTermKind::App(f, a) if self.is_primitive(f) => self.term(a),
            RawTermKind::App(f, n) if is_loop(f) && n.as_size().is_some() && !self.is_taken(f) => Ok(()),
            RawTermKind::Hole if self.left => self.variable(&t.hole(), &[], t.span),
            // A hole is named by its place: only a pattern, whose sides are the same text, has it on both sides.
            RawTermKind::Hole if self.found.vars.iter().any(|v| v.name == t.hole()) => Ok(()),
            RawTermKind::Hole => Err(unbound("_", t.span)),
            RawTermKind::Pattern(name, arguments) if self.left => {
                let names = self.arguments(arguments)?;
                self.variable(name, &names, t.span)
            }
            RawTermKind::Pattern(name, arguments) => {
                for a in arguments {
                    self.term(a)?;
                }
                match self.found.vars.iter().find(|v| v.name == *name) {
                    Some(v) if v.arguments.len() == arguments.len() => Ok(()),
                    Some(v) if v.arguments.is_empty() => {
                        Err(Diagnostic::error(code::BAD_RULE, format!("`{name}` takes no arguments on the left side"))
                            .at(t.span, "is given some here")
                            .help(format!("write `{name} a` with a space to apply a function")))
                    }
                    Some(v) => Err(Diagnostic::error(
                        code::BAD_RULE,
                        format!("`{name}` takes {} argument(s) on the left side", v.arguments.len()),
                    )
                    .at(t.span, format!("is given {} here", arguments.len()))
                    .help("give it as many on both sides")),
                    None => Err(unbound(name.as_str(), t.span)),
                }
            }
            RawTermKind::Fun(params, body) => {
                let depth = self.bound.len();
                self.bound.extend(params.iter().map(|p| p.name.name.clone()));
                self.term(body)?;
                self.bound.truncate(depth);
                Ok(())
            }
            RawTermKind::Let(p, value, body) => {
                self.term(value)?;
                self.under(&p.name.name, body)
            }
            RawTermKind::Guard(p, number, inside, other) => {
                self.term(number)?;
                self.under(&p.name.name, inside)?;
                self.term(other)
            }
            _ => t.parts().into_iter().try_for_each(|part| self.term(part)),
        }
    }

    fn under(&mut self, name: &Name, body: &RawTerm) -> Result<(), Diagnostic> {
        self.bound.push(name.clone());
        self.term(body)?;
        self.bound.pop();
        Ok(())
    }

    /// Whether it is a word that means a primitive where nothing else is called so. One that also stands without an
    /// argument is a pattern variable.
    fn is_primitive(&self, head: &RawTerm) -> bool {
        let RawTermKind::Name(name) = &head.kind else { return false };
        !self.is_taken(head) && RawHead::open(name.as_str()).is_some()
    }

    fn is_taken(&self, head: &RawTerm) -> bool {
        if let RawTermKind::App(head, _) = &head.kind {
            return self.is_taken(head);
        }
        let RawTermKind::Name(name) = &head.kind else { return false };
        self.bare.contains(name) || self.bound.contains(name) || self.scope.find(name).is_some()
    }

    fn variable(&mut self, name: &Name, arguments: &[Name], span: Span) -> Result<(), Diagnostic> {
        let plain = arguments.is_empty();
        if plain && (self.bound.contains(name) || self.found.sizes.contains(name)) {
            return Ok(());
        }
        if self.scope.find(name).is_some() && plain {
            return Ok(());
        }
        if let Some(form) = other_names::truth(name.as_str()) {
            return Err(Diagnostic::error(code::BAD_RULE, format!("`{name}` is no truth value here"))
                .at(span, "would be a pattern variable")
                .help(form));
        }
        match self.found.vars.iter().find(|v| v.name == *name) {
            Some(known) if known.arguments.len() == arguments.len() || !self.left => Ok(()),
            Some(known) => Err(Diagnostic::error(code::BAD_RULE, format!("`{name}` is used in two ways"))
                .at(span, format!("with {} argument(s) here", arguments.len()))
                .because(known.span, format!("with {} here", known.arguments.len()))
                .help("use another name for one of the two")),
            None if self.left => {
                self.found.vars.push(ScannedVariable { name: name.clone(), arguments: arguments.to_vec(), span });
                Ok(())
            }
            None => Err(unbound(name.as_str(), span)),
        }
    }

    /// Bound variables or projections of them, as distinct names.
    fn arguments(&self, arguments: &[RawTerm]) -> Result<Vec<Name>, Diagnostic> {
        let (mut names, mut taken) = (Vec::new(), FxHashSet::default());
        let mut again: FxHashMap<Name, usize> = FxHashMap::default();
        for a in arguments {
            let mut inner = a;
            loop {
                match &inner.kind {
                    RawTermKind::Project(_, p) => inner = p,
                    RawTermKind::App(f, p) if matches!(f.kind, RawTermKind::Head(RawHead::Fst | RawHead::Snd)) => {
                        inner = p;
                    }
                    _ => break,
                }
            }
            let RawTermKind::Name(name) = &inner.kind else {
                return Err(not_bound(a.span));
            };
            if !self.bound.contains(name) {
                return Err(not_bound(a.span));
            }
            // Numbers: each name with one prime more would be as long as the arguments are many.
            let mut own = name.clone();
            while !taken.insert(own.clone()) {
                let count = again.entry(name.clone()).or_insert(0);
                *count += 1;
                own = match *count {
                    1 => Name::new(&format!("{name}'")),
                    count => Name::new(&format!("{name}{count}'")),
                };
            }
            names.push(own);
        }
        Ok(names)
    }
}

fn not_bound(span: Span) -> Diagnostic {
    Diagnostic::error(code::BAD_RULE, "a pattern variable takes bound variables of the pattern")
        .at(span, "is neither a bound variable nor a projection of one")
        .help("write `f (a, b)` with a space for an application to a pair")
}

/// These names, and those that stand somewhere else than before an argument.
pub(super) fn bare(mut names: FxHashSet<Name>, t: &RawTerm) -> FxHashSet<Name> {
    match &t.kind {
        RawTermKind::App(f, a) if matches!(f.kind, RawTermKind::Name(_)) => return bare(names, a),
        RawTermKind::Name(name) | RawTermKind::Pattern(name, _) => {
            names.insert(name.clone());
        }
        _ => {}
    }
    t.parts().into_iter().fold(names, bare)
}

/// The names that stand where sizes stand.
fn sizes(t: &RawTerm, out: &mut FxHashSet<Name>) {
    match &t.kind {
        RawTermKind::Head(head) => match head {
            RawHead::Ifold(n) | RawHead::Build(n) => size(n, out),
            RawHead::Scan(n, _) => size(n, out),
            RawHead::Scatter(n, m) => [n, m].into_iter().for_each(|n| size(n, out)),
            RawHead::Prim(_) | RawHead::Keep | RawHead::Pull | RawHead::Plus | RawHead::Fst | RawHead::Snd => {}
        },
        RawTermKind::App(f, n) if is_loop(f) => n.as_size().iter().for_each(|n| size(n, out)),
        RawTermKind::Fun(params, _) => params.iter().filter_map(|p| p.ty.as_ref()).for_each(|ty| type_sizes(ty, out)),
        RawTermKind::Let(p, ..) | RawTermKind::Guard(p, ..) => p.ty.iter().for_each(|ty| type_sizes(ty, out)),
        RawTermKind::Ascribe(_, ty) => type_sizes(ty, out),
        _ => {}
    }
    for part in t.parts() {
        sizes(part, out);
    }
}

/// Whether a size stands behind it: it is `scan`, `scanr`, `scatter`, or `scatter n`.
fn is_loop(f: &RawTerm) -> bool {
    match &f.kind {
        RawTermKind::Name(name) => sizes_of_loop(name.as_str()) > 0,
        RawTermKind::App(f, _) => matches!(&f.kind, RawTermKind::Name(name) if sizes_of_loop(name.as_str()) > 1),
        _ => false,
    }
}

fn size(n: &RawSize, out: &mut FxHashSet<Name>) {
    match &n.kind {
        RawSizeKind::Name(name) => {
            out.insert(name.clone());
        }
        RawSizeKind::Add(a, b) | RawSizeKind::Mul(a, b) => {
            size(a, out);
            size(b, out);
        }
        RawSizeKind::Literal(_) | RawSizeKind::Hole => {}
    }
}

fn type_sizes(ty: &RawType, out: &mut FxHashSet<Name>) {
    match &ty.kind {
        RawTypeKind::Fin(n) => size(n, out),
        RawTypeKind::Array(n, a) => {
            size(n, out);
            type_sizes(a, out);
        }
        RawTypeKind::Pair(a, b) | RawTypeKind::Fun(a, b) => {
            type_sizes(a, out);
            type_sizes(b, out);
        }
        RawTypeKind::Real | RawTypeKind::Int | RawTypeKind::Name(_) | RawTypeKind::Hole => {}
    }
}
