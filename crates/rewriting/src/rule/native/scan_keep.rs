//! Takes what a table computes again, from what a scan keeps, from the scan's step, which has computed it.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::halves::needed;
use super::parts::{KnownParts, PartStep, PartUse, PartWay, Watched, half, leaf_ways, part_at};
use super::scan_merge::ScanOfBoth;
use super::scan_parts::{LoopForm, LoopParts, LoopStates, as_it_stands, inlined, without_lets};
use super::scans::{NamedLoop, is_named_scan};
use crate::rule::footprint::{BELOW, HeadFilter, Inspection};
use crate::rule::record::NativeStatement::Words;
use crate::rule::record::for_tests;
use crate::rule::replace::{TermReplacement, replace};
use crate::rule::{Exactness, NativeRule, Reason};
use redexter_language::ground::Name;
use redexter_language::term::{Head, Kind, Term, Type, View};

pub(super) const RULES: &[NativeRule] = &[NativeRule {
    name: "scanKeep",
    params: &[],
    group: "Scans",
    law: Words(
        "let t := scan n (fun s i => let g := e(s, i); (f(s, g, i), s)) z; b(build n (fun k => e((snd t)[k], k))) --> \
         let t := scan n (fun s i => let g := e(s, i); (f(s, g, i), (s, g))) z; b(build n (fun k => snd (snd t)[k])), and so \
         where e stands in the step without a name, or needs a part of what is kept; of a scan e the step may have the fold alone, or a scan that goes through the same states and keeps something else",
    ),
    condition: "e costs something and reads what is kept at one index, of the scan's size; the step computes it, under no binder",
    doc: "Reads what the scan has computed instead of computing it again; it is stored for that.",
    exactness: Exactness::Exact,
    inspects: Inspection { heads: HeadFilter::Of(&[Head::Let]), ways: &[&[0], &[0, 0]], guard: is_named_scan, ..BELOW },
    left_sides: &[
        "let t := scan n (fun s i => let g := sin (s + c(i)); (f(g, i), s)) z; build n (fun k => sin ((snd t)[k] + c(k)) * h(k))",
        "let t := scanr n (fun s i => (cos (s * c(i)), s)) z; (fst t, build n (fun k => 1 - cos ((snd t)[k] * c(k))))",
        "let t := snd (scan n (fun s i => let x := exp (fst s); (f(s, i, x), (fst s, g(s, i)))) z); ifold n (fun a k => a * exp (fst t[k])) y",
    ],
    examples: &[
        (
            "fun (v : array n real) => let t := scan n (fun s i => let g := tanh (s + v[i]); (g * 2, s)) 0; \
             build n (fun k => 1 - tanh ((snd t)[k] + v[k]))",
            "fun (v : array n real) => let t := scan n (fun s i => let g := tanh (s + v[i]); (g * 2, (s, g))) 0; \
             build n (fun k => 1 - snd (snd t)[k])",
        ),
        (
            "fun (v : array n real) => let t := snd (scanr n (fun s i => (v[i] * exp s, s)) 0); \
             ifold n (fun a k => a + exp t[k]) 0",
            "fun (v : array n real) => let t := snd (scanr n (fun s i => let g := exp s; (v[i] * g, (s, g))) 0); \
             ifold n (fun a k => a + snd t[k]) 0",
        ),
        (
            "fun (v : array n real) (w : array m real) => let t := scan n (fun s i => (ifold m (fun a j => a * w[j] + v[i]) s, s)) 0; \
             build n (fun k => snd (scan m (fun a j => (a * w[j] + v[k], a)) (snd t)[k]))",
            "fun (v : array n real) (w : array m real) => let t := scan n (fun s i => let g := scan m (fun a j => (a * w[j] + v[i], a)) s; \
             (fst g, (s, g))) 0; build n (fun k => snd (snd (snd t)[k]))",
        ),
        (
            "fun (v : array n real) (w : array m real) => let t := scan n (fun s i => \
             let a := scan m (fun a j => let x := a * w[j] + v[i]; (x, exp x)) s; (fst a * (snd a)[0 else 0], s)) 0; \
             build n (fun k => snd (scan m (fun a j => (a * w[j] + v[k], a)) (snd t)[k]))",
            "fun (v : array n real) (w : array m real) => let t := scan n (fun s i => \
             let g := scan m (fun a j => let x := a * w[j] + v[i]; (x, (exp x, a))) s; \
             let a := (fst g, build m (fun j => fst (snd g)[j])); \
             (fst a * (snd a)[0 else 0], (s, (fst g, build m (fun j => snd (snd g)[j]))))) 0; \
             build n (fun k => snd (snd (snd t)[k]))",
        ),
    ],
    refused: for_tests(&[
        "fun (v : array n real) => let t := scan n (fun s i => (tanh (s + v[i]), s)) 0; build n (fun k => exp (snd t)[k])",
        "fun (v : array n real) (j : fin n) => let t := scan n (fun s i => (exp (s + v[i]), s)) 0; \
         build n (fun k => exp ((snd t)[k] + v[j]))",
        "fun (v : array n real) => let t := scan n (fun s i => (exp s, s)) 0; (snd t, build n (fun k => exp (snd t)[k]))",
        "fun (v : array n real) (w : array m real) => let t := scan n (fun s i => (ifold m (fun a j => a * w[j] + v[i]) s, s)) 0; \
         build n (fun k => snd (scan m (fun a j => (a + w[j] * v[k], a)) (snd t)[k]))",
    ]),
    function: |focus, _| {
        keep(focus.term).ok_or(Reason::native("no scan of which something is computed that its step has computed"))
    },
}];

