//! Programs to walk from: instances of the left sides of rules, programs of the generators that other tests have, and all of
//! these under lets, loops, functions and branches whose names hide each other, at sizes from 0 on; and D of them, once or
//! twice.

use redexter::ad::dual;
use redexter::ground::{Budget, Name, Random};
use redexter::redex::{Finder, RuleFamily};
use redexter::sound::grown;
use redexter::term::{IllTyped, Prim, Program, Size, SizeBounds, Term, Type, TypeView};

use super::super::book::World;
use super::super::generate::Generator;
use super::super::indexed::Indexed;

/// Larger programs aren't walked from.
pub const LARGEST: u64 = 400;

/// So few that one hides another.
const NAMES: [&str; 4] = ["x", "i", "a", "n"];

/// So many left sides of a rule are tried.
const TRIED: usize = 8;

/// A program in which this rule may fire, or any; `None` where this seed has none.
pub fn program(world: &World, rule: &RuleFamily, seed: u64) -> Option<Program> {
    let mut random = Random::new(seed);
    let plain = match random.below(10) {
        0 => Generator::new(random.number(), true).program(2 + random.below(5) as u32),
        1 => closed(Indexed::new(random.number()).program(2 + random.below(4) as u32)),
        2 => closed(Indexed::new(random.number()).gradient(1 + random.below(2) as u32)),
        _ => instance(world, rule, &mut random)?,
    };
    let mut around = Around { random };
    let term = around.program(&plain.term).filter(|term| term.size() <= LARGEST)?;
    let program = plain.with(around.derived(term));
    // What asks for its place may not fire everywhere.
    if !fires(rule, &program) && around.random.chance(50) { Some(plain) } else { Some(program) }
}

/// An instance of one of the rule's left sides, on which it fires if that is easy.
fn instance(world: &World, rule: &RuleFamily, random: &mut Random) -> Option<Program> {
    let sides = world.templates().left_sides(rule.info()).expect("the book is typed");
    let mut last = None;
    for _ in 0..TRIED {
        let small = random.chance(30);
        let Some((program, _)) = grown(random.pick(&sides).0, random.number(), small) else { continue };
        let done = fires(rule, &program);
        last = Some(program).filter(|program| program.term.size() <= LARGEST);
        if done {
            break;
        }
    }
    last
}

fn fires(rule: &RuleFamily, program: &Program) -> bool {
    let found = Finder::new(vec![rule.clone()]).redexes(program, 1, &Budget::default());
    found.is_ok_and(|found| !found.found.is_empty())
}

fn closed(term: Term) -> Program {
    Program { term, bounds: SizeBounds::default() }
}

struct Around {
    random: Random,
}

/// A term in the scope of the parameters, which may become more: a new one is the outermost.
struct Inside {
    parameters: Vec<(Name, Type)>,
    body: Term,
}

impl Around {
    /// The same program, with something around what it computes.
    fn program(&mut self, term: &Term) -> Option<Term> {
        let (parameters, body) = term.applied();
        let mut inside = Inside { parameters, body };
        for _ in 0..[0, 0, 0, 1, 2, 4, 9][self.random.below(7)] {
            let next = self.layer(&mut inside).ok()?;
            inside.body = next;
        }
        let close = |body, (name, ty): &(Name, Type)| Term::lam(name, ty, body).ok();
        inside.parameters.iter().rev().try_fold(inside.body, close)
    }

    /// Now and then its derivative, or the derivative of that.
    fn derived(&mut self, term: Term) -> Term {
        let mut term = term;
        while term.size() < LARGEST / 4 && self.random.chance(15) {
            let Ok(next) = dual(&term) else { break };
            term = next;
        }
        term
    }

    fn name(&mut self) -> Name {
        Name::new(self.random.pick::<&str>(&NAMES))
    }

    fn size(&mut self) -> Size {
        let n = Size::var(&Name::new("n"));
        match self.random.below(5) {
            0 => Size::literal(0),
            1 => Size::literal(1),
            2 => Size::literal(2),
            _ => n,
        }
    }

