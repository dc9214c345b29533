//! Watches how the time that inputs take grows: twice an input is to take at most 2.5 times as long.
//!
//! A piece of an input is repeated where it stands, until the whole has 20 kB, and 40: so towers, chains and lists of all that
//! the seeds hold come up, and some text that nobody means. What seems to take too long is timed again, and with 80 kB, since a
//! machine has other things to do. An input that a limit ends tells nothing.

use std::fs;
use std::process::ExitCode;
use std::thread;
use std::time::{Duration, Instant};

use redexter::ground::{Limits, Random, with_stack};

use crate::Plan;
use crate::fuzz::{End, Mutator, Target, keep_panics_quiet};
use crate::parent::keep;

/// The shorter of two inputs has so many bytes.
const SHORT: usize = 20_000;

/// The longest piece that is repeated.
const LONGEST_PIECE: usize = 60;

/// So much longer twice an input may take.
const MOST: f64 = 2.5;

/// What takes less than this says little of how it grows.
const LEAST: Duration = Duration::from_millis(10);

/// So often both are timed before it is said that one takes too long; the least time of each counts.
const TIMINGS: usize = 5;

/// Tries inputs until the time is up, and says which grow too fast.
pub fn run(plan: Plan) -> ExitCode {
    keep_panics_quiet();
    match with_stack(Limits::default().max_depth, move || plan.targets.iter().map(|target| tried(target, &plan)).sum())
    {
        Ok(0_usize) => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}

/// How many inputs of a target grow too fast.
fn tried(target: &'static Target, plan: &Plan) -> usize {
    let (begun, mutator) = (Instant::now(), Mutator::new(target));
    let share = plan.time / u32::try_from(plan.targets.len()).unwrap_or(u32::MAX);
    let (mut number, mut wrong, mut timed) = (0, 0, 0);
    while number < plan.inputs && begun.elapsed() < share {
        let mut random = Random::new(plan.seed ^ number);
        let input = mutator.input(plan.seed, number);
        number += 1;
        let Some([short, long, longest]) = stretched(&input, &mut random) else { continue };
        let Some(first) = growth(target, &short, &long, 1) else { continue };
        timed += 1;
        let goes_on = || growth(target, &long, &longest, TIMINGS).is_none_or(|growth| growth > MOST);
        if first > MOST
            && let Some(again) = growth(target, &short, &long, TIMINGS).filter(|again| *again > MOST)
            && goes_on()
        {
            wrong += 1;
            let file = keep(target, &long);
            println!("{}: twice the input takes {again:.1} times as long: input {}, {file}", target.name, number - 1);
        }
    }
    println!("{}: {number} inputs, {timed} of them long enough to tell, {wrong} grow too fast", target.name);
    wrong
}

/// An input with a piece repeated where it stands, up to [`SHORT`] bytes, twice as many, and four times.
fn stretched(input: &[u8], random: &mut Random) -> Option<[Vec<u8>; 3]> {
    let text = std::str::from_utf8(input).ok().filter(|text| !text.is_empty())?;
    let mut ends: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
    ends.push(text.len());
    let from = random.below(ends.len() - 1);
    let to = (from + 1 + random.below(LONGEST_PIECE)).min(ends.len() - 1);
    let (before, piece, after) = (&text[..ends[from]], &text[ends[from]..ends[to]], &text[ends[to]..]);
    let times = SHORT.saturating_sub(before.len() + after.len()) / piece.len();
    let with = |times: usize| format!("{before}{}{after}", piece.repeat(times)).into_bytes();
    (times > 1).then(|| [1, 2, 4].map(|k| with(k * times)))
}

/// For how long this thread has run, which is less than what went by where a machine has other things to do; what went by since
/// `begun` where the system doesn't say.
fn spent(begun: Instant) -> Duration {
    // The system adds up what a thread ran when another may run.
    thread::yield_now();
    let told = fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = told.and_then(|text| text.split(' ').next()?.parse().ok());
    nanoseconds.map_or_else(|| begun.elapsed(), Duration::from_nanos)
}

/// The quotient of the times that both take; `None` where that is too short to tell, a limit ends one, or something breaks, which
/// the other runs look for.
fn growth(target: &Target, short: &[u8], long: &[u8], timings: usize) -> Option<f64> {
    let time = |input: &[u8]| {
        let mut least = Duration::MAX;
        for _ in 0..timings {
            let now = Instant::now();
            let begun = spent(now);
            let met = target.meet(input).ok()?;
            least = least.min(spent(now).saturating_sub(begun));
            if met == End::Stopped {
                return None;
            }
        }
        Some(least)
    };
    let long = time(long).filter(|long| *long >= LEAST)?;
    Some(long.as_secs_f64() / time(short)?.as_secs_f64())
}
