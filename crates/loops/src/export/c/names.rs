//! Gives names in C to what a nest mentions. Those of sizes, parameters and results begin with letters that say so, those of
//! other slots end in a number: none is a word of C or a name of its library.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::nest::{Nest, NestSlot, Stmt};
use redexter_language::ground::Name;

/// Names for all that a nest mentions.
pub(super) struct CNames {
    sizes: FxHashMap<Name, String>,
    cells: FxHashMap<u32, String>,
}

impl CNames {
    pub(super) fn new(nest: &Nest) -> CNames {
        let mut taken = FxHashSet::default();
        let mut unique = |base: String| {
            let all = (2..).map(|k| format!("{base}_{k}"));
            let free =
                std::iter::once(base.clone()).chain(all).find(|name| !taken.contains(name)).unwrap_or(base.clone());
            taken.insert(free.clone());
            free
        };
        let sizes = nest.sizes.iter().map(|n| (n.clone(), unique(format!("n_{}", legal(n.as_str()))))).collect();
        let mut cells = FxHashMap::default();
        for slot in &nest.parameters {
            cells.insert(slot.cell, unique(format!("in_{}", legal(&slot.hint))));
        }
        for slot in &nest.results {
            cells.insert(slot.cell, unique("out".to_owned()));
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

/// `text` with what C doesn't allow in a name replaced.
pub(super) fn legal(text: &str) -> String {
    let name: String = text.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    let bare = name.trim_matches('_');
    match bare.chars().next() {
        Some(c) if c.is_ascii_alphabetic() => bare.to_owned(),
        _ => format!("x{bare}"),
    }
}
