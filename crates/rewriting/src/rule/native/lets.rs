//! Takes all lets out of a place in one step where the rules for single lets would take as many steps as there are.

use super::scan_parts::LoopParts;
use crate::rule::footprint::{ANY_KID, BELOW, HeadFilter, Inspection};
use crate::rule::record::NativeStatement::Words;
use crate::rule::{Exactness, NativeRule, Reason};
use redexter_language::ground::Name;
use redexter_language::term::{Head, Kind, Prim, Size, Term, Type, View};

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
        refused: &[
            "fun (v : real) => let x := v * v; let y := x * v; y",
            "fun (v : array n real) (i : fin n) => v[let j := i; j]",
        ],
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
        refused: &[
            "fun (v : real) => if v < 1 then (let x := v * v; x) else v",
            "build n (fun i => let x := real i; x + x)",
            "fun (v : real) => let y := v; let x := v * v; x + y",
        ],
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
             build n (fun i => c(i, x, y[i])), and so out of ifold, scan and scanr, and out of pull",
        ),
        condition: "up to the first let that needs the state or the direction",
        doc: "Takes the lets at the front of a loop's body before the loop: what doesn't change stays as it is, what needs the index \
              is computed in a loop of its own, into a table. letFloatLoop, letTabulate and pullFloat, as often as they go.",
        exactness: Exactness::Exact,
        inspects: Inspection {
            heads: HeadFilter::Of(&[Head::Build, Head::Ifold, Head::Scan, Head::Scanr, Head::Pull]),
            holds: &[Head::Let],
            ..BELOW
        },
        left_sides: &[
            "build n (fun i => let x := a(i); let y := b(i, x); c(i, x, y))",
            "build n (fun i => let x := a; let y := b(i, x); c(i, x, y))",
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
        ],
        refused: &[
            "fun (v : array n real) => ifold n (fun s i => let x := s * v[i]; x * x) 1",
            "fun (v : array n real) => build n (fun i => v[i])",
            "fun (w : real) => pull (fun (d : real) => let x := d * w; x) w",
        ],
        function: |focus, _| {
            out_of_loop(focus.term)
                .ok_or(Reason::native("no let at the front of a loop's body that its state isn't needed for"))
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
        View::Pull(f, _) => {
            let View::Lam(_, _, body) = f.view() else { return None };
            Some(LoopBody { body, binders: 1, index: None })
        }
        _ => {
            let parts = LoopParts::of(term)?;
            let body = summand(&parts.step).unwrap_or(parts.step);
            Some(LoopBody { body, binders: 2, index: Some((parts.index, parts.n)) })
        }
    }
}

/// What is added to the state, variable 1.
fn summand(step: &Term) -> Option<Term> {
    let View::Prim(Prim::Add, operands) = step.view() else { return None };
    matches!(operands[0].view(), View::Var(1)).then(|| operands[1].clone())
}

/// The loop with another body, in the scope of so many lets more.
fn with_body(term: &Term, body: Term, lets: u32) -> Option<Term> {
    match term.view() {
        View::Build(n, f) => {
            let View::Lam(i, ty, _) = f.view() else { return None };
            Term::build(n, Term::lam(&i, &ty, body).ok()?).ok()
        }
        View::Pull(f, weight) => {
            let View::Lam(d, ty, _) = f.view() else { return None };
            Term::pull(Term::lam(&d, &ty, body).ok()?, weight.shift(lets)).ok()
        }
        _ => {
            let parts = LoopParts::of(term)?;
            let step = match summand(&parts.step) {
                Some(_) => Term::binary(Prim::Add, Term::var(1, parts.state_type()), body).ok()?,
                None => body,
            };
            parts.with(step, parts.start.shift(lets))
        }
    }
}

fn out_of_loop(term: &Term) -> Option<Term> {
    let LoopBody { mut body, binders, index } = loop_body(term)?;
    let size = index.as_ref().map(|(_, n)| n);
    let mut chain: Vec<(Name, Term)> = Vec::new();
    // Which of the lets became tables.
    let mut tables: Vec<bool> = Vec::new();
    while let View::Let(x, value, rest) = body.view() {
        let depth = tables.len() as u32;
        let is_index = |place: u32| size.is_some() && place == depth;
        if value.places().iter().any(|place| (depth..depth + binders).contains(place) && !is_index(*place)) {
            break;
        }
        let varies = value.places().iter().any(|place| is_index(*place) || is_table(&tables, *place));
        // A table's elements stand under its own index.
        let inner = u32::from(varies);
        let taken = moved(&value, &tables, size, |place| match place {
            place if place < depth => place + inner,
            place if place < depth + binders => 0,
            place => place - binders + inner,
        })?;
        chain.push(match &index {
            Some((i, n)) if varies => {
                let function = Term::lam(i, &Type::fin(n.clone()), taken).ok()?;
                (Name::new("table"), Term::build(n.clone(), function).ok()?)
            }
            _ => (x, taken),
        });
        tables.push(varies);
        body = rest;
    }
    if chain.is_empty() {
        return None;
    }
    let depth = tables.len() as u32;
    let body = moved(&body, &tables, size, |place| match place {
        place if place < depth => place + binders,
        place if place < depth + binders => place - depth,
        place => place,
    })?;
    bound(chain, with_body(term, body, depth)?)
}

/// The term with its variables elsewhere: of a let that became a table the element at this index, where the index is variable 0.
fn moved(term: &Term, tables: &[bool], size: Option<&Size>, to: impl Fn(u32) -> u32) -> Option<Term> {
    let element = |place: u32, ty: &Type| {
        let size = size?.clone();
        let table = Term::var(to(place), &Type::array(size.clone(), ty.clone()));
        Term::get(table, Term::var(0, &Type::fin(size))).ok()
    };
    let whole = |place: u32| {
        let free = term.free_at(place)?;
        if is_table(tables, place) { element(place, free.ty) } else { Some(Term::var(to(place), free.ty)) }
    };
    let all = term.places().iter().all(|place| whole(*place).is_some());
    // Nothing else occurs, so that nothing else is asked for.
    all.then(|| term.substitute(&|place| whole(place).unwrap_or_else(|| Term::real(0.0))).ok()).flatten()
}

/// Whether this variable is one of the lets, of which the last is variable 0, that became a table.
fn is_table(tables: &[bool], place: u32) -> bool {
    tables.iter().rev().nth(place as usize).is_some_and(|is_such| *is_such)
}
