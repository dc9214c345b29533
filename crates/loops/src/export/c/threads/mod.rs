//! Writes loaded code whose loops are shared out among threads: each such loop is a function of a thread's number, which whoever
//! calls the code runs for all numbers at once; what threads gathered by themselves is then put together in their order.
//!
//! Thread 0 stores where one thread would; each other has a part of `own` for temporaries of its own.

mod call;

use super::CTarget;
use super::body::{CBody, c_type, size};
use super::names::CNames;
use super::signature::{TEMPORARIES, UNUSED, bytes, slots, temporary};
use crate::nest::{Nest, NestSlot, Reduction, Split, Stmt};

/// What loaded code is called by that shares loops out.
pub const SHARED: &str = "redexter_shared";

/// What whoever calls the code gives: how many threads each loop has, their bytes, and what runs a function for all of them.
const TYPES: &str = r"
#include <string.h>
struct redexter_threads {
  const int64_t *shares;
  char *own;
  int64_t each;
  void *team;
  int (*run)(void *team, int (*part)(void *, int64_t), void *frame, int64_t count);
};
";

/// The arguments of the code, as what is kept for each loop has them.
const ARGUMENTS: [(&str, &str); 7] = [
    ("const int64_t *", "sizes"),
    ("const void *const *", "given"),
    ("void *const *", "asked"),
    ("void *", "arena"),
    ("double (*const *", "functions"),
    ("const volatile int *", "stop"),
    ("const struct redexter_threads *", "threads"),
];

/// An argument as it is declared.
fn declared((ty, name): (&str, &str)) -> String {
    let rest = if name == "functions" { ")(double)" } else { "" };
    format!("{ty}{name}{rest}")
}

/// A nest whose loops are shared out.
struct SharedNest<'a> {
    nest: &'a Nest,
    names: &'a CNames,
    target: &'a CTarget,
}

/// The function that is loaded, behind those for loops.
pub(super) fn entry(nest: &Nest, splits: &[Split], names: &CNames, target: &CTarget) -> String {
    let shared = SharedNest { nest, names, target };
    let mut text = TYPES.to_owned();
    splits.iter().enumerate().for_each(|(k, split)| text += &shared.part(k, split));
    let head = format!("int {SHARED}({})", ARGUMENTS.map(declared).join(", "));
    // Without `restrict`, since functions of loops write through pointers of their own.
    text += &format!("\n{head};\n{head} {{\n{UNUSED}{}{TEMPORARIES}", slots(nest, names, ""));
    nest.temporaries.iter().for_each(|slot| text += &temporary(slot, names, ""));
    for (at, stmt) in nest.body.iter().enumerate() {
        match splits.iter().position(|split| split.at == at) {
            Some(k) => text += &shared.call(k, &splits[k]),
            None => {
                let mut body = CBody::new(names, target, nest);
                body.body(std::slice::from_ref(stmt), 1);
                text += &body.text;
            }
        }
    }
    text + "  return 0;\n}\n"
}

/// Where the bytes of a thread begin.
const OWN_BYTES: &str = "char *own = threads->own + (-(uintptr_t)threads->own & 63) + (thread - 1) * threads->each;";

