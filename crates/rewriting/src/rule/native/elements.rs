//! Takes lets of arrays that are written out or built, and choices between arrays, apart element by element.

use super::naming::name_of;
use super::unzip::bound_where_it_costs;
use crate::rule::condition::{EnclosingMarks, is_cheap};
use crate::rule::footprint::{BELOW, ContextUse, HeadFilter, Inspection, SHALLOW};
use crate::rule::record::NativeStatement::Words;
use crate::rule::record::for_tests;
use crate::rule::{Exactness, Focus, NativeRule, Reason};
use redexter_language::term::{Head, Kind, Term, View};

pub(super) const RULES: &[NativeRule] = &[
    NativeRule {
        name: "buildAt",
        params: &[],
        group: "Arrays and pairs",
        law: Words("(build n (fun i => b(i)))[e] --> b(e), or let i := e; b(i)"),
        condition: "a let where e costs something",
        doc: "Computes an element instead of the array: getBuild, beta and letSubstCheap in one step.",
        exactness: Exactness::Exact,
        inspects: Inspection { heads: HeadFilter::Of(&[Head::Get]), ways: &[&[0, 0]], ..BELOW },
        left_sides: &["(build n (fun i => f(i)))[j]", "(build n (fun i => build m (fun j => f(i, j))))[k]"],
        examples: &[(
            "fun (v : array n real) (j : fin n) => (build n (fun i => v[i] * v[i]))[j]",
            "fun (v : array n real) (j : fin n) => v[j] * v[j]",
        )],
        refused: for_tests(&["fun (v : array n real) (j : fin n) => v[j]"]),
        function: |focus, _| build_at(focus.term).ok_or(Reason::native("no element of an array that is built here")),
    },
    NativeRule {
        name: "letAt",
        params: &[],
        group: "Arrays and pairs",
        law: Words("let t := build n (fun i => a(i)); b(t[e]) --> b(a(e)), and so of arrays in arrays"),
        condition: "an element costs nothing, and each use has all indices",
        doc: "Computes the elements of what is built where they are read: letSubstCheap, and buildAt at each place.",
        exactness: Exactness::Exact,
        inspects: Inspection {
            heads: HeadFilter::Of(&[Head::Let]),
            ways: &[&[0, 0]],
            scope: 1,
            guard: binds_build,
            ..BELOW
        },
        left_sides: &[
            "let t := build n (fun i => fst a[i]); t[j] * t[k]",
            "let t := build n (fun i => build m (fun j => a[j])); build m (fun k => t[e][k])",
        ],
        examples: &[(
            "fun (v : array n real) => let t := build m (fun i => build n (fun j => v[j])); build m (fun k => ifold n (fun s l => s + \
             t[k][l]) 0)",
            "fun (v : array n real) => build m (fun k => ifold n (fun s l => s + v[l]) 0)",
        )],
        refused: for_tests(&[
            "fun (v : array n real) => let t := build n (fun i => exp v[i]); build n (fun i => t[i])",
            "fun (v : array n real) (i : fin n) => let t := build n (fun j => -v[j]); (t, t[i])",
        ]),
        function: |focus, _| {
            let_at(focus.term)
                .ok_or(Reason::native("no array is built whose elements cost nothing and are all that is read"))
        },
    },
    NativeRule {
        name: "letArray",
        params: &[],
        group: "Written out",
        law: Words("let x := [e1, .., ek]; b(x) --> let x := e1; ..; let x := ek; b([x, .., x])"),
        condition: "k is at least 1",
        doc: "Names the elements of an array one by one, as letPair does with pairs; repeats nothing.",
        exactness: Exactness::Exact,
        inspects: Inspection { heads: HeadFilter::Of(&[Head::Let]), ways: &[&[0]], scope: 1, ..BELOW },
        left_sides: &["let x := [a, e]; b(x)", "let x := [a, e]; x[0] + x[1] * c"],
        examples: &[(
            "fun (v : real) => let x := [v * 2, v * 3]; x[0] + x[1]",
            "fun (v : real) => let x := v * 2; let y := v * 3; [x, y][0] + [x, y][1]",
        )],
        refused: for_tests(&["fun (v : array 2 real) => let x := v; x[0] + x[1]"]),
        function: |focus, _| let_array(focus.term).ok_or(Reason::native("no let of an array that is written out")),
    },
    NativeRule {
        name: "ifArray",
        params: &[],
        group: "Written out",
        law: Words(
            "if c then [a1, .., ak] else [b1, .., bk] --> let c := c; [if c then a1 else b1, .., if c then ak else bk]",
        ),
        condition: "k is at least 1",
        doc: "Chooses element by element, so that each goes its own way.",
        exactness: Exactness::Exact,
        inspects: Inspection { heads: HeadFilter::Of(&[Head::If]), ways: &[&[1], &[2]], ..SHALLOW },
        left_sides: &["if c then [a, b] else [d, e]"],
        examples: &[(
            "fun (v w : real) => if v < w then [v, 1] else [w, 2]",
            "fun (v w : real) => let c := v < w; [if c then v else w, if c then 1 else 2]",
        )],
        refused: for_tests(&["fun (v : array 2 real) (c : int) => if c then v else [1, 2]"]),
        function: |focus, _| {
            if_array(focus.term).ok_or(Reason::native("no choice between arrays that are written out"))
        },
    },
    NativeRule {
        name: "letIntoArray",
        params: &[],
        group: "Written out",
        law: Words("let t := a; [e1(t), .., ek(t)] --> [let t := a; e1(t), .., let t := a; ek(t)]"),
        condition: "t is a tangent",
        doc: "Takes a tangent to each result, where letAdjoint gathers its factors; repeats a.",
        exactness: Exactness::Exact,
        inspects: Inspection {
            heads: HeadFilter::Of(&[Head::Let]),
            ways: &[&[1]],
            scope: 1,
            context: ContextUse::Marks,
            ..BELOW
        },
        left_sides: &[
            "build n (fun p => let t := ifold n (fun a j => a + (if p = j then f(j) else 0)) 0; [c * t, d + t])",
            "build n (fun p => let t := ifold n (fun a j => a + (if p = j then f(j) else 0)) 0; [c, t])",
            "build n (fun p => let t := ifold n (fun a j => a + (if p = j then f(j) else 0)) 0; [t, d * t])",
        ],
        examples: &[(
            "fun (v : array n real) => build n (fun p => let t := ifold n (fun a i => a + (if p = i then v[i] \
             else 0)) 0; [2 * t, t, 1])",
            "fun (v : array n real) => build n (fun p => [let t := ifold n (fun a i => a + (if p = i then v[i] \
             else 0)) 0; 2 * t, let t := ifold n (fun a i => a + (if p = i then v[i] else 0)) 0; t, 1])",
        )],
        refused: for_tests(&["fun (v : array n real) => build n (fun p => let t := exp v[p]; [2 * t, t])"]),
        function: |focus, _| into_array(focus).ok_or(Reason::native("no tangent around an array that is written out")),
    },
];

