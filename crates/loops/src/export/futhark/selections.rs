//! Turns sums that select by data into sums at places.
//!
//! Of `build k (fun j => … sum over i of (if place(i) = j then value(i, j) else 0) …)` each entry looks at all rounds. What is
//! added where is known beforehand, so that one pass over the rounds makes all sums: `scatter k n (fun i => (place(i),
//! value(i, place(i))))`. They are added in the same order.

use rustc_hash::FxHashSet;

use super::variables::{bound, free, fresh, mentions, plain, replaced};
use crate::first::{Expr, Fold, Guard, Scatter, Var};
use redexter_language::term::{Prim, Size, Type, TypeView};

/// The code with such sums before the arrays that read them; `variables` is the largest number of a variable.
pub(super) fn at_places(code: Expr, variables: &mut u32) -> Expr {
    let code = code.map(&mut |part| at_places(part, variables));
    let Expr::Build(size, index, body) = code else { return code };
    let mut own = FxHashSet::default();
    bound(&body, &mut own);
    let mut selections = Selections { size, index, own, inner: Vec::new(), sums: Vec::new(), variables };
    let body = selections.replaced(*body);
    let Selections { size, index, mut sums, .. } = selections;
    // An array that just has the sums is that of the sums.
    if let (Expr::Index(p), [(own, _)]) = (&body, &sums[..])
        && matches!((&p.0, &p.1), (Expr::Var(a), Expr::Var(i)) if a.number == own.number && i.number == index.number)
    {
        return sums.remove(0).1;
    }
    Expr::lets(sums, Expr::Build(size, index, Box::new(body)))
}

/// What is found in the elements of an array.
struct Selections<'a> {
    size: Size,
    index: Var,
    /// What is bound in an element.
    own: FxHashSet<u32>,
    /// The arrays in it around where it looks.
    inner: Vec<(Size, Var)>,
    /// What has to stand before the array.
    sums: Vec<(Var, Expr)>,
    variables: &'a mut u32,
}

