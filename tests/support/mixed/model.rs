//! This generator writes models whose arrays, loops and guards have different sizes.

mod carried;
mod kept;
mod parts;

use redexter::ground::Random;

/// A size as it is written.
struct Extent {
    text: String,
    /// It is above 0 whatever its variables are.
    is_filled: bool,
    /// Sizes, or a size and a literal, whose sum it is.
    sum: Option<(usize, Addend)>,
}

#[derive(Clone, Copy)]
enum Addend {
    Size(usize),
    One,
}

/// What expressions can mention: names with their sizes by number.
#[derive(Clone, Default)]
struct Scope {
    /// Loops' and others.
    indices: Vec<(String, usize)>,
    reals: Vec<String>,
    vectors: Vec<(String, usize)>,
    matrices: Vec<(String, usize, usize)>,
    /// Arrays of indices of the second size.
    keys: Vec<(String, usize, usize)>,
    /// Matrices of indices of the third size.
    maps: Vec<(String, usize, usize, usize)>,
    pairs: Vec<(String, usize)>,
    ints: Vec<(String, usize)>,
}

/// Text of the model language. Expressions stand in parentheses, or need none.
pub struct Mixed {
    random: Random,
    functions: bool,
    /// Size variables come first.
    sizes: Vec<Extent>,
    variables: usize,
    scope: Scope,
    names: usize,
}

const LITERALS: [u64; 16] = [0, 1, 2, 3, 4, 5, 7, 8, 16, 31, 32, 33, 40, 99, 100, 101];
const COMPARISONS: [&str; 6] = ["<", "<=", ">", ">=", "=", "!="];

impl Mixed {
    pub fn new(seed: u64, functions: bool) -> Mixed {
        let random = Random::new(seed.wrapping_mul(0x9e37_79b9));
        Mixed { random, functions, sizes: Vec::new(), variables: 0, scope: Scope::default(), names: 0 }
    }

    /// A definition whose parameters and result are data.
    pub fn model(&mut self) -> String {
        let binders = self.extents();
        let parameters = self.parameters();
        let mut lets = String::new();
        for _ in 0..self.random.below(3) {
            lets += &self.shared();
        }
        let (mut ty, mut body) = self.part();
        if self.random.chance(35) {
            let (other, more) = self.part();
            (ty, body) = (format!("({ty}) * ({other})"), format!("({body}, {more})"));
        }
        format!("def f {binders} {parameters} : {ty} :=\n{lets}  {body}\n")
    }

    fn fresh(&mut self, letter: &str) -> String {
        self.names += 1;
        format!("{letter}{:03}", self.names)
    }

    // Sizes.

    fn extents(&mut self) -> String {
        let names = ["n", "m", "k", "l"];
        self.variables = 2 + self.random.below(3);
        let filled: Vec<bool> = (0..self.variables).map(|_| self.random.chance(40)).collect();
        for (name, is_filled) in names.iter().zip(&filled) {
            self.sizes.push(Extent { text: (*name).to_owned(), is_filled: *is_filled, sum: None });
        }
        for _ in 0..1 + self.random.below(3) {
            let (a, b) = (self.random.below(self.variables), self.random.below(self.variables));
            let literal = *self.random.pick(&[1, 2, 3, 8, 100]);
            let sum = |addend| Some((a, addend));
            let extent = match self.random.below(5) {
                0 => Extent { text: format!("({} + 1)", names[a]), is_filled: true, sum: sum(Addend::One) },
                1 if a < b => {
                    let text = format!("({} + {})", names[a], names[b]);
                    Extent { text, is_filled: filled[a] || filled[b], sum: sum(Addend::Size(b)) }
                }
                2 => {
                    let text = format!("(2 * {})", names[a]);
                    Extent { text, is_filled: filled[a], sum: sum(Addend::Size(a)) }
                }
                _ => Extent { text: literal.to_string(), is_filled: true, sum: None },
            };
            if !self.sizes.iter().any(|other| other.text == extent.text) {
                self.sizes.push(extent);
            }
        }
        let all = names
            .iter()
            .zip(&filled)
            .map(|(name, is_filled)| format!("{{{name}{}}}", if *is_filled { " >= 1" } else { "" }));
        all.collect::<Vec<_>>().join(" ")
    }

    fn size(&mut self) -> usize {
        self.random.below(self.sizes.len())
    }

    /// The first one, if a parameter of this size comes first and no row of the result has it, is gone through in strips.
    fn streamed(&mut self) -> usize {
        if self.random.chance(75) { 0 } else { self.variable() }
    }

    /// One of a loop that sums.
    fn summed(&mut self) -> usize {
        if self.random.chance(35) { 0 } else { self.size() }
    }

    /// One of a result.
    fn shown(&mut self) -> usize {
        match self.size() {
            0 if self.random.chance(75) => self.size(),
            size => size,
        }
    }

