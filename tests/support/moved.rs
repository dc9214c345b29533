//! Random models that read arrays at indices which are moved, some of them under guards, and that scan and scatter, as text.

use redexter::ground::Random;

/// What an index is below.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Below {
    Rows,
    Columns,
    Product,
    Sum,
}

/// Makes models. The same seed gives the same ones.
pub struct Moved {
    random: Random,
    /// The sizes, as they are written.
    n: String,
    m: String,
    indices: Vec<(String, Below)>,
    reals: Vec<String>,
    numbers: Vec<String>,
    /// Arrays of reals.
    arrays: Vec<(String, Below)>,
    names: u32,
    /// Whether there are scans and scatters.
    scans: bool,
}

/// Functions of arrays, and gradients of such functions, with sizes that are open.
pub fn open(seed: u64, scans: bool) -> String {
    let heading = "{n m} ";
    let mut made = Moved::new(seed, "n", "m", scans);
    let result = made.result();
    let real = made.real(4);
    format!(
        "def moved {heading}{PARAMETERS} := {result}\ndef total {heading}{PARAMETERS} : real := {real}\n\
         def byVector {heading}{PARAMETERS} : array n real := grad (fun v => total v w t a c) v\n\
         def byMatrix {heading}{PARAMETERS} : array n (array m real) := grad (fun a => total v w t a c) a\n"
    )
}

/// A function of arrays of these sizes.
pub fn closed(seed: u64, scans: bool, [n, m]: [u64; 2]) -> String {
    let mut made = Moved::new(seed, &n.to_string(), &m.to_string(), scans);
    let real = made.real(4);
    let parameters = PARAMETERS
        .replace("array n", &format!("array {n}"))
        .replace("array m", &format!("array {m}"))
        .replace("n + m", &(n + m).to_string())
        .replace("n * m", &(n * m).to_string());
    format!("def total {parameters} : real := {real}\n")
}

const PARAMETERS: &str =
    "(v : array n real) (w : array (n + m) real) (t : array (n * m) real) (a : array n (array m real)) (c : int)";

impl Moved {
    fn new(seed: u64, n: &str, m: &str, scans: bool) -> Moved {
        let arrays = [("v", Below::Rows), ("w", Below::Sum), ("t", Below::Product)];
        Moved {
            random: Random::new(seed),
            n: n.to_owned(),
            m: m.to_owned(),
            indices: Vec::new(),
            reals: Vec::new(),
            numbers: vec!["c".to_owned()],
            arrays: arrays.map(|(name, below)| (name.to_owned(), below)).to_vec(),
            names: 0,
            scans,
        }
    }

    fn name(&mut self, of: &str) -> String {
        self.names += 1;
        format!("{of}{}", self.names)
    }

    fn size(&self, below: Below) -> String {
        match below {
            Below::Rows => self.n.clone(),
            Below::Columns => self.m.clone(),
            Below::Product => format!("({} * {})", self.n, self.m),
            Below::Sum => format!("({} + {})", self.n, self.m),
        }
    }

    fn below(&mut self) -> Below {
        *self.random.pick(&[Below::Rows, Below::Columns, Below::Product, Below::Sum])
    }

    /// Something under an index, with its name.
    fn under(&mut self, below: Below, make: impl FnOnce(&mut Self) -> String) -> (String, String) {
        let name = self.name("i");
        self.indices.push((name.clone(), below));
        let body = make(self);
        self.indices.pop();
        (name, body)
    }

    fn result(&mut self) -> String {
        let below = self.below();
        let size = self.size(below);
        let (index, body) = self.under(below, |own| match own.random.below(3) {
            0 => {
                let below = own.below();
                let size = own.size(below);
                let (index, body) = own.under(below, |own| own.real(3));
                format!("build {size} (fun {index} => {body})")
            }
            _ => own.real(4),
        });
        format!("build {size} (fun {index} => {body})")
    }

    fn index(&mut self, wanted: Below) -> Option<String> {
        let all: Vec<String> =
            self.indices.iter().filter(|(_, below)| *below == wanted).map(|(name, _)| name.clone()).collect();
        (!all.is_empty()).then(|| self.random.pick(&all).clone())
    }

    /// Arithmetic of whole numbers.
    fn number(&mut self, fuel: u32) -> String {
        let n = if self.random.chance(50) { self.n.clone() } else { self.m.clone() };
        match self.random.below(if fuel == 0 { 6 } else { 11 }) {
            0 => (self.random.below(4) as i64).to_string(),
            1 => self.random.pick(&self.numbers).clone(),
            2 => format!("({n} - 1)"),
            3..=5 => match self.indices.last() {
                Some(_) => {
                    let (name, _) = self.random.pick(&self.indices).clone();
                    format!("(int {name})")
                }
                None => "1".to_owned(),
            },
            6 => format!("({} * {})", self.number(fuel - 1), self.number(fuel - 1)),
            7 => format!("({} / {})", self.number(fuel - 1), 1 + self.random.below(3)),
            8 => format!("({} % {})", self.number(fuel - 1), 1 + self.random.below(3)),
            9 => format!("({} + {})", self.number(fuel - 1), self.number(fuel - 1)),
            _ => format!("({} - {})", self.number(fuel - 1), self.number(fuel - 1)),
        }
    }

