//! Times how C is made of shipped models and scheduled gradients, and the share of it that the checker of nests has.

#[allow(dead_code)]
#[path = "../tests/support/bits.rs"]
mod bits;
#[allow(dead_code)]
#[path = "../tests/support/shipped.rs"]
mod shipped;

use std::hint::black_box;
use std::time::{Duration, Instant};

use redexter::export::c;
use redexter::ground::Name;
use redexter::native::CCompiler;
use redexter::nest::{nest, verify};

const ROUNDS: u32 = 20;

fn main() {
    bits::deep(|| {
        let target = CCompiler::named("cc").target();
        let (mut all, mut checked) = (Duration::ZERO, Duration::ZERO);
        println!("{:<60} {:>9} {:>9} {:>6}", "program", "C", "checker", "share");
        for (name, program) in bits::shipped_programs().into_iter().chain(bits::scheduled_programs()) {
            let Ok(nest) = nest(&program, &target.form()) else { continue };
            let entries = [(Name::new(&name), program)];
            let [whole, check] =
                [least(|| drop(black_box(c("it", &entries, &target)))), least(|| drop(black_box(verify(&nest))))];
            let share = 100.0 * check.as_secs_f64() / whole.as_secs_f64();
            println!("{name:<60} {:>6} us {:>6} us {share:>4.1} %", whole.as_micros(), check.as_micros());
            all += whole;
            checked += check;
        }
        println!("{:.1} % of all", 100.0 * checked.as_secs_f64() / all.as_secs_f64());
    });
}

/// The least time of some rounds.
fn least(task: impl Fn()) -> Duration {
    let once = || {
        let start = Instant::now();
        task();
        start.elapsed()
    };
    (0..ROUNDS).map(|_| once()).min().unwrap_or_default()
}
