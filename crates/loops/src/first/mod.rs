//! Turns programs into first-order code: functions are evaluated away, what is computed stays where it was.
//!
//! What targets share: from here each writes its own language. It knows terms and nothing of any target; sizes stay
//! polynomials, names stay numbers with a hint, truths are marked where they are asked for.

mod code;
mod lower;
mod value;

use redexter_language::term::{Program, Type, TypeView};

pub use code::{Expr, Fold, Guard, Scan, Scatter, Var};

/// The most parts of data that cross an entry.
const MOST_PARTS: usize = 10_000;

/// Why a program can't be exported, and what may help.
#[derive(Clone, Debug)]
pub struct Refusal {
    /// Continues "`name` can't be exported: ".
    pub reason: String,
    /// What may help.
    pub help: &'static str,
}

/// A result of lowering, or why there is none.
pub type Lowered<T> = Result<T, Refusal>;

/// A program in parts, none of which is or holds a function.
#[derive(Clone, Debug)]
pub struct FirstOrder {
    /// The parameters.
    pub parameters: Vec<Var>,
    /// The type of the result.
    pub result: Type,
    /// The result, in the scope of the parameters.
    pub body: Expr,
    /// No variable has a larger number.
    pub variables: u32,
}

/// Whether data of this type has more parts than cross an entry, those of an array's elements counted once. It looks at no
/// more than twice so many types, however many there are.
fn has_too_many_parts(ty: &Type) -> bool {
    let (mut left, mut parts) = (vec![ty], 0);
    while let Some(ty) = left.pop().filter(|_| parts <= MOST_PARTS) {
        match ty.view() {
            TypeView::Pair(a, b) => left.extend([a, b]),
            TypeView::Array(_, element) => left.push(element),
            _ => parts += 1,
        }
    }
    parts > MOST_PARTS
}

/// A program with its functions evaluated away.
///
/// Recursion goes as deep as the term: run it where the stack fits it. It asks whether the text
/// [goes on](redexter_language::ground::writing).
pub fn first_order(program: &Program) -> Lowered<FirstOrder> {
    let (parameters, body) = program.term.applied();
    if let Some((name, ty)) = parameters.iter().find(|(_, ty)| ty.has_function()) {
        return Err(Refusal {
            reason: format!("its parameter `{name}` has the function type `{ty}`"),
            help: "export a definition that gives the function",
        });
    }
    if body.ty().has_function() {
        return Err(Refusal {
            reason: format!("its result has type `{}`, which holds a function", body.ty()),
            help: "export a definition that applies the function",
        });
    }
    let types = parameters.iter().map(|(name, ty)| (format!("parameter `{name}`"), ty));
    if let Some((what, _)) = types.chain([("result".to_owned(), body.ty())]).find(|(_, ty)| has_too_many_parts(ty)) {
        return Err(Refusal {
            reason: format!("its {what} has more than {MOST_PARTS} parts"),
            help: "export definitions that take and give fewer, or arrays in place of pairs",
        });
    }
    let mut lower = lower::FirstOrderLowering::default();
    let parameters: Vec<Var> = parameters.iter().map(|(name, ty)| lower.fresh(name.as_str(), ty)).collect();
    let data = |var: &Var| value::Symbolic::Data(Expr::Var(var.clone()));
    let scope = parameters.iter().fold(value::SymbolicEnv::default(), |env, var| env.push(data(var)));
    let (result, body) = (body.ty().clone(), lower.data(&body, &scope)?);
    Ok(FirstOrder { parameters, result, body, variables: lower.variables })
}
