//! Turns sums of columns into sums of rows, and powers with an index into running products.
//!
//! Of `build m (fun j => … sum over i of e(i, j) …)`, where `e` reads `a[i, j]`, each entry goes down a column of an array. All
//! of them go through its rows together: `let sums := ifold n (fun acc i => build m (fun j => acc[j] + e(i, j))) zeros`. They
//! are added in the same order. The rows have as many elements as the array that is read, so that nothing larger is kept.

use super::variables::{bound, free, fresh, plain, replaced};
use crate::first::{Expr, Fold, Scan, Var};
use redexter_language::term::{Prim, Size, Type, TypeView};

/// The code with such sums, where no loop is around them; `variables` is the largest number of a variable.
pub(super) fn by_rows(code: Expr, variables: &mut u32) -> Expr {
    match code {
        Expr::Lets(..) | Expr::Pair(_) => code.map(&mut |part| by_rows(part, variables)),
        Expr::Build(..) => {
            let (mut axes, mut body) = (Vec::new(), code);
            while let Expr::Build(size, index, inner) = body {
                axes.push((size, index));
                body = *inner;
            }
            let mut columns = Columns { axes, sums: Vec::new(), variables };
            let body = columns.replaced(body);
            let Columns { axes, mut sums, .. } = columns;
            // An array that just has the sums is that of the sums.
            let own: Vec<u32> = axes.iter().map(|(_, axis)| axis.number).collect();
            if let [(array, _)] = &sums[..]
                && read_by(&body, array).is_some_and(|indices| indices == own)
            {
                return sums.remove(0).1;
            }
            let nest = |body, (size, index): (Size, Var)| Expr::Build(size, index, Box::new(body));
            Expr::lets(sums, axes.into_iter().rev().fold(body, nest))
        }
        code => code,
    }
}

struct Columns<'a> {
    axes: Vec<(Size, Var)>,
    sums: Vec<(Var, Expr)>,
    variables: &'a mut u32,
}

fn read<'v>(array: Expr, indices: impl Iterator<Item = &'v Var>) -> Expr {
    indices.fold(array, |read, index| Expr::Index(Box::new((read, Expr::Var(index.clone())))))
}

impl Columns<'_> {
    fn replaced(&mut self, code: Expr) -> Expr {
        match code {
            Expr::Fold(fold) => self.summed(&fold).unwrap_or(Expr::Fold(fold)),
            Expr::Prim(..) | Expr::Pair(_) | Expr::If(_) => code.map(&mut |part| self.replaced(part)),
            code => code,
        }
    }

    /// What reads the sum, if it is one of a column.
    fn summed(&mut self, fold: &Fold) -> Option<Expr> {
        if !matches!(fold.acc.ty.view(), TypeView::Real) || !matches!(fold.init, Expr::Real(x) if x == 0.0) {
            return None;
        }
        let is_acc = |code: &Expr| matches!(code, Expr::Var(var) if var.number == fold.acc.number);
        let Expr::Prim(prim @ (Prim::Add | Prim::Sub), of) = &fold.body else { return None };
        let summand = match &of[..] {
            [acc, summand] if is_acc(acc) => summand,
            [summand, acc] if is_acc(acc) && *prim == Prim::Add => summand,
            _ => return None,
        };
        let mut reads = Vec::new();
        if !is_plain(summand, &mut reads) || free(summand).contains(&fold.acc.number) {
            return None;
        }
        // The rounds' own index first, and then those of the entries as they lie.
        let axes = self.axes.iter().map(|(_, axis)| axis.number);
        let rows: Vec<u32> = std::iter::once(fold.index.number).chain(axes).collect();
        if !reads.contains(&rows) {
            return None;
        }
        let own: Vec<Var> =
            self.axes.iter().map(|(_, axis)| fresh(self.variables, &axis.hint, axis.ty.clone())).collect();
        let sizes = || self.axes.iter().map(|(size, _)| size.clone());
        let ty = sizes().rev().fold(Type::real(), |ty, size| Type::array(size, ty));
        let acc = fresh(self.variables, "sums", ty.clone());
        let here = self
            .axes
            .iter()
            .zip(&own)
            .fold(summand.clone(), |code, ((_, from), to)| replaced(code, from, &Expr::Var(to.clone())));
        let step = Expr::Prim(*prim, vec![read(Expr::Var(acc.clone()), own.iter()), here]);
        let body =
            sizes().zip(&own).rev().fold(step, |body, (size, index)| Expr::Build(size, index.clone(), Box::new(body)));
        let init = sizes().rev().fold(Expr::Real(0.0), |zero, size| {
            let index = fresh(self.variables, "i", Type::int());
            Expr::Build(size, index, Box::new(zero))
        });
        let sums = fresh(self.variables, "sums", ty);
        let fold = Fold { size: fold.size.clone(), acc, index: fold.index.clone(), init, body };
        self.sums.push((sums.clone(), Expr::Fold(Box::new(fold))));
        Some(read(Expr::Var(sums), self.axes.iter().map(|(_, axis)| axis)))
    }
}

