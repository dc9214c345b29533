//! Defines first-order expressions. No two binders have the same number.

use std::rc::Rc;

use redexter_language::ground::Name;
use redexter_language::term::{MetaType, Prim, Size, SizeAtom, Type, TypeView};

/// A variable: its number tells it from others.
#[derive(Clone, Debug)]
pub struct Var {
    /// No other variable of the program has it.
    pub number: u32,
    /// The user's name for it.
    pub hint: Rc<str>,
    /// Its type; an `int`'s for an index, too.
    pub ty: Type,
}

/// An expression, of data.
#[derive(Clone, Debug)]
pub enum Expr {
    /// A variable.
    Var(Var),
    /// A `real`.
    Real(f64),
    /// An `int`, or an index.
    Int(i64),
    /// The value of a size variable.
    Size(Name),
    /// A primitive and its operands.
    Prim(Prim, Vec<Expr>),
    /// Whether an `int` isn't 0: the condition of an `if`, or a variable that is one.
    Truth(Box<Expr>),
    /// Both halves of a pair.
    Pair(Box<(Expr, Expr)>),
    /// The first half of a pair, or the second.
    Half(Box<Expr>, bool),
    /// An array and an index.
    Index(Box<(Expr, Expr)>),
    /// An array of these elements, of this type.
    Array(Type, Vec<Expr>),
    /// A truth, what holds where it does, and what holds elsewhere.
    If(Box<(Expr, Expr, Expr)>),
    /// A branch at an index, where a number is one, and another elsewhere.
    Guard(Box<Guard>),
    /// Variables, each in the scope of those before it.
    Lets(Vec<(Var, Expr)>, Box<Expr>),
    /// A loop with an accumulator.
    Fold(Box<Fold>),
    /// A loop with an accumulator that keeps what its steps give besides.
    Scan(Box<Scan>),
    /// Zeros to which values are added at places.
    Scatter(Box<Scatter>),
    /// Size, index, element.
    Build(Size, Var, Box<Expr>),
}

/// `ifold size (fun acc index => body) init`
#[derive(Clone, Debug)]
pub struct Fold {
    /// How many steps it takes.
    pub size: Size,
    /// What a step is given.
    pub acc: Var,
    /// The number of the step.
    pub index: Var,
    /// What the first step is given.
    pub init: Expr,
    /// What a step gives.
    pub body: Expr,
}

/// `scan size (fun acc index => body) init`
#[derive(Clone, Debug)]
pub struct Scan {
    /// The loop, whose body is a pair: what the next step is given, and what is kept at the index.
    pub fold: Fold,
    /// Whether it goes from the last index to the first.
    pub is_reversed: bool,
    /// The type of what is kept.
    pub element: Type,
}

/// `scatter places rounds (fun index => entry)`
#[derive(Clone, Debug)]
pub struct Scatter {
    /// How many places there are.
    pub places: Size,
    /// How many steps it takes.
    pub rounds: Size,
    /// The number of the step.
    pub index: Var,
    /// What a step gives: a place, which may be none, and a value.
    pub entry: Expr,
    /// The type of the value.
    pub value: Type,
}

/// `if index : fin size := number then inside else other`
#[derive(Clone, Debug)]
pub struct Guard {
    /// What the number must be below, and not below 0.
    pub size: Size,
    /// The number, in the branch where it is an index.
    pub index: Var,
    /// What is asked.
    pub number: Expr,
    /// The branch where the number is an index.
    pub inside: Expr,
    /// The other one.
    pub other: Expr,
}

impl Expr {
    /// Whether an `int` isn't 0.
    pub(super) fn truth(self) -> Expr {
        Expr::Truth(Box::new(self))
    }

    pub(super) fn if_else(condition: Expr, a: Expr, b: Expr) -> Expr {
        match condition {
            Expr::Truth(c) if matches!(*c, Expr::Int(_)) => {
                if matches!(*c, Expr::Int(0)) {
                    b
                } else {
                    a
                }
            }
            condition => Expr::If(Box::new((condition, a, b))),
        }
    }

