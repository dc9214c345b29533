//! What is done to all lanes of a block: loops over slices that a compiler makes vectors of.

use super::op::{Ints, Test, Two};

/// An operand of each lane.
#[derive(Clone, Copy)]
pub(super) enum Arg<'a, T> {
    /// What stands where the result goes.
    Own,
    /// One for all.
    One(T),
    /// One for each.
    Many(&'a [T]),
}

/// Writes `f` of both operands into each lane.
#[inline(always)]
pub(super) fn zip<T: Copy>(to: &mut [T], a: Arg<T>, b: Arg<T>, f: impl Fn(T, T) -> T) {
    match (a, b) {
        (Arg::Own, Arg::Own) => to.iter_mut().for_each(|d| *d = f(*d, *d)),
        (Arg::Own, Arg::One(b)) => to.iter_mut().for_each(|d| *d = f(*d, b)),
        (Arg::One(a), Arg::Own) => to.iter_mut().for_each(|d| *d = f(a, *d)),
        (Arg::Own, Arg::Many(b)) => to.iter_mut().zip(b).for_each(|(d, b)| *d = f(*d, *b)),
        (Arg::Many(a), Arg::Own) => to.iter_mut().zip(a).for_each(|(d, a)| *d = f(*a, *d)),
        (Arg::One(a), Arg::One(b)) => to.fill(f(a, b)),
        (Arg::One(a), Arg::Many(b)) => to.iter_mut().zip(b).for_each(|(d, b)| *d = f(a, *b)),
        (Arg::Many(a), Arg::One(b)) => to.iter_mut().zip(a).for_each(|(d, a)| *d = f(*a, b)),
        (Arg::Many(a), Arg::Many(b)) => to.iter_mut().zip(a).zip(b).for_each(|((d, a), b)| *d = f(*a, *b)),
    }
}

/// Writes `f` of an operand into each lane.
#[inline(always)]
pub(super) fn each<S: Copy, T: Copy>(to: &mut [T], a: &[S], f: impl Fn(S) -> T) {
    to.iter_mut().zip(a).for_each(|(d, a)| *d = f(*a));
}

/// The operation on two numbers.
#[inline(always)]
pub(super) fn real(two: Two, a: f64, b: f64) -> f64 {
    match two {
        Two::Add => a + b,
        Two::Sub => a - b,
        Two::Mul => a * b,
        Two::Div => a / b,
        Two::Of(f) => f(a, b),
    }
}

/// The operation on two integers.
#[inline(always)]
pub(super) fn int(two: Ints, a: i64, b: i64) -> i64 {
    match two {
        Ints::Add => a.wrapping_add(b),
        Ints::Sub => a.wrapping_sub(b),
        Ints::Mul => a.wrapping_mul(b),
        Ints::Of(f) => f(a, b),
    }
}

/// Whether a comparison holds, as 1 or 0.
#[inline(always)]
pub(super) fn holds<T: PartialOrd>(test: Test, a: &T, b: &T) -> i64 {
    i64::from(match test {
        Test::Lt => a < b,
        Test::Le => a <= b,
        Test::Gt => a > b,
        Test::Ge => a >= b,
        Test::Eq => a == b,
        Test::Ne => a != b,
    })
}

pub(super) fn reals(two: Two, to: &mut [f64], a: Arg<f64>, b: Arg<f64>) {
    match two {
        Two::Add => zip(to, a, b, |a, b| a + b),
        Two::Sub => zip(to, a, b, |a, b| a - b),
        Two::Mul => zip(to, a, b, |a, b| a * b),
        Two::Div => zip(to, a, b, |a, b| a / b),
        Two::Of(f) => zip(to, a, b, f),
    }
}

pub(super) fn ints(two: Ints, to: &mut [i64], a: Arg<i64>, b: Arg<i64>) {
    match two {
        Ints::Add => zip(to, a, b, i64::wrapping_add),
        Ints::Sub => zip(to, a, b, i64::wrapping_sub),
        Ints::Mul => zip(to, a, b, i64::wrapping_mul),
        Ints::Of(f) => zip(to, a, b, f),
    }
}

/// Adds products.
pub(super) fn accumulate(to: &mut [f64], a: Arg<f64>, b: Arg<f64>) {
    match (a, b) {
        (Arg::One(a), Arg::Many(b)) => to.iter_mut().zip(b).for_each(|(d, b)| *d += a * *b),
        (Arg::Many(a), Arg::One(b)) => to.iter_mut().zip(a).for_each(|(d, a)| *d += *a * b),
        (Arg::Many(a), Arg::Many(b)) => to.iter_mut().zip(a).zip(b).for_each(|((d, a), b)| *d += *a * *b),
        (Arg::One(a), Arg::One(b)) => to.iter_mut().for_each(|d| *d += a * b),
        (Arg::Own, Arg::One(b)) => to.iter_mut().for_each(|d| *d += *d * b),
        (Arg::One(a), Arg::Own) => to.iter_mut().for_each(|d| *d += a * *d),
        (Arg::Own, Arg::Many(b)) => to.iter_mut().zip(b).for_each(|(d, b)| *d += *d * *b),
        (Arg::Many(a), Arg::Own) => to.iter_mut().zip(a).for_each(|(d, a)| *d += *a * *d),
        (Arg::Own, Arg::Own) => to.iter_mut().for_each(|d| *d += *d * *d),
    }
}