/// Whether child `k` is an array that is written out.
fn is_array(term: &Term, k: usize) -> bool {
    term.nodes().get(k).is_some_and(|kid| matches!(kid.kind(), Kind::Array(_)))
}

fn let_array(term: &Term) -> Option<Term> {
    if !is_array(term, 0) {
        return None;
    }
    let View::Let(x, value, body) = term.view() else { return None };
    let View::Array(ty, elements) = value.view() else { return None };
    let count = elements.len() as u32;
    let names = (0..count).rev().map(|i| Term::var(i, &ty)).collect();
    let array = Term::array(&ty, names).ok().filter(|_| count > 0)?;
    // The elements' names are bound where the array's was, so that outer variables make room for all but one of them.
    let inner = body.shift_from(1, count).instantiate(&array).ok()?;
    let bind = |body: Term, (k, element): (usize, &Term)| Term::let_in(&x, element.shift(k as u32), body).ok();
    elements.iter().enumerate().rev().try_fold(inner, bind)
}

fn if_array(term: &Term) -> Option<Term> {
    if !is_array(term, 1) || !is_array(term, 2) {
        return None;
    }
    let View::If(c, a, b) = term.view() else { return None };
    let (View::Array(ty, a), View::Array(_, b)) = (a.view(), b.view()) else { return None };
    // Named once around the literal, because each element asks for it.
    let condition = Term::var(0, c.ty());
    let choice = |(a, b): (&Term, &Term)| Term::if_else(condition.clone(), a.shift(1), b.shift(1)).ok();
    let all: Vec<Term> = a.iter().zip(&b).map(choice).collect::<Option<_>>()?;
    let array = Term::array(&ty, all).ok().filter(|_| !a.is_empty() && a.len() == b.len())?;
    Term::let_in(&name_of(&c, "c"), c, array).ok()
}

fn into_array(focus: &Focus) -> Option<Term> {
    if !is_array(focus.term, 1) {
        return None;
    }
    let View::Let(x, value, body) = focus.term.view() else { return None };
    let View::Array(ty, elements) = body.view() else { return None };
    if !EnclosingMarks::at(focus, &[]).marks(&value) {
        return None;
    }
    let bind = |element: Term| match element.free_at(0) {
        // No let where its variable isn't used, so that nothing dead is left behind.
        None => element.lower(1),
        Some(_) => Term::let_in(&x, value.clone(), element).ok(),
    };
    Term::array(&ty, elements.into_iter().map(bind).collect::<Option<_>>()?).ok()
}

fn build_at(term: &Term) -> Option<Term> {
    let View::Get(array, e) = term.view() else { return None };
    built_at(&array, e)
}

/// An element of what is built.
fn built_at(array: &Term, e: Term) -> Option<Term> {
    let View::Build(_, f) = array.view() else { return None };
    let View::Lam(i, _, body) = f.view() else { return None };
    bound_where_it_costs(&i, e, body)
}

/// An element of an array, computed where the array is built.
pub(super) fn element_at(array: &Term, e: Term) -> Option<Term> {
    built_at(array, e.clone()).or_else(|| Term::get(array.clone(), e).ok())
}

fn binds_build(term: &Term) -> bool {
    matches!(term.nodes()[0].kind(), Kind::Build(_))
}

fn let_at(term: &Term) -> Option<Term> {
    let View::Let(_, value, body) = term.view() else { return None };
    if !binds_build(term) || body.free_at(0).is_none() || !is_cheap(&value, body.as_part()) {
        return None;
    }
    with_elements(&body, 0, &value)?.lower(1)
}

/// The term with the elements of this array, which is that of variable `t` outside of it, where it reads them.
fn with_elements(term: &Term, t: u32, array: &Term) -> Option<Term> {
    if term.free_at(t).is_none() {
        return Some(term.clone());
    }
    let (mut root, mut indices) = (term.clone(), Vec::new());
    while let View::Get(of, index) = root.view() {
        indices.push(index);
        root = of;
    }
    if matches!(root.view(), View::Var(x) if x == t) {
        let at = |of: Term, index: &Term| element_at(&of, with_elements(index, t, array)?);
        return indices.iter().rev().try_fold(array.shift(t + 1), at);
    }
    let kids = (0..term.kid_count()).map(|k| with_elements(&term.kid(k), t + term.binders(k), array));
    Term::of(term.kind(), kids.collect::<Option<_>>()?).ok()
}
