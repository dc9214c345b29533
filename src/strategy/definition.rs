//! The derived combinators in terms of the primitive ones, as the paper and the language page have them.

use crate::ground::Name;

use super::data::{Form, Strategy, Unary};

impl Strategy {
    /// What a derived combinator or a use of a definition stands for; `None` for what is primitive.
    pub fn definition(&self) -> Option<Strategy> {
        match self.form() {
            Form::Unary(unary, s) => unary.definition(s),
            Form::AtMatch(pattern, s) => Some(Strategy::pattern(pattern).then(s).under(Unary::TopDown)),
            Form::RepeatN(0, _) => Some(Strategy::id()),
            Form::RepeatN(n, s) => Some(s.then(&s.repeat_n(n - 1))),
            Form::Named(named) => {
                let arguments: Vec<&Strategy> = named.strategies().rev().collect();
                Some(named.definition.body()?.instantiate(&arguments))
            }
            _ => None,
        }
    }
}

impl Unary {
    /// What the combinator of `s` stands for; `None` for a primitive one.
    fn definition(self, s: &Strategy) -> Option<Strategy> {
        let x = Strategy::new(Form::Var(0));
        let inner = s.shift(1);
        let mu = |body: Strategy| Some(Strategy::new(Form::Mu(Name::new("x"), body)));
        match self {
            Unary::Repeat => mu(inner.then(&x).or(&Strategy::id())),
            Unary::Try => Some(s.or(&Strategy::id())),
            Unary::Where => Some(s.under(Unary::Not).under(Unary::Not)),
            Unary::Repeat1 => Some(s.then(&s.under(Unary::Repeat))),
            Unary::TopDown => mu(inner.or(&x.under(Unary::One))),
            Unary::BottomUp => mu(x.under(Unary::One).or(&inner)),
            Unary::AllTopDown => mu(inner.then(&x.under(Unary::All))),
            Unary::AllBottomUp => mu(x.under(Unary::All).then(&inner)),
            Unary::TryAll => Some(s.under(Unary::Try).under(Unary::AllTopDown)),
            Unary::Normalize | Unary::Outermost => Some(s.under(Unary::TopDown).under(Unary::Repeat)),
            Unary::Innermost => Some(s.under(Unary::BottomUp).under(Unary::Repeat)),
            Unary::Force => Some(s.clone()),
            Unary::One | Unary::All | Unary::Some | Unary::Not | Unary::Cheaper => None,
        }
    }
}
