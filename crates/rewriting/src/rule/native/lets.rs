//! Takes all lets out of a place in one step where the rules for single lets would take as many steps as there are.

use super::scan_parts::LoopParts;
use crate::rule::footprint::{ANY_KID, BELOW, HeadFilter, Inspection};
use crate::rule::record::NativeStatement::Words;
use crate::rule::record::for_tests;
use crate::rule::{Exactness, NativeRule, Reason};
use redexter_language::ground::Name;
use redexter_language::term::{Head, Kind, Size, Term, Type, TypeView, View};

const GROUP: &str = "Let outwards";

pub(super) const RULES: &[NativeRule] = &[
    NativeRule {
        name: "letLets",
        params: &[],
        group: GROUP,
        law: Words(
            "let x := (let y := a; ..; let z := b; c); d --> let y := a; ..; let z := b; let x := c; d, and so out of what is projected \
              or indexed",
        ),
        condition: "",
        doc: "Takes all lets of a let's value, of a pair or of an array before what is done with it: letLet, fstLet, sndLet and getLet, \
              as often as they go.",
        exactness: Exactness::Exact,
        inspects: Inspection {
            heads: HeadFilter::Of(&[Head::Let, Head::Fst, Head::Snd, Head::Get]),
            holds: &[Head::Let],
            ways: &[&[0]],
            guard: |term| first_is_let(term),
            ..BELOW
        },
        left_sides: &[
            "let x := (let y := a; b(y)); c(x)",
            "let x := (let y := a; let z := b(y); c(y, z)); d(x)",
            "fst (let y := a; let z := b(y); (c(y, z), d))",
            "snd (let y := a; let z := b(y); (c(y, z), d))",
            "(let y := a; let z := b(y); c(y, z))[i]",
        ],
        examples: &[
            (
                "fun (v : real) => let x := (let y := v * v; let z := y * v; y + z); x * x",
                "fun (v : real) => let y := v * v; let z := y * v; let x := y + z; x * x",
            ),
            (
                "fun (v : real) => snd (let x := v * v; let y := x * v; (x, y))",
                "fun (v : real) => let x := v * v; let y := x * v; snd (x, y)",
            ),
        ],
        refused: for_tests(&[
            "fun (v : real) => let x := v * v; let y := x * v; y",
            "fun (v : array n real) (i : fin n) => v[let j := i; j]",
        ]),
        function: |focus, _| {
            let taken = first_is_let(focus.term).then(|| lets_out(focus.term, |k| k == 0)).flatten();
            taken.ok_or(Reason::native("what is named, projected or indexed isn't a let"))
        },
    },
    NativeRule {
        name: "letsOut",
        params: &[],
        group: GROUP,
        law: Words("f(let x := a; ..; let y := b; c, ..) --> let x := a; ..; let y := b; f(c, ..)"),
        condition: "f binds nothing, and these are no branches",
        doc: "Takes the lets of all that is computed in any case before it, in their order: letFloat, as often as it goes.",
        exactness: Exactness::Exact,
        inspects: Inspection {
            heads: HeadFilter::Inner(&[Head::Lam]),
            holds: &[Head::Let],
            ways: &[&[ANY_KID]],
            guard: holds_lets,
            ..BELOW
        },
        left_sides: &[
            "(let x := a; let y := b(x); c(x, y)) + (let z := d; e(z))",
            "(let x := a; b(x), let y := c; d(y))",
            "if (let x := a; b(x)) then c else d",
            "ifold n f (let x := a; let y := b(x); c(x, y))",
            "[let x := a; b(x), let y := c; d(y)]",
            "v[let x := a; b(x)]",
            "plus (let x := a; b(x)) (let y := c; d(y))",
            "let x := (let y := a; let z := b(y); c(y, z)); d(x)",
        ],
        examples: &[(
            "fun (v : real) => (let x := v * v; let y := x * v; x + y, let z := exp v; z * z)",
            "fun (v : real) => let x := v * v; let y := x * v; let z := exp v; (x + y, z * z)",
        )],
        refused: for_tests(&[
            "fun (v : real) => if v < 1 then (let x := v * v; x) else v",
            "build n (fun i => let x := real i; x + x)",
            "fun (v : real) => let y := v; let x := v * v; x + y",
        ]),
        function: |focus, _| {
            lets_out(focus.term, |_| true).ok_or(Reason::native("nothing that is computed in any case is a let"))
        },
    },
    NativeRule {
        name: "letsOutOfLoop",
        params: &[],
        group: GROUP,
        law: Words(
            "build n (fun i => let x := a; ..; let y := b(i, x); c(i, x, y)) --> let x := a; ..; let y := build n (fun i => b(i, x)); \
             build n (fun i => c(i, x, y[i])), and so out of scatter, ifold, scan and scanr, out of pull, and out of loops in each other",
        ),
        condition: "of lets that need neither the state nor the direction, wherever a round computes them in any case",
        doc: "Takes the lets of a loop's rounds before the loop: what doesn't change stays as it is, what needs the index is computed \
              in a loop of its own, into a table. letFloatLoop, letTabulate, letSwap, letsOut and pullFloat, as often as they go, from \
              the innermost loop outwards.",
        exactness: Exactness::Exact,
        inspects: Inspection {
            heads: HeadFilter::Of(&[Head::Build, Head::Scatter, Head::Ifold, Head::Scan, Head::Scanr, Head::Pull]),
            holds: &[Head::Let],
            ..BELOW
        },
        left_sides: &[
            "build n (fun i => let x := a(i); let y := b(i, x); c(i, x, y))",
            "build n (fun i => let x := a; let y := b(i, x); c(i, x, y))",
            "scatter n m (fun e => let x := a(e); let y := b(e, x); (c(e), x * y))",
            "ifold n (fun s i => let x := a(i); let y := b(i, x); let z := c(s, y); e(s, i, x, y, z)) d",
            "ifold n (fun s i => s + (let x := a(i); let y := b(i, x); c(i, x, y))) d",
            "scan n (fun s i => let x := a(i); let y := b(i, x); (c(s, i, x, y), e(s, y))) d",
            "scanr n (fun s i => let x := a; let y := b(i, x); (c(s, i, x, y), e(s, y))) d",
            "pull (fun d => let x := a; let y := b(x); let z := y * d; z * x) w",
        ],
        examples: &[
            (
                "fun (v : array n real) => build n (fun i => let x := v[i] * 2; let y := x * x; x + y)",
                "fun (v : array n real) => let table := build n (fun i => v[i] * 2); let table1 := build n (fun i => table[i] * \
                 table[i]); build n (fun i => table[i] + table1[i])",
            ),
            (
                "fun (v : real) => ifold n (fun s i => let x := v * 2; let y := x * s; y * real i) 1",
                "fun (v : real) => let x := v * 2; ifold n (fun s i => let y := x * s; y * real i) 1",
            ),
            (
                "fun (k : array m (fin n)) (v : array m real) => scatter n m (fun e => (int k[e], let x := v[e] * 2; x * x))",
                "fun (k : array m (fin n)) (v : array m real) => let table := build m (fun e => v[e] * 2); scatter n m (fun e => (int \
                 k[e], table[e] * table[e]))",
            ),
        ],
        refused: for_tests(&[
            "fun (v : array n real) => ifold n (fun s i => let x := s * v[i]; x * x) 1",
            "fun (v : array n real) => build n (fun i => v[i])",
            "fun (w : real) => pull (fun (d : real) => let x := d * w; x) w",
        ]),
        function: |focus, _| {
            out_of_loop(focus.term).ok_or(Reason::native("no let in a loop's body that its state isn't needed for"))
        },
    },
];