fn is_scan(term: &Term) -> bool {
    matches!(term.kind(), Kind::Scan(_) | Kind::Scanr(_))
}

fn keep(term: &Term) -> Option<Term> {
    let named = NamedLoop::of(term).filter(|named| named.parts.form != LoopForm::Fold)?;
    let search = KeptSearch::of(&named)?;
    let target = search.first(&named.body, 0, &mut FxHashMap::default())?;
    let (scan, place) = match search.place(&target) {
        Some(way) => (None, way),
        None => (Some(Kept::of(&target).in_step(&named.parts.step, &mut Vec::new())?), PartWay::new()),
    };
    let value = match &scan {
        None => term.kid(0),
        Some(step) => {
            let scan = named.parts.with(step.clone(), named.parts.start.clone())?;
            if named.outputs { Term::snd(scan).ok()? } else { scan }
        }
    };
    let reading = Reading { target, ty: value.ty().clone(), kept: scan.is_none().then_some(place) };
    let body = search.read(&named.body, 0, &reading, &mut FxHashMap::default())?;
    Term::let_in(&named.name, value, body).ok()
}

/// Searches the body of a scan's let for what the scan's step computes, too.
struct KeptSearch<'a> {
    named: &'a NamedLoop,
    /// What the step keeps, without its lets.
    kept: KnownParts,
    below: Type,
}

/// What is read instead of being computed, of a value of this type: what is kept already, or else what is added to that.
struct Reading {
    target: Term,
    ty: Type,
    kept: Option<PartWay>,
}

