//! Writes what grown models compute: sums under guards, over triangles, at places from data, of products and of powers, and
//! gradients.

use super::{LITERALS, Mixed};

impl Mixed {
    /// One sum under a guard, and one without, in the same loops.
    pub(super) fn two_sided(&mut self) -> (String, String) {
        let (outer, inner) = (self.shown(), self.summed());
        let text = self.build(outer, |own, _| {
            let guarded = own.reduction(inner, 1);
            let (guard, other, sum) = (own.guard(1), own.real(1), own.reduction(inner, 1));
            format!("(if {guard} then {guarded} else {other}, {sum})")
        });
        (format!("array {} (real * real)", self.text(outer)), text)
    }

    /// An index is compared with one around it, of the same size or another.
    pub(super) fn triangle(&mut self) -> (String, String) {
        let (outer, inner, over) = (self.shown(), self.shown(), self.summed());
        let inner = if self.random.chance(40) { outer } else { inner };
        let kind = self.random.below(5);
        match kind {
            4 => {
                let streamed = self.streamed();
                let text = self.fold(streamed, "0", |own, s, e| {
                    let sum = own.fold(outer, "0", |own, t, i| {
                        let (name, row) = (
                            own.fresh("r"),
                            own.fold(inner, "0", |own, t, j| {
                                let vector = own.scope.vectors[streamed].0.clone();
                                let value = format!("{vector}[{e}] * {}", own.real(1));
                                format!("if {} then {t} + {value} else {t}", own.relation(i, j))
                            }),
                        );
                        format!("let {name} := {row}; {t} + {name} * {name}")
                    });
                    format!("{s} + {sum}")
                });
                ("real".to_owned(), text)
            }
            0 => {
                let text = self.fold(outer, "0", |own, s, i| {
                    let sum = own.fold(inner, "0", |own, t, j| {
                        format!("if {} then {t} + {} else {t}", own.relation(i, j), own.real(1))
                    });
                    format!("{s} + {sum}")
                });
                ("real".to_owned(), text)
            }
            1 => {
                let text = self.build(outer, |own, i| {
                    own.fold(inner, "0", |own, t, j| {
                        format!("{t} + (if {} then {} else {})", own.relation(i, j), own.real(1), own.real(1))
                    })
                });
                (format!("array {} real", self.text(outer)), text)
            }
            _ => {
                let text = self.build(outer, |own, i| {
                    own.build(inner, |own, j| {
                        let (guard, sum) = (own.relation(i, j), own.reduction(over, 1));
                        let other = if kind == 2 { "0".to_owned() } else { own.real(1) };
                        format!("if {guard} then {sum} else {other}")
                    })
                });
                (format!("array {} (array {} real)", self.text(outer), self.text(inner)), text)
            }
        }
    }

    /// Each round adds to one element, if any.
    pub(super) fn scatter(&mut self) -> (String, String) {
        let (size, over) = (self.shown(), self.summed());
        let second = self.random.chance(30).then(|| self.shown());
        let form = self.random.below(5);
        let round = |own: &mut Mixed, c: &str, s: &str, e: &str| {
            let keys: Vec<String> =
                own.scope.keys.iter().filter(|(_, o, _)| *o == over).map(|(p, _, _)| format!("{p}[{e}]")).collect();
            let key = match own.random.below(10) {
                0 => e.to_owned(),
                1 => own.index().map_or("0".to_owned(), |(index, _)| index),
                2 => own.random.pick(&LITERALS).to_string(),
                _ if keys.is_empty() => e.to_owned(),
                _ => own.random.pick(&keys).clone(),
            };
            let is_own = if own.random.chance(50) { format!("{key} = {c}") } else { format!("{c} = {key}") };
            let value = own.real(1);
            match form {
                0 | 1 => format!("{s} + (if {is_own} then {value} else 0)"),
                2 => format!("if {is_own} then {s} + {value} else {s}"),
                3 => format!("{s} + {value} * (if {is_own} then 1 else 0)"),
                _ => format!("if {is_own} && {} then {s} + {value} else {s}", own.guard(0)),
            }
        };
        let text = self.build(size, |own, c| match second {
            Some(second) => own.build(second, |own, d| {
                let found = if own.random.chance(50) { c.to_owned() } else { d.to_owned() };
                own.fold(over, "0", |own, s, e| round(own, &found, s, e))
            }),
            None => own.fold(over, "0", |own, s, e| round(own, c, s, e)),
        });
        let element = second.map_or("real".to_owned(), |second| format!("(array {} real)", self.text(second)));
        (format!("array {} {element}", self.text(size)), text)
    }

