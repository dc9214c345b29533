//! Writes loops that add up, or find the largest, over lanes in an order of their own, where sums may be reordered.

use super::body::CBody;
use super::lanes::{Lanes, MOST_VECTORS};
use crate::nest::{Divergence, LoopRange, NestValue, ScalarKind, Stmt};
use redexter_language::term::Prim;

/// The iterations as they are shared out among accumulators.
pub(super) struct Accumulators<'a> {
    index: &'a str,
    extent: u32,
    accumulators: u32,
}

impl Accumulators<'_> {
    pub(super) fn of(index: &str, extent: u32, width: u32) -> Option<Accumulators<'_>> {
        let accumulators = MOST_VECTORS.min(extent / width);
        (accumulators > 0 && (extent / width).is_multiple_of(accumulators)).then_some(Accumulators {
            index,
            extent,
            accumulators,
        })
    }
}

impl CBody<'_> {
    /// Writes such a loop over all lanes of a strip; false where it is none, or where order matters.
    pub(super) fn reduced(&mut self, range: &LoopRange, inside: &[Stmt], depth: usize) -> bool {
        let width = self.width();
        let is_whole = range.from == NestValue::Int(0);
        let known = self.known(&range.to).filter(|extent| is_whole && width > 1 && extent % width == 0);
        let (Some(extent), true) = (known, self.target.freedom.reorders()) else { return false };
        let (condition, set) = match inside {
            [Stmt::If(condition, a, b)] if b.is_empty() && a.len() == 1 => (Some(condition), &a[0]),
            [set] => (None, set),
            _ => return false,
        };
        let Stmt::Set(place, value) = set else { return false };
        let along = Divergence::along(range.cell);
        // What is stored under a condition alone must be a number: an element may not be there where the condition doesn't hold.
        if along.at(place) || condition.is_some() && !place.indices.is_empty() {
            return false;
        }
        // Where the same holds in all iterations it is asked, and nothing is read where it doesn't.
        if condition.is_some_and(|condition| !along.differs(condition)) {
            return false;
        }
        let index = self.names.cell(range.cell).to_owned();
        let Some(shares) = Accumulators::of(&index, extent, width) else { return false };
        let (own, to) = (NestValue::Load(place.clone()), self.place(place));
        let lines = match (condition, value) {
            (Some(NestValue::Prim(prim @ (Prim::Lt | Prim::Gt), ScalarKind::Real, both)), _)
                if both.contains(&own) && both.contains(value) && along.differs(value) =>
            {
                let sign = if (*prim == Prim::Lt) == (both[0] == own) { "<" } else { ">" };
                self.lanes = Some(Lanes::of(along));
                self.largest(&shares, &to, value, sign)
            }
            (condition, NestValue::Prim(Prim::Add, ScalarKind::Real, both)) if both[0] == own => {
                let reads = |value: &NestValue| value.mentions(place.cell);
                if reads(&both[1]) || condition.is_some_and(reads) || !along.differs(&both[1]) {
                    return false;
                }
                self.lanes = Some(Lanes::of(along));
                let (mut lines, sum) = self.sum(&shares, &both[1], condition);
                lines.push(format!("{to} += redexter_sum({sum});"));
                lines
            }
            _ => return false,
        };
        self.lanes = None;
        self.line(depth, "{");
        lines.iter().for_each(|line| self.line(depth + 1, line));
        self.line(depth, "}");
        true
    }

    /// A loop over the strip, whose lines each accumulator gives.
    fn shared(&mut self, shares: &Accumulators, each: impl Fn(&Self, u32) -> Vec<String>) -> Vec<String> {
        let Accumulators { index, extent, accumulators } = shares;
        let step = accumulators * self.width();
        let mut lines = vec![format!("for (int64_t {index} = 0; {index} < {extent}; {index} += {step}) {{")];
        for k in 0..*accumulators {
            self.on(k, index);
            lines.extend(each(self, k).into_iter().map(|line| format!("  {line}")));
        }
        lines.push("}".to_owned());
        lines
    }

    /// Lines, and the vector whose numbers are to be added in the end.
    pub(super) fn sum(
        &mut self,
        shares: &Accumulators,
        added: &NestValue,
        condition: Option<&NestValue>,
    ) -> (Vec<String>, String) {
        // Each begins with 0, so that what was there is added once, in the end.
        let names: Vec<String> = (0..shares.accumulators).map(|k| format!("sum{k} = {{0}}")).collect();
        let mut lines = vec![format!("redexter_v {};", names.join(", "))];
        lines.extend(self.shared(shares, |body, k| {
            let text = body.held(added, ScalarKind::Real);
            vec![match condition {
                Some(condition) => {
                    format!("sum{k} += redexter_choose({}, {text}, redexter_all(0.0));", body.mask(condition))
                }
                None => format!("sum{k} += {text};"),
            }]
        }));
        let all: Vec<String> = (0..shares.accumulators).map(|k| format!("sum{k}")).collect();
        (lines, all.join(" + "))
    }

    fn largest(&mut self, shares: &Accumulators, to: &str, value: &NestValue, sign: &str) -> Vec<String> {
        // Each begins with what was there: compared several times, it counts no more than once.
        let names: Vec<String> = (0..shares.accumulators).map(|k| format!("most{k} = redexter_all({to})")).collect();
        let mut lines = vec![format!("redexter_v {};", names.join(", "))];
        lines.extend(self.shared(shares, |body, k| {
            let own = body.held(value, ScalarKind::Real);
            vec![
                format!("const redexter_v own{k} = {own};"),
                format!("most{k} = redexter_choose(most{k} {sign} own{k}, own{k}, most{k});"),
            ]
        }));
        for k in 1..shares.accumulators {
            lines.push(format!("most0 = redexter_choose(most0 {sign} most{k}, most{k}, most0);"));
        }
        let width = self.width();
        lines.push(format!("for (int k = 0; k < {width}; k++) {to} = {to} {sign} most0[k] ? most0[k] : {to};"));
        lines
    }
}
