//! Holds the loops over lanes. They are always inlined, so that each is compiled for the kind of processor of the function that
//! calls it.

use super::{Arg, CompareOp, IntOp, IterationFactor, RealOp};

/// Writes `f` of both operands into each lane.
#[inline(always)]
fn zip<T: Copy>(to: &mut [T], a: Arg<T>, b: Arg<T>, f: impl Fn(T, T) -> T) {
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

#[inline(always)]
pub(crate) fn reals(two: RealOp, to: &mut [f64], a: Arg<f64>, b: Arg<f64>) {
    match two {
        RealOp::Add => zip(to, a, b, |a, b| a + b),
        RealOp::Sub => zip(to, a, b, |a, b| a - b),
        RealOp::Mul => zip(to, a, b, |a, b| a * b),
        RealOp::Div => zip(to, a, b, |a, b| a / b),
        RealOp::Of(f) => zip(to, a, b, f),
    }
}

#[inline(always)]
pub(crate) fn ints(two: IntOp, to: &mut [i64], a: Arg<i64>, b: Arg<i64>) {
    match two {
        IntOp::Add => zip(to, a, b, i64::wrapping_add),
        IntOp::Sub => zip(to, a, b, i64::wrapping_sub),
        IntOp::Mul => zip(to, a, b, i64::wrapping_mul),
        IntOp::Of(f) => zip(to, a, b, f),
    }
}

/// Adds products.
#[inline(always)]
pub(crate) fn accumulate(to: &mut [f64], a: Arg<f64>, b: Arg<f64>) {
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

/// Whether each lane holds, as 1 or 0.
#[inline(always)]
fn test<T: Copy + PartialOrd>(to: &mut [i64], a: Arg<T>, b: Arg<T>, f: impl Fn(T, T) -> bool) {
    match (a, b) {
        (Arg::Many(a), Arg::Many(b)) => to.iter_mut().zip(a).zip(b).for_each(|((d, a), b)| *d = f(*a, *b).into()),
        (Arg::Many(a), Arg::One(b)) => to.iter_mut().zip(a).for_each(|(d, a)| *d = f(*a, b).into()),
        (Arg::One(a), Arg::Many(b)) => to.iter_mut().zip(b).for_each(|(d, b)| *d = f(a, *b).into()),
        _ => to.iter_mut().enumerate().for_each(|(l, d)| {
            if let (Some(a), Some(b)) = (a.lane(l), b.lane(l)) {
                *d = f(a, b).into();
            }
        }),
    }
}

#[inline(always)]
pub(crate) fn tests(how: CompareOp, to: &mut [i64], a: Arg<f64>, b: Arg<f64>) {
    tested(how, to, a, b);
}

#[inline(always)]
pub(crate) fn int_tests(how: CompareOp, to: &mut [i64], a: Arg<i64>, b: Arg<i64>) {
    tested(how, to, a, b);
}

#[inline(always)]
fn tested<T: Copy + PartialOrd>(how: CompareOp, to: &mut [i64], a: Arg<T>, b: Arg<T>) {
    match how {
        CompareOp::Lt => test(to, a, b, |a, b| a < b),
        CompareOp::Le => test(to, a, b, |a, b| a <= b),
        CompareOp::Gt => test(to, a, b, |a, b| a > b),
        CompareOp::Ge => test(to, a, b, |a, b| a >= b),
        CompareOp::Eq => test(to, a, b, |a, b| a == b),
        CompareOp::Ne => test(to, a, b, |a, b| a != b),
    }
}

#[inline(always)]
pub(crate) fn choose(to: &mut [f64], truths: &[i64], a: Arg<f64>, b: Arg<f64>) {
    chosen(to, truths, a, b);
}

#[inline(always)]
pub(crate) fn choose_ints(to: &mut [i64], truths: &[i64], a: Arg<i64>, b: Arg<i64>) {
    chosen(to, truths, a, b);
}

#[inline(always)]
fn chosen<T: Copy>(to: &mut [T], truths: &[i64], a: Arg<T>, b: Arg<T>) {
    match (a, b) {
        (Arg::Many(a), Arg::Many(b)) => {
            to.iter_mut().zip(truths).zip(a).zip(b).for_each(|(((d, t), a), b)| *d = if *t != 0 { *a } else { *b });
        }
        (Arg::Many(a), Arg::Own) => {
            to.iter_mut().zip(truths).zip(a).for_each(|((d, t), a)| *d = if *t != 0 { *a } else { *d });
        }
        (Arg::One(a), Arg::Own) => to.iter_mut().zip(truths).for_each(|(d, t)| *d = if *t != 0 { a } else { *d }),
        (Arg::Many(a), Arg::One(b)) => {
            to.iter_mut().zip(truths).zip(a).for_each(|((d, t), a)| *d = if *t != 0 { *a } else { b });
        }
        (Arg::One(a), Arg::Many(b)) => {
            to.iter_mut().zip(truths).zip(b).for_each(|((d, t), b)| *d = if *t != 0 { a } else { *b });
        }
        (Arg::One(a), Arg::One(b)) => to.iter_mut().zip(truths).for_each(|(d, t)| *d = if *t != 0 { a } else { b }),
        (Arg::Own, b) => to.iter_mut().zip(truths).enumerate().for_each(|(l, (d, t))| {
            *d = if *t != 0 { *d } else { b.lane(l).unwrap_or(*d) };
        }),
    }
}

#[inline(always)]
pub(crate) fn to_reals(to: &mut [f64], a: &[i64]) {
    to.iter_mut().zip(a).for_each(|(d, a)| *d = *a as f64);
}

/// So many lanes have e^x at once.
const EXP_LANES: usize = 8;

#[inline(always)]
pub(crate) fn exps(to: &mut [f64], a: &[f64], f: fn(f64) -> f64) {
    for (to, a) in to.chunks_mut(EXP_LANES).zip(a.chunks(EXP_LANES)) {
        match (<&mut [f64; EXP_LANES]>::try_from(&mut *to), <&[f64; EXP_LANES]>::try_from(a)) {
            // All lanes are asked without a branch between them, so that the test is one of vectors.
            (Ok(to), Ok(a)) if a.iter().fold(true, |near, x| near & (high(*x) < 0x4086_232b)) => {
                (0..EXP_LANES).for_each(|l| to[l] = exp_near(a[l]));
            }
            _ => to.iter_mut().zip(a).for_each(|(d, x)| *d = f(*x)),
        }
    }
}

/// The upper half of a number's bits, without the sign.
#[inline(always)]
fn high(x: f64) -> i64 {
    (x.to_bits() as i64 >> 32) & 0x7fff_ffff
}

/// e^x as fdlibm has it, where it neither overflows nor underflows: the same operations in the same order.
#[inline(always)]
fn exp_near(x: f64) -> f64 {
    // 1.5 * 2^52: doubles of this size are whole numbers, so that adding it and taking it away rounds.
    const SHIFT: f64 = 6_755_399_441_055_744.0;
    let (bits, high) = (x.to_bits() as i64, high(x));
    let signed = |y: f64| f64::from_bits((bits & i64::MIN) as u64 | y.to_bits());
    let (one, half) = (signed(1.0), signed(0.5));
    let t = std::f64::consts::LOG2_E * x + half;
    let near = (t + SHIFT) - SHIFT;
    let whole = near - if near.abs() > t.abs() { one } else { 0.0 };
    let small = if high > 0x3fd6_2e42 { one } else { 0.0 };
    let k = if high >= 0x3ff0_a2b2 { whole } else { small };
    let (above, below) = (x - k * 6.931_471_803_691_238e-1, k * 1.908_214_929_270_587_7e-10);
    let r = above - below;
    let rr = r * r;
    let p4 = -1.653_390_220_546_525_2e-6 + rr * 4.138_136_797_057_238_5e-8;
    let p2 = -2.777_777_777_701_559_3e-3 + rr * (6.613_756_321_437_934e-5 + rr * p4);
    let c = r - rr * (1.666_666_666_666_660_2e-1 + rr * p2);
    let y = 1.0 + (r * c / (2.0 - c) - below + above);
    let exponent = ((k + SHIFT).to_bits() as i64 - SHIFT.to_bits() as i64 + 1023) << 52;
    if high <= 0x3e30_0000 { 1.0 + x } else { y * f64::from_bits(exponent as u64) }
}

/// So many lanes are summed up at once: their sums fit registers.
const TILE: usize = 32;
/// What is left of them.
const SMALL_TILE: usize = 8;

impl IterationFactor<'_> {
    /// The part from a lane on.
    #[inline(always)]
    fn from(self, lane: usize) -> Self {
        match self {
            IterationFactor::Lanes(all, step) => IterationFactor::Lanes(all.get(lane..).unwrap_or(&[]), step),
            other => other,
        }
    }
}

/// Adds the products of so many iterations to each lane; nothing comes back where a factor is too short.
#[inline(always)]
pub(crate) fn dot(acc: &mut [f64], rounds: usize, a: IterationFactor, b: IterationFactor) -> Option<()> {
    summed(acc, rounds, a, b, |a, b| a * b)
}

#[inline(always)]
pub(crate) fn distance(acc: &mut [f64], rounds: usize, a: IterationFactor, b: IterationFactor) -> Option<()> {
    summed(acc, rounds, a, b, |a, b| (a - b) * (a - b))
}

/// Adds what `f` gives, which is the same with its operands exchanged.
#[inline(always)]
fn summed(
    acc: &mut [f64],
    rounds: usize,
    a: IterationFactor,
    b: IterationFactor,
    f: impl Fn(f64, f64) -> f64 + Copy,
) -> Option<()> {
    let (tiles, rest) = acc.as_chunks_mut::<TILE>();
    let (small, singles) = rest.as_chunks_mut::<SMALL_TILE>();
    let from = [tiles.len() * TILE, tiles.len() * TILE + small.len() * SMALL_TILE];
    (0..).step_by(TILE).zip(tiles).try_for_each(|(at, tile)| tiled(tile, rounds, a.from(at), b.from(at), f))?;
    (from[0]..)
        .step_by(SMALL_TILE)
        .zip(small)
        .try_for_each(|(at, tile)| tiled(tile, rounds, a.from(at), b.from(at), f))?;
    (from[1]..).zip(singles).try_for_each(|(at, d)| tiled(std::array::from_mut(d), rounds, a.from(at), b.from(at), f))
}

#[inline(always)]
fn row<const N: usize>(all: &[f64], at: usize) -> Option<&[f64; N]> {
    all.get(at..)?.first_chunk()
}

/// Adds what each of so many rows gives with a number of its own.
#[inline(always)]
fn rows<const N: usize>(
    sum: &mut [f64; N],
    rounds: usize,
    (all, step): (&[f64], usize),
    number: impl Fn(usize) -> Option<f64>,
    f: impl Fn(f64, f64) -> f64,
) -> Option<()> {
    (0..rounds).try_for_each(|k| {
        let (row, number) = (row::<N>(all, k * step)?, number(k)?);
        (0..N).for_each(|l| sum[l] += f(row[l], number));
        Some(())
    })
}

#[inline(always)]
fn tiled<const N: usize>(
    acc: &mut [f64; N],
    rounds: usize,
    a: IterationFactor,
    b: IterationFactor,
    f: impl Fn(f64, f64) -> f64,
) -> Option<()> {
    // A copy, so that sums stay in registers; it is put back when all factors were long enough.
    let mut sum = *acc;
    match (a, b) {
        (IterationFactor::Lanes(a, step), IterationFactor::One(b))
        | (IterationFactor::One(b), IterationFactor::Lanes(a, step)) => {
            rows(&mut sum, rounds, (a, step), |_| Some(b), f)?;
        }
        (IterationFactor::Lanes(a, step), IterationFactor::Round(b, other))
        | (IterationFactor::Round(b, other), IterationFactor::Lanes(a, step)) => {
            rows(&mut sum, rounds, (a, step), |k| b.get(k * other).copied(), f)?;
        }
        (IterationFactor::Lanes(a, step), IterationFactor::Lanes(b, other)) => (0..rounds).try_for_each(|k| {
            let (a, b) = (row::<N>(a, k * step)?, row::<N>(b, k * other)?);
            (0..N).for_each(|l| sum[l] += f(a[l], b[l]));
            Some(())
        })?,
        (
            IterationFactor::One(_) | IterationFactor::Round(..),
            IterationFactor::One(_) | IterationFactor::Round(..),
        ) => return None,
    }
    *acc = sum;
    Some(())
}
