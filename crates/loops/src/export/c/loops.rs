//! Writes loops, and sizes in strips. Where code is loaded, loops around others ask whether to go on, and so do those that no
//! loop is around.

use super::Caller;
use super::body::{CBody, size};
use crate::nest::{LoopRange, NestValue, ScalarKind, Stmt, Strips, each_value, repeatable};
use redexter_language::term::Prim;

/// Sums of fewer iterations aren't unrolled, since for them it is the compiler's time that counts.
const MIN_UNROLLED_ITERATIONS: u32 = 64;

/// A loop that no other is around asks after so many iterations whether to go on: they take a millisecond or so.
const ITERATIONS_UNASKED: u32 = 1 << 16;

/// Strips of so many values are written for one vector, too, more where iterations may be done twice: of larger ones, compiling
/// another copy takes longer than what is left of whole strips.
const MOST_WRITTEN: [usize; 2] = [200, 1000];

impl CBody<'_> {
    /// All iterations of a loop.
    pub(super) fn for_loop(&mut self, range: &LoopRange, inside: &[Stmt], depth: usize) {
        let (from, _) = self.bounds(range);
        self.rounds(range, &from, inside, depth);
    }

    /// The iterations of a loop from here on.
    pub(super) fn rounds(&mut self, range: &LoopRange, from: &str, inside: &[Stmt], depth: usize) {
        let (_, to) = self.bounds(range);
        let i = self.names.cell(range.cell);
        if self.vectors > 1
            && self.known(&range.to).is_some_and(|rounds| rounds >= MIN_UNROLLED_ITERATIONS)
            && is_sum(inside)
        {
            self.line(depth, "#pragma GCC unroll 8");
        }
        let known = self.known(&range.to);
        let is_alone = known.is_none() && self.is_alone(range, inside) && self.target.caller == Caller::Loaded;
        let (mut first, mut last, mut depth) = (from.to_owned(), to.clone(), depth);
        if is_alone {
            (first, last) = (format!("{i}_first"), format!("{i}_last"));
            let step = ITERATIONS_UNASKED;
            let line = format!("for (int64_t {first} = {from}; {first} < {to}; {first} += {step}) {{");
            self.line(depth, &line);
            depth += 1;
            self.asks(depth);
            let line = format!("const int64_t {last} = {to} - {first} < {step} ? {to} : {first} + {step};");
            self.line(depth, &line);
        }
        let line = match known {
            Some(1) if range.from == NestValue::Int(0) => format!("{{ const int64_t {i} = {from}; (void){i};"),
            _ => format!("for (int64_t {i} = {first}; {i} < {last}; {i}++) {{"),
        };
        self.line(depth, &line);
        // Innermost loops don't ask, otherwise they would in each iteration. A strip asks itself, so that in one loops around
        // innermost ones needn't.
        if depth_of(inside) > usize::from(self.in_strip) {
            self.asks(depth + 1);
        }
        self.body(inside, depth + 1);
        self.line(depth, "}");
        if is_alone {
            self.line(depth - 1, "}");
        }
    }

    /// Two iterations at once as long as there are two, and the one that may be left.
    pub(super) fn pairs(&mut self, range: &LoopRange, two: &[Stmt], one: &[Stmt], depth: usize) {
        let ((from, to), i) = (self.bounds(range), self.names.cell(range.cell).to_owned());
        self.line(depth, "{");
        let line = format!("int64_t {i} = {from};");
        self.line(depth + 1, &line);
        for (head, inside) in [(format!("{i} + 1 < {to}; {i} += 2"), two), (format!("{i} < {to}; {i}++"), one)] {
            let line = format!("for (; {head}) {{");
            self.line(depth + 1, &line);
            if depth_of(inside) > usize::from(self.in_strip) || self.is_alone(range, inside) {
                self.asks(depth + 2);
            }
            self.body(inside, depth + 2);
            self.line(depth + 1, "}");
        }
        self.line(depth, "}");
    }

    /// Whether a loop stands in no other, and no other in it.
    fn is_alone(&self, range: &LoopRange, inside: &[Stmt]) -> bool {
        let is_own = |stmt: &Stmt| matches!(stmt, Stmt::For(own, _) | Stmt::Pairs(own, ..) if own.cell == range.cell);
        depth_of(inside) == 0 && self.nest.body.iter().any(is_own)
    }

    /// From where to where a loop runs; one that is written for a part of its iterations as far as it is told to.
    pub(super) fn bounds(&self, range: &LoopRange) -> (String, String) {
        match self.part {
            Some(part) if part == range.cell => ("first".to_owned(), "last".to_owned()),
            _ => (self.value(&range.from), self.value(&range.to)),
        }
    }

    /// Whole strips in vectors; what is left in strips of one vector, where there is little to write, and then of one lane.
    /// Where iterations may be done twice, the last vector reaches back over some that are done. Without vectors all strips are
    /// alike; where no loop is written as lanes, the last one is shorter.
    pub(super) fn strips(&mut self, strips: &Strips, inside: &[Stmt], depth: usize) {
        let (base, count) = (self.names.cell(strips.base).to_owned(), self.names.cell(strips.count).to_owned());
        let (n, lanes) = (size(&strips.size, self.names, false), strips.lanes);
        let (from, to) = self.bounds(&LoopRange::of(strips.base, &"base".into(), &strips.size));
        self.in_strip = true;
        if self.vectors == 1 {
            let line = format!("for (int64_t {base} = {from}; {base} < {to}; {base} += {lanes}) {{");
            self.line(depth, &line);
            let line = format!("const int64_t {count} = {n} - {base} < {lanes} ? {n} - {base} : {lanes};");
            self.line(depth + 1, &line);
            self.strip(inside, depth);
        } else {
            let line = format!("int64_t {base} = {from};");
            self.line(depth, &line);
            let (width, again) = (self.vectors, repeatable(self.nest, strips.base));
            let has_narrow = width < lanes && written(inside) <= MOST_WRITTEN[usize::from(again)];
            let narrow = has_narrow.then_some((width, width));
            // Where all loops of a strip run to its end, one by one, what is left is one strip that is shorter.
            let is_plain = !inside.iter().any(has_lanes);
            let narrower = if is_plain { [None, None] } else { [narrow, (lanes > 1).then_some((1, 1))] };
            for (lanes, vectors) in [Some((lanes, width))].into_iter().chain(narrower).flatten() {
                (self.strip, self.vectors) = (Some((strips.count, lanes)), vectors);
                let goes_back = again && narrow == Some((lanes, vectors));
                let goes_on = match goes_back {
                    // There must be a whole vector to reach back over.
                    true => format!("{base} < {to} && {to} - {from} >= {lanes}"),
                    false => format!("{base} + {lanes} <= {to}"),
                };
                let line = format!("for (; {goes_on}; {base} += {lanes}) {{");
                self.line(depth, &line);
                if goes_back {
                    let line = format!("if ({base} > {to} - {lanes}) {base} = {to} - {lanes};");
                    self.line(depth + 1, &line);
                }
                self.strip(inside, depth);
            }
            (self.strip, self.vectors) = (None, width);
            if is_plain {
                let line = format!("if ({base} < {to}) {{");
                self.line(depth, &line);
                let line = format!("const int64_t {count} = {to} - {base};");
                self.line(depth + 1, &line);
                self.strip(inside, depth);
            }
        }
        self.in_strip = false;
    }

    fn strip(&mut self, inside: &[Stmt], depth: usize) {
        self.asks(depth + 1);
        self.body(inside, depth + 1);
        self.line(depth, "}");
    }

    /// Where code is loaded, whether to go on.
    pub(super) fn asks(&mut self, depth: usize) {
        if self.target.caller == Caller::Loaded {
            self.line(depth, "if (*stop) return 1;");
        }
    }
}

/// Whether one number after another is added to a number: each has to wait for the one before, not for the loop, too.
fn is_sum(inside: &[Stmt]) -> bool {
    match inside {
        [Stmt::Set(to, NestValue::Prim(Prim::Add, ScalarKind::Real, operands))] => {
            operands[0] == NestValue::Load(to.clone())
        }
        _ => false,
    }
}

/// Whether iterations are gone through as lanes of vectors.
fn has_lanes(stmt: &Stmt) -> bool {
    matches!(stmt, Stmt::Lanes(..) | Stmt::Pairs(..)) || stmt.inside().into_iter().flatten().any(has_lanes)
}

/// How much a compiler is given to read.
fn written(inside: &[Stmt]) -> usize {
    let mut count = 0;
    each_value(inside, &mut |value| count += value.size());
    count
}

/// How deep loops are nested.
pub(super) fn depth_of(body: &[Stmt]) -> usize {
    let depths = body.iter().map(|stmt| {
        let own = matches!(stmt, Stmt::For(..) | Stmt::Lanes(..) | Stmt::Pairs(..) | Stmt::Strips(..));
        stmt.inside().map(depth_of).into_iter().max().unwrap_or(0) + usize::from(own)
    });
    depths.max().unwrap_or(0)
}