/// An array, and the variables by which it is indexed, the first one first.
fn indexed(mut array: &Expr) -> (&Expr, Vec<u32>) {
    let mut indices = Vec::new();
    while let Expr::Index(p) = array {
        if let Expr::Var(var) = plain(&p.1) {
            indices.insert(0, var.number);
        }
        array = &p.0;
    }
    (array, indices)
}

/// The indices by which the code reads an array, if it does no more.
fn read_by(code: &Expr, array: &Var) -> Option<Vec<u32>> {
    let (own, indices) = indexed(code);
    matches!(own, Expr::Var(var) if var.number == array.number).then_some(indices)
}

/// Whether it binds nothing, and the indices by which it reads arrays, each by numbers of variables.
fn is_plain(code: &Expr, reads: &mut Vec<Vec<u32>>) -> bool {
    match code {
        Expr::Var(_) | Expr::Real(_) | Expr::Int(_) | Expr::Size(_) => true,
        Expr::Prim(_, all) => all.iter().all(|part| is_plain(part, reads)),
        Expr::Truth(a) | Expr::Half(a, _) => is_plain(a, reads),
        Expr::If(p) => [&p.0, &p.1, &p.2].into_iter().all(|part| is_plain(part, reads)),
        Expr::Index(_) => {
            let (array, indices) = indexed(code);
            reads.push(indices);
            matches!(array, Expr::Var(_) | Expr::Half(..))
        }
        _ => false,
    }
}

/// The code with a table of powers before each array and each loop that takes powers of one base with its index.
pub(super) fn powers(code: Expr, variables: &mut u32) -> Expr {
    let code = code.map(&mut |part| powers(part, variables));
    let (size, index, body) = match &code {
        Expr::Build(size, index, body) => (size, index, &**body),
        Expr::Fold(fold) => (&fold.size, &fold.index, &fold.body),
        _ => return code,
    };
    let mut own = Default::default();
    bound(&code, &mut own);
    let Some(base) = base(body, index, &|base: &Expr| free(base).iter().all(|k| !own.contains(k))) else { return code };
    let (size, index) = (size.clone(), index.clone());
    let acc = fresh(variables, "power", Type::real());
    let step = Expr::Pair(Box::new((
        Expr::Prim(Prim::Mul, vec![Expr::Var(acc.clone()), base.clone()]),
        Expr::Var(acc.clone()),
    )));
    let at = fresh(variables, "k", Type::int());
    let fold = Fold { size: size.clone(), acc, index: at, init: Expr::Real(1.0), body: step };
    let scan = Expr::Scan(Box::new(Scan { fold, is_reversed: false, element: Type::real() }));
    let table = Expr::Half(Box::new(scan), false);
    if let Expr::Build(_, _, body) = &code
        && is_power(body, &index).is_some()
    {
        return table;
    }
    let powers = fresh(variables, "powers", Type::array(size, Type::real()));
    let here = read(Expr::Var(powers.clone()), [&index].into_iter());
    let code = taken(code, &index, &base, &here);
    Expr::lets(vec![(powers, table)], code)
}

/// The base of a power with the index as its exponent.
fn is_power<'a>(code: &'a Expr, index: &Var) -> Option<&'a Expr> {
    match code {
        Expr::Prim(Prim::Pow, of) => match &of[..] {
            [base, exponent] => {
                let is_index = matches!(plain(exponent), Expr::Var(var) if var.number == index.number);
                (is_index && is_same(base, base)).then_some(base)
            }
            _ => None,
        },
        _ => None,
    }
}

/// The first base of such powers that may stand before.
fn base(code: &Expr, index: &Var, may: &dyn Fn(&Expr) -> bool) -> Option<Expr> {
    if let Some(base) = is_power(code, index).filter(|base| may(base)) {
        return Some(base.clone());
    }
    let mut found = None;
    code.each(&mut |part| {
        if found.is_none() {
            found = base(part, index, may);
        }
    });
    found
}

/// Whether both read the same; only of variables, elements and constants it is known.
fn is_same(a: &Expr, b: &Expr) -> bool {
    match (a, b) {
        (Expr::Var(a), Expr::Var(b)) => a.number == b.number,
        (Expr::Real(a), Expr::Real(b)) => a.to_bits() == b.to_bits(),
        (Expr::Int(a), Expr::Int(b)) => a == b,
        (Expr::Index(a), Expr::Index(b)) => is_same(&a.0, &b.0) && is_same(&a.1, &b.1),
        _ => false,
    }
}

/// The code with these powers read.
fn taken(code: Expr, index: &Var, base: &Expr, here: &Expr) -> Expr {
    match is_power(&code, index) {
        Some(own) if is_same(own, base) => here.clone(),
        _ => code.map(&mut |part| taken(part, index, base, here)),
    }
}