impl<'a> KeptSearch<'a> {
    fn of(named: &'a NamedLoop) -> Option<KeptSearch<'a>> {
        let kept = without_lets(&half(&named.parts.step, true)?)?;
        Some(KeptSearch { named, kept: KnownParts::of(kept), below: named.parts.below() })
    }

    /// What a term is in the step, under the state and the index, if all that it reads is kept, at one index.
    fn in_step(&self, term: &Term, t: u32) -> Option<Term> {
        if !term.costs() || term.ty().has_function() {
            return None;
        }
        term.free_at(t)?;
        let mut inner = term.free().filter(|(i, _)| *i < t);
        let (k, free) = inner.next()?;
        if inner.next().is_some() || *free.ty != self.below {
            return None;
        }
        let watched = Watched { variable: t, ..self.named.watched() };
        let index = |found: &PartUse, t_there: u32| {
            let own = k + (t_there - t);
            matches!(found.index.as_ref().map(|index| index.view()), Some(View::Var(at)) if at == own)
        };
        // Where the table's variable goes the state is put in, and where the index stands there the step's own one.
        let replaced = watched.replaced(term, &mut |found, there| {
            let way = self.named.way(found);
            let [PartStep::Second, PartStep::Element, rest @ ..] = &way[..] else { return None };
            let own = index(found, there).then(|| self.kept.at(rest))??;
            // The state takes the place of the table, and the index that of its index.
            let (state, index) = (there, k + (there - t));
            Some(own.rename(|v| match v {
                0 => index,
                1 => state,
                outer => outer - 2 + there + 1,
            }))
        })?;
        // From k and t, and what is bound around t, to 0, 1 and what is bound around the step.
        let renamed = replaced.rename(|v| match v {
            v if v == k => 0,
            v if v == t => 1,
            outer => outer + 1 - t,
        });
        Some(needed(&renamed))
    }

    /// Where this is kept already.
    fn place(&self, target: &Term) -> Option<PartWay> {
        leaf_ways(self.kept.ty()).into_iter().find(|way| self.kept.at(way).is_some_and(|own| own == *target))
    }

    /// The first such term that the step computes, the outermost of those in each other.
    fn first(&self, term: &Term, t: u32, seen: &mut FxHashMap<(Term, u32), ()>) -> Option<Term> {
        if !term.costs() || term.free_at(t).is_none() || seen.insert((term.clone(), t), ()).is_some() {
            return None;
        }
        if let Some(target) = self.in_step(term, t)
            && (self.place(&target).is_some()
                || Kept::of(&target).in_step(&self.named.parts.step, &mut Vec::new()).is_some())
        {
            return Some(target);
        }
        (0..term.kid_count()).find_map(|k| self.first(&term.kid(k), t + term.binders(k), seen))
    }

    /// The term with this read wherever it is computed, from a scan of another type, and all else as it was.
    fn read(&self, term: &Term, t: u32, reading: &Reading, memo: &mut FxHashMap<(Term, u32), Term>) -> Option<Term> {
        if term.free_at(t).is_none() {
            return Some(term.clone());
        }
        let key = (term.clone(), t);
        if let Some(done) = memo.get(&key) {
            return Some(done.clone());
        }
        let array = if self.named.outputs { PartWay::new() } else { [PartStep::Second].into_iter().collect() };
        let element = |half: PartStep| array.iter().copied().chain([PartStep::Element, half]);
        let watched = Watched { variable: t, ..self.named.watched() };
        let done = if self.in_step(term, t).is_some_and(|own| own == reading.target) {
            let (k, free) = term.free().find(|(i, _)| *i < t)?;
            let index = Term::var(k, free.ty);
            let way: PartWay = match &reading.kept {
                Some(way) => array.iter().copied().chain([PartStep::Element]).chain(way.iter().copied()).collect(),
                None => element(PartStep::Second).collect(),
            };
            part_at(Term::var(t, &reading.ty), &way, Some(&index))?
        } else if let Some(PartUse { way, index }) = watched.used(term) {
            let is_element = way.len() > array.len() && way[..array.len()] == array[..];
            let adds = reading.kept.is_none();
            let way: PartWay = match is_element && way[array.len()] == PartStep::Element {
                _ if !adds => way,
                true => element(PartStep::First).chain(way[array.len() + 1..].iter().copied()).collect(),
                // All of what is kept, or of the scan: it has another type now.
                false if array.starts_with(&way) => return None,
                false => way,
            };
            let index = match index {
                Some(index) => Some(self.read(&index, t, reading, memo)?),
                None => None,
            };
            part_at(Term::var(t, &reading.ty), &way, index.as_ref())?
        } else {
            let kid = |k: usize| self.read(&term.kid(k), t + term.binders(k), reading, memo);
            let kids: SmallVec<[Term; 2]> = (0..term.kid_count()).map(kid).collect::<Option<_>>()?;
            term.with_kids(kids).ok()?
        };
        memo.insert(key, done.clone());
        Some(done)
    }
}

/// What a step is to keep, without the names of lets around it; of a scan also the states, through which a loop of the step may
/// go.
struct Kept<'a> {
    target: &'a Term,
    states: Option<LoopStates>,
}

