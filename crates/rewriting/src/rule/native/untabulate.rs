//! Fuses a table into the one loop that reads it, at the loop's own index only: each element is computed where it is read.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::fold_parts::FoldParts;
use super::naming::name_of;
use crate::rule::footprint::{BELOW, HeadFilter, Inspection};
use crate::rule::reason::FailureCause;
use crate::rule::record::NativeStatement::Words;
use crate::rule::record::for_tests;
use crate::rule::{Exactness, NativeRule, Reason};
use redexter_language::ground::Name;
use redexter_language::term::{Head, Kind, Term, Type, View};

pub(super) const RULES: &[NativeRule] = &[NativeRule {
    name: "untabulate",
    params: &[],
    group: "Fusion",
    law: Words(
        "let t := build n (fun i => g(i)); .. ifold n (fun a i => b(a, i, t[i])) z .. --> \
         .. ifold n (fun a i => let x := g(i); b(a, i, x)) z .., and so for build",
    ),
    condition: "t stands in one loop only, which runs once, and there only as t[i] with i the loop's index",
    doc: "Takes the loop that fills a table into the one that reads it: the table is no longer stored. ifoldZip and \
          ifoldBuild bring several loops that read it into one.",
    exactness: Exactness::Exact,
    inspects: Inspection { heads: HeadFilter::Of(&[Head::Let]), ways: &[&[0]], scope: 1, ..BELOW },
    left_sides: &[
        "let t := build n (fun i => sin (g(i))); ifold n (fun a i => a + t[i] * t[i]) z",
        "let t := build n (fun i => c * g(i)); h * ifold n (fun a i => t[i] - a) z",
        "let t := build n (fun i => g(i)); let y := h; build n (fun i => t[i] * y)",
    ],
    examples: &[
        (
            "fun (v : array n real) => let t := build n (fun i => exp v[i]); ifold n (fun a i => a + t[i] * t[i]) 0",
            "fun (v : array n real) => ifold n (fun a i => let x := exp v[i]; a + x * x) 0",
        ),
        (
            "fun (v : array n real) (c : real) => let t := build n (fun i => v[i] * 2); let d := c * c; (d, build n \
             (fun i => build m (fun j => t[i] * d)))",
            "fun (v : array n real) (c : real) => let d := c * c; (d, build n (fun i => let x := v[i] * 2; build m \
             (fun j => x * d)))",
        ),
    ],
    refused: for_tests(&[
        "fun (c : real) (w : array k real) => let t := build n (fun i => exp c); build k (fun j => w[j])",
        "fun (v : array n real) => let t := build n (fun i => exp v[i]); build m (fun j => ifold n (fun a i => a + t[i]) 0)",
        "fun (v : array n real) (k : fin n) => let t := build n (fun i => exp v[i]); ifold n (fun a i => a + t[i] * t[k]) 0",
        "fun (v : array n real) => let t := build n (fun i => exp v[i]); (build n (fun i => t[i]), ifold n (fun a i => a + t[i]) 0)",
    ]),
    function: |focus, _| untabulate(focus.term),
}];

fn untabulate(term: &Term) -> Result<Term, Reason> {
    let no_table = || Reason::native("no let of a table");
    let View::Let(_, value, body) = term.view() else { return Err(no_table()) };
    let View::Build(_, elements) = value.view() else { return Err(no_table()) };
    let View::Lam(_, _, element) = elements.view() else { return Err(no_table()) };
    let further = |why| Reason { progress: 1, ..Reason::new(why) };
    if body.free_at(0).is_none() {
        return Err(further(FailureCause::Native("nothing reads the table")));
    }
    let table = LoopTable { name: name_of(&element, "x"), element };
    let mut way = vec![1];
    let placed = table.placed(&body, 0, &mut way).map_err(|words| further(FailureCause::Within(words, way.into())))?;
    Ok(placed.lower(1).expect("the loop reads the table no longer"))
}