    /// `lets` around `body`, one chain where `body` is one.
    pub(crate) fn lets(mut lets: Vec<(Var, Expr)>, body: Expr) -> Expr {
        match body {
            body if lets.is_empty() => body,
            Expr::Lets(more, inner) => {
                lets.extend(more);
                Expr::Lets(lets, inner)
            }
            body => Expr::Lets(lets, Box::new(body)),
        }
    }

    /// Whether a number is an index below a size: what is asked twice has to be an atom.
    pub(super) fn is_index(number: &Expr, size: &Size) -> Expr {
        let test = |prim, a: Expr, b: Expr| Expr::Prim(prim, vec![a, b]);
        let low = test(Prim::Le, Expr::Int(0), number.clone());
        let high = test(Prim::Lt, number.clone(), Expr::size(size));
        test(Prim::And, low, high).truth()
    }

    /// A size as a number.
    fn size(size: &Size) -> Expr {
        let join = |prim, all: &mut dyn Iterator<Item = Expr>| all.reduce(|a, b| Expr::Prim(prim, vec![a, b]));
        let product = |(monomial, coefficient): (&[(SizeAtom, u32)], u64)| {
            let number = (coefficient != 1 || monomial.is_empty()).then_some(Expr::Int(coefficient as i64));
            let variable = |(atom, power): &(SizeAtom, u32)| match atom {
                SizeAtom::Var(name) => vec![Expr::Size(name.clone()); *power as usize],
                SizeAtom::Unknown(_) => Vec::new(),
            };
            let factors = monomial.iter().flat_map(variable);
            join(Prim::Mul, &mut number.into_iter().chain(factors)).unwrap_or(Expr::Int(1))
        };
        let mut products = size.terms().map(|(monomial, coefficient)| product((monomial, coefficient)));
        join(Prim::Add, &mut products).unwrap_or(Expr::Int(0))
    }

    /// The same constructor with other parts.
    pub fn map(self, each: &mut dyn FnMut(Expr) -> Expr) -> Expr {
        let mut two = |p: Box<(Expr, Expr)>| Box::new((each(p.0), each(p.1)));
        match self {
            Expr::Var(_) | Expr::Real(_) | Expr::Int(_) | Expr::Size(_) => self,
            Expr::Pair(p) => Expr::Pair(two(p)),
            Expr::Index(p) => Expr::Index(two(p)),
            Expr::Prim(p, all) => Expr::Prim(p, all.into_iter().map(each).collect()),
            Expr::Array(ty, all) => Expr::Array(ty, all.into_iter().map(each).collect()),
            Expr::Truth(a) => Expr::Truth(Box::new(each(*a))),
            Expr::Half(a, first) => Expr::Half(Box::new(each(*a)), first),
            Expr::Build(n, index, a) => Expr::Build(n, index, Box::new(each(*a))),
            Expr::If(p) => Expr::If(Box::new((each(p.0), each(p.1), each(p.2)))),
            Expr::Guard(guard) => {
                let Guard { size, index, number, inside, other } = *guard;
                let (number, inside, other) = (each(number), each(inside), each(other));
                Expr::Guard(Box::new(Guard { size, index, number, inside, other }))
            }
            Expr::Lets(lets, body) => {
                let lets = lets.into_iter().map(|(var, value)| (var, each(value))).collect();
                Expr::Lets(lets, Box::new(each(*body)))
            }
            Expr::Fold(fold) => {
                let Fold { size, acc, index, init, body } = *fold;
                Expr::Fold(Box::new(Fold { size, acc, index, init: each(init), body: each(body) }))
            }
            Expr::Scan(scan) => {
                let Scan { fold: Fold { size, acc, index, init, body }, is_reversed, element } = *scan;
                let fold = Fold { size, acc, index, init: each(init), body: each(body) };
                Expr::Scan(Box::new(Scan { fold, is_reversed, element }))
            }
            Expr::Scatter(scatter) => {
                let Scatter { places, rounds, index, entry, value } = *scatter;
                Expr::Scatter(Box::new(Scatter { places, rounds, index, entry: each(entry), value }))
            }
        }
    }

