//! Writes the call of a loop that threads share: they run it, and what they gathered is put together.

use super::{ARGUMENTS, OWN_BYTES, SharedNest};
use crate::export::c::body::{CBody, c_type, size};
use crate::export::c::signature::bytes;
use crate::nest::{Reduction, ScalarKind, Split};
use redexter_language::term::Prim;

impl SharedNest<'_> {
    /// The call of a loop's function, with what comes before and behind.
    pub(super) fn call(&self, k: usize, split: &Split) -> String {
        let mut given: Vec<String> = ARGUMENTS.iter().map(|(_, name)| format!(".{name} = {name}")).collect();
        given.push(format!(".count = threads->shares[{k}]"));
        given.extend(split.before.iter().map(|slot| format!(".{0} = {0}", self.names.slot(slot))));
        let mut text = format!("  struct redexter_frame_{k} frame_{k} = {{{}}};\n", given.join(", "));
        text += &self.copies(k, split);
        text += &format!(
            "  if (frame_{k}.count > 1 ? threads->run(threads->team, redexter_part_{k}, &frame_{k}, frame_{k}.count) \
             : redexter_part_{k}(&frame_{k}, 0)) return 1;\n"
        );
        for (slot, _) in self.numbers(split) {
            text += &format!("  {0} = frame_{k}.done_{0};\n", self.names.slot(slot));
        }
        text += &self.gathered(k, split);
        text
    }

    /// Each other thread begins with what is there, unless it sums.
    fn copies(&self, k: usize, split: &Split) -> String {
        let is_copied = |join: Option<&Reduction>| join.is_some_and(|join| *join != Reduction::Sum);
        if !self.own(split).any(|(_, join)| is_copied(join)) {
            return String::new();
        }
        let mut text = others(k);
        for (slot, join) in self.own(split) {
            let (name, bytes) = (self.names.slot(slot), bytes(slot, self.names));
            if is_copied(join) {
                text += &format!("    memcpy(own, {name}, (size_t)({bytes}));\n");
            }
            text += &format!("    own += {bytes};\n");
        }
        text + "  }\n"
    }

    /// What the other threads gathered is put to what thread 0 did.
    fn gathered(&self, k: usize, split: &Split) -> String {
        if split.joined.is_empty() {
            return String::new();
        }
        let mut text = others(k);
        for (slot, join) in self.own(split) {
            let ty = c_type(slot.array.number);
            if let Some(join) = join {
                let dims = slot.array.dims.iter().map(|n| size(n, self.names, false)).collect::<Vec<_>>().join(" * ");
                let name = format!("{}[k]", self.names.slot(slot));
                let both = self.both(slot.array.number, *join, &name, &format!("(({ty} *)(void *)own)[k]"));
                text += &format!("    for (int64_t k = 0; k < {dims}; k++) {name} = {both};\n");
            }
            text += &format!("    own += {};\n", bytes(slot, self.names));
        }
        for (slot, join) in self.numbers(split) {
            let (ty, name) = (c_type(slot.array.number), self.names.slot(slot));
            let both = self.both(slot.array.number, *join, name, &format!("*({ty} *)(void *)own"));
            text += &format!("    {name} = {both};\n    own += 64;\n");
        }
        text + "  }\n"
    }

    /// What was gathered, put together with what the next thread did.
    fn both(&self, number: ScalarKind, join: Reduction, a: &str, b: &str) -> String {
        let body = CBody::new(self.names, self.target, self.nest);
        let with = |prim: Prim| body.primitive(prim, number, &[a.to_owned(), b.to_owned()]);
        match join {
            Reduction::Sum => with(Prim::Add),
            Reduction::Most(prim) => with(prim),
            Reduction::Best(prim) => format!("({a} {} {b} ? {b} : {a})", prim.text()),
        }
    }
}

/// A loop over all threads but thread 0.
fn others(k: usize) -> String {
    format!("  for (int64_t thread = 1; thread < frame_{k}.count; thread++) {{\n    {OWN_BYTES}\n")
}