    /// One that has a name.
    fn variable(&mut self) -> usize {
        self.random.below(self.variables)
    }

    fn filled(&mut self) -> Option<usize> {
        let all: Vec<usize> = (0..self.sizes.len()).filter(|s| self.sizes[*s].is_filled).collect();
        (!all.is_empty()).then(|| *self.random.pick(&all))
    }

    fn text(&self, size: usize) -> String {
        self.sizes[size].text.clone()
    }

    // Parameters.

    fn parameters(&mut self) -> String {
        let mut all = vec!["(x : real)".to_owned(), "(c : int)".to_owned()];
        self.scope.reals.push("x".to_owned());
        for size in 0..self.sizes.len() {
            if size < self.variables || self.random.chance(50) {
                let name = self.fresh("v");
                all.push(format!("({name} : array {} real)", self.text(size)));
                self.scope.vectors.push((name, size));
            }
        }
        for _ in 0..2 + self.random.below(2) {
            let (a, b, name) = (self.size(), self.size(), self.fresh("a"));
            all.push(format!("({name} : array {} (array {} real))", self.text(a), self.text(b)));
            self.scope.matrices.push((name, a, b));
        }
        for _ in 0..2 {
            if let Some(into) = self.filled() {
                let (over, name) = (self.size(), self.fresh("p"));
                all.push(format!("({name} : array {} (fin {}))", self.text(over), self.text(into)));
                self.scope.keys.push((name, over, into));
            }
        }
        if let Some(size) = self.filled() {
            let name = self.fresh("q");
            all.push(format!("({name} : fin {})", self.text(size)));
            self.scope.indices.push((name, size));
        }
        let (size, name) = (self.size(), self.fresh("w"));
        all.push(format!("({name} : array {} (real * real))", self.text(size)));
        self.scope.pairs.push((name, size));
        let (size, name) = (self.size(), self.fresh("z"));
        all.push(format!("({name} : array {} int)", self.text(size)));
        self.scope.ints.push((name, size));
        // The first array's size is often the one that is gone through in strips.
        let first = all.remove(2);
        for k in (1..all.len()).rev() {
            let other = self.random.below(k + 1);
            all.swap(k, other);
        }
        let at = if self.random.chance(60) { 0 } else { all.len() };
        all.insert(at, first);
        all.join(" ")
    }

    // Expressions.

    fn with_index(&mut self, size: usize, inside: impl FnOnce(&mut Mixed, &str) -> String) -> (String, String) {
        let name = self.fresh("i");
        self.scope.indices.push((name.clone(), size));
        let body = inside(self, &name);
        self.scope.indices.pop();
        (name, body)
    }

    fn build(&mut self, size: usize, inside: impl FnOnce(&mut Mixed, &str) -> String) -> String {
        let (index, body) = self.with_index(size, inside);
        format!("(build {} (fun {index} => {body}))", self.text(size))
    }

    /// A fold; `inside` writes a round from the names of the state and the index.
    fn fold(&mut self, size: usize, init: &str, inside: impl FnOnce(&mut Mixed, &str, &str) -> String) -> String {
        let state = self.fresh("s");
        let (index, body) = self.with_index(size, |own, index| inside(own, &state, index));
        format!("(ifold {} (fun {state} {index} => {body}) {init})", self.text(size))
    }

    /// Texts of indices of a size.
    fn indices(&mut self, size: usize) -> Vec<String> {
        let plain: Vec<String> =
            self.scope.indices.iter().filter(|(_, s)| *s == size).map(|(i, _)| i.clone()).collect();
        if !plain.is_empty() && self.random.chance(65) {
            return plain;
        }
        let mut all = plain;
        let own = |s: usize| self.scope.indices.iter().filter(move |(_, other)| *other == s).map(|(i, _)| i);
        for (keys, over, _) in self.scope.keys.iter().filter(|(_, _, into)| *into == size) {
            all.extend(own(*over).map(|i| format!("{keys}[{i}]")));
        }
        for (maps, a, b, _) in self.scope.maps.iter().filter(|(_, _, _, into)| *into == size) {
            all.extend(own(*a).flat_map(|i| own(*b).map(move |j| format!("{maps}[{i}][{j}]"))));
        }
        match self.sizes[size].sum {
            Some((a, Addend::One)) => all.extend(own(a).map(|i| format!("{i} + 1"))),
            Some((a, Addend::Size(b))) => {
                all.extend(own(a).flat_map(|i| own(b).map(move |j| format!("{i} + {j}"))));
            }
            None => {}
        }
        if self.sizes[size].is_filled && (all.is_empty() || self.random.chance(5)) {
            all.push("0".to_owned());
        }
        all
    }

