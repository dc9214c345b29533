//! Random well-typed programs, made by the constructors.

use redexter::ground::{Name, Random};
use redexter::term::{Prim, Program, Size, SizeBounds, Term, Type, TypeView};

/// Makes programs over the open sizes n and m. The same seed gives the same programs.
pub struct Generator {
    random: Random,
    scope: Vec<Type>,
    ifs: bool,
}

/// So many programs with the seeds in their names, half of which may branch.
pub fn grown(most: u64) -> impl Iterator<Item = (String, Program)> {
    (0..most).map(|seed| (format!("grown {seed}"), Generator::new(seed, seed.is_multiple_of(2)).program(7)))
}

impl Generator {
    /// With `ifs`, programs may branch.
    pub fn new(seed: u64, ifs: bool) -> Generator {
        Generator { random: Random::new(seed), scope: Vec::new(), ifs }
    }

    /// A program whose parameters and result are data.
    pub fn program(&mut self, fuel: u32) -> Program {
        let (n, m) = (size("n"), size("m"));
        let row = Type::array(n.clone(), Type::real());
        let parameters = [
            ("v", row.clone()),
            ("a", Type::array(m, row)),
            ("p", Type::pair(Type::real(), Type::int())),
            ("i", Type::fin(Size::literal(3))),
        ];
        self.scope = parameters.iter().map(|(_, ty)| ty.clone()).collect();
        let result = loop {
            let ty = self.ty(2);
            if !ty.has_function() && !matches!(ty.view(), TypeView::Fin(_)) {
                break ty;
            }
        };
        let mut term = self.term(&result, fuel);
        for (name, ty) in parameters.iter().rev() {
            term = Term::lam(&Name::new(name), ty, term).unwrap();
        }
        Program { term, bounds: SizeBounds::default() }
    }

    fn size(&mut self) -> Size {
        let all = [size("n"), size("m"), size("n").plus(&Size::literal(1)).unwrap(), Size::literal(2)];
        all[self.random.below(all.len())].clone()
    }

    fn ty(&mut self, depth: u32) -> Type {
        match self.random.below(if depth == 0 { 4 } else { 9 }) {
            0..=2 => Type::real(),
            3 => Type::int(),
            4 => Type::fin(Size::literal(3)),
            5 => Type::array(self.size(), self.ty(depth - 1)),
            6 => Type::pair(self.ty(depth - 1), self.ty(depth - 1)),
            7 => Type::fun(self.ty(depth - 1), self.ty(depth - 1)),
            _ => Type::fun(Type::fun(Type::real(), Type::real()), self.ty(depth - 1)),
        }
    }

    fn bound(&mut self, ty: &Type, body: &Type, fuel: u32) -> Term {
        self.scope.push(ty.clone());
        let body = self.term(body, fuel);
        self.scope.pop();
        body
    }

    fn lam(&mut self, from: &Type, to: &Type, fuel: u32) -> Term {
        let hint = self.hint("x");
        let body = self.bound(from, to, fuel);
        Term::lam(&hint, from, body).unwrap()
    }

    /// Now and then the name of a primitive, where that isn't reserved.
    fn hint(&self, usual: &str) -> Name {
        Name::new([usual, "sinh", usual, "erf", "n"][self.scope.len() % 5])
    }

    /// A variable in scope whose type `wanted` accepts.
    fn var(&mut self, wanted: impl Fn(&Type) -> bool) -> Option<Term> {
        let places: Vec<usize> = (0..self.scope.len()).filter(|p| wanted(&self.scope[*p])).collect();
        if places.is_empty() {
            return None;
        }
        let place = places[self.random.below(places.len())];
        Some(Term::var((self.scope.len() - 1 - place) as u32, &self.scope[place]))
    }

    fn term(&mut self, ty: &Type, fuel: u32) -> Term {
        if (fuel == 0 || self.random.below(4) == 0)
            && let Some(var) = self.var(|t| t == ty)
        {
            return var;
        }
        if fuel > 0
            && self.random.below(3) == 0
            && let Some(term) = self.call(ty, fuel - 1)
        {
            return term;
        }
        if fuel > 0
            && self.random.below(2) == 0
            && let Some(term) = self.elimination(ty, fuel - 1)
        {
            return term;
        }
        self.introduction(ty, fuel.saturating_sub(1))
    }

