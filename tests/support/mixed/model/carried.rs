//! Writes folds into grown models that carry several numbers, or arrays.

use super::Mixed;

impl Mixed {
    /// Folds that carry several numbers.
    pub(super) fn states(&mut self) -> (String, String) {
        let (size, over) = (self.shown(), self.summed());
        let kinds = (self.random.below(3), self.random.below(3));
        let text = self.build(size, |own, _| {
            own.fold(over, "(0, 0)", |own, s, _| {
                let first = match kinds.0 {
                    0 => format!("{s}.1 + {}", own.real(1)),
                    1 => format!("if {} then {s}.1 + {} else {s}.1", own.guard(1), own.real(1)),
                    _ => format!("{s}.1 * {s}.2 + {}", own.real(1)),
                };
                let second = match kinds.1 {
                    0 => format!("max {s}.2 {}", own.real(1)),
                    1 => format!("{s}.2 + (if {} then {} else 0)", own.guard(1), own.real(1)),
                    _ => format!("{s}.1 + {} * {s}.2", own.real(1)),
                };
                format!("({first}, {second})")
            })
        });
        (format!("array {} (real * real)", self.text(size)), text)
    }

    fn carrying(&mut self, size: usize, over: usize) -> String {
        let is_mixed = self.random.chance(50);
        let init = self.build(size, |own, _| own.real(1));
        self.fold(over, &init, |own, h, _| {
            own.build(size, |own, j| {
                if is_mixed {
                    own.scope.vectors.push((h.to_owned(), size));
                }
                let (value, guard) = (own.real(2), own.guard(1));
                if is_mixed {
                    own.scope.vectors.pop();
                }
                match own.random.below(3) {
                    0 => format!("if {guard} then {h}[{j}] + {value} else {h}[{j}]"),
                    1 => format!("{h}[{j}] + (if {guard} then {value} else 0)"),
                    _ => format!("{h}[{j}] * 0.5 + {value}"),
                }
            })
        })
    }

    /// A fold that carries an array; its rounds read elements of their own, or any.
    pub(super) fn carried(&mut self) -> (String, String) {
        let (size, over) = (self.shown(), self.summed());
        (format!("array {} real", self.text(size)), self.carrying(size, over))
    }

    /// Such folds in the rounds of a loop.
    pub(super) fn abreast(&mut self) -> (String, String) {
        let (rows, size, over) = (self.variable(), self.size(), self.summed());
        let text = self.build(rows, |own, _| {
            let (name, value) = (own.fresh("h"), own.carrying(size, over));
            own.scope.vectors.push((name.clone(), size));
            let body = own.reduction(size, 1);
            own.scope.vectors.pop();
            format!("let {name} := {value}; {body}")
        });
        (format!("array {} real", self.text(rows)), text)
    }
}
