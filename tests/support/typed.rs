//! Grows types made of reals, with functions from these to a number, as texts.

use redexter::ground::Random;

/// A type made of reals.
enum RealType {
    Real,
    Array(&'static str, Box<RealType>),
    Pair(Box<RealType>, Box<RealType>),
}

impl RealType {
    fn grown(random: &mut Random, depth: usize) -> RealType {
        let inner = |random: &mut Random| Box::new(RealType::grown(random, depth - 1));
        match random.below(if depth == 0 { 1 } else { 5 }) {
            0 => RealType::Real,
            1 | 2 => RealType::Array(["n", "m", "n", "m", "2"][random.below(5)], inner(random)),
            _ => RealType::Pair(inner(random), inner(random)),
        }
    }

    fn text(&self) -> String {
        match self {
            RealType::Real => "real".to_owned(),
            RealType::Array(n, a) => format!("array {n} ({})", a.text()),
            RealType::Pair(a, b) => format!("({}) * ({})", a.text(), b.text()),
        }
    }

    /// A number that depends on all numbers of what stands at `path`, smoothly everywhere.
    fn value(&self, path: &str, random: &mut Random, depth: usize) -> String {
        match self {
            RealType::Real => {
                let c = random.moderate();
                match random.below(4) {
                    0 => format!("sin ({c} * {path})"),
                    1 => format!("({c} * {path} * {path})"),
                    2 => format!("exp (0.25 * {path})"),
                    _ => format!("({path} + {c})"),
                }
            }
            RealType::Array(n, a) => {
                let element = a.value(&format!("{path}[i{depth}]"), random, depth + 1);
                let sum = format!("ifold {n} (fun s{depth} i{depth} => s{depth} + {element}) 0");
                if random.chance(50) { format!("tanh ({sum})") } else { format!("({sum})") }
            }
            RealType::Pair(a, b) => {
                let (p, q) = (format!("p{depth}"), format!("q{depth}"));
                let both = |p: &str, q: &str, random: &mut Random| {
                    let first = a.value(p, random, depth + 1);
                    let second = b.value(q, random, depth + 1);
                    let joined = [" * ", " + ", " + 2 * ", " - "][random.below(4)];
                    format!("({first}{joined}cos ({second}))")
                };
                match random.below(3) {
                    0 => both(&format!("(fst {path})"), &format!("({path}).2"), random),
                    1 => format!("(let ({p}, {q}) := {path}; {})", both(&p, &q, random)),
                    _ => format!("(let {p} := fst {path}; let {q} := snd {path}; {})", both(&p, &q, random)),
                }
            }
        }
    }
}

/// A model of a seed: a function `f` of `x`, whose type is made of reals, and derivatives of it by type.
pub fn grown(seed: u64) -> String {
    let random = &mut Random::new(seed);
    let depth = 1 + random.below(4);
    let made = RealType::grown(random, depth);
    let (ty, value) = (made.text(), made.value("x", random, 0));
    let used: Vec<&str> = ["n", "m"].into_iter().filter(|n| ty.contains(&format!("array {n} "))).collect();
    let sizes = if used.is_empty() { String::new() } else { format!("{{{}}} ", used.join(" ")) };
    format!(
        "def f {sizes}(x : {ty}) : real := {value}
def gradient {sizes}(x : {ty}) : {ty} := grad f x
def both {sizes}(x : {ty}) : real * ({ty}) := valueAndGrad f x
def rate {sizes}(x dx : {ty}) : real := directional f x dx
def curved {sizes}(x dx : {ty}) : {ty} := hvp f x dx
def several {sizes}(x : {ty}) : array 2 real * real := let y := f x; ([y, 2 * y], y * y)
def weighted {sizes}(x : {ty}) (u : array 2 real * real) : {ty} := vjp several x u
def rates {sizes}(x dx : {ty}) : array 2 real * real := directional several x dx
def matrix {sizes}(x : {ty}) := jacobian several x
def scaled {sizes}(x : {ty}) (k : real) : real := k * f x
def first {sizes}(x : {ty}) (k : real) : {ty} := grad scaled x (k + 1)
"
    )
}
