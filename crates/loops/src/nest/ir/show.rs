//! Writes loop nests as text, for people.

use rustc_hash::FxHashMap;

use super::{Nest, NestPlace, NestSlot, NestValue, ScalarKind, Stmt, each};
use redexter_language::ground::writing::goes_on;
use redexter_language::term::Fixity;

/// A nest as text: what is given, what is asked for, what is needed meanwhile, what is done.
pub fn nest_text(name: &str, nest: &Nest) -> String {
    let sizes: Vec<String> = nest.sizes.iter().map(|n| format!(" {n}")).collect();
    let mut text = NestPrinter { names: FxHashMap::default(), text: format!("nest {name}{}\n", sizes.concat()) };
    for (word, slots) in [("given", &nest.parameters), ("asked", &nest.results), ("meanwhile", &nest.temporaries)] {
        for slot in slots {
            let line = format!("{word} {}\n", text.declared(slot));
            text.text += &line;
        }
    }
    text.body(&nest.body, 0);
    text.text
}

/// A place as [`nest_text`] writes it.
pub(in crate::nest) fn place_text(nest: &Nest, place: &NestPlace) -> String {
    let mut text = NestPrinter { names: FxHashMap::default(), text: String::new() };
    for slot in nest.parameters.iter().chain(&nest.results).chain(&nest.temporaries) {
        text.name(slot.cell, &slot.hint);
    }
    each(&nest.body, &mut |stmt| match stmt {
        Stmt::Let(slot, _) | Stmt::Var(slot) => drop(text.name(slot.cell, &slot.hint)),
        Stmt::For(range, _) | Stmt::Lanes(range, _) | Stmt::Pairs(range, ..) => {
            drop(text.name(range.cell, &range.hint));
        }
        Stmt::Strips(strips, _) => {
            text.name(strips.base, "base");
            text.name(strips.count, "count");
        }
        Stmt::Set(..) | Stmt::If(..) => {}
    });
    text.place(place)
}

struct NestPrinter {
    names: FxHashMap<u32, String>,
    text: String,
}

impl NestPrinter {
    fn name(&mut self, cell: u32, hint: &str) -> String {
        let name = format!("{hint}.{cell}");
        self.names.insert(cell, name.clone());
        name
    }

    fn declared(&mut self, slot: &NestSlot) -> String {
        let number = if slot.array.number == ScalarKind::Real { "real" } else { "int" };
        let dims: String = slot.array.dims.iter().map(|n| format!("[{n}]")).collect();
        format!("{} : {number}{dims}", self.name(slot.cell, &slot.hint))
    }

    fn line(&mut self, depth: usize, line: &str) {
        self.text += &"  ".repeat(depth);
        self.text += line;
        self.text.push('\n');
    }

    fn body(&mut self, body: &[Stmt], depth: usize) {
        for stmt in body.iter().take_while(|_| goes_on()) {
            match stmt {
                Stmt::Let(slot, value) => {
                    let line = format!("let {} = {}", self.declared(slot), self.value(value));
                    self.line(depth, &line);
                }
                Stmt::Var(slot) => {
                    let line = format!("var {}", self.declared(slot));
                    self.line(depth, &line);
                }
                Stmt::Set(place, value) => {
                    let line = format!("{} := {}", self.place(place), self.value(value));
                    self.line(depth, &line);
                }
                Stmt::For(range, inside) | Stmt::Lanes(range, inside) | Stmt::Pairs(range, inside, _) => {
                    let word = match stmt {
                        Stmt::For(..) => "for",
                        Stmt::Lanes(..) => "lanes",
                        _ => "pairs",
                    };
                    let from = match &range.from {
                        NestValue::Int(0) => String::new(),
                        from => format!(" from {}", self.value(from)),
                    };
                    let to = self.value(&range.to);
                    let line = format!("{word} {}{from} < {to}", self.name(range.cell, &range.hint));
                    self.line(depth, &line);
                    self.body(inside, depth + 1);
                    if let Stmt::Pairs(_, _, one) = stmt {
                        self.line(depth, "last");
                        self.body(one, depth + 1);
                    }
                }
                Stmt::Strips(strips, inside) => {
                    let (base, count) = (self.name(strips.base, "base"), self.name(strips.count, "count"));
                    let line = format!("strips {base}, {count} <= {} of {}", strips.lanes, strips.size);
                    self.line(depth, &line);
                    self.body(inside, depth + 1);
                }
                Stmt::If(condition, a, b) => {
                    let line = format!("if {}", self.value(condition));
                    self.line(depth, &line);
                    self.body(a, depth + 1);
                    if !b.is_empty() {
                        self.line(depth, "else");
                        self.body(b, depth + 1);
                    }
                }
            }
        }
    }

    fn place(&self, place: &NestPlace) -> String {
        let indices: String = place.indices.iter().map(|index| format!("[{}]", self.value(index))).collect();
        format!("{}{indices}", self.names.get(&place.cell).map_or("?", String::as_str))
    }

    fn value(&self, value: &NestValue) -> String {
        match value {
            _ if !goes_on() => String::new(),
            NestValue::Real(x) => format!("{x:?}"),
            NestValue::Int(k) => k.to_string(),
            NestValue::Size(name) => name.to_string(),
            NestValue::Load(place) => self.place(place),
            NestValue::Truth(a) => format!("({} != 0)", self.value(a)),
            NestValue::Select(p) => {
                format!("(if {} then {} else {})", self.value(&p.0), self.value(&p.1), self.value(&p.2))
            }
            NestValue::Prim(prim, _, operands) => {
                let mut all: Vec<String> = operands.iter().map(|operand| self.value(operand)).collect();
                if prim.held().is_some() {
                    all.push(prim.literal().to_string());
                }
                match (prim.fixity(), &all[..]) {
                    (Fixity::Infix(_), [a, b]) => format!("({a} {} {b})", prim.text()),
                    _ => format!("{}({})", prim.text(), all.join(", ")),
                }
            }
        }
    }
}
