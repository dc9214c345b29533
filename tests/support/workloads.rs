//! Programs of any size on which engines are measured: each with the strategy that brings it to its normal form in a
//! number of rewrites proportional to its size.

use redexter::ground::Name;
use redexter::rule::Rule;
use redexter::strategy::{Strategy, Unary};
use redexter::term::{Prim, Program, Size, SizeBounds, Term, Type};

/// A family of programs.
pub struct Workload {
    pub name: &'static str,
    /// The rules that are tried everywhere, in order.
    pub rules: &'static [&'static str],
    /// The member of size `k`.
    pub program: fn(k: u64) -> Program,
}

impl Workload {
    /// The ways to the normal form that are measured: two combinators, and what a user writes in place of the first.
    pub fn strategies(&self, rule: impl Fn(&str) -> Rule) -> [(&'static str, Strategy); 3] {
        let alternatives = |all: Strategy, name: &&str| all.or(&Strategy::rule(&rule(name)));
        let (first, rest) = self.rules.split_first().expect("a rule");
        let s = rest.iter().fold(Strategy::rule(&rule(first)), alternatives);
        let own = Strategy::mu("x", 0, &s.or(&Strategy::free(0).under(Unary::One))).under(Unary::Repeat);
        [("normalize", s.under(Unary::Normalize)), ("innermost", s.under(Unary::Innermost)), ("mu", own)]
    }
}

/// All families.
pub const WORKLOADS: &[Workload] = &[
    Workload { name: "map chain", rules: &["getBuild", "beta"], program: map_chain },
    Workload { name: "map chain, substituted", rules: &["getBuild", "beta", "letSubst"], program: map_chain },
    Workload { name: "wide tree", rules: &["getBuild", "beta", "addZero", "letDead"], program: wide_tree },
    Workload { name: "let chain", rules: &["letSubstN", "sndPair"], program: let_chain },
    Workload { name: "polynomial", rules: POLYNOMIAL, program: polynomial },
    Workload { name: "far ends", rules: &["letSubstN", "sndPair"], program: far_ends },
];

/// What takes the derivative apart into primals and tangents, and tidies up.
const POLYNOMIAL: &[&str] =
    &["beta", "sndLet", "fstPair", "sndPair", "letLet", "letPair", "letSubstSafe", "addZero", "mulOne", "mulZero"];

fn n() -> Size {
    Size::var(&Name::new("n"))
}

fn index() -> Type {
    Type::fin(n())
}

fn prim(op: Prim, a: &Term, b: &Term) -> Term {
    Term::prim(op, vec![a.clone(), b.clone()]).expect("reals")
}

fn closed(parameters: &[(&str, Type)], body: Term) -> Program {
    let around = |body: Term, (name, ty): &(&str, Type)| Term::lam(&Name::new(name), ty, body).expect("a body");
    Program { term: parameters.iter().rev().fold(body, around), bounds: SizeBounds::default() }
}

/// `(build n (fun j => e))[i]`, e under one binder more.
fn element(body: Term, at: u32) -> Term {
    let f = Term::lam(&Name::new("j"), &index(), body).expect("a body");
    Term::get(Term::build(n(), f).expect("an array"), Term::var(at, &index())).expect("an element")
}

/// T_k(i) = (build n (fun j => c + T_{k-1}(j)))[i], T_0 = c: a chain of maps that fuse, 2k rewrites, 3k deep.
pub fn map_chain(k: u64) -> Program {
    // Index 0 is i, index 1 is c.
    let c = |under: u32| Term::var(1 + under, &Type::real());
    let mut chain = c(0);
    for _ in 0..k {
        // T_{k-1} at j: its i is j, its c one further out.
        let inner = chain.rename(|x| if x == 0 { 0 } else { x + 1 });
        chain = element(prim(Prim::Add, &c(1), &inner), 0);
    }
    closed(&[("c", Type::real()), ("i", index())], chain)
}

/// A balanced sum of k redexes that don't touch each other, four rewrites each.
pub fn wide_tree(k: u64) -> Program {
    let leaf = |place: u64| {
        let scaled = prim(Prim::Mul, &Term::var(2, &Type::real()), &Term::real(place as f64));
        element(prim(Prim::Add, &scaled, &Term::real(0.0)), 0)
    };
    closed(&[("c", Type::real()), ("i", index())], sum((2..k + 2).map(leaf).collect()))
}

/// A balanced sum.
fn sum(mut row: Vec<Term>) -> Term {
    let add = |pair: &[Term]| if let [a, b] = pair { prim(Prim::Add, a, b) } else { pair[0].clone() };
    while row.len() > 1 {
        row = row.chunks(2).map(add).collect();
    }
    row.pop().unwrap_or_else(|| Term::real(0.0))
}

/// `let x1 := snd (c, c); let x2 := snd (c, x1); …; xk`: each variable is used once.
pub fn let_chain(k: u64) -> Program {
    let real = Type::real();
    let x = Term::var(0, &real);
    let mut body = x.clone();
    for place in (0..k).rev() {
        // Under `place` lets, c stands further out than they do.
        let c = Term::var(place as u32, &real);
        let pair = Term::pair(c, x.clone()).expect("a pair");
        body = Term::let_in(&Name::new("x"), Term::snd(pair).expect("a half"), body).expect("a let");
    }
    closed(&[("c", real)], body)
}

/// `let y := (c, c); let y := (snd y, snd y); …; let y := (snd y, snd y); c * 1 + … + (c * k + snd y)`, the sum balanced.
/// There is one redex at a time: the innermost let, whose variable is used once only then, and what it makes of the
/// sum's last term, in turn.
pub fn far_ends(k: u64) -> Program {
    let real = Type::real();
    let (y, pair) = (Name::new("y"), Type::pair(real.clone(), real.clone()));
    let snd = || Term::snd(Term::var(0, &pair)).expect("a half");
    let term = |place: u64| prim(Prim::Mul, &Term::var(k as u32, &real), &Term::real(place as f64));
    let mut body = sum((1..=k).map(term).chain([snd()]).collect());
    for place in (0..k).rev() {
        let half = || if place == 0 { Term::var(0, &real) } else { snd() };
        let value = Term::pair(half(), half()).expect("a pair");
        body = Term::let_in(&y, value, body).expect("a let");
    }
    closed(&[("c", real)], body)
}

/// The derivative of a polynomial nested deep, of k operations: `fun x => snd (D p (x, 1))` for
/// p = `fun x => let y := x * (1 + x * x); let y := x * (1 + y * y); …; y`. Each let uses its neighbour twice, so that it
/// stays, and mentions nothing else but x.
pub fn polynomial(k: u64) -> Program {
    let (real, y) = (Type::real(), Name::new("y"));
    let x = |under: u64| Term::var(under as u32, &real);
    let step = |place| prim(Prim::Mul, &x(place), &prim(Prim::Add, &Term::real(1.0), &prim(Prim::Mul, &x(0), &x(0))));
    let nested = (0..k.div_ceil(3)).rev().fold(x(0), |body, place| Term::let_in(&y, step(place), body).expect("a let"));
    let p = Term::lam(&Name::new("x"), &real, nested).expect("a body");
    let seed = Term::pair(x(0), Term::real(1.0)).expect("a pair");
    let value = Term::app(redexter::ad::dual(&p).expect("a derivative"), seed).expect("an argument");
    closed(&[("x", real.clone())], Term::snd(value).expect("a half"))
}
