//! Makes programs that are smaller than one on which a rule goes wrong: parts of it, and the whole with a part replaced.

use super::trial::paths;
use redexter_language::ground::Name;
use redexter_language::ground::order::InOrder;
use redexter_language::term::{Kind, Path, Program, Term, Type, TypeView, View};

/// Programs that are smaller than this one, with where the subterm at the path stands then: parts that hold it, then the
/// whole with some part replaced.
pub fn smaller_programs(program: &Program, path: &Path) -> impl Iterator<Item = (Program, Path)> {
    parts(program, path).into_iter().chain(simplified(program, path))
}

/// Parts of the program that hold the redex, from the redex outwards, each closed by parameters.
pub(super) fn parts(program: &Program, redex: &Path) -> Vec<(Program, Path)> {
    let mut names: Vec<Name> = Vec::new();
    let mut here = program.term.clone();
    let mut all = Vec::new();
    let size = program.term.size();
    for (depth, k) in redex.0.iter().enumerate() {
        let k = *k as usize;
        names.extend((0..here.binders(k)).map(|_| here.kind().hint().cloned().unwrap_or_else(|| Name::new("x"))));
        here = here.kid(k);
        let way = &redex.0[depth + 1..];
        if !here.ty().has_function()
            && let Some(([term], around)) = closed([&here], &names)
            && term.size() < size
        {
            // Each parameter that closes the part is a λ around it, whose body is child 0.
            let mut path = vec![0; around];
            path.extend_from_slice(way);
            all.push((Program { term, bounds: program.bounds.clone() }, Path(path)));
        }
    }
    // The smallest first: they were found on the way from the root to the redex.
    all.reverse();
    all
}

/// Terms under a λ for each variable that one of them mentions, and how many. `names`: of what is bound around them,
/// innermost last. `None` where such a variable is a function.
pub fn closed<const N: usize>(terms: [&Term; N], names: &[Name]) -> Option<([Term; N], usize)> {
    let of = |term: &Term| term.free().map(|(i, free)| (i, free.ty.clone())).collect::<Vec<_>>();
    let mut free: Vec<(u32, Type)> = terms.iter().flat_map(|term| of(term)).collect();
    free.order_by_key(|(i, _)| std::cmp::Reverse(*i));
    free.dedup_by_key(|(i, _)| *i);
    if free.iter().any(|(_, ty)| ty.has_function()) {
        return None;
    }
    let mut taken: Vec<Name> = Vec::new();
    for (k, (i, _)) in free.iter().enumerate() {
        let known = names.len().checked_sub(1 + *i as usize).map(|at| &names[at]).filter(|name| !taken.contains(name));
        taken.push(known.cloned().unwrap_or_else(|| Name::new(&format!("x{k}"))));
    }
    let place = |i: u32| free.iter().rev().position(|(j, _)| *j == i).unwrap_or(0) as u32;
    let close = |term: &Term| {
        let mut parameters = free.iter().zip(&taken).rev();
        parameters.try_fold(term.rename(place), |body, ((_, ty), name)| Term::lam(name, ty, body).ok())
    };
    let all: Option<Vec<Term>> = terms.into_iter().map(close).collect();
    Some((all?.try_into().ok()?, free.len()))
}

/// The program with one part replaced by something smaller.
pub(super) fn simplified(program: &Program, redex: &Path) -> impl Iterator<Item = (Program, Path)> {
    paths(&program.term).flat_map(|place| {
        let part = place.find(&program.term);
        let smaller = part.iter().flat_map(smaller);
        let put = smaller.filter_map(|smaller| put(&program.term, &place.0, smaller));
        put.map(|term| (Program { term, bounds: program.bounds.clone() }, redex.clone())).collect::<Vec<_>>()
    })
}

/// A term with another part at this place; not in the number of a computed index, which would be another one.
pub(super) fn put(whole: &Term, path: &[u32], part: Term) -> Option<Term> {
    match path.split_first() {
        None => Some(part),
        Some(_) if matches!(whole.kind(), Kind::Within(_)) => None,
        Some((k, rest)) => {
            let k = *k as usize;
            whole.with_kid(k, put(&whole.kid(k), rest, part)?).ok()
        }
    }
}

/// Terms of the same type that are smaller, the smallest first.
fn smaller(part: &Term) -> Vec<Term> {
    let mut all: Vec<Term> = match (part.ty().view(), part.kind()) {
        (TypeView::Real, Kind::Real(x)) if *x == 0.0 || *x == 1.0 => Vec::new(),
        (TypeView::Int, Kind::Int(0 | 1)) => Vec::new(),
        (_, Kind::Var) => Vec::new(),
        (TypeView::Real, _) => vec![Term::real(0.0), Term::real(1.0)],
        (TypeView::Int, _) => vec![Term::int(0), Term::int(1)],
        _ => Vec::new(),
    };
    if let View::Let(_, value, body) = part.view() {
        all.extend(body.instantiate(&value).ok().filter(|t| t.size() < part.size()));
    }
    inside(part, part, 0, 3, &mut all);
    all.order_by_key(|term| term.size());
    all
}

/// The parts of the right type that mention nothing bound on the way to them.
fn inside(part: &Term, here: &Term, under: u32, depth: u32, all: &mut Vec<Term>) {
    for (k, kid) in here.kids().iter().enumerate() {
        let under = under + here.binders(k);
        if kid.ty() == part.ty() {
            all.extend(kid.lower(under));
        }
        if depth > 1 {
            inside(part, kid, under, depth - 1, all);
        }
    }
}