    /// A real in the scope of the parameters: one of them, or a constant.
    fn real(&mut self, inside: &mut Inside) -> Term {
        let places: Vec<usize> =
            (0..inside.parameters.len()).filter(|p| inside.parameters[*p].1 == Type::real()).collect();
        if self.random.chance(30) {
            return Term::real([0.0, 1.0, -2.0, 0.5][self.random.below(4)]);
        }
        let place = match places.is_empty() {
            true => {
                inside.parameters.insert(0, (self.name(), Type::real()));
                0
            }
            false => *self.random.pick(&places),
        };
        Term::var((inside.parameters.len() - 1 - place) as u32, &Type::real())
    }

    /// One more thing around the body.
    fn layer(&mut self, inside: &mut Inside) -> Result<Term, IllTyped> {
        let real = self.real(inside);
        let (body, ty) = (inside.body.clone(), inside.body.ty().clone());
        let (x, y) = (self.name(), self.name());
        let own = |ty: &Type| Term::var(0, ty);
        match self.random.below(14) {
            0 => Term::let_in(&x, body, Term::pair(own(&ty), own(&ty))?),
            1 => Term::let_in(&x, real.clone(), Term::let_in(&y, real.shift(1), body.shift(2))?),
            2 => Term::app(Term::lam(&x, &Type::real(), Term::pair(own(&Type::real()), body.shift(1))?)?, real),
            3 => {
                let f = Type::fun(Type::real(), ty);
                let twice = Term::pair(Term::app(own(&f), real.shift(1))?, Term::app(own(&f), Term::real(1.0))?)?;
                Term::app(Term::lam(&x, &f, twice)?, Term::lam(&y, &Type::real(), body.shift(1))?)
            }
            4 | 5 => {
                let n = self.size();
                Term::build(n.clone(), Term::lam(&x, &Type::fin(n), body.shift(1))?)
            }
            6 => {
                let n = self.size();
                let state = Type::pair(ty.clone(), ty);
                let step = Term::pair(Term::snd(Term::var(1, &state))?, body.shift(2))?;
                let step = Term::lam(&x, &state, Term::lam(&y, &Type::fin(n.clone()), step)?)?;
                Term::ifold(n, step, Term::pair(body.clone(), body)?)
            }
            7 => {
                let less = Term::prim(Prim::Lt, vec![real, Term::real(0.5)])?;
                Term::if_else(less, body.clone(), body)
            }
            8 => Term::fst(Term::pair(body, real)?),
            9 => Term::get(Term::array(&ty, vec![body.clone(), body])?, Term::fin(1, Size::literal(2))?),
            10 => {
                let one = Size::literal(1);
                let row = Term::build(one.clone(), Term::lam(&x, &Type::fin(one.clone()), body.shift(1))?)?;
                Term::get(row, Term::fin(0, one)?)
            }
            _ if ty == Type::real() => self.sum(body, real),
            _ => Term::let_in(&x, body, Term::pair(real.shift(1), own(&ty))?),
        }
    }

    /// The same where the body is a real.
    fn sum(&mut self, body: Term, real: Term) -> Result<Term, IllTyped> {
        let (a, i) = (self.name(), self.name());
        match self.random.below(3) {
            0 => Term::prim(Prim::Sin, vec![Term::prim(Prim::Mul, vec![body, real])?]),
            1 => Term::prim(Prim::Sub, vec![body.clone(), Term::prim(Prim::Mul, vec![real, body])?]),
            _ => {
                let n = self.size();
                let more = Term::prim(Prim::Add, vec![Term::var(1, &Type::real()), body.shift(2)])?;
                let step = Term::lam(&a, &Type::real(), Term::lam(&i, &Type::fin(n.clone()), more)?)?;
                Term::ifold(n, step, real)
            }
        }
    }
}

/// Whether values of the type are data that can be compared.
pub fn is_data(term: &Term) -> bool {
    let (parameters, body) = term.applied();
    let data = |ty: &Type| !ty.has_function() && !matches!(ty.view(), TypeView::Var(_));
    data(body.ty()) && parameters.iter().all(|(_, ty)| data(ty))
}
