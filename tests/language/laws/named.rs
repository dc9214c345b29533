//! A naive term with names, all of them different: the yardstick for everything that moves variables.

use std::collections::HashMap;

use redexter::term::{Kind, Term};

/// A variable, or a node with its children and the names that it binds in each.
#[derive(Clone, Debug, PartialEq)]
pub enum Named {
    Var(String),
    Node(String, Vec<(Vec<String>, Named)>),
}

/// Makes names that were never used before.
#[derive(Default)]
pub struct Fresh(u32);

impl Fresh {
    fn name(&mut self) -> String {
        self.0 += 1;
        format!("b{}", self.0)
    }

    /// The term with fresh names for what it binds; the free variable with index i is called `free i`.
    pub fn named(&mut self, term: &Term) -> Named {
        self.below(term, &mut Vec::new())
    }

    fn below(&mut self, term: &Term, bound: &mut Vec<String>) -> Named {
        if let Kind::Var = term.kind() {
            let index = term.free().next().expect("a variable").0 as usize;
            return Named::Var(match index.checked_sub(bound.len()) {
                Some(free) => format!("free {free}"),
                None => bound[bound.len() - 1 - index].clone(),
            });
        }
        let mut kids = Vec::new();
        for k in 0..term.kid_count() {
            let binders: Vec<String> = (0..term.kind().binders(k)).map(|_| self.name()).collect();
            bound.extend(binders.iter().cloned());
            kids.push((binders.clone(), self.below(&term.kid(k), bound)));
            bound.truncate(bound.len() - binders.len());
        }
        Named::Node(label(term), kids)
    }
}

/// The constructor without hints, with the type that every term carries.
fn label(term: &Term) -> String {
    let kind = match term.kind() {
        Kind::Lam(_, ty) => format!("Lam {ty}"),
        Kind::Let(_) => "Let".to_owned(),
        Kind::Real(x) => format!("Real {:x}", x.to_bits()),
        other => format!("{other:?}"),
    };
    format!("{kind} : {}", term.ty())
}

impl Named {
    /// Every free occurrence of a name replaced. Names are all different, so nothing can capture.
    pub fn replace(&self, to: &dyn Fn(&str) -> Option<Named>) -> Named {
        match self {
            Named::Var(name) => to(name).unwrap_or_else(|| self.clone()),
            Named::Node(label, kids) => Named::Node(
                label.clone(),
                kids.iter().map(|(binders, kid)| (binders.clone(), kid.replace(to))).collect(),
            ),
        }
    }

    /// Whether the two differ in bound names only.
    pub fn alpha(&self, other: &Named) -> bool {
        same(self, other, &mut HashMap::new(), &mut HashMap::new())
    }
}

fn same(a: &Named, b: &Named, there: &mut HashMap<String, String>, back: &mut HashMap<String, String>) -> bool {
    match (a, b) {
        (Named::Var(x), Named::Var(y)) => match (there.get(x), back.get(y)) {
            (None, None) => x == y,
            (to, from) => to == Some(y) && from == Some(x),
        },
        (Named::Node(l, xs), Named::Node(m, ys)) => {
            l == m
                && xs.len() == ys.len()
                && xs.iter().zip(ys).all(|((from, x), (to, y))| {
                    for (p, q) in from.iter().zip(to) {
                        there.insert(p.clone(), q.clone());
                        back.insert(q.clone(), p.clone());
                    }
                    from.len() == to.len() && same(x, y, there, back)
                })
        }
        _ => false,
    }
}