    /// An index in scope, more often a recent one.
    fn index(&mut self) -> Option<(String, usize)> {
        let all = &self.scope.indices;
        if all.is_empty() {
            return None;
        }
        let most = if self.random.chance(60) { 2.min(all.len()) } else { all.len() };
        Some(all[all.len() - 1 - self.random.below(most)].clone())
    }

    fn atom(&mut self) -> String {
        let mut all = Vec::new();
        for (name, size) in self.scope.vectors.clone() {
            all.extend(self.indices(size).iter().map(|i| format!("{name}[{i}]")));
        }
        for (name, a, b) in &self.scope.matrices.clone() {
            let (first, second) = (self.indices(*a), self.indices(*b));
            all.extend(first.iter().flat_map(|i| second.iter().map(move |j| format!("{name}[{i}][{j}]"))));
        }
        for (name, size) in self.scope.pairs.clone() {
            let half = 1 + self.random.below(2);
            all.extend(self.indices(size).iter().map(|i| format!("{name}[{i}].{half}")));
        }
        if !all.is_empty() && self.random.chance(80) {
            return self.random.pick(&all).clone();
        }
        match self.random.below(4) {
            0 => self.random.pick(&["0", "1", "2", "0.5", "(-1)", "3"]).to_string(),
            1 => match self.index() {
                Some((index, _)) => format!("(real {index})"),
                None => "x".to_owned(),
            },
            _ => self.random.pick(&self.scope.reals).clone(),
        }
    }

    fn real(&mut self, depth: u32) -> String {
        if depth == 0 {
            return self.atom();
        }
        let less = depth - 1;
        match self.random.below(16) {
            0..=2 => self.atom(),
            3..=5 => {
                let (a, b) = (self.real(less), self.real(less));
                format!("({a} {} {b})", self.random.pick(&["+", "-", "*"]))
            }
            6 => format!("(max {} {})", self.real(less), self.real(less)),
            7 => format!("(min {} {})", self.real(less), self.real(less)),
            8 => self.function(less),
            9 => {
                let index = self.index().map_or("3".to_owned(), |(index, _)| index);
                let exponent = self.random.pick(&["2", "3", &index]).to_string();
                format!("(pow {} {exponent})", self.real(less))
            }
            10 | 11 => {
                let guard = self.guard(1);
                let (a, b) = (self.real(less), if self.random.chance(50) { "0".to_owned() } else { self.real(less) });
                if self.random.chance(75) {
                    format!("(if {guard} then {a} else {b})")
                } else {
                    format!("(if {guard} then {b} else {a})")
                }
            }
            12 | 13 => {
                let size = self.summed();
                self.reduction(size, less)
            }
            _ => {
                let (name, value) = (self.fresh("r"), self.real(less));
                self.scope.reals.push(name.clone());
                let body = self.real(less);
                self.scope.reals.pop();
                format!("(let {name} := {value}; {body})")
            }
        }
    }

    /// Something that is worth keeping.
    fn function(&mut self, depth: u32) -> String {
        let of = self.real(depth);
        match self.random.below(6) {
            0 | 1 => format!("(sqrt (abs {of}))"),
            2 => format!("({of} / (1 + {of} * {of}))"),
            3 if self.functions => format!("(exp {of})"),
            4 if self.functions => format!("(tanh {of})"),
            5 if self.functions => format!("(sin {of})"),
            _ => format!("(1 / (2 + abs {of}))"),
        }
    }

    /// A sum, a product or an extremum over a size.
    fn reduction(&mut self, size: usize, depth: u32) -> String {
        let init = if self.random.chance(75) { "0".to_owned() } else { self.atom() };
        let kind = self.random.below(9);
        self.fold(size, &init, |own, s, _| {
            let value = own.real(depth);
            match kind {
                0 | 1 => format!("{s} + {value}"),
                2 => format!("{s} + (if {} then {value} else 0)", own.guard(1)),
                3 => format!("if {} then {s} + {value} else {s}", own.guard(1)),
                4 => format!("if {} then {s} else {s} + {value}", own.guard(1)),
                5 => format!("if {s} < {value} then {value} else {s}"),
                6 => format!("max {s} {value}"),
                7 => format!("{s} * 0.5 + {value}"),
                _ => format!("{s} + {} * {value}", own.atom()),
            }
        })
    }

