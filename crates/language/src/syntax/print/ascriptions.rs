//! Finds where reading back would lose a type, by a cautious approximation of inference.
//!
//! `known` says that the context of a subterm gives its type. A term that *settles* its type gives it to its context
//! without help. An `int` or index constant does neither, and is ascribed unless its type is known; a numeral that
//! nothing decides is read as a `real`, so that real constants need no help.

use rustc_hash::FxHashMap;

use crate::term::{ConstructorGroups, Head, Kind, MetaType, Prim, PrimClass, Size, Term, TypeView};

/// Says which terms settle their types; answers are remembered by node.
#[derive(Default)]
pub(super) struct SettledTypes {
    settled: FxHashMap<u128, bool>,
    computed: FxHashMap<u128, bool>,
}

impl SettledTypes {
    /// Whether the term's text gives its type without help from the context.
    pub(super) fn settles(&mut self, term: &Term) -> bool {
        if term.kid_count() == 0 {
            return matches!(term.kind(), Kind::Var | Kind::Real(_) | Kind::SizeVar(_));
        }
        if let Some(known) = self.settled.get(&term.fingerprint()) {
            return *known;
        }
        let answer = self.settles_by_parts(term);
        self.settled.insert(term.fingerprint(), answer);
        answer
    }

    /// Whether an index is computed somewhere in it: there a type must be known before it is asked for, by what stands to the
    /// left.
    pub(super) fn computes_index(&mut self, term: &Term) -> bool {
        if term.kid_count() == 0 || !term.holds_any(ConstructorGroups::of(Head::Within)) {
            return false;
        }
        if let Some(known) = self.computed.get(&term.fingerprint()) {
            return *known;
        }
        let found = matches!(term.kind(), Kind::Within(_));
        let answer = found || (0..term.kid_count()).any(|k| self.computes_index(&term.kid(k)));
        self.computed.insert(term.fingerprint(), answer);
        answer
    }

    fn settles_by_parts(&mut self, term: &Term) -> bool {
        match term.kind() {
            Kind::Lam(..) => false,
            Kind::App | Kind::Build(_) => {
                let function = term.kid(0);
                let of_lam = matches!(function.kind(), Kind::Lam(..)).then(|| function.kid(0));
                match (of_lam, term.kind()) {
                    (Some(body), _) => self.settles(&body),
                    (None, Kind::App) => true,
                    (None, _) => self.settles(&function),
                }
            }
            Kind::Let(_) | Kind::Ifold(_) => self.settles(&term.kid(1)),
            Kind::Scan(_) | Kind::Scanr(_) => {
                let lambdas = self.settles_by_body(&term.kid(0));
                lambdas && self.settles(&term.kid(1))
            }
            Kind::Scatter(..) => self.settles_by_body(&term.kid(0)),
            Kind::Pull => true,
            Kind::Plus => self.settles(&term.kid(0)) || self.settles(&term.kid(1)),
            Kind::If | Kind::Guard(..) => self.settles(&term.kid(1)) || self.settles(&term.kid(2)),
            Kind::Array(_) => (0..term.kid_count()).any(|k| self.settles(&term.kid(k))),
            Kind::Pair => self.settles(&term.kid(0)) && self.settles(&term.kid(1)),
            Kind::Prim(p) if shares_type(*p, term) => (0..term.kid_count()).any(|k| self.settles(&term.kid(k))),
            Kind::Prim(_) | Kind::Get | Kind::Within(_) | Kind::Fst | Kind::Snd => true,
            Kind::Var | Kind::Real(_) | Kind::Int(_) | Kind::Fin(..) | Kind::SizeVar(_) => true,
        }
    }

    /// Whether what a function gives settles its type, where those of its parameters are known.
    fn settles_by_body(&mut self, function: &Term) -> bool {
        match function.kind() {
            Kind::Lam(..) => self.settles_by_body(&function.kid(0)),
            _ => self.settles(function),
        }
    }

    /// Of terms that have one type, which is known already or not: for each whether it may count on the others. If
    /// none settles the type, the first has to.
    pub(super) fn among(&mut self, terms: &[Term], known: bool) -> Vec<bool> {
        if known {
            return vec![true; terms.len()];
        }
        let first = terms.iter().position(|t| self.settles(t)).unwrap_or(0);
        (0..terms.len()).map(|k| k != first).collect()
    }

    /// For each operand of a primitive whether its type is known.
    pub(super) fn operands(&mut self, prim: Prim, term: &Term, known: bool, bounds_a_size: bool) -> Vec<bool> {
        let kids = term.kids();
        let index = |k: usize| matches!(kids[k].ty().view(), TypeView::Fin(_));
        match prim {
            Prim::Pow => vec![true, matches!(kids[1].kind(), Kind::Int(_))],
            Prim::Add if index(0) => vec![false, false],
            _ if is_comparison(prim) && index(0) => {
                vec![beside(&kids[0], &kids[1], bounds_a_size), beside(&kids[1], &kids[0], bounds_a_size)]
            }
            _ if is_comparison(prim) => self.among(&kids, false),
            _ if shares_type(prim, term) => self.among(&kids, known),
            _ => kids.iter().enumerate().map(|(k, kid)| is_settled(prim, k, kid)).collect(),
        }
    }
}

fn is_comparison(prim: Prim) -> bool {
    prim.class() == PrimClass::Comparison
}

/// Whether the primitive gives its operand `k` a type: it takes one only, or a real, which is what numerals are by default.
fn is_settled(prim: Prim, k: usize, operand: &Term) -> bool {
    let is_int = || prim.takes(k).all(|ty| *ty == MetaType::Int);
    matches!(operand.ty().view(), TypeView::Real) || is_int()
}

/// Whether operands and result have one type that the operator doesn't settle, and that isn't the default.
fn shares_type(prim: Prim, term: &Term) -> bool {
    prim.class() == PrimClass::Arithmetic && matches!(term.ty().view(), TypeView::Int)
}

/// Whether an index constant compared with `other` is read at its type: at `other`'s where it is surely below that,
/// else at the least. A bound that another constant puts on an open size could change which one it is.
fn beside(constant: &Term, other: &Term, bounds_a_size: bool) -> bool {
    let (Kind::Fin(c, below), TypeView::Fin(n)) = (constant.kind(), other.ty().view()) else {
        return false;
    };
    if matches!(other.kind(), Kind::Fin(..)) {
        return false;
    }
    if *c < n.constant() {
        return below == n;
    }
    (n.as_literal().is_some() || !bounds_a_size) && *below == Size::literal(c.saturating_add(1))
}