    /// A number that is likely to be just in range, or just out of it.
    fn near(&mut self) -> String {
        match (self.random.below(6), self.indices.last().cloned()) {
            (0..=2, Some((name, _))) => {
                let by = 1 + self.random.below(2);
                format!("{name} {} {by}", if self.random.chance(50) { "+" } else { "-" })
            }
            (3, Some((name, below))) => format!("{} - {} - {name}", self.size(below), 1 + self.random.below(2)),
            _ => self.number(2),
        }
    }

    /// An element where it is shown to be one.
    fn read(&mut self) -> Option<String> {
        let (n, m) = (self.n.clone(), self.m.clone());
        let (i, j) = (self.index(Below::Rows), self.index(Below::Columns));
        let (k, l) = (self.index(Below::Product), self.index(Below::Sum));
        let mut all = Vec::new();
        if let Some(i) = &i {
            all.extend([format!("v[{i}]"), format!("v[{n} - 1 - {i}]"), format!("w[{i}]"), format!("w[{m} + {i}]")]);
        }
        if let Some(j) = &j {
            all.extend([format!("w[{n} + {j}]"), format!("w[{n} + {m} - 1 - {j}]")]);
        }
        if let (Some(i), Some(j)) = (&i, &j) {
            all.extend([format!("w[{i} + {j}]"), format!("t[{i} * {m} + {j}]"), format!("t[{j} * {n} + {i}]")]);
            all.extend([format!("a[{i}, {j}]"), format!("a[{n} - 1 - {i}, {m} - 1 - {j}]")]);
        }
        if let Some(k) = &k {
            all.extend([format!("t[{k}]"), format!("t[{n} * {m} - 1 - {k}]"), format!("v[{k} / {m}]")]);
            all.extend([format!("a[{k} / {m}, {k} % {m}]"), format!("w[{n} + {k} % {m}]")]);
        }
        if let Some(l) = &l {
            all.extend([format!("w[{l}]"), format!("w[{n} + {m} - 1 - {l}]")]);
        }
        let tables: Vec<String> = self
            .arrays
            .iter()
            .flat_map(|(array, of)| {
                let at = self.indices.iter().rev().find(|(_, below)| below == of);
                at.map(|(index, _)| format!("{array}[{index}]"))
            })
            .collect();
        all.extend(tables);
        (!all.is_empty()).then(|| self.random.pick(&all).clone())
    }

    fn leaf(&mut self) -> String {
        if self.random.chance(60)
            && let Some(read) = self.read()
        {
            return read;
        }
        match self.random.below(3) {
            0 if !self.reals.is_empty() => self.random.pick(&self.reals).clone(),
            1 => format!("(real {})", self.number(0)),
            _ => ["0", "1", "0.5", "(-2)"][self.random.below(4)].to_owned(),
        }
    }

    fn real(&mut self, fuel: u32) -> String {
        let Some(fuel) = fuel.checked_sub(1) else { return self.leaf() };
        match self.random.below(if self.scans { 25 } else { 16 }) {
            22.. => self.scatter(fuel),
            16.. => self.scan(fuel),
            0 => format!("({} + {})", self.real(fuel), self.real(fuel)),
            1 => format!("({} * {})", self.real(fuel), self.real(fuel)),
            2 => format!("({} - {})", self.real(fuel), self.real(fuel)),
            3 => format!("sin {}", self.operand(fuel)),
            4..=6 => self.guarded(fuel),
            7 | 8 => self.guard(fuel),
            9 => {
                let (a, b) = (self.number(1), self.number(1));
                let op = ["<", "<=", "=", "!="][self.random.below(4)];
                format!("(if {a} {op} {b} then {} else {})", self.real(fuel), self.real(fuel))
            }
            10..=12 => {
                let below = self.below();
                let (size, state) = (self.size(below), self.name("s"));
                let (index, body) = self.under(below, |own| own.real(fuel));
                format!("(ifold {size} (fun {state} {index} => {state} + {body}) 0)")
            }
            13 => {
                let below = self.below();
                let (size, state) = (self.size(below), self.name("s"));
                let (index, body) = self.under(below, |own| {
                    own.reals.push(state.clone());
                    let body = own.real(fuel);
                    own.reals.pop();
                    body
                });
                format!("(ifold {size} (fun {state} {index} => sin ({body})) {})", self.leaf())
            }
            14 => {
                let (name, number) = (self.name("e"), self.number(2));
                self.numbers.push(name.clone());
                let body = self.real(fuel);
                self.numbers.pop();
                format!("(let {name} : int := {number}; {body})")
            }
            _ => {
                let below = self.below();
                let (size, table) = (self.size(below), self.name("u"));
                let (index, element) = self.under(below, |own| own.real(fuel));
                self.arrays.push((table.clone(), below));
                let body = self.real(fuel);
                self.arrays.pop();
                format!("(let {table} := build {size} (fun {index} => {element}); {body})")
            }
        }
    }