/// A table, in the scope around its let.
struct LoopTable {
    /// What stands in it, under its index.
    element: Term,
    name: Name,
}

impl LoopTable {
    /// A term with the table's elements computed in the loop that reads them, the table's own variable being `t`; or what is in
    /// its way, to where the way goes on.
    fn placed(&self, term: &Term, t: u32, way: &mut Vec<u32>) -> Result<Term, &'static str> {
        if let Some(done) = self.looped(term, t) {
            return Ok(done);
        }
        match term.kind() {
            // A loop's function, its first child, runs many times; a fold's start is computed once, so that it may be gone into.
            kind if kind.is_loop() && term.kid(0).free_at(t).is_some() => {
                return Err("this loop doesn't read the table at its own index alone");
            }
            Kind::Lam(..) => return Err("this function reads the table, and may be called more than once"),
            Kind::Var => return Err("all of the table is asked for here"),
            Kind::Get if is_var(&term.kid(0), t) => return Err("this reads an element outside of a loop"),
            _ => {}
        }
        let mut reading = (0..term.kid_count()).filter(|k| term.kid(*k).free_at(t + term.binders(*k)).is_some());
        let k = reading.next().expect("a term that reads the table has a kid that does");
        // Two readers would each compute the elements.
        if let Some(second) = reading.next() {
            way.push(second as u32);
            return Err("this reads the table, and so does what stands before it");
        }
        way.push(k as u32);
        let kid = self.placed(&term.kid(k), t + term.binders(k), way)?;
        term.with_kid(k, kid).map_err(|_| "the types or sizes differ from the law's")
    }

    /// A loop that alone reads the table.
    fn looped(&self, term: &Term, t: u32) -> Option<Term> {
        match term.view() {
            View::Build(n, f) => {
                let View::Lam(i, _, body) = f.view() else { return None };
                let body = self.round(&body, t + 1)?;
                Term::build(n.clone(), Term::lam(&i, &Type::fin(n), body).ok()?).ok()
            }
            View::Ifold(..) => {
                let fold = FoldParts::of(term)?;
                if fold.start.free_at(t).is_some() {
                    return None;
                }
                let body = self.round(&fold.body, t + 2)?;
                FoldParts { body, ..fold }.term()
            }
            _ => None,
        }
    }

    /// What one iteration does, whose index is variable 0.
    fn round(&self, body: &Term, t: u32) -> Option<Term> {
        let element = self.element.rename(|v| if v == 0 { 0 } else { v + t });
        let mut memo = FxHashMap::default();
        // The element is bound innermost, so that the index has become variable 1.
        let body = read(&body.shift_from(0, 1), (t + 1, 1, 0), element.ty(), &mut memo)?;
        Term::let_in(&self.name, element, body).ok()
    }
}

/// A term in which variable `x` stands for `t[i]`, and `t` nowhere; `t` stands in it.
fn read(term: &Term, (t, i, x): (u32, u32, u32), ty: &Type, memo: &mut FxHashMap<(Term, u32), Term>) -> Option<Term> {
    if term.free_at(t).is_none() {
        return Some(term.clone());
    }
    let key = (term.clone(), x);
    if let Some(done) = memo.get(&key) {
        return Some(done.clone());
    }
    let done = match term.view() {
        View::Get(array, index) if is_var(&array, t) && is_var(&index, i) => Term::var(x, ty),
        View::Var(_) => return None,
        _ => {
            let kid = |k: usize| {
                let under = term.binders(k);
                read(&term.kid(k), (t + under, i + under, x + under), ty, memo)
            };
            let kids: SmallVec<[Term; 2]> = (0..term.kid_count()).map(kid).collect::<Option<_>>()?;
            term.with_kids(kids).ok()?
        }
    };
    memo.insert(key, done.clone());
    Some(done)
}

fn is_var(term: &Term, index: u32) -> bool {
    matches!(term.view(), View::Var(k) if k == index)
}
