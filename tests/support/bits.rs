//! Ways to run programs against the evaluator, bit for bit.

use std::path::Path;
use std::rc::Rc;

use redexter::cost::cheaper_total;
use redexter::eval::{NumberSource, Sizes, Value, evaluate, few_inputs, open_sizes};
use redexter::ground::{Budget, Limits, Random, Trouble, with_stack};
use redexter::strategy::{Outcome, run};
use redexter::term::{Kind, Prim, Program, Term};
use redexter_reference::cases;

use super::shipped::{Workbench, files};

/// How often the watch may be asked in an evaluation: once in some hundred rounds.
pub const LONG: u64 = 4_000;

/// Sizes around those at which loops are split.
const SIZES: [u64; 7] = [0, 1, 2, 31, 32, 33, 257];

pub fn deep<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    with_stack(Limits::default().max_depth, work).expect("a stack")
}

/// How often both were compared: at each of `SIZES` for all size variables alike, and at sizes that differ.
pub fn compared(name: &str, program: &Program, way: impl Fn(&[Value], &Sizes) -> Result<Value, Trouble>) -> usize {
    compared_at(&SIZES, name, program, way)
}

/// The same at other sizes.
pub fn compared_at(
    sizes: &[u64],
    name: &str,
    program: &Program,
    way: impl Fn(&[Value], &Sizes) -> Result<Value, Trouble>,
) -> usize {
    let open = open_sizes(&program.term);
    let at = |n: u64| open.iter().map(|name| (name.clone(), n.max(program.bounds.lower(name)))).collect();
    let alike = sizes.iter().map(|n| at(*n));
    let apart = [[3, 5, 2], [33, 2, 4]].map(|all| -> Sizes {
        let sizes = open.iter().zip(all.iter().cycle());
        sizes.map(|(name, n)| (name.clone(), (*n).max(program.bounds.lower(name)))).collect()
    });
    let mut count = 0;
    for sizes in alike.chain(apart) {
        let short = Budget::default().asked_at_most(LONG, Rc::default());
        let Ok(Some(inputs)) = few_inputs(program, &sizes, NumberSource::PLAIN, &mut Random::new(7), (200_000, &short))
        else {
            continue;
        };
        let Ok((expected, _)) = evaluate(program, &inputs, &sizes, &short) else { continue };
        let found = way(&inputs, &sizes).unwrap_or_else(|e| panic!("{name}: {e:?}"));
        assert!(found.same(&expected), "{name} at {sizes:?}:\n{found:?}\nand not\n{expected:?}");
        count += 1;
    }
    count
}

/// Reals a little larger.
pub fn perturbed(value: &Value) -> Value {
    match value {
        Value::Real(x) => Value::Real(x * (1.0 + 1e-13)),
        Value::Pair(both) => Value::pair(perturbed(&both.0), perturbed(&both.1)),
        Value::Array(all) => Value::array(all.items().map(|item| perturbed(&item)).collect()),
        other => other.clone(),
    }
}

/// The same with constants a little larger, and zeros that aren't quite: what a program computes from these alone may hang on
/// each rounding, too.
pub fn shaken(program: &Program) -> Program {
    fn of(term: &Term) -> Term {
        match term.kind() {
            Kind::Real(x) => return Term::real(if *x == 0.0 { 1e-300 } else { x * (1.0 + 1e-13) }),
            Kind::Prim(Prim::ToReal) => {
                let more = Term::real(1.0 + 1e-13);
                return Term::prim(Prim::Mul, vec![term.clone(), more]).expect("reals");
            }
            _ => {}
        }
        let kids = (0..term.kid_count()).map(|k| of(&term.kid(k))).collect();
        term.with_kids(kids).expect("kids of the same types")
    }
    program.with(of(&program.term))
}

/// Each so-manieth of these; all of them in an extended run.
pub fn each(many: u64, programs: Vec<(String, Program)>) -> impl Iterator<Item = (String, Program)> {
    programs.into_iter().step_by(cases(many, 1) as usize)
}

pub fn shipped_programs() -> Vec<(String, Program)> {
    let workbench = Workbench::new();
    files("models", "arr").iter().flat_map(|path| workbench.programs(path)).collect()
}

/// Gradients that the general schedule reaches in some thousand steps.
pub fn scheduled_programs() -> Vec<(String, Program)> {
    let strategies = Workbench::new().strategies(Path::new("strategies/gradient.strat"));
    let (_, strategy) = strategies.into_iter().find(|(name, _)| name.ends_with(" fastGradient")).expect("it ships");
    let budget = || Budget::new(Limits { max_steps: 3_000, ..Limits::default() }, None);
    let gradients = shipped_programs().into_iter().filter(|(name, _)| name.contains("radient"));
    let reached = gradients.filter_map(|(name, program)| {
        let Outcome::Success(term) = run(&strategy, &program, &budget(), cheaper_total).ok()?.outcome else {
            return None;
        };
        Some((format!("{name} scheduled"), program.with(term)))
    });
    reached.collect()
}