    /// An index, or one that is computed of it: reversed, of a longer array, with a stride, halved, or in a row of others.
    fn moved(&mut self, index: Term) -> Term {
        let TypeView::Fin(n) = index.ty().view().clone() else { return index };
        let number = Term::unary(Prim::ToInt, index.clone()).unwrap();
        let binary = |op, a, b| Term::binary(op, a, b).unwrap();
        let (size, number) = match self.random.below(11) {
            0 => (n.clone(), binary(Prim::Sub, binary(Prim::Sub, Term::size_value(&n), Term::int(1)), number)),
            1 => (n.plus(&Size::literal(1)).unwrap(), number),
            2 => (n.plus(&n).unwrap(), binary(Prim::Add, binary(Prim::Mul, Term::int(2), number), Term::int(1))),
            3 => (n.clone(), binary(Prim::Quot, number, Term::int(2))),
            4 => (Size::literal(3), binary(Prim::Rem, number, Term::int(3))),
            5 => {
                let Some(column) = self.var(|t| matches!(t.view(), TypeView::Fin(_))) else { return index };
                let TypeView::Fin(m) = column.ty().view().clone() else { return index };
                let row = binary(Prim::Mul, number, Term::size_value(&m));
                (n.times(&m).unwrap(), binary(Prim::Add, row, Term::unary(Prim::ToInt, column).unwrap()))
            }
            _ => return index,
        };
        Term::within(size, number).unwrap()
    }

    /// A number that is often an index or next to one.
    fn near(&mut self, fuel: u32) -> Term {
        let Some(index) = self.var(|t| matches!(t.view(), TypeView::Fin(_))) else { return self.int(fuel) };
        let number = Term::unary(Prim::ToInt, index).unwrap();
        let by = Term::int(self.random.below(3) as i64 - 1);
        if self.random.below(3) == 0 { self.int(fuel) } else { Term::binary(Prim::Add, number, by).unwrap() }
    }

    fn elimination(&mut self, ty: &Type, fuel: u32) -> Option<Term> {
        match self.random.below(8) {
            0 => {
                let other = if self.random.below(2) == 0 { self.ty(2) } else { Type::fun(self.ty(1), ty.clone()) };
                let value = self.term(&other, fuel);
                let hint = self.hint("y");
                let body = self.bound(&other, ty, fuel);
                Some(Term::let_in(&hint, value, body).unwrap())
            }
            1 => {
                let from = self.ty(2);
                let function = self.term(&Type::fun(from.clone(), ty.clone()), fuel);
                Some(Term::app(function, self.term(&from, fuel)).unwrap())
            }
            2 => {
                let other = self.ty(1);
                Some(Term::fst(self.term(&Type::pair(ty.clone(), other), fuel)).unwrap())
            }
            3 => Some(Term::snd(self.term(&Type::pair(Type::real(), ty.clone()), fuel)).unwrap()),
            4 if !ty.has_function() => {
                let n = self.size();
                let step = Type::fun(ty.clone(), Type::fun(Type::fin(n.clone()), ty.clone()));
                let f = self.term(&step, fuel.max(1));
                Some(Term::ifold(n, f, self.term(ty, fuel)).unwrap())
            }
            5 if self.ifs => {
                let c = self.term(&Type::int(), fuel);
                Some(Term::if_else(c, self.term(ty, fuel), self.term(ty, fuel)).unwrap())
            }
            6 if self.ifs => {
                let (below, hint) = (Type::fin(self.size()), self.hint("k"));
                let TypeView::Fin(n) = below.view().clone() else { return None };
                let number = self.near(fuel);
                let inside = self.bound(&below, ty, fuel);
                Some(Term::guard(&hint, n, number, inside, self.term(ty, fuel)).unwrap())
            }
            _ => {
                let index = self.var(|t| matches!(t.view(), TypeView::Fin(_)))?;
                let index = self.moved(index);
                let TypeView::Fin(n) = index.ty().view().clone() else { return None };
                Some(Term::get(self.term(&Type::array(n, ty.clone()), fuel), index).unwrap())
            }
        }
    }

