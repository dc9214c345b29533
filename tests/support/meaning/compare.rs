//! Two programs on the same inputs: the same as far as the class of what was rewritten promises it.

use std::collections::BTreeSet;
use std::rc::Rc;

use redexter::ad::dual_within;
use redexter::eval::{Counts, NumberSource, Sizes, Value, drawn_inputs, evaluate, open_sizes};
use redexter::ground::{Budget, Limits, Name, Random};
use redexter::rule::Exactness;
use redexter::syntax::{PrintStyle, print_term};
use redexter::term::{Program, Term};

use super::naive::{self, Outcome};
use super::number::Doubts;
use super::tally::Tally;

/// Draws of sizes and inputs for each two programs.
const DRAWS: u64 = 3;

/// The same under D, for one in so many.
const DUAL: usize = 4;

/// An evaluation may ask its budget's watch so often, and the naive one look at so many subterms.
const ASKED: u64 = 400;
const LOOKS: u64 = 60_000;

/// The largest size.
const SIZES: [u64; 6] = [0, 1, 1, 2, 2, 3];

const ROUND: [f64; 8] = [0.0, 1.0, -1.0, 2.0, 0.5, -1.5, 3.0, -0.25];
const WILD: [f64; 8] = [0.0, -0.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e300, 1e-310, 1.0];

/// What kinds of reals are drawn.
pub const MIXED: NumberSource<'static> =
    NumberSource { real: &|r: &mut Random| if r.chance(40) { *r.pick(&ROUND) } else { 3.0 * r.moderate() }, int: &few };
const ANY: NumberSource<'static> =
    NumberSource { real: &|r: &mut Random| if r.chance(40) { *r.pick(&WILD) } else { 3.0 * r.moderate() }, int: &few };
/// Those that meet no kink.
const GENERIC: NumberSource<'static> = NumberSource { real: &|r: &mut Random| 2.0 * r.moderate() + 0.013, int: &few };

fn few(random: &mut Random) -> i64 {
    *random.pick(&[0, 0, 1, 1, 2, 3, -1, -2])
}

/// What is wrong, with all that it takes to see it again.
pub type Compared = Result<(), String>;

/// A limit for whatever is made of generated programs.
pub fn budget(asked: u64) -> Budget {
    let limits = Limits { max_steps: 400, max_size: 6_000, max_depth: 2_000 };
    Budget::new(limits, None).asked_at_most(asked, Rc::default())
}

/// Both programs on some inputs, and now and then D of both.
pub fn same(before: &Program, after: &Program, class: Exactness, random: &mut Random, tally: &mut Tally) -> Compared {
    for draw in 0..DRAWS {
        let numbers = if class == Exactness::Exact && draw % 2 == 1 { ANY } else { MIXED };
        on_inputs(before, after, class, numbers, random, tally)?;
    }
    if random.below(DUAL) > 0 {
        return Ok(());
    }
    let (one, other) = (dual_within(&before.term, &budget(ASKED)), dual_within(&after.term, &budget(ASKED)));
    let (Ok(one), Ok(other)) = (one, other) else { return Ok(()) };
    tally.duals += 1;
    let (one, other) = (before.with(one), after.with(other));
    on_inputs(&one, &other, class.max(Exactness::RealExact), GENERIC, random, tally)
        .map_err(|why| format!("under D: {why}"))
}

/// Values of the open sizes, and inputs.
pub fn drawn(programs: [&Program; 2], numbers: NumberSource, random: &mut Random) -> Option<(Sizes, Vec<Value>)> {
    let names: BTreeSet<Name> = programs.iter().flat_map(|program| open_sizes(&program.term)).collect();
    let least = |name: &Name| programs.iter().map(|program| program.bounds.lower(name)).max().unwrap_or(0);
    let sizes: Sizes = names.iter().map(|name| (name.clone(), least(name).max(*random.pick(&SIZES)))).collect();
    let inputs = drawn_inputs(programs[0], &sizes, numbers, random, &budget(ASKED)).ok()??;
    Some((sizes, inputs))
}