impl SharedNest<'_> {
    fn joined<'s>(&self, split: &'s Split, slot: &NestSlot) -> Option<&'s Reduction> {
        split.joined.iter().find(|(other, _)| other.cell == slot.cell).map(|(_, join)| join)
    }

    /// Temporaries of which each thread has its own, in the order in which they lie.
    fn own<'s>(&'s self, split: &'s Split) -> impl Iterator<Item = (&'s NestSlot, Option<&'s Reduction>)> {
        let has = |slot: &NestSlot| split.own.iter().any(|own| own.cell == slot.cell);
        let all = self.nest.temporaries.iter().map(move |slot| (slot, self.joined(split, slot)));
        all.filter(move |(slot, join)| join.is_some() || has(slot))
    }

    /// Numbers that are joined.
    fn numbers<'s>(&'s self, split: &'s Split) -> impl Iterator<Item = (&'s NestSlot, &'s Reduction)> {
        split.before.iter().filter_map(move |slot| Some((slot, self.joined(split, slot)?)))
    }

    /// A loop as a function, and what it is given.
    fn part(&self, k: usize, split: &Split) -> String {
        let mut text = format!("\nstruct redexter_frame_{k} {{\n");
        ARGUMENTS.map(declared).iter().for_each(|argument| text += &format!("  {argument};\n"));
        text += "  int64_t count;\n";
        for slot in &split.before {
            text += &format!("  {} {};\n", c_type(slot.array.number), self.names.slot(slot));
        }
        for (slot, _) in self.numbers(split) {
            text += &format!("  {} done_{};\n", c_type(slot.array.number), self.names.slot(slot));
        }
        text += &format!(
            "}};\nstatic int redexter_part_{k}(void *whole, int64_t thread) {{\n  struct redexter_frame_{k} *frame = whole;\n"
        );
        for (ty, name) in ARGUMENTS {
            text += &format!("  {} = frame->{name};\n", declared((ty, name)));
        }
        text += &format!("{UNUSED}{}{TEMPORARIES}  {OWN_BYTES}\n", slots(self.nest, self.names, "restrict "));
        self.nest.temporaries.iter().for_each(|slot| text += &self.temporary(split, slot));
        for slot in &split.before {
            let (ty, name) = (c_type(slot.array.number), self.names.slot(slot));
            text += &match self.joined(split, slot) {
                // Thread 0 goes on with what was there and the others begin with 0, so that it is added once.
                Some(Reduction::Sum) => format!("  {ty} {name} = thread ? 0 : frame->{name};\n"),
                Some(_) => format!("  {ty} {name} = frame->{name};\n"),
                None => format!("  const {ty} {name} = frame->{name};\n"),
            };
        }
        text += &self.rounds(split);
        for (slot, _) in self.numbers(split) {
            let (ty, name) = (c_type(slot.array.number), self.names.slot(slot));
            text += &format!("  if (thread) *({ty} *)(void *)own = {name}; else frame->done_{name} = {name};\n");
            text += "  own += 64;\n";
        }
        text + "  return 0;\n}\n"
    }

    /// The iterations of a thread.
    fn rounds(&self, split: &Split) -> String {
        let stmt = &self.nest.body[split.at];
        let mut body = CBody::new(self.names, self.target, self.nest);
        let all = match stmt {
            Stmt::Strips(strips, _) => size(&strips.size, self.names, false),
            Stmt::For(range, _) | Stmt::Pairs(range, ..) => body.value(&range.to),
            _ => return String::new(),
        };
        let grain = split.grain;
        // It is divided before it is multiplied, so that the product can't overflow.
        let first = |thread: &str| {
            format!("(blocks / frame->count * {thread} + blocks % frame->count * {thread} / frame->count) * {grain}")
        };
        let mut text = format!("  const int64_t rounds = {all}, blocks = (rounds + {}) / {grain};\n", grain - 1);
        text += &format!("  const int64_t first = {}, behind = {};\n", first("thread"), first("(thread + 1)"));
        text += "  const int64_t last = behind < rounds ? behind : rounds;\n";
        body.part = Some(split.index);
        match stmt {
            Stmt::For(range, inside) => body.for_loop(range, inside, 1),
            stmt => body.body(std::slice::from_ref(stmt), 1),
        }
        text + body.text.as_str()
    }

    /// A temporary, as a thread finds it.
    fn temporary(&self, split: &Split, slot: &NestSlot) -> String {
        let Some((_, join)) = self.own(split).find(|(own, _)| own.cell == slot.cell) else {
            return temporary(slot, self.names, "restrict ");
        };
        let (ty, name, bytes) = (c_type(slot.array.number), self.names.slot(slot), bytes(slot, self.names));
        let mut text = format!("  {ty} *restrict {name} = ({ty} *)(void *)(thread ? own : free_bytes);\n");
        if join == Some(&Reduction::Sum) {
            text += &format!("  if (thread) memset({name}, 0, (size_t)({bytes}));\n");
        }
        // Both go on, whichever was used, so that what follows lies at the same place for all threads.
        text += &format!("  free_bytes += {bytes};\n  own += {bytes};\n");
        text
    }
}