/// Whether child k is computed wherever the term is, outside what it binds.
fn is_computed(term: &Term, k: usize) -> bool {
    match term.kind() {
        Kind::Lam(..) => false,
        Kind::If => k == 0,
        Kind::Guard(..) => k == 0,
        _ => term.binders(k) == 0,
    }
}

fn holds_lets(term: &Term) -> bool {
    (0..term.kid_count()).any(|k| is_computed(term, k) && matches!(term.nodes()[k].kind(), Kind::Let(_)))
}

fn first_is_let(term: &Term) -> bool {
    let takes_one = matches!(term.kind(), Kind::Let(_) | Kind::Fst | Kind::Snd | Kind::Get);
    takes_one && matches!(term.nodes()[0].kind(), Kind::Let(_))
}

/// The lets of those children that are computed in any case and asked for, before the term.
fn lets_out(term: &Term, of: impl Fn(usize) -> bool) -> Option<Term> {
    let mut chain: Vec<(Name, Term)> = Vec::new();
    // Each child with the number of lets around it so far.
    let mut kids = Vec::new();
    for k in 0..term.kid_count() {
        let mut kid = term.kid(k).shift_from(term.binders(k), chain.len() as u32);
        while let View::Let(x, value, body) = kid.view()
            && is_computed(term, k)
            && of(k)
        {
            chain.push((x, value));
            kid = body;
        }
        kids.push((kid, chain.len()));
    }
    if chain.is_empty() {
        return None;
    }
    let count = chain.len();
    let under_all = |(k, (kid, under)): (usize, (Term, usize))| kid.shift_from(term.binders(k), (count - under) as u32);
    let inner = Term::of(term.kind(), kids.into_iter().enumerate().map(under_all).collect()).ok()?;
    bound(chain, inner)
}