    /// A scan either way, whose state is a number or a pair, of which one half may stay as it was; and something that reads what
    /// it gives.
    fn scan(&mut self, fuel: u32) -> String {
        let below = self.below();
        let (size, state, table) = (self.size(below), self.name("s"), self.name("p"));
        let word = if self.random.chance(50) { "scan" } else { "scanr" };
        let is_pair = self.random.chance(40);
        let states = match is_pair {
            true => vec![format!("{state}.1"), format!("{state}.2")],
            false => vec![state.clone()],
        };
        let start = if is_pair { format!("({}, {})", self.leaf(), self.leaf()) } else { self.leaf() };
        let before = self.reals.len();
        let (index, step) = self.under(below, |own| {
            own.reals.extend(states.clone());
            let named = own.name("g");
            let computed = own.real(fuel);
            own.reals.push(named.clone());
            let next = match (is_pair, own.random.below(3)) {
                (false, 0) => named.clone(),
                (false, _) => format!("sin ({})", own.real(fuel.min(1))),
                (true, 0) => format!("({named}, {state}.2)"),
                (true, 1) => format!("({state}.1 * 0.5, sin {named})"),
                (true, _) => format!("(sin {named}, {})", own.leaf()),
            };
            let kept = if own.random.chance(50) { own.leaf() } else { states[0].clone() };
            own.reals.truncate(before);
            format!("let {named} := {computed}; ({next}, {kept})")
        });
        let scan = format!("{word} {size} (fun {state} {index} => {step}) {start}");
        if self.random.chance(25) {
            return format!(
                "({}(fst ({scan})){})",
                ["", "sin "][self.random.below(2)],
                if is_pair { ".1" } else { "" }
            );
        }
        let outputs = format!("{table}o");
        self.arrays.push((outputs.clone(), below));
        let last = if is_pair { format!("{table}.1.2") } else { format!("{table}.1") };
        let uses_last = self.random.chance(50);
        if uses_last {
            self.reals.push(last);
        }
        let body = self.real(fuel);
        self.reals.truncate(before);
        self.arrays.pop();
        format!("(let {table} := {scan}; let {outputs} := {table}.2; {body})")
    }

    /// A scatter at places of which some may be none, and something that reads what it gives.
    fn scatter(&mut self, fuel: u32) -> String {
        let (places, rounds) = (self.below(), self.below());
        let (size, times, table) = (self.size(places), self.size(rounds), self.name("q"));
        let (index, entry) = self.under(rounds, |own| {
            let place = own.number(2);
            let value = own.real(fuel);
            match own.random.below(3) {
                0 => format!("if {value} < 0.5 then ({place}, {value}) else (0, {})", own.leaf()),
                _ => format!("({place}, {value})"),
            }
        });
        self.arrays.push((table.clone(), places));
        let body = self.real(fuel);
        self.arrays.pop();
        format!("(let {table} := scatter {size} {times} (fun {index} => {entry}); {body})")
    }

    fn operand(&mut self, fuel: u32) -> String {
        format!("({})", self.real(fuel))
    }

    /// `v[e else z]`
    fn guarded(&mut self, fuel: u32) -> String {
        let (number, other) = (self.near(), self.real(fuel.min(1)));
        match (self.random.below(5), self.index(Below::Rows)) {
            (0, Some(i)) => format!("a[{i}][{number} else {other}]"),
            (1, _) => {
                let below = self.below();
                let size = self.size(below);
                let (index, element) = self.under(below, |own| own.real(fuel));
                format!("(build {size} (fun {index} => {element}))[{number} else {other}]")
            }
            _ => {
                let (array, _) = self.random.pick(&self.arrays).clone();
                format!("{array}[{number} else {other}]")
            }
        }
    }

    /// `if k : fin n := e then a else z`
    fn guard(&mut self, fuel: u32) -> String {
        let below = self.below();
        let (size, number) = (self.size(below), self.near());
        let (index, inside) = self.under(below, |own| own.real(fuel));
        let other = if self.random.chance(50) { "0".to_owned() } else { self.real(fuel) };
        format!("(if {index} : fin {size} := {number} then {inside} else {other})")
    }
}