    /// A function in scope, applied.
    fn call(&mut self, ty: &Type, fuel: u32) -> Option<Term> {
        let function = self.var(|t| matches!(t.view(), TypeView::Fun(_, to) if to == ty))?;
        let TypeView::Fun(from, _) = function.ty().view().clone() else { return None };
        Some(Term::app(function, self.term(&from, fuel)).unwrap())
    }

    fn introduction(&mut self, ty: &Type, fuel: u32) -> Term {
        match ty.view().clone() {
            TypeView::Real => self.real(fuel),
            TypeView::Int => self.int(fuel),
            TypeView::Fin(n) => match self.var(|t| t == ty) {
                Some(var) => var,
                None => Term::fin(self.random.below(2) as u64, n).unwrap(),
            },
            TypeView::Array(n, a) => {
                if n.as_literal() == Some(2) && !a.has_function() {
                    return Term::array(&a, vec![self.term(&a, fuel), self.term(&a, fuel)]).unwrap();
                }
                let f = self.term(&Type::fun(Type::fin(n.clone()), a), fuel);
                Term::build(n, f).unwrap()
            }
            TypeView::Pair(a, b) => Term::pair(self.term(&a, fuel), self.term(&b, fuel)).unwrap(),
            TypeView::Fun(from, to) => self.lam(&from, &to, fuel),
            TypeView::Var(_) | TypeView::Unknown(_) => unreachable!("never asked for"),
        }
    }

    fn real(&mut self, fuel: u32) -> Term {
        if fuel == 0 {
            return Term::real(self.random.below(5) as f64 / 2.0);
        }
        let unary: Vec<Prim> = Prim::of_one_real().chain([Prim::Trigamma, Prim::Rounded, Prim::RoundedNeg]).collect();
        let binary = [Prim::Add, Prim::Sub, Prim::Mul, Prim::Div, Prim::Min, Prim::Max, Prim::Atan2, Prim::RealPow];
        let kept = [Prim::RoundedAdd, Prim::RoundedSub, Prim::RoundedMul, Prim::RoundedDiv];
        let binary = [&binary[..], &kept].concat();
        let real = Type::real();
        match self.random.below(5) {
            0 => Term::prim(unary[self.random.below(unary.len())], vec![self.term(&real, fuel)]).unwrap(),
            1 => Term::prim(Prim::ToReal, vec![self.term(&Type::int(), fuel)]).unwrap(),
            2 => Term::prim(Prim::Pow, vec![self.term(&real, fuel), self.term(&Type::int(), fuel)]).unwrap(),
            _ => {
                let operands = vec![self.term(&real, fuel), self.term(&real, fuel)];
                Term::prim(binary[self.random.below(binary.len())], operands).unwrap()
            }
        }
    }

    fn int(&mut self, fuel: u32) -> Term {
        if fuel == 0 {
            return if self.random.below(2) == 0 {
                Term::int(self.random.below(4) as i64)
            } else {
                Term::size_value(&size("n"))
            };
        }
        let binary = [Prim::Add, Prim::Sub, Prim::Mul, Prim::Quot, Prim::Rem, Prim::And, Prim::Or, Prim::Lt, Prim::Eq];
        let compare = [Prim::Lt, Prim::Le, Prim::Gt, Prim::Ge, Prim::Eq, Prim::Ne];
        let (int, real) = (Type::int(), Type::real());
        match self.random.below(3) {
            0 => {
                let operands = vec![self.term(&real, fuel), self.term(&real, fuel)];
                Term::prim(compare[self.random.below(compare.len())], operands).unwrap()
            }
            _ => {
                let operands = vec![self.term(&int, fuel), self.term(&int, fuel)];
                Term::prim(binary[self.random.below(binary.len())], operands).unwrap()
            }
        }
    }
}

fn size(name: &str) -> Size {
    Size::var(&Name::new(name))
}