    /// Does something with each part.
    pub fn each<'a>(&'a self, work: &mut dyn FnMut(&'a Expr)) {
        match self {
            Expr::Var(_) | Expr::Real(_) | Expr::Int(_) | Expr::Size(_) => {}
            Expr::Pair(p) | Expr::Index(p) => [&p.0, &p.1].into_iter().for_each(work),
            Expr::Prim(_, all) | Expr::Array(_, all) => all.iter().for_each(work),
            Expr::Truth(a) | Expr::Half(a, _) | Expr::Build(_, _, a) => work(a),
            Expr::If(p) => [&p.0, &p.1, &p.2].into_iter().for_each(work),
            Expr::Guard(guard) => [&guard.number, &guard.inside, &guard.other].into_iter().for_each(work),
            Expr::Lets(lets, body) => {
                lets.iter().for_each(|(_, value)| work(value));
                work(body);
            }
            Expr::Fold(fold) => [&fold.init, &fold.body].into_iter().for_each(work),
            Expr::Scan(scan) => [&scan.fold.init, &scan.fold.body].into_iter().for_each(work),
            Expr::Scatter(scatter) => work(&scatter.entry),
        }
    }

    /// Its type, where that is known: that of an index may be, and then has the size that it is below.
    pub fn ty(&self) -> Option<Type> {
        Some(match self {
            Expr::Var(var) => var.ty.clone(),
            Expr::Real(_) => Type::real(),
            Expr::Int(_) | Expr::Size(_) | Expr::Truth(_) => Type::int(),
            Expr::Prim(prim, operands) => {
                let of = operands.iter().map(|o| o.ty()).collect::<Option<Vec<Type>>>()?;
                let fits = |ty: &Type, meta: &MetaType| match meta {
                    MetaType::Real => matches!(ty.view(), TypeView::Real),
                    _ => matches!(ty.view(), TypeView::Int | TypeView::Fin(_)),
                };
                let takes = |all: &[MetaType]| of.iter().zip(all).all(|(ty, meta)| fits(ty, meta));
                match prim.overloads().iter().find(|overload| takes(overload.operands()))?.result() {
                    MetaType::Real => Type::real(),
                    MetaType::Int => Type::int(),
                    _ => return None,
                }
            }
            Expr::Pair(p) => Type::pair(p.0.ty()?, p.1.ty()?),
            Expr::Half(p, first) => match p.ty()?.view() {
                TypeView::Pair(a, b) => {
                    if *first {
                        a.clone()
                    } else {
                        b.clone()
                    }
                }
                _ => return None,
            },
            Expr::Index(p) => match p.0.ty()?.view() {
                TypeView::Array(_, element) => element.clone(),
                _ => return None,
            },
            Expr::Array(element, items) => Type::array(Size::literal(items.len() as u64), element.clone()),
            Expr::If(p) => p.1.ty()?,
            Expr::Guard(guard) => guard.other.ty()?,
            Expr::Lets(_, body) => body.ty()?,
            Expr::Fold(fold) => fold.acc.ty.clone(),
            Expr::Scan(scan) => {
                let kept = Type::array(scan.fold.size.clone(), scan.element.clone());
                Type::pair(scan.fold.acc.ty.clone(), kept)
            }
            Expr::Scatter(scatter) => Type::array(scatter.places.clone(), scatter.value.clone()),
            Expr::Build(n, _, element) => Type::array(n.clone(), element.ty()?),
        })
    }

    /// Whether repeating it costs nothing: a name or a constant.
    pub(super) fn is_atom(&self) -> bool {
        match self {
            Expr::Var(_) | Expr::Size(_) | Expr::Real(_) | Expr::Int(_) => true,
            Expr::Truth(c) => matches!(**c, Expr::Int(_)),
            _ => false,
        }
    }
}