    fn guard(&mut self, depth: u32) -> String {
        let compare = self.random.pick(&COMPARISONS).to_string();
        let literal = self.random.pick(&LITERALS).to_string();
        let Some((index, _)) = self.index() else {
            return format!("({} {compare} {})", self.atom(), self.atom());
        };
        let sides = |own: &mut Mixed, a: String, b: String| match own.random.chance(50) {
            true => format!("({a} {compare} {b})"),
            false => format!("({b} {compare} {a})"),
        };
        match self.random.below(if depth == 0 { 13 } else { 17 }) {
            0..=3 => sides(self, index, literal),
            4..=6 => {
                let other = self.index().map_or(literal, |(other, _)| other);
                sides(self, index, other)
            }
            7 => {
                let (keys, over, _) = match self.scope.keys.last() {
                    Some(last) if self.random.chance(50) => last.clone(),
                    Some(_) => self.random.pick(&self.scope.keys).clone(),
                    None => return sides(self, index, literal),
                };
                match self.indices(over).first() {
                    Some(at) => sides(self, index, format!("{keys}[{at}]")),
                    None => sides(self, index, literal),
                }
            }
            8 => {
                let size = self.variable();
                let size = self.text(size);
                sides(self, format!("int {index}"), size)
            }
            9 => sides(self, format!("int {index}"), "c".to_owned()),
            10 => {
                let other = self.index().map_or(index.clone(), |(other, _)| other);
                sides(self, format!("int {index} + {literal}"), format!("int {other}"))
            }
            11 => {
                let (a, b) = (self.atom(), self.atom());
                sides(self, a, b)
            }
            12 => match self.scope.ints.first().cloned() {
                Some((name, size)) => match self.indices(size).first() {
                    Some(at) => sides(self, format!("{name}[{at}]"), "c".to_owned()),
                    None => sides(self, "c".to_owned(), literal),
                },
                None => sides(self, "c".to_owned(), literal),
            },
            13 => format!("(not {})", self.guard(depth - 1)),
            14 | 15 => format!("({} && {})", self.guard(depth - 1), self.guard(depth - 1)),
            _ => format!("({} || {})", self.guard(depth - 1), self.guard(depth - 1)),
        }
    }

    /// A comparison of two indices.
    fn relation(&mut self, a: &str, b: &str) -> String {
        let compare = *self.random.pick(&["<=", "<", ">=", ">", "=", "!="]);
        if self.random.chance(50) { format!("({a} {compare} {b})") } else { format!("({b} {compare} {a})") }
    }

    // Families of programs.

    /// A name that several readers share.
    fn shared(&mut self) -> String {
        match self.random.below(5) {
            0 => {
                let (size, name) = (self.size(), self.fresh("t"));
                let value = self.build(size, |own, _| own.dear());
                self.scope.vectors.push((name.clone(), size));
                format!("  let {name} := {value};\n")
            }
            1 | 2 => {
                let (a, b, name) = (self.size(), self.size(), self.fresh("t"));
                let value = self.build(a, |own, _| own.build(b, |own, _| own.dear()));
                self.scope.matrices.push((name.clone(), a, b));
                format!("  let {name} := {value};\n")
            }
            3 => {
                let (size, name) = (self.summed(), self.fresh("r"));
                let value = self.reduction(size, 1);
                self.scope.reals.push(name.clone());
                format!("  let {name} := {value};\n")
            }
            _ => {
                let Some(into) = self.filled() else { return String::new() };
                let over = self.size();
                let (text, name) = (self.text(into), self.fresh("b"));
                if self.random.chance(50) {
                    let value = self.best(into);
                    self.scope.indices.push((name.clone(), into));
                    return format!("  let {name} : fin {text} := {value};\n");
                }
                let value = self.build(over, |own, _| own.best(into));
                self.scope.keys.push((name.clone(), over, into));
                format!("  let {name} : array {} (fin {text}) := {value};\n", self.text(over))
            }
        }
    }

    fn dear(&mut self) -> String {
        let value = self.function(1);
        match self.random.below(3) {
            0 => format!("(if {} then {value} else {})", self.guard(1), self.atom()),
            1 => {
                let size = self.shown();
                format!("({value} + {})", self.reduction(size, 0))
            }
            _ => value,
        }
    }

    /// Where an expression is largest or smallest.
    fn best(&mut self, size: usize) -> String {
        self.fold(size, "0", |own, best, index| {
            let value = own.real(1);
            let there = value.replace(index, best);
            format!("if {there} {} {value} then {index} else {best}", own.random.pick(&["<", ">", "<="]))
        })
    }

    /// A type, and an expression that has it.
    fn part(&mut self) -> (String, String) {
        match self.random.below(18) {
            14 | 15 => self.scanned(),
            16 | 17 => self.scattered(),
            13 => self.looked_up(),
            0 => {
                let size = self.summed();
                (format!("array {} real", self.text(size)), self.build(size, |own, _| own.real(3)))
            }
            1 => self.two_sided(),
            2 | 3 => self.triangle(),
            4 | 5 => self.scatter(),
            6 => self.products(),
            7 => self.powers(),
            8 => self.columns(),
            9 => self.states(),
            10 => self.carried(),
            11 => self.abreast(),
            _ => self.gradient(),
        }
    }
}