/// What a step computes of what it is to keep.
enum Computed {
    Whole(Term),
    /// The last state of the scan that it is.
    Fold(Term),
    /// A scan through the same states.
    Scan(Term),
}

impl Kept<'_> {
    fn of(target: &Term) -> Kept<'_> {
        Kept { target, states: if is_scan(target) { LoopStates::of(target) } else { None } }
    }

    /// A step that keeps this, too, which it computes; `values` are those of the lets around it, without their names.
    fn in_step(&self, step: &Term, values: &mut Vec<Term>) -> Option<Term> {
        if let View::Let(x, value, body) = step.view() {
            let own = inlined(&value, values)?;
            if own == *self.target {
                return Term::let_in(&x, value.clone(), with_kept(&body, &Term::var(0, value.ty()))?).ok();
            }
            if let Some(part) = self.computed(&value, values) {
                return self.named(step, part, values.len() as u32);
            }
            values.push(own);
            let body = self.in_step(&body, values);
            values.pop();
            return Term::let_in(&x, value, body?).ok();
        }
        let part = self.computed(step, values)?;
        self.named(step, part, values.len() as u32)
    }

    /// The rest of a step, under so many lets, with a name for what it computes, which it keeps.
    fn named(&self, rest: &Term, part: Computed, under: u32) -> Option<Term> {
        let target = self.target.shift(under);
        let own = |value: &Term| Term::var(0, value.ty());
        let (value, part, to, kept) = match part {
            Computed::Whole(part) => (part.clone(), part.clone(), own(&part), own(&part)),
            Computed::Fold(part) => (target.clone(), part, Term::fst(own(&target)).ok()?, own(&target)),
            Computed::Scan(part) => {
                let both = ScanOfBoth::of(&LoopParts::of(&part)?, &LoopParts::of(&target)?)?;
                let own = own(&both.scan);
                (both.scan.clone(), part, both.first(own.clone())?, both.second(own)?)
            }
        };
        let body = replace(&rest.shift(1), &[TermReplacement { from: part.shift(1), to, asked: false }]);
        Term::let_in(&Name::new("g"), value, with_kept(&body, &kept)?).ok()
    }

    /// The part of a term, under no binder in it, that is this without the names of lets around it, or a loop through its states.
    fn computed(&self, term: &Term, values: &[Term]) -> Option<Computed> {
        self.both(term, &as_it_stands(term, values)?)
    }

    /// Goes through a term and what it is without names side by side.
    fn both(&self, term: &Term, whole: &Term) -> Option<Computed> {
        let least = self.states.as_ref().map_or(self.target.size(), |own| own.fold.size().min(self.target.size()));
        if whole.size() < least || matches!(term.kind(), Kind::Var) {
            return None;
        }
        if whole == self.target {
            return Some(Computed::Whole(term.clone()));
        }
        if let Some(own) = &self.states
            && let Some(states) = own.again_in(whole)
        {
            match states.parts.form {
                LoopForm::Fold => return Some(Computed::Fold(term.clone())),
                form if form == own.parts.form => return Some(Computed::Scan(term.clone())),
                _ => {}
            }
        }
        let free = (0..term.kid_count()).filter(|k| term.binders(*k) == 0);
        free.filter(|k| !matches!(term.kid(*k).kind(), Kind::Lam(..)))
            .find_map(|k| self.both(&term.kid(k), &whole.kid(k)))
    }
}

/// The rest of a step, which keeps this, too.
fn with_kept(rest: &Term, own: &Term) -> Option<Term> {
    match rest.view() {
        View::Let(name, value, body) => Term::let_in(&name, value, with_kept(&body, &own.shift(1))?).ok(),
        View::Pair(state, kept) => Term::pair(state, Term::pair(kept, own.clone()).ok()?).ok(),
        _ => None,
    }
}
