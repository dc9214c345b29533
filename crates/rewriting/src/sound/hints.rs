//! Reads from a rule's text where it may be wrong: the numbers that stand in its laws, its conditions or its function.

use crate::rule::RuleInfo;
use redexter_language::ground::Random;
use redexter_language::ground::order::InOrder;

/// Sizes of arrays go up to this one.
const MAX_ELEMENTS: u64 = 70;

/// Terms are grown to at most so many nodes.
const MAX_NODES: u64 = 400;

/// The numbers of a rule's text, each with those beside it.
#[derive(Clone, Debug, Default)]
pub struct Hints {
    /// Reals to try.
    pub(super) reals: Vec<f64>,
    /// Integers to try.
    pub(super) ints: Vec<i64>,
    /// Sizes to try.
    pub(super) sizes: Vec<u64>,
    /// Numbers of nodes to try: none where the text speaks of no numbers beyond what terms have anyway.
    pub(super) nodes: Vec<u64>,
}

impl Hints {
    /// The numbers that a rule's text names.
    pub fn of(info: &RuleInfo) -> Hints {
        let mut hints = Hints::default();
        let asks = info.conditions.iter().map(|text| (text, true));
        let computed = !matches!(info.body, crate::rule::RuleBody::Laws(_));
        for (text, of_terms) in info.laws.iter().map(|text| (text, computed)).chain(asks) {
            numerals(text).for_each(|number| hints.add(number, of_terms));
        }
        hints.reals.order_by(f64::total_cmp);
        hints.reals.dedup_by(|a, b| a.to_bits() == b.to_bits());
        hints.ints.sort_unstable();
        hints.ints.dedup();
        hints
    }

    /// `of_terms`: it may be a number of nodes.
    fn add(&mut self, number: f64, of_terms: bool) {
        self.reals.extend([number, number - 1.0, number + 1.0, -number]);
        if number.fract() != 0.0 || number >= 9e15 {
            return;
        }
        let whole = number as u64;
        let beside = [whole.saturating_sub(1), whole, whole + 1];
        self.ints.extend(beside.iter().flat_map(|n| [*n as i64, -(*n as i64)]));
        // Smaller sizes are tried in any case.
        self.sizes.extend(beside.iter().filter(|n| (3..=MAX_ELEMENTS).contains(*n)));
        if of_terms {
            self.nodes.extend(beside.iter().filter(|n| (8..=MAX_NODES).contains(*n)));
        }
    }

    /// A number of nodes that the rule's text names, so many times of a hundred.
    pub(super) fn nodes(&self, percent: usize, random: &mut Random) -> Option<u64> {
        let wanted = !self.nodes.is_empty() && random.chance(percent);
        let named = wanted.then(|| *random.pick(&self.nodes))?;
        Some(named + *random.pick(&[0, 0, 0, 3, named / 4]))
    }

    /// A real of the text, where there is one; rather one that terms don't hold anyway.
    pub(super) fn of_text(&self, random: &mut Random) -> Option<f64> {
        let is_rare = |x: &&f64| x.abs() > 1.0 || x.fract() != 0.0;
        let rare: Vec<f64> = self.reals.iter().filter(is_rare).copied().collect();
        let from = if rare.is_empty() || random.chance(25) { &self.reals } else { &rare };
        (!from.is_empty()).then(|| *random.pick(from))
    }

    /// A real of the text, now and then.
    pub(super) fn real(&self, random: &mut Random) -> Option<f64> {
        (!self.reals.is_empty() && random.chance(30)).then(|| *random.pick(&self.reals))
    }

    /// An integer of the text, now and then.
    pub(super) fn int(&self, random: &mut Random) -> Option<i64> {
        (!self.ints.is_empty() && random.chance(30)).then(|| *random.pick(&self.ints))
    }
}

/// The numerals of a text, without their signs.
fn numerals(text: &str) -> impl Iterator<Item = f64> + '_ {
    let mut rest = text;
    std::iter::from_fn(move || {
        loop {
            let start = rest.find(|c: char| c.is_ascii_digit())?;
            // Behind `..` a number ends a range; behind a single point it would be the end of a number or of a name.
            let before = rest[..start].strip_suffix("..").map_or(&rest[..start], |_| "");
            let within_name = before.ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == '.');
            let digits = &rest[start..];
            let end = end(digits);
            let numeral = digits[..end].replace('_', "");
            rest = &digits[end..];
            if !within_name && let Ok(number) = numeral.parse() {
                return Some(number);
            }
        }
    })
}

/// The length of the numeral that a text begins with, as `1_000`, `1.5`, `1e-3`; `..` is none of it.
fn end(text: &str) -> usize {
    let digits = |from: usize| {
        let behind = &text[from..];
        from + behind.find(|c: char| !c.is_ascii_digit() && c != '_').unwrap_or(behind.len())
    };
    let whole = digits(0);
    let has_fraction = text[whole..].starts_with('.') && text[whole + 1..].starts_with(|c: char| c.is_ascii_digit());
    let end = if has_fraction { digits(whole + 1) } else { whole };
    end + exponent(&text[end..])
}

/// The length of the exponent that a text begins with.
fn exponent(text: &str) -> usize {
    let Some(behind) = text.strip_prefix(['e', 'E']) else { return 0 };
    let digits = behind.strip_prefix(['-', '+']).unwrap_or(behind);
    let count = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
    if count == 0 { 0 } else { text.len() - digits.len() + count }
}

#[cfg(test)]
mod tests {
    use super::numerals;

    #[test]
    fn numbers_of_a_text_are_found() {
        let all: Vec<f64> = numerals("if x1 >= 60 && v.0 < 1e-3 then a_2 else t.size > 12.5; 1_234 3..7 8.").collect();
        assert_eq!(all, [60.0, 1e-3, 12.5, 1234.0, 3.0, 7.0, 8.0]);
    }
}
