//! Writes laws as terms of the first order, in which orders on terms are defined: binders are constructors, what they bind is one
//! constant, all numbers are another, and a variable stands for the body that it has, whatever its arguments are called.
//!
//! An instance of a law is written as the same instance of what the law is written as, so that an order which is closed under
//! instances and contexts speaks of rewrites. That holds as long as a right side puts nothing but variables into a body.

use crate::rule::{CompiledLaw, Predicate, is_bound, variable};
use redexter_language::check::PatternVar;
use redexter_language::term::{Head, Kind, Payload, Prim, Size, Term};

/// A term of the first order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// The number 0: the least constant.
    Zero,
    /// Any other number: above it.
    Number,
    /// A variable of the law that stands for a number, be it 0 or another.
    Numeral(usize),
    /// Any bound variable: above numbers, below all else.
    Bound,
    /// A variable of the law, or what a size of it is as a term.
    Var(usize),
    /// A constructor, by its number among the [`Symbols`].
    Node(usize, Vec<Form>),
}

/// A law of a rule.
#[derive(Clone, Debug)]
pub(super) struct EncodedLaw {
    /// The number of the rule.
    pub(super) rule: usize,
    pub(super) left: Form,
    pub(super) right: Form,
    /// The variables that stand for no number.
    pub(super) no_numbers: Vec<usize>,
    /// The variables that don't stand for the number 0.
    pub(super) no_zeros: Vec<usize>,
}

/// The constructors in the laws. One that takes any number of children is another for each number.
#[derive(Default)]
pub(super) struct Symbols {
    known: Vec<(Head, usize)>,
    names: Vec<String>,
}

impl Symbols {
    fn number(&mut self, kind: &Kind, kids: usize) -> usize {
        let symbol = (kind.head(), kids);
        self.known.iter().position(|known| *known == symbol).unwrap_or_else(|| {
            self.known.push(symbol);
            self.names.push(match kind {
                // Beside a difference it would read like one.
                Kind::Prim(Prim::Neg) => "negation".to_owned(),
                Kind::Prim(prim) => prim.text().to_owned(),
                Kind::Lam(..) => "fun".to_owned(),
                other => other.word().map_or(other.noun(), |(word, _)| word).to_owned(),
            });
            self.known.len() - 1
        })
    }

    pub(super) fn count(&self) -> usize {
        self.known.len()
    }

    pub(super) fn name(&self, symbol: usize) -> String {
        self.names.get(symbol).cloned().unwrap_or_default()
    }
}

/// A law of the rule with this number; none where its right side puts more than variables into a body.
pub(super) fn encoded(law: &CompiledLaw, rule: usize, symbols: &mut Symbols) -> Option<EncodedLaw> {
    let count = law.law().vars.len();
    let says = |word: Predicate, holds: bool| (0..count).filter(move |j| law.says(word, *j) == Some(holds));
    let no_zeros: Vec<usize> = says(Predicate::Zero, false).collect();
    let zeros: Vec<usize> = says(Predicate::Zero, true).collect();
    let numbers: Vec<usize> = says(Predicate::Literal, true).collect();
    let of_condition = |j: usize| match (zeros.contains(&j), numbers.contains(&j)) {
        (true, _) => Form::Zero,
        (_, true) if no_zeros.contains(&j) => Form::Number,
        (_, true) => Form::Numeral(j),
        _ => Form::Var(j),
    };
    let mut encoder = LawEncoder {
        vars: &law.law().vars,
        of_condition: (0..count).map(of_condition).collect(),
        shapes: vec![None; count],
        sizes: Vec::new(),
        symbols,
        is_left: true,
    };
    let left = encoder.form(&law.law().left, 0)?;
    encoder.is_left = false;
    let right = encoder.form(&law.law().right, 0)?;
    // A size may be a number, so that what is no constant is no number.
    let no_numbers = says(Predicate::Literal, false).chain(says(Predicate::Constant, false)).collect();
    Some(EncodedLaw { rule, left, right, no_numbers, no_zeros })
}

struct LawEncoder<'a> {
    vars: &'a [PatternVar],
    /// What each variable is, as far as conditions say.
    of_condition: Vec<Form>,
    /// The arguments of each variable on the left side: the ways of projections to bound variables.
    shapes: Vec<Option<Vec<Vec<bool>>>>,
    /// The sizes that were met; what each is as a term is a variable behind those of the law.
    sizes: Vec<Size>,
    symbols: &'a mut Symbols,
    is_left: bool,
}

impl LawEncoder<'_> {
    fn form(&mut self, term: &Term, under: u32) -> Option<Form> {
        if let Some((j, arguments)) = variable(self.vars, term, under) {
            let shape: Vec<Vec<bool>> = arguments.iter().map(|argument| way(argument, under)).collect::<Option<_>>()?;
            let plain = shape.iter().all(Vec::is_empty);
            match &self.shapes[j] {
                None if self.is_left => self.shapes[j] = Some(shape),
                Some(known) if *known == shape || (plain && !self.is_left) => {}
                _ => return None,
            }
            return Some(self.of_condition[j].clone());
        }
        let kind = term.kind();
        match kind {
            Kind::Var => return Some(Form::Bound),
            Kind::Real(x) => return Some(number(*x == 0.0)),
            Kind::Int(x) => return Some(number(*x == 0)),
            Kind::Fin(x, _) => return Some(number(*x == 0)),
            Kind::SizeVar(name) => return Some(self.size(&Size::var(name))),
            _ => {}
        }
        let mut held = Vec::new();
        kind.each_held(|part| {
            if let Payload::Size(size) = part {
                held.push(size.clone());
            }
        });
        let mut kids: Vec<Form> = held.iter().map(|size| self.size(size)).collect();
        for k in 0..term.kid_count() {
            kids.push(self.form(&term.kid(k), under + term.binders(k))?);
        }
        Some(Form::Node(self.symbols.number(kind, kids.len()), kids))
    }

    /// What a size is as a term.
    fn size(&mut self, size: &Size) -> Form {
        if let Some(size) = size.as_literal() {
            return number(size == 0);
        }
        let known = self.sizes.iter().position(|known| known == size).unwrap_or_else(|| {
            self.sizes.push(size.clone());
            self.sizes.len() - 1
        });
        Form::Var(self.vars.len() + known)
    }
}

fn number(is_zero: bool) -> Form {
    if is_zero { Form::Zero } else { Form::Number }
}

/// The way of projections from an argument of a variable to a bound variable, the outermost first: whether each is the first
/// half.
fn way(argument: &Term, under: u32) -> Option<Vec<bool>> {
    let (mut here, mut way) = (argument.clone(), Vec::new());
    while let Kind::Fst | Kind::Snd = here.kind() {
        way.push(matches!(here.kind(), Kind::Fst));
        here = here.kid(0);
    }
    is_bound(&here, under).then_some(way)
}
