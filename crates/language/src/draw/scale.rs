//! Scales an axis: it says where a number is drawn, and which numbers stand at the axis. Logarithms are those of `libm`: the
//! same everywhere.

use crate::ground::text::raised;

/// From where the greatest number is so many times the least, an axis is logarithmic.
const LOGARITHMIC_FROM: f64 = 50.0;

/// So many numbers stand at an axis, or one more.
const TICKS: f64 = 5.0;

/// From an end of the axis, drawn at 0, to the other, at 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct AxisScale {
    low: f64,
    high: f64,
    /// Whether `low` and `high` are powers of ten.
    logarithmic: bool,
}

impl AxisScale {
    /// From one number to another.
    pub(super) fn between(least: u64, most: u64) -> AxisScale {
        AxisScale { low: least as f64, high: most.max(least + 1) as f64, logarithmic: false }
    }

    /// One that shows all of these numbers, logarithmic where they range far.
    pub(super) fn of(values: impl Iterator<Item = u128> + Clone) -> AxisScale {
        let least = values.clone().min().unwrap_or(0) as f64;
        let most = values.max().unwrap_or(0).max(1) as f64;
        if least > 0.0 && most / least >= LOGARITHMIC_FROM {
            let (low, high) = (libm::floor(libm::log10(least)), libm::ceil(libm::log10(most)));
            return AxisScale { low, high, logarithmic: true };
        }
        let step = step(most);
        AxisScale { low: 0.0, high: libm::ceil(most / step) * step, logarithmic: false }
    }

    /// Where a number is drawn, from 0 to 1.
    pub(super) fn at(&self, value: f64) -> f64 {
        let value = if self.logarithmic { libm::log10(value.max(1.0)) } else { value };
        ((value - self.low) / (self.high - self.low)).clamp(0.0, 1.0)
    }

    /// What stands at the axis: numbers, and where.
    pub(super) fn ticks(&self) -> Vec<(f64, String)> {
        let step = step(self.high - self.low);
        let first = if self.logarithmic { self.low } else { libm::ceil(self.low / step) * step };
        let count = libm::floor((self.high - first) / step + 1e-9).max(0.0) as u32;
        let tick = |k: u32| {
            let value = first + f64::from(k) * step;
            let text = if self.logarithmic { power(value) } else { number(value) };
            ((value - self.low) / (self.high - self.low), text)
        };
        (0..=count).map(tick).collect()
    }
}

/// 1, 2 or 5 times a power of ten: so many go into a length. At least 1.
fn step(length: f64) -> f64 {
    let rough = length / TICKS;
    let ten = exponential(libm::floor(libm::log10(rough.max(1.0))));
    let found = [1.0, 2.0, 5.0].into_iter().map(|k| k * ten).find(|step| *step >= rough);
    found.unwrap_or(10.0 * ten)
}

fn exponential(power: f64) -> f64 {
    libm::exp10(power)
}

/// `2000`, `5·10⁷`
fn number(value: f64) -> String {
    const PLAIN: f64 = 100_000.0;
    if value < PLAIN {
        return format!("{value:.0}");
    }
    let digits = format!("{value:.0}");
    let zeros = digits.len() - 1;
    let (first, rest) = digits.split_at(1);
    let rest = rest.trim_end_matches('0').chars().take(2).collect::<String>();
    let factor = if rest.is_empty() { first.to_owned() } else { format!("{first}.{rest}") };
    if factor == "1" { power(zeros as f64) } else { format!("{factor}·{}", power(zeros as f64)) }
}

/// A power of ten: `10⁹`, and 1, 10, 100 as they are.
fn power(exponent: f64) -> String {
    let exponent = exponent as usize;
    if exponent < 3 {
        return format!("1{}", "0".repeat(exponent));
    }
    format!("10{}", raised(exponent as u64))
}

#[cfg(test)]
mod tests {
    use super::AxisScale;

    fn texts(scale: AxisScale) -> Vec<String> {
        scale.ticks().into_iter().map(|(_, text)| text).collect()
    }

    #[test]
    fn axes_have_round_numbers() {
        assert_eq!(texts(AxisScale::between(0, 7_961)), ["0", "2000", "4000", "6000"]);
        assert_eq!(texts(AxisScale::between(0, 0)), ["0", "1"]);
        assert_eq!(texts(AxisScale::between(4_321, 4_398)), ["4340", "4360", "4380"]);
        assert_eq!(texts(AxisScale::of([300, 900].into_iter())), ["0", "200", "400", "600", "800", "1000"]);
        assert_eq!(texts(AxisScale::of([3, 90_000].into_iter())), ["1", "10", "100", "10³", "10⁴", "10⁵"]);
        assert_eq!(texts(AxisScale::of([40_000_000].into_iter())), ["0", "10⁷", "2·10⁷", "3·10⁷", "4·10⁷"]);
        assert_eq!(texts(AxisScale::of([1, u128::MAX].into_iter())).last().map(String::as_str), Some("10³⁰"));
        assert_eq!(texts(AxisScale::of([0, 0].into_iter())), ["0", "1"]);
    }

    #[test]
    fn numbers_stand_between_the_ends() {
        let scale = AxisScale::of([10, 100_000].into_iter());
        assert_eq!([10.0, 1_000.0, 100_000.0].map(|value| scale.at(value)), [0.0, 0.5, 1.0]);
        let scale = AxisScale::of([5, 10].into_iter());
        assert_eq!([0.0, 5.0, 10.0].map(|value| scale.at(value)), [0.0, 0.5, 1.0]);
    }
}