    /// Sums of products whose factors depend on one index of the result each.
    pub(super) fn products(&mut self) -> (String, String) {
        let (a, b, over) = (self.shown(), self.shown(), self.streamed());
        let kind = self.random.below(3);
        let text = self.build(a, |own, i| {
            own.build(b, |own, j| {
                let sum = own.fold(over, "0", |own, s, _| {
                    let factor = |own: &mut Mixed, other: &str| {
                        let before = own.scope.clone();
                        own.scope.indices.retain(|(index, _)| index != other);
                        let factor = own.real(1);
                        own.scope = before;
                        factor
                    };
                    let (one, two) = (factor(own, j), factor(own, i));
                    format!("{s} + {one} * {two}")
                });
                match kind {
                    0 => sum,
                    1 => format!("(if {} then {sum} else 0)", own.relation(i, j)),
                    _ => format!("(if {} then {sum} else {})", own.guard(1), own.atom()),
                }
            })
        });
        (format!("array {} (array {} real)", self.text(a), self.text(b)), text)
    }

    /// Tables of powers, and powers under guards.
    pub(super) fn powers(&mut self) -> (String, String) {
        let (rows, over, name) = (self.streamed(), self.shown(), self.fresh("y"));
        let vector = self.scope.vectors[rows].0.clone();
        let table = self.build(rows, |own, e| {
            let base = if own.random.chance(50) {
                format!("{vector}[{e}]")
            } else {
                format!("({vector}[{e}] + {})", own.atom())
            };
            own.build(over, |_, j| format!("pow {base} {j}"))
        });
        self.scope.matrices.push((name.clone(), rows, over));
        let sums = self.build(over, |own, j| {
            own.fold(rows, "0", |own, s, e| match own.random.below(3) {
                0 => format!("{s} + {name}[{e}][{j}]"),
                1 => format!("if {} then {s} + {name}[{e}][{j}] * {} else {s}", own.guard(1), own.real(1)),
                _ => format!("{s} + {name}[{e}][{j}] * {}", own.real(1)),
            })
        });
        let all = self.fold(rows, "0", |own, s, e| {
            let row = own.fold(over, "0", |own, s, j| {
                let power =
                    if own.random.chance(50) { format!("{name}[{e}][{j}]") } else { format!("pow {} {j}", own.atom()) };
                match own.random.below(3) {
                    0 => format!("if {} then {s} + {power} else {s}", own.relation(e, j)),
                    1 => format!("{s} + (if {} then {power} else 0)", own.guard(1)),
                    _ => format!("{s} + {power} * {}", own.atom()),
                }
            });
            format!("{s} + {row}")
        });
        self.scope.matrices.pop();
        (format!("(array {} real) * real", self.text(over)), format!("(let {name} := {table}; ({sums}, {all}))"))
    }

    /// Elements at places that are searched for each pair of indices, and needed for some of them.
    pub(super) fn looked_up(&mut self) -> (String, String) {
        let (Some(into), size, over) = (self.filled(), self.shown(), self.streamed()) else { return self.states() };
        let (inner, name) = (if self.random.chance(70) { size } else { self.shown() }, self.fresh("b"));
        let ty = format!("array {} (array {} (fin {}))", self.text(size), self.text(inner), self.text(into));
        let table = self.build(size, |own, _| own.build(inner, |own, _| own.best(into)));
        self.scope.maps.push((name.clone(), size, inner, into));
        let sum = self.fold(over, "0", |own, s, _| {
            let rows = own.fold(size, "0", |own, s, i| {
                let row = own.fold(inner, "0", |own, s, j| {
                    format!("if {} then {s} + {} * {} else {s}", own.relation(i, j), own.atom(), own.real(1))
                });
                format!("{s} + {row}")
            });
            format!("{s} + {rows}")
        });
        let other = self.build(size, |own, i| {
            own.fold(inner, "0", |own, s, j| format!("if {} then {s} + {} else {s}", own.relation(i, j), own.real(1)))
        });
        self.scope.maps.pop();
        let both = format!("real * array {} real", self.text(size));
        (both, format!("(let {name} : {ty} := {table}; ({sum}, {other}))"))
    }

    /// A table that is read along its rows and along its columns.
    pub(super) fn columns(&mut self) -> (String, String) {
        let (rows, columns, name) = (self.streamed(), self.shown(), self.fresh("y"));
        let table = self.build(rows, |own, _| own.build(columns, |own, _| own.dear()));
        self.scope.matrices.push((name.clone(), rows, columns));
        let along = self.build(rows, |own, _| own.reduction(columns, 1));
        let across = self.build(columns, |own, _| own.reduction(rows, 1));
        self.scope.matrices.pop();
        let ty = format!("(array {} real) * (array {} real)", self.text(rows), self.text(columns));
        (ty, format!("(let {name} := {table}; ({along}, {across}))"))
    }

    /// One-hot tangents under a build, as the derivative has them.
    pub(super) fn gradient(&mut self) -> (String, String) {
        let (vector, size) = self.random.pick(&self.scope.vectors).clone();
        let (name, over) = (self.fresh("g"), self.summed());
        let before = self.scope.clone();
        self.scope.vectors.push((name.clone(), size));
        let value = self.reduction(over, 2);
        let sum = self.reduction(size, 1);
        self.scope = before;
        let text = self.text(size);
        (format!("array {text} real"), format!("(grad (fun ({name} : array {text} real) => {value} + {sum}) {vector})"))
    }
}