fn on_inputs(
    before: &Program,
    after: &Program,
    class: Exactness,
    numbers: NumberSource,
    random: &mut Random,
    tally: &mut Tally,
) -> Compared {
    let Some((sizes, inputs)) = drawn([before, after], numbers, random) else { return Ok(()) };
    let (Some(left), Some(right)) = (Ran::new(before, &sizes, &inputs), Ran::new(after, &sizes, &inputs)) else {
        tally.long += 1;
        return Ok(());
    };
    let told = |what: &str| {
        let values = format!("{:?}\n{:?}", left.value, right.value);
        format!("{what}\n{}\n{}\nat {sizes:?} on {inputs:?}\n{values}", shown(&before.term), shown(&after.term))
    };
    for (program, ran) in [(before, &left), (after, &right)] {
        ran.evaluated(tally).map_err(|why| told(&format!("{why} of {}", shown(&program.term))))?;
    }
    let verdict = match class {
        Exactness::Exact if left.value.same(&right.value) => Verdict::Same,
        Exactness::Exact => Verdict::Different,
        _ => agree(&left.naive.value, &right.naive.value),
    };
    let doubts = [left.naive.doubts, right.naive.doubts];
    let open = doubts.iter().any(|doubts| doubts.undecided || doubts.overflow) && class != Exactness::Exact;
    match verdict {
        Verdict::Same => tally.comparisons += 1,
        Verdict::Open => tally.open += 1,
        Verdict::Different if open => tally.open += 1,
        Verdict::Different => return Err(told("the values differ")),
    }
    Ok(())
}

/// A program run by both evaluators.
pub struct Ran {
    pub value: Value,
    counts: Counts,
    pub naive: Outcome,
}

impl Ran {
    /// `None` where it takes too long.
    pub fn new(program: &Program, sizes: &Sizes, inputs: &[Value]) -> Option<Ran> {
        let naive = naive::run(&program.term, inputs, sizes, LOOKS).ok()?;
        let (value, counts) = evaluate(program, inputs, sizes, &budget(ASKED)).ok()?;
        Some(Ran { value, counts, naive })
    }

    /// Whether both evaluators give one value, and executed the same.
    pub fn evaluated(&self, tally: &mut Tally) -> Compared {
        tally.evaluations += 1;
        if self.naive.doubts.undecided {
            return Ok(());
        }
        if !stands_for(&self.value, &self.naive.value, self.naive.doubts) {
            return Err("the evaluators differ on the value".to_owned());
        }
        match self.counts == self.naive.counts {
            true => Ok(()),
            false => Err(format!("the evaluators count {:?} and {:?}", self.counts, self.naive.counts)),
        }
    }
}

/// Whether a value is the naive one, up to how far that may have been rounded.
pub fn stands_for(value: &Value, naive: &naive::Value, doubts: Doubts) -> bool {
    match (value, naive) {
        (Value::Real(x), naive::Value::Real(number)) if number.is_known() => (x - number.value).abs() <= number.error,
        (Value::Real(x), naive::Value::Real(number)) => {
            // A bound that is too large says nothing of a number.
            let number = number.value;
            doubts.overflow || number.is_finite() || *x == number || x.is_nan() && number.is_nan()
        }
        (Value::Int(a), naive::Value::Whole(b)) => a == b,
        (Value::Index(a), naive::Value::Whole(b)) => *a as i64 == *b,
        (Value::Pair(a), naive::Value::Pair(b)) => stands_for(&a.0, &b.0, doubts) && stands_for(&a.1, &b.1, doubts),
        (Value::Array(a), naive::Value::Array(b)) => {
            a.items().len() == b.len() && a.items().zip(b.iter()).all(|(a, b)| stands_for(&a, b, doubts))
        }
        _ => false,
    }
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Verdict {
    Same,
    /// The class says nothing of it.
    Open,
    Different,
}

/// Whether both values are one over the reals. What was a number may not become none.
fn agree(before: &naive::Value, after: &naive::Value) -> Verdict {
    use naive::Value::{Array, Pair, Real, Whole};
    match (before, after) {
        (Real(a), Real(b)) if a.is_known() && b.is_known() => {
            if a.agrees(*b) {
                Verdict::Same
            } else {
                Verdict::Different
            }
        }
        (Real(a), Real(_)) => {
            if a.is_known() {
                Verdict::Different
            } else {
                Verdict::Open
            }
        }
        (Whole(a), Whole(b)) => {
            if a == b {
                Verdict::Same
            } else {
                Verdict::Different
            }
        }
        (Pair(a), Pair(b)) => agree(&a.0, &b.0).max(agree(&a.1, &b.1)),
        (Array(a), Array(b)) if a.len() == b.len() => {
            a.iter().zip(b.iter()).map(|(a, b)| agree(a, b)).max().unwrap_or(Verdict::Same)
        }
        _ => Verdict::Different,
    }
}

pub fn shown(term: &Term) -> String {
    print_term(term, &PrintStyle::default())
}