/// The term in the scope of these lets.
fn bound(chain: Vec<(Name, Term)>, inner: Term) -> Option<Term> {
    chain.into_iter().rev().try_fold(inner, |body, (x, value)| Term::let_in(&x, value, body).ok())
}

/// The term with the lets of all that is computed in any case at its front, those of loops' rounds among them.
fn fronted(term: &Term) -> Option<Term> {
    if term.kid_count() == 0 || matches!(term.kind(), Kind::Lam(..)) {
        return Some(term.clone());
    }
    let kid = |k: usize| {
        let kid = term.kid(k);
        if is_computed(term, k) || matches!(term.kind(), Kind::Let(_)) { fronted(&kid) } else { Some(kid) }
    };
    let inner = Term::of(term.kind(), (0..term.kid_count()).map(kid).collect::<Option<_>>()?).ok()?;
    let inner = lets_out(&inner, |_| true).unwrap_or(inner);
    // The lets that came out of the loop's own operands, such as where it starts, stay around it.
    let (chain, rest) = if matches!(term.kind(), Kind::Let(_)) { (Vec::new(), inner) } else { front_lets(inner) };
    let rest = out_of_loop(&rest).unwrap_or(rest);
    bound(chain, rest)
}

/// The lets that a term begins with, from the outermost, and what stands under all of them.
pub(super) fn front_lets(mut term: Term) -> (Vec<(Name, Term)>, Term) {
    let mut chain = Vec::new();
    while let View::Let(x, value, body) = term.view() {
        chain.push((x, value));
        term = body;
    }
    (chain, term)
}

/// A loop's body.
struct LoopBody {
    body: Term,
    /// How many variables the loop binds around it; the index, where there is one, is the innermost of them.
    binders: u32,
    /// The index: its name, and the size.
    index: Option<(Name, Size)>,
}

fn loop_body(term: &Term) -> Option<LoopBody> {
    match term.view() {
        View::Build(n, f) => {
            let View::Lam(i, _, body) = f.view() else { return None };
            Some(LoopBody { body, binders: 1, index: Some((i, n)) })
        }
        View::Scatter(rounds, _, f) => {
            let View::Lam(e, _, body) = f.view() else { return None };
            Some(LoopBody { body, binders: 1, index: Some((e, rounds)) })
        }
        View::Pull(f, _) => {
            let View::Lam(_, _, body) = f.view() else { return None };
            Some(LoopBody { body, binders: 1, index: None })
        }
        _ => {
            let parts = LoopParts::of(term)?;
            Some(LoopBody { body: parts.step, binders: 2, index: Some((parts.index, parts.n)) })
        }
    }
}

/// The loop with another body, in the scope of so many lets more.
fn with_body(term: &Term, body: Term, lets: u32) -> Option<Term> {
    match term.view() {
        View::Build(n, f) => {
            let View::Lam(i, ty, _) = f.view() else { return None };
            match body.view() {
                // All that is left is the array of what is in a table already.
                View::Get(table, own)
                    if matches!(own.view(), View::Var(0)) && table.free_at(0).is_none() && is_whole(&table, &n) =>
                {
                    table.lower(1)
                }
                _ => Term::build(n, Term::lam(&i, &ty, body).ok()?).ok(),
            }
        }
        View::Scatter(rounds, places, f) => {
            let View::Lam(e, ty, _) = f.view() else { return None };
            Term::scatter(places, rounds, Term::lam(&e, &ty, body).ok()?).ok()
        }
        View::Pull(f, weight) => {
            let View::Lam(d, ty, _) = f.view() else { return None };
            Term::pull(Term::lam(&d, &ty, body).ok()?, weight.shift(lets)).ok()
        }
        _ => {
            let parts = LoopParts::of(term)?;
            parts.with(body, parts.start.shift(lets))
        }
    }
}

/// Whether an array has so many elements.
fn is_whole(array: &Term, n: &Size) -> bool {
    matches!(array.ty().view(), TypeView::Array(size, _) if size == n)
}

