//! Computes over lanes in loops of which a compiler makes vectors, compiled for several kinds of processors; the version is
//! chosen by the processor that it runs on.
//!
//! Each operation is IEEE's on doubles, in the order that is written here, whatever the processor: nothing is contracted or
//! reordered. What is computed, and of what, the caller says.

mod lanes;

/// Operations on two reals.
#[derive(Clone, Copy, Debug)]
pub enum RealOp {
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `*`
    Mul,
    /// `/`
    Div,
    /// Another function.
    Of(fn(f64, f64) -> f64),
}

/// Operations on two integers, which wrap.
#[derive(Clone, Copy, Debug)]
pub enum IntOp {
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `*`
    Mul,
    /// Another function.
    Of(fn(i64, i64) -> i64),
}

/// Comparisons.
#[derive(Clone, Copy, Debug)]
pub enum CompareOp {
    /// `<`
    Lt,
    /// `<=`
    Le,
    /// `>`
    Gt,
    /// `>=`
    Ge,
    /// `=`
    Eq,
    /// `!=`
    Ne,
}

/// An operand of each lane.
#[derive(Clone, Copy, Debug)]
pub enum Arg<'a, T> {
    /// What stands where the result goes.
    Own,
    /// One for all.
    One(T),
    /// One for each.
    Many(&'a [T]),
}

impl<T: Copy> Arg<'_, T> {
    /// A lane's operand, if it isn't what stands where the result goes.
    #[inline(always)]
    pub fn lane(self, l: usize) -> Option<T> {
        match self {
            Arg::Own => None,
            Arg::One(a) => Some(a),
            Arg::Many(a) => a.get(l).copied(),
        }
    }
}

/// A factor of a sum of products.
#[derive(Clone, Copy, Debug)]
pub enum IterationFactor<'a> {
    /// The same in all iterations.
    One(f64),
    /// The same in all lanes; that of the next iteration is so far behind.
    Round(&'a [f64], usize),
    /// One for each lane; those of the next iteration are so far behind.
    Lanes(&'a [f64], usize),
}

/// The operation on two numbers.
#[inline(always)]
pub fn real(two: RealOp, a: f64, b: f64) -> f64 {
    match two {
        RealOp::Add => a + b,
        RealOp::Sub => a - b,
        RealOp::Mul => a * b,
        RealOp::Div => a / b,
        RealOp::Of(f) => f(a, b),
    }
}

/// The operation on two integers.
#[inline(always)]
pub fn int(two: IntOp, a: i64, b: i64) -> i64 {
    match two {
        IntOp::Add => a.wrapping_add(b),
        IntOp::Sub => a.wrapping_sub(b),
        IntOp::Mul => a.wrapping_mul(b),
        IntOp::Of(f) => f(a, b),
    }
}

/// Whether a comparison holds, as 1 or 0.
#[inline(always)]
pub fn holds<T: PartialOrd>(test: CompareOp, a: &T, b: &T) -> i64 {
    i64::from(match test {
        CompareOp::Lt => a < b,
        CompareOp::Le => a <= b,
        CompareOp::Gt => a > b,
        CompareOp::Ge => a >= b,
        CompareOp::Eq => a == b,
        CompareOp::Ne => a != b,
    })
}

/// Functions that are compiled for several kinds of processors.
macro_rules! versions {
    ($($(#[$doc:meta])* $name:ident($($arg:ident: $ty:ty),*) $(-> $out:ty)?;)*) => {$(
        $(#[$doc])*
        pub fn $name($($arg: $ty),*) $(-> $out)? {
            #[cfg(target_arch = "x86_64")]
            {
                #[target_feature(enable = "avx2")]
                fn middle($($arg: $ty),*) $(-> $out)? {
                    lanes::$name($($arg),*)
                }
                #[target_feature(enable = "avx2,avx512f,avx512dq,avx512vl,avx512bw")]
                fn wide($($arg: $ty),*) $(-> $out)? {
                    lanes::$name($($arg),*)
                }
                // Each of these implies avx512f, and that avx2, so that neither is asked for.
                if is_x86_feature_detected!("avx512bw")
                    && is_x86_feature_detected!("avx512dq")
                    && is_x86_feature_detected!("avx512vl")
                {
                    // SAFETY: the processor was asked for what the function needs.
                    return unsafe { wide($($arg),*) };
                }
                if is_x86_feature_detected!("avx2") {
                    // SAFETY: the same.
                    return unsafe { middle($($arg),*) };
                }
            }
            lanes::$name($($arg),*)
        }
    )*};
}

versions! {
    /// Writes what an operation gives into each lane.
    reals(two: RealOp, to: &mut [f64], a: Arg<f64>, b: Arg<f64>);
    /// The same with integers.
    ints(two: IntOp, to: &mut [i64], a: Arg<i64>, b: Arg<i64>);
    /// Adds a product to each lane.
    accumulate(to: &mut [f64], a: Arg<f64>, b: Arg<f64>);
    /// Whether each lane holds, as 1 or 0. No operand stands where the result goes.
    tests(how: CompareOp, to: &mut [i64], a: Arg<f64>, b: Arg<f64>);
    /// The same with integers.
    int_tests(how: CompareOp, to: &mut [i64], a: Arg<i64>, b: Arg<i64>);
    /// Of two operands the one that a lane's truth says.
    choose(to: &mut [f64], truths: &[i64], a: Arg<f64>, b: Arg<f64>);
    /// The same with integers.
    choose_ints(to: &mut [i64], truths: &[i64], a: Arg<i64>, b: Arg<i64>);
    /// e^x in each lane, as fdlibm computes it; by `f`, which does that, where the result is far.
    exps(to: &mut [f64], a: &[f64], f: fn(f64) -> f64);
    /// Integers as reals.
    to_reals(to: &mut [f64], a: &[i64]);
    /// Adds the products of so many iterations to each lane, in their order; nothing comes back where a factor is too short, or
    /// none has lanes.
    dot(acc: &mut [f64], rounds: usize, a: IterationFactor, b: IterationFactor) -> Option<()>;
    /// The same with the squares of differences.
    distance(acc: &mut [f64], rounds: usize, a: IterationFactor, b: IterationFactor) -> Option<()>;
}
