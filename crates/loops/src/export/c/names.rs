//! Gives names in C to what a nest mentions. Those of sizes, parameters and results begin with letters that say so, those of
//! other slots end in a number: none is a word of C or a name of its library.

use rustc_hash::FxHashMap;

use crate::export::spelling::{UniqueNames, spelled};
use crate::nest::{Nest, NestSlot, Stmt};
use redexter_language::ground::Name;

/// Names for all that a nest mentions.
pub(super) struct CNames {
    sizes: FxHashMap<Name, String>,
    cells: FxHashMap<u32, String>,
}

impl CNames {
    pub(super) fn new(nest: &Nest) -> CNames {
        let mut taken = UniqueNames::default();
        let sizes = nest.sizes.iter().map(|n| (n.clone(), taken.one(&format!("n_{}", legal(n.as_str()))))).collect();
        let mut cells = FxHashMap::default();
        for slot in &nest.parameters {
            cells.insert(slot.cell, taken.one(&format!("in_{}", legal(&slot.hint))));
        }
        for slot in &nest.results {
            cells.insert(slot.cell, taken.one("out"));
        }
        let mut names = CNames { sizes, cells };
        nest.temporaries.iter().for_each(|slot| names.local(slot.cell, &slot.hint));
        names.gather(&nest.body);
        names
    }

    fn gather(&mut self, body: &[Stmt]) {
        for stmt in body {
            match stmt {
                Stmt::Let(slot, _) | Stmt::Var(slot) => self.local(slot.cell, &slot.hint),
                Stmt::Set(..) => {}
                Stmt::For(range, inside) | Stmt::Lanes(range, inside) => {
                    self.local(range.cell, &range.hint);
                    self.gather(inside);
                }
                Stmt::Pairs(range, two, one) => {
                    self.local(range.cell, &range.hint);
                    self.gather(two);
                    self.gather(one);
                }
                Stmt::Strips(strips, inside) => {
                    self.local(strips.base, "base");
                    self.local(strips.count, "count");
                    self.gather(inside);
                }
                Stmt::If(_, a, b) => {
                    self.gather(a);
                    self.gather(b);
                }
            }
        }
    }

    fn local(&mut self, cell: u32, hint: &str) {
        self.cells.insert(cell, format!("x_{}_{cell}", legal(hint)));
    }

    pub(super) fn cell(&self, cell: u32) -> &str {
        self.cells.get(&cell).map_or("unknown", String::as_str)
    }

    pub(super) fn slot(&self, slot: &NestSlot) -> &str {
        self.cell(slot.cell)
    }

    pub(super) fn size(&self, name: &Name) -> &str {
        self.sizes.get(name).map_or("unknown", String::as_str)
    }
}

/// `text` spelled for a part of a name.
pub(super) fn legal(text: &str) -> String {
    spelled(text, "_").trim_end_matches('_').to_owned()
}

/// The names of the functions, each of which takes its name with `_arena` behind it, too: none is C's own or one that the source
/// defines. `spoken` is the source without them.
pub(super) fn functions<'a>(prefix: &str, names: impl Iterator<Item = &'a Name>, spoken: &str) -> Vec<String> {
    let words = spoken.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    let mut taken = UniqueNames::without(words.map(str::to_owned));
    let named = |name: &Name| {
        let own = format!("{prefix}_{}", spelled(name.as_str(), "_prime"));
        // C and its libraries have types of this form.
        let end = if own.ends_with("_t") { "_" } else { "" };
        taken.with_ends(&(own + end), &["_arena"])
    };
    names.map(named).collect()
}
