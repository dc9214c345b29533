//! Writes scans and scatters into grown models: states of each kind, and keys from data that may be no places.

use super::Mixed;

impl Mixed {
    /// A loop forwards or backwards that keeps something of each round.
    fn scan(&mut self, size: usize, init: &str, round: impl FnOnce(&mut Mixed, &str, &str) -> String) -> String {
        let (word, state) = (self.random.pick(&["scan", "scanr"]).to_string(), self.fresh("s"));
        let (index, body) = self.with_index(size, |own, index| round(own, &state, index));
        format!("({word} {} (fun {state} {index} => {body}) {init})", self.text(size))
    }

    /// A scan whose state is a number, and which keeps a number.
    fn numbers(&mut self, over: usize) -> String {
        let init = self.atom();
        self.scan(over, &init, |own, s, _| {
            own.scope.reals.push(s.to_owned());
            let next = own.real(2);
            let other = own.real(1);
            own.scope.reals.pop();
            let kept = own.random.pick(&["t", s, &other]).to_string();
            match own.random.below(3) {
                0 => format!("let t := {next}; (t, {kept})"),
                1 => format!("let t := {s} * 0.5 + {next}; (t, {kept})"),
                _ => format!("let t := if {} then {next} else {s}; (t, {kept})", own.guard(1)),
            }
        })
    }

    /// A scan with a state of some kind: all that it gives, what is read of it, or what rounds of a loop read of their own.
    pub(super) fn scanned(&mut self) -> (String, String) {
        let (over, size) = (self.summed(), self.shown());
        let (rounds, row) = (self.text(over), self.text(size));
        match self.random.below(5) {
            0 => (format!("real * array {rounds} real"), self.numbers(over)),
            1 => {
                let text = self.scan(over, "(0, 1)", |own, s, _| {
                    let (a, b) = (own.real(1), own.real(1));
                    let kept = own.random.pick(&[&format!("{s}.1"), &a]).to_string();
                    format!("(({s}.2 + {a}, {s}.1 * {b}), ({kept}, {s}.2))")
                });
                (format!("(real * real) * array {rounds} (real * real)"), text)
            }
            2 => {
                let init = self.build(size, |own, _| own.real(1));
                let text = self.scan(over, &init, |own, s, _| {
                    own.scope.vectors.push((s.to_owned(), size));
                    let next = own.build(size, |own, j| format!("{s}[{j}] * 0.5 + {}", own.real(1)));
                    own.scope.vectors.pop();
                    format!("let t := {next}; (t, {})", own.random.pick(&["t", s]))
                });
                (format!("array {row} real * array {rounds} (array {row} real)"), text)
            }
            3 => {
                let (name, text) = (self.fresh("t"), self.numbers(over));
                self.scope.vectors.push((format!("(snd {name})"), over));
                let (one, other) = (self.build(size, |own, _| own.real(2)), self.reduction(over, 1));
                self.scope.vectors.pop();
                (format!("(array {row} real) * real"), format!("(let {name} := {text}; ({one}, {other}))"))
            }
            _ => {
                let text = self.build(size, |own, _| own.numbers(over));
                (format!("array {row} (real * array {rounds} real)"), text)
            }
        }
    }

    /// A place, or none.
    fn key(&mut self, over: usize, e: &str) -> String {
        let mut data = vec![format!("int {e}")];
        data.extend(self.scope.keys.iter().filter(|(_, o, _)| *o == over).map(|(keys, ..)| format!("int {keys}[{e}]")));
        data.extend(self.scope.ints.iter().filter(|(_, o)| *o == over).map(|(ints, _)| format!("{ints}[{e}]")));
        let key = self.random.pick(&data).clone();
        match self.random.below(8) {
            0 => "c".to_owned(),
            1 => format!("({key} + 1)"),
            2 => format!("({} - 1 - {key})", self.text(over)),
            3 => format!("(if {} then {key} else -1)", self.guard(1)),
            _ => key,
        }
    }

    /// Values that are added where their keys say.
    pub(super) fn scattered(&mut self) -> (String, String) {
        let (places, over, inner) = (self.shown(), self.summed(), self.shown());
        let kind = self.random.below(4);
        let (first, second) = (self.fresh("i"), self.fresh("i"));
        self.scope.indices.push((first.clone(), over));
        if kind == 0 {
            self.scope.indices.push((second.clone(), inner));
        }
        let key = if kind == 0 && self.random.chance(50) { self.key(inner, &second) } else { self.key(over, &first) };
        let value = match kind {
            1 => self.build(inner, |own, _| own.real(1)),
            2 => format!("({}, {})", self.real(1), self.real(1)),
            _ => self.real(2),
        };
        self.scope.indices.truncate(self.scope.indices.len() - if kind == 0 { 2 } else { 1 });
        let [places, rounds, inner] = [places, over, inner].map(|size| self.text(size));
        let (loops, names) = match kind {
            0 => (format!("({rounds}, {inner})"), format!("{first} {second}")),
            _ => (rounds, first),
        };
        let element = match kind {
            1 => format!("(array {inner} real)"),
            2 => "(real * real)".to_owned(),
            _ => "real".to_owned(),
        };
        (format!("array {places} {element}"), format!("(scatter {places} {loops} (fun {names} => ({key}, {value})))"))
    }
}