/// A lane of an operand that isn't where the result goes.
#[inline(always)]
pub(super) fn lane<T: Copy>(a: Arg<T>, l: usize) -> Option<T> {
    match a {
        Arg::Own => None,
        Arg::One(a) => Some(a),
        Arg::Many(a) => a.get(l).copied(),
    }
}

/// Whether each lane holds, as 1 or 0.
#[inline(always)]
fn test<T: Copy + PartialOrd>(to: &mut [i64], a: Arg<T>, b: Arg<T>, f: impl Fn(T, T) -> bool) {
    match (a, b) {
        (Arg::Many(a), Arg::Many(b)) => to.iter_mut().zip(a).zip(b).for_each(|((d, a), b)| *d = f(*a, *b).into()),
        (Arg::Many(a), Arg::One(b)) => to.iter_mut().zip(a).for_each(|(d, a)| *d = f(*a, b).into()),
        (Arg::One(a), Arg::Many(b)) => to.iter_mut().zip(b).for_each(|(d, b)| *d = f(a, *b).into()),
        _ => to.iter_mut().enumerate().for_each(|(l, d)| {
            if let (Some(a), Some(b)) = (lane(a, l), lane(b, l)) {
                *d = f(a, b).into();
            }
        }),
    }
}

pub(super) fn tests<T: Copy + PartialOrd>(how: Test, to: &mut [i64], a: Arg<T>, b: Arg<T>) {
    match how {
        Test::Lt => test(to, a, b, |a, b| a < b),
        Test::Le => test(to, a, b, |a, b| a <= b),
        Test::Gt => test(to, a, b, |a, b| a > b),
        Test::Ge => test(to, a, b, |a, b| a >= b),
        Test::Eq => test(to, a, b, |a, b| a == b),
        Test::Ne => test(to, a, b, |a, b| a != b),
    }
}

/// Of two operands the one that a lane's truth says.
pub(super) fn choose<T: Copy>(to: &mut [T], truths: &[i64], a: Arg<T>, b: Arg<T>) {
    for (l, (d, truth)) in to.iter_mut().zip(truths).enumerate() {
        let chosen = if *truth != 0 { a } else { b };
        *d = lane(chosen, l).unwrap_or(*d);
    }
}

/// So many lanes are summed up at once: their sums fit registers.
const TILE: usize = 16;

/// A factor of a sum of products: a slice in which round `k` stands so far behind the one before.
#[derive(Clone, Copy)]
pub(super) enum Rounds<'a> {
    One(f64),
    Round(&'a [f64], usize),
    Lanes(&'a [f64], usize),
}

impl Rounds<'_> {
    /// The part from a lane on.
    fn from(self, lane: usize) -> Self {
        match self {
            Rounds::Lanes(all, step) => Rounds::Lanes(all.get(lane..).unwrap_or(&[]), step),
            other => other,
        }
    }
}

/// Adds the products of so many rounds to each lane; nothing comes back where a factor is too short.
pub(super) fn dot(acc: &mut [f64], rounds: usize, a: Rounds, b: Option<Rounds>) -> Option<()> {
    let b = b.unwrap_or(Rounds::One(1.0));
    for (tile, part) in acc.chunks_mut(TILE).enumerate() {
        let (a, b) = (a.from(tile * TILE), b.from(tile * TILE));
        match <&mut [f64; TILE]>::try_from(&mut *part) {
            Ok(whole) => tiled(whole, rounds, a, b)?,
            Err(_) => (0..).zip(part).try_for_each(|(l, d)| tiled(std::array::from_mut(d), rounds, a.from(l), b.from(l)))?,
        }
    }
    Some(())
}

#[inline(always)]
fn row<const N: usize>(all: &[f64], at: usize) -> Option<&[f64; N]> {
    all.get(at..)?.first_chunk()
}

/// Adds so many rows, each times a number of its own.
#[inline(always)]
fn rows<const N: usize>(
    sum: &mut [f64; N],
    rounds: usize,
    (all, step): (&[f64], usize),
    factor: impl Fn(usize) -> Option<f64>,
) -> Option<()> {
    (0..rounds).try_for_each(|k| {
        let (row, factor) = (row::<N>(all, k * step)?, factor(k)?);
        (0..N).for_each(|l| sum[l] += row[l] * factor);
        Some(())
    })
}

#[inline(always)]
fn tiled<const N: usize>(acc: &mut [f64; N], rounds: usize, a: Rounds, b: Rounds) -> Option<()> {
    let mut sum = *acc;
    match (a, b) {
        (Rounds::Lanes(a, step), Rounds::One(b)) | (Rounds::One(b), Rounds::Lanes(a, step)) => {
            rows(&mut sum, rounds, (a, step), |_| Some(b))?;
        }
        (Rounds::Lanes(a, step), Rounds::Round(b, other)) | (Rounds::Round(b, other), Rounds::Lanes(a, step)) => {
            rows(&mut sum, rounds, (a, step), |k| b.get(k * other).copied())?;
        }
        (Rounds::Lanes(a, step), Rounds::Lanes(b, other)) => (0..rounds).try_for_each(|k| {
            let (a, b) = (row::<N>(a, k * step)?, row::<N>(b, k * other)?);
            (0..N).for_each(|l| sum[l] += a[l] * b[l]);
            Some(())
        })?,
        (Rounds::One(_) | Rounds::Round(..), Rounds::One(_) | Rounds::Round(..)) => return None,
    }
    *acc = sum;
    Some(())
}