/// Where a let of a loop's body has come to stand: so many lets of its kind before it.
#[derive(Clone, Copy)]
enum LetPlace {
    Outside { place: u32, is_table: bool },
    Inside(u32),
}

fn out_of_loop(term: &Term) -> Option<Term> {
    let LoopBody { body, binders, index } = loop_body(term)?;
    let mut rest = fronted(&body)?;
    let size = index.as_ref().map(|(_, n)| n);
    let mut outside: Vec<(Name, Term)> = Vec::new();
    let mut inside: Vec<(Name, Term)> = Vec::new();
    let mut places: Vec<LetPlace> = Vec::new();
    // Which of the variables of a term under so many of the lets is the loop's, and which is a let.
    let own = |places: &[LetPlace], place: u32| place.checked_sub(places.len() as u32);
    let at = |places: &[LetPlace], place: u32| places.iter().rev().nth(place as usize).copied();
    while let View::Let(x, value, next) = rest.view() {
        let is_index = |place: u32| size.is_some() && own(&places, place) == Some(0);
        let stays = |place: &u32| match at(&places, *place) {
            Some(known) => matches!(known, LetPlace::Inside(_)),
            None => own(&places, *place).is_some_and(|own| own < binders) && !is_index(*place),
        };
        if value.places().iter().any(stays) {
            places.push(LetPlace::Inside(inside.len() as u32));
            inside.push((x, value));
            rest = next;
            continue;
        }
        let is_table = |place: &u32| matches!(at(&places, *place), Some(LetPlace::Outside { is_table: true, .. }));
        let varies = value.places().iter().any(|place| is_index(*place) || is_table(place));
        // A table's elements stand under its own index.
        let (inner, before) = (u32::from(varies), outside.len() as u32);
        let taken = moved(&value, size.map(|size| (size, 0)), |place| match at(&places, place) {
            Some(LetPlace::Outside { place, is_table }) => (before - 1 - place + inner, is_table),
            _ => (
                own(&places, place).map_or(0, |own| if own < binders { 0 } else { own - binders + before + inner }),
                false,
            ),
        })?;
        outside.push(match &index {
            Some((i, n)) if varies => {
                let function = Term::lam(i, &Type::fin(n.clone()), taken).ok()?;
                (Name::new("table"), Term::build(n.clone(), function).ok()?)
            }
            _ => (x, taken),
        });
        places.push(LetPlace::Outside { place: before, is_table: varies });
        rest = next;
    }
    if outside.is_empty() {
        return None;
    }
    let all = outside.len() as u32;
    // What stays, under so many of the lets as there were, and so many of those that stay.
    let kept = |value: &Term, known: &[LetPlace], before: u32| {
        moved(value, size.map(|size| (size, before)), |place| match at(known, place) {
            Some(LetPlace::Outside { place, is_table }) => (before + binders + all - 1 - place, is_table),
            Some(LetPlace::Inside(place)) => (before - 1 - place, false),
            None => (
                own(known, place).map_or(0, |own| if own < binders { own + before } else { own + before + all }),
                false,
            ),
        })
    };
    let mut stay = Vec::new();
    let mut body = kept(&rest, &places, inside.len() as u32)?;
    for (then, place) in places.iter().enumerate() {
        if let LetPlace::Inside(now) = place {
            let (x, value) = &inside[*now as usize];
            stay.push((x.clone(), kept(value, &places[..then], *now)?));
        }
    }
    body = bound(stay, body)?;
    bound(outside, with_body(term, body, all)?)
}

/// The term with its variables elsewhere: of a let that became a table the element at this index, of this size.
fn moved(term: &Term, index: Option<(&Size, u32)>, to: impl Fn(u32) -> (u32, bool)) -> Option<Term> {
    let whole = |place: u32| {
        let ty = term.free_at(place)?.ty;
        match to(place) {
            (place, false) => Some(Term::var(place, ty)),
            (place, true) => {
                let (size, index) = index?;
                let table = Term::var(place, &Type::array(size.clone(), ty.clone()));
                Term::get(table, Term::var(index, &Type::fin(size.clone()))).ok()
            }
        }
    };
    let all = term.places().iter().all(|place| whole(*place).is_some());
    // Nothing else occurs, so that nothing else is asked for.
    all.then(|| term.substitute(&|place| whole(place).unwrap_or_else(|| Term::real(0.0))).ok()).flatten()
}
