//! Random programs that ask about the index of a `build`, and gradients: what rules see of their context matters in these.

use redexter::ad::dual;
use redexter::ground::{Name, Random};
use redexter::term::{IllTyped, Prim, Size, Term, Type, TypeView};

/// Makes programs. The same seed gives the same ones.
pub struct Indexed {
    pub random: Random,
    /// The types of the variables, outermost first.
    scope: Vec<Type>,
}

fn size() -> Size {
    Size::var(&Name::new("n"))
}

impl Indexed {
    pub fn new(seed: u64) -> Indexed {
        Indexed { random: Random::new(seed), scope: Vec::new() }
    }

    /// A program of one array.
    pub fn program(&mut self, fuel: u32) -> Term {
        let row = Type::array(size(), Type::real());
        self.scope = vec![row.clone()];
        let body = self.result(fuel);
        Term::lam(&Name::new("v"), &row, body.expect("well-typed")).expect("a program")
    }

    /// The gradient of a function of one array, as derivatives give it: each partial derivative from a one-hot of its own.
    pub fn gradient(&mut self, fuel: u32) -> Term {
        let row = Type::array(size(), Type::real());
        self.scope = vec![row.clone()];
        let body = self.real(fuel).expect("well-typed");
        let function = Term::lam(&Name::new("v"), &row, body).expect("a function");
        partial_derivatives(&dual(&function).expect("it has derivatives")).expect("well-typed")
    }

    fn below<T>(&mut self, ty: &Type, make: impl FnOnce(&mut Self) -> Result<T, IllTyped>) -> Result<T, IllTyped> {
        self.scope.push(ty.clone());
        let made = make(self);
        self.scope.pop();
        made
    }

    /// What may stand on the way from the root to a number of the result.
    fn result(&mut self, fuel: u32) -> Result<Term, IllTyped> {
        let few = fuel.saturating_sub(1);
        match self.random.below(if fuel == 0 { 1 } else { 8 }) {
            0 => self.real(fuel),
            1 => Term::array(&Type::real(), vec![self.real(few)?, self.real(few)?]),
            2 => {
                let value = self.real(few)?;
                let body = self.below(&Type::real(), |own| own.result(few))?;
                Term::let_in(&Name::new("x"), value, body)
            }
            3 => Term::pair(self.result(few)?, self.real(few)?),
            _ => {
                let body = self.below(&Type::fin(size()), |own| own.result(few))?;
                Term::build(size(), Term::lam(&Name::new("p"), &Type::fin(size()), body)?)
            }
        }
    }

    fn variable(&mut self, wanted: impl Fn(&Type) -> bool) -> Option<Term> {
        let places: Vec<usize> = (0..self.scope.len()).filter(|p| wanted(&self.scope[*p])).collect();
        let place = *places.get(self.random.below(places.len().max(1)))?;
        Some(Term::var((self.scope.len() - 1 - place) as u32, &self.scope[place]))
    }

    fn index(&mut self) -> Option<Term> {
        self.variable(|ty| matches!(ty.view(), TypeView::Fin(_)))
    }

    fn leaf(&mut self) -> Result<Term, IllTyped> {
        let real = self.variable(|ty| matches!(ty.view(), TypeView::Real));
        let array = self.variable(|ty| matches!(ty.view(), TypeView::Array(..)));
        match (self.random.below(4), real, array, self.index()) {
            (0 | 1, Some(x), ..) => Ok(x),
            (1..=2, _, Some(v), Some(i)) => Term::get(v, i),
            (k, ..) => Ok(Term::real(k as f64)),
        }
    }

    fn real(&mut self, fuel: u32) -> Result<Term, IllTyped> {
        let Some(fuel) = fuel.checked_sub(1) else { return self.leaf() };
        let few = fuel.min(2);
        match self.random.below(16) {
            k @ 0..=3 => {
                let prim = [Prim::Add, Prim::Mul, Prim::Mul, Prim::Div][k];
                Term::binary(prim, self.real(fuel)?, self.real(fuel)?)
            }
            4 => Term::unary([Prim::Neg, Prim::Sin, Prim::Cos][self.random.below(3)], self.real(fuel)?),
            5..=7 => {
                let value = self.real(few)?;
                let body = self.below(&Type::real(), |own| own.real(fuel))?;
                Term::let_in(&Name::new("x"), value, body)
            }
            8..=10 => match (self.index(), self.index()) {
                (Some(i), Some(j)) => {
                    let prim = if self.random.below(4) == 0 { Prim::Ne } else { Prim::Eq };
                    let other = if self.random.below(3) == 0 { self.real(few)? } else { Term::real(0.0) };
                    Term::if_else(Term::binary(prim, i, j)?, self.real(fuel)?, other)
                }
                _ => self.leaf(),
            },
            11 | 12 => self.fold(fuel),
            13 => {
                let body = self.below(&Type::fin(size()), |own| own.real(fuel))?;
                let table = Term::build(size(), Term::lam(&Name::new("j"), &Type::fin(size()), body)?)?;
                match self.index() {
                    Some(i) if self.random.below(2) == 0 => Term::get(table, i),
                    _ => {
                        let body = self.below(table.ty(), |own| own.real(fuel))?;
                        Term::let_in(&Name::new("t"), table, body)
                    }
                }
            }
            14 => Term::fst(Term::pair(self.real(fuel)?, self.real(few)?)?),
            _ => {
                let less = Term::binary(Prim::Lt, self.real(few)?, self.real(few)?)?;
                Term::if_else(less, self.real(fuel)?, self.real(few)?)
            }
        }
    }

    /// A sum, mostly.
    fn fold(&mut self, fuel: u32) -> Result<Term, IllTyped> {
        let (real, index) = (Type::real(), Type::fin(size()));
        let plain = self.random.below(3) > 0;
        let body = self.below(&real, |own| {
            own.below(&index, |own| {
                let body = own.real(fuel)?;
                if plain { Term::binary(Prim::Add, Term::var(1, &Type::real()), body) } else { Ok(body) }
            })
        })?;
        let step = Term::lam(&Name::new("a"), &real, Term::lam(&Name::new("j"), &index, body)?)?;
        let start = if plain { Term::real(0.0) } else { self.real(fuel.min(2))? };
        Term::ifold(size(), step, start)
    }
}

/// `fun v => build n (fun p => snd (f (build n (fun j => (v[j], if p = j then 1 else 0)))))`
fn partial_derivatives(f: &Term) -> Result<Term, IllTyped> {
    let (row, index) = (Type::array(size(), Type::real()), Type::fin(size()));
    let var = |k: u32, ty: &Type| Term::var(k, ty);
    let one_hot =
        Term::if_else(Term::binary(Prim::Eq, var(1, &index), var(0, &index))?, Term::real(1.0), Term::real(0.0))?;
    let dual = Term::pair(Term::get(var(2, &row), var(0, &index))?, one_hot)?;
    let argument = Term::build(size(), Term::lam(&Name::new("j"), &index, dual)?)?;
    let partial = Term::snd(Term::app(f.clone(), argument)?)?;
    let all = Term::build(size(), Term::lam(&Name::new("p"), &index, partial)?)?;
    Term::lam(&Name::new("v"), &row, all)
}
