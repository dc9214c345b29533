//! Loops that add up, or find the largest, over lanes in an order of their own: where sums may be reordered. Sums that lie side
//! by side come to one vector.

use super::body::Body;
use super::lanes::{Lanes, MOST_VECTORS};
use crate::nest::{Differing, Freedom, Number, Place, Range, Stmt, Value};
use crate::term::Prim;

/// How the rounds are shared out among accumulators.
struct Shares<'a> {
    index: &'a str,
    extent: u32,
    accumulators: u32,
}

impl Shares<'_> {
    fn of(index: &str, extent: u32, width: u32) -> Option<Shares<'_>> {
        let accumulators = MOST_VECTORS.min(extent / width);
        (extent / width).is_multiple_of(accumulators).then_some(Shares { index, extent, accumulators })
    }
}

/// Sums over lanes, one for each round of a loop around them.
struct Beside<'a> {
    lanes: &'a Range,
    added: &'a Value,
    place: &'a Place,
}

impl Beside<'_> {
    fn of<'a>(range: &Range, inside: &'a [Stmt]) -> Option<Beside<'a>> {
        let [Stmt::Var(slot), Stmt::Set(first, begun), Stmt::For(lanes, round), Stmt::Set(place, done)] = inside else {
            return None;
        };
        let ([Stmt::Set(own, Value::Prim(Prim::Add, Number::Real, both))], 1) = (&round[..], range.step) else {
            return None;
        };
        let here = Value::Load(Place { cell: slot.cell, indices: Vec::new() });
        let is_own = |place: &Place| place.cell == slot.cell && place.indices.is_empty();
        let (last, others) = place.indices.split_last()?;
        let is_dense = matches!(last, Value::Load(at) if at.cell == range.cell && at.indices.is_empty());
        (is_own(first)
            && is_own(own)
            && *begun == Value::Load(place.clone())
            && both[0] == here
            && *done == here
            && is_dense
            && !others.iter().any(|index| index.mentions(range.cell))
            && !both[1].mentions(place.cell)
            && !both[1].mentions(slot.cell))
        .then_some(Beside { lanes, added: &both[1], place })
    }
}

impl Body<'_> {
    /// Writes such a loop over all lanes of a strip; false where it is none, or where order matters.
    pub(super) fn reduced(&mut self, range: &Range, inside: &[Stmt], depth: usize) -> bool {
        let width = self.width();
        let known = self.known(&range.to).filter(|extent| width > 1 && extent % width == 0);
        let (Some(extent), Freedom::Fast) = (known, self.target.freedom) else { return false };
        let (condition, set) = match inside {
            [Stmt::If(condition, a, b)] if b.is_empty() && a.len() == 1 => (Some(condition), &a[0]),
            [set] => (None, set),
            _ => return false,
        };
        let Stmt::Set(place, value) = set else { return false };
        let along = Differing::along(range.cell);
        if along.at(place) {
            return false;
        }
        let index = self.names.cell(range.cell).to_owned();
        let Some(shares) = Shares::of(&index, extent, width) else { return false };
        let (own, to) = (Value::Load(place.clone()), self.place(place));
        let lines = match (condition, value) {
            (Some(Value::Prim(prim @ (Prim::Lt | Prim::Gt), Number::Real, both)), _)
                if both.contains(&own) && both.contains(value) && along.differs(value) =>
            {
                let sign = if (*prim == Prim::Lt) == (both[0] == own) { "<" } else { ">" };
                self.lanes = Some(Lanes::of(along));
                self.largest(&shares, &to, value, sign)
            }
            (condition, Value::Prim(Prim::Add, Number::Real, both)) if both[0] == own => {
                let reads = |value: &Value| value.mentions(place.cell);
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
    fn shared(&mut self, shares: &Shares, each: impl Fn(&Self, u32) -> Vec<String>) -> Vec<String> {
        let Shares { index, extent, accumulators } = shares;
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
    fn sum(&mut self, shares: &Shares, added: &Value, condition: Option<&Value>) -> (Vec<String>, String) {
        let names: Vec<String> = (0..shares.accumulators).map(|k| format!("sum{k} = {{0}}")).collect();
        let mut lines = vec![format!("redexter_v {};", names.join(", "))];
        lines.extend(self.shared(shares, |body, k| {
            let text = body.held(added, Number::Real);
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

    /// Writes a loop whose rounds each add a sum over all lanes to a place beside that of the round before: as many rounds at once
    /// as a vector has numbers. False where it is none.
    pub(super) fn side_by_side(&mut self, range: &Range, inside: &[Stmt], depth: usize) -> bool {
        let width = self.width();
        let (Some(found), Freedom::Fast) = (Beside::of(range, inside), self.target.freedom) else { return false };
        let known = self.known(&found.lanes.to).filter(|extent| width > 1 && extent % width == 0);
        let along = Differing::along(found.lanes.cell);
        let index = self.names.cell(found.lanes.cell).to_owned();
        let shares = known.and_then(|extent| Shares::of(&index, extent, width));
        let Some(shares) = shares.filter(|_| along.differs(found.added) && !along.at(found.place)) else {
            return false;
        };
        self.lanes = Some(Lanes::of(along));
        let (lines, sum) = self.sum(&shares, found.added, None);
        self.lanes = None;
        let (i, (from, to)) = (self.names.cell(range.cell).to_owned(), self.bounds(range));
        let place = self.place(found.place);
        self.line(depth, "{");
        for line in [
            format!("int64_t {i}_first = {from};"),
            format!("for (; {i}_first + {width} <= {to}; {i}_first += {width}) {{"),
            format!("  redexter_v all[{width}];"),
            format!("  for (int64_t k = 0; k < {width}; k++) {{"),
            format!("    const int64_t {i} = {i}_first + k;"),
        ] {
            self.line(depth + 1, &line);
        }
        lines.iter().for_each(|line| self.line(depth + 3, line));
        for line in [
            format!("    all[k] = {sum};"),
            "  }".to_owned(),
            format!("  const int64_t {i} = {i}_first;"),
            format!("  *(redexter_v *)&{place} += redexter_sums(all);"),
            "}".to_owned(),
        ] {
            self.line(depth + 1, &line);
        }
        self.rounds(range, &format!("{i}_first"), inside, depth + 1);
        self.line(depth, "}");
        true
    }

    fn largest(&mut self, shares: &Shares, to: &str, value: &Value, sign: &str) -> Vec<String> {
        let names: Vec<String> = (0..shares.accumulators).map(|k| format!("most{k} = redexter_all({to})")).collect();
        let mut lines = vec![format!("redexter_v {};", names.join(", "))];
        lines.extend(self.shared(shares, |body, k| {
            let own = body.held(value, Number::Real);
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