impl Selections<'_> {
    fn replaced(&mut self, code: Expr) -> Expr {
        match code {
            Expr::Fold(fold) => match self.selected(&fold) {
                Some(read) => read,
                None => Expr::Fold(fold).map(&mut |part| self.replaced(part)),
            },
            Expr::Build(size, index, body) => {
                self.inner.push((size.clone(), index.clone()));
                let body = self.replaced(*body);
                self.inner.pop();
                Expr::Build(size, index, Box::new(body))
            }
            code => code.map(&mut |part| self.replaced(part)),
        }
    }

    /// What reads the sum at its place, if it is one that selects.
    fn selected(&mut self, fold: &Fold) -> Option<Expr> {
        if !matches!(fold.acc.ty.view(), TypeView::Real) || !matches!(fold.init, Expr::Real(x) if x == 0.0) {
            return None;
        }
        let (lets, body) = match &fold.body {
            Expr::Lets(lets, body) => (&lets[..], &**body),
            body => (&[][..], body),
        };
        let (condition, value) = chosen(body, &fold.acc)?;
        let Expr::Truth(test) = condition else { return None };
        let Expr::Prim(Prim::Eq, sides) = &**test else { return None };
        let is_own = |side: &Expr| matches!(plain(side), Expr::Var(var) if var.number == self.index.number);
        let place = match &sides[..] {
            [a, b] if is_own(b) => plain(a),
            [a, b] if is_own(a) => plain(b),
            _ => return None,
        };
        // What the place needs is computed before, anything else where the value is.
        let by_lets = lets.iter().any(|(var, _)| mentions(place, var));
        let (lets, value) =
            if by_lets { (lets.to_vec(), value) } else { (Vec::new(), Expr::lets(lets.to_vec(), value)) };
        let mut before = free(&Expr::lets(lets.clone(), place.clone()));
        let mut later = free(&value);
        let is_by_round = before.remove(&fold.index.number);
        later.retain(|k| *k != fold.index.number && !lets.iter().any(|(var, _)| var.number == *k));
        let by_index = later.remove(&self.index.number);
        let axes: Vec<(Size, Var)> = self.inner.iter().filter(|(_, c)| later.remove(&c.number)).cloned().collect();
        // The place is the same for all entries, and nothing in the sum is of what is bound for one entry alone.
        let is_outside = |k: &u32| !self.own.contains(k) && *k != self.index.number;
        if !is_by_round || !before.iter().chain(&later).all(is_outside) {
            return None;
        }
        Some(self.scattered(fold, (lets, place.clone(), value), by_index, &axes))
    }

    fn scattered(
        &mut self,
        fold: &Fold,
        (mut lets, mut place, mut value): (Vec<(Var, Expr)>, Expr, Expr),
        by_index: bool,
        axes: &[(Size, Var)],
    ) -> Expr {
        let is_read = |code: &Expr| matches!(code, Expr::Var(_));
        let costs_nothing = match &place {
            Expr::Index(p) => is_read(&p.0) && is_read(&p.1),
            place => is_read(place),
        };
        if by_index && costs_nothing && is_below(&place, &self.size) {
            value = replaced(value, &self.index, &place);
        } else if by_index {
            let ty = place.ty().unwrap_or_else(Type::int);
            let own = fresh(self.variables, "place", ty.clone());
            lets.push((own.clone(), std::mem::replace(&mut place, Expr::Var(own.clone()))));
            value = match is_below(&place, &self.size) {
                true => replaced(value, &self.index, &place),
                // What has no place is left out, and needs no value.
                false => {
                    let index = fresh(self.variables, "place", Type::fin(self.size.clone()));
                    let inside = replaced(value, &self.index, &Expr::Var(index.clone()));
                    let other = Expr::Real(0.0);
                    Expr::Guard(Box::new(Guard {
                        size: self.size.clone(),
                        index,
                        number: place.clone(),
                        inside,
                        other,
                    }))
                }
            };
        }
        let mut ty = Type::real();
        for (size, c) in axes.iter().rev() {
            let own = fresh(self.variables, &c.hint, c.ty.clone());
            value = Expr::Build(size.clone(), own.clone(), Box::new(replaced(value, c, &Expr::Var(own))));
            ty = Type::array(size.clone(), ty);
        }
        let sums = fresh(self.variables, "sums", Type::array(self.size.clone(), ty.clone()));
        let scatter = Scatter {
            places: self.size.clone(),
            rounds: fold.size.clone(),
            index: fold.index.clone(),
            entry: Expr::lets(lets, Expr::Pair(Box::new((place, value)))),
            value: ty,
        };
        self.sums.push((sums.clone(), Expr::Scatter(Box::new(scatter))));
        let indices = std::iter::once(&self.index).chain(axes.iter().map(|(_, c)| c));
        indices.fold(Expr::Var(sums), |read, c| Expr::Index(Box::new((read, Expr::Var(c.clone())))))
    }
}

/// The condition under which a step of a sum adds something, and what.
fn chosen<'a>(step: &'a Expr, acc: &Var) -> Option<(&'a Expr, Expr)> {
    let is_acc = |code: &Expr| matches!(code, Expr::Var(var) if var.number == acc.number);
    let added = |code: &'a Expr| match code {
        Expr::Prim(Prim::Add, of) if is_acc(&of[0]) => Some((&of[1], false)),
        Expr::Prim(Prim::Add, of) if is_acc(&of[1]) => Some((&of[0], false)),
        Expr::Prim(Prim::Sub, of) if is_acc(&of[0]) => Some((&of[1], true)),
        _ => None,
    };
    let signed = |value: &Expr, is_negative| match is_negative {
        true => Expr::Prim(Prim::Neg, vec![value.clone()]),
        false => value.clone(),
    };
    if let Expr::If(p) = step {
        let (value, is_negative) = added(&p.1)?;
        return is_acc(&p.2).then(|| (&p.0, signed(value, is_negative)));
    }
    let (value, is_negative) = added(step)?;
    let Expr::If(p) = value else { return None };
    matches!(p.2, Expr::Real(x) if x == 0.0).then(|| (&p.0, signed(&p.1, is_negative)))
}

/// Whether the type of a number says that it is an index below a size.
fn is_below(code: &Expr, size: &Size) -> bool {
    code.ty().is_some_and(|ty| matches!(ty.view(), TypeView::Fin(n) if n == size))
}
