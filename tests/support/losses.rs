//! Random losses as models: sums, products, differences, choices, lets, tables and tables of tables of vectors, a matrix and
//! a number, with the gradients by each of them and by all; and those of which a loop carries a state through numbers that are
//! read at an index from data, an offset or the loop's own index.

use redexter::ground::Random;

/// What may be mentioned: reals by name, and indices into arrays of n and of m.
#[derive(Clone, Default)]
struct Scope {
    reals: Vec<String>,
    /// Tables of n, and of m.
    tables: [Vec<String>; 2],
    /// Tables of m whose elements are tables of n.
    matrices: Vec<String>,
    indices: [Vec<String>; 2],
}

const SIZES: [&str; 2] = ["n", "m"];

/// What sort of losses are written.
#[derive(Clone, Copy, PartialEq)]
enum Sort {
    /// Sums and tables.
    Plain,
    /// The same with constants and functions at whose edges slopes are infinite, or numbers none.
    Edgy,
    /// The same with loops that carry a state, of which one stands before all else.
    Carried,
}

/// A model with `loss` and its gradients by x, a and c, and by all three.
pub fn model(seed: u64) -> String {
    written(seed, Sort::Plain)
}

/// The same with constants and functions at whose edges slopes are infinite, or numbers none.
pub fn edgy(seed: u64) -> String {
    written(seed, Sort::Edgy)
}

/// The same with loops that carry a state: one of them holds x, a and c, so that only what is transposed keeps its order.
pub fn carried(seed: u64) -> String {
    written(seed, Sort::Carried)
}

fn written(seed: u64, sort: Sort) -> String {
    let mut random = Random::new(seed);
    let mut names = 0;
    let fuel = 3 + random.below(4) as u32;
    let scope = Scope { reals: vec!["c".into()], ..Scope::default() };
    let mut writer = Writer { random: &mut random, names: &mut names, sort };
    let body = match sort {
        Sort::Carried => format!("{} + {}", writer.all_carried(&scope), writer.total(&scope, 2)),
        _ => writer.total(&scope, fuel),
    };
    let data = if sort == Sort::Carried { " (k : array m (fin n)) (o : int)" } else { "" };
    let parameters =
        format!("{{n m}} (y : array n real) (x : array n real) (a : array m (array n real)) (c : real){data}");
    let data = if sort == Sort::Carried { " k o" } else { "" };
    format!(
        "def loss {parameters} : real :=\n  {body}\n\n\
         def byVector {parameters} : array n real :=\n  grad (fun p => loss y p a c{data}) x\n\n\
         def byMatrix {parameters} : array m (array n real) :=\n  gradMatrix (fun p => loss y x p c{data}) a\n\n\
         def byNumber {parameters} : real :=\n  deriv (fun p => loss y x a p{data}) c\n\n\
         def byAll {parameters} : (array n real) * ((array m (array n real)) * real) :=\n  \
         (byVector y x a c{data}, (byMatrix y x a c{data}, byNumber y x a c{data}))\n"
    )
}

struct Writer<'a> {
    random: &'a mut Random,
    names: &'a mut u32,
    sort: Sort,
}

impl Writer<'_> {
    fn name(&mut self, of: &str) -> String {
        *self.names += 1;
        format!("{of}{}", self.names)
    }

    fn one_of<T: Clone>(&mut self, all: &[T]) -> Option<T> {
        (!all.is_empty()).then(|| all[self.random.below(all.len())].clone())
    }

    /// A sum, or tables and sums of them.
    fn total(&mut self, scope: &Scope, fuel: u32) -> String {
        match self.random.below(5) {
            4 if fuel > 1 => {
                let [table, row, column] = ["t", "i", "i"].map(|of| self.name(of));
                let mut inner = scope.clone();
                inner.indices[1].push(row.clone());
                inner.indices[0].push(column.clone());
                let element = self.number(&inner, fuel - 1);
                let mut outer = scope.clone();
                outer.matrices.push(table.clone());
                let rest = self.total(&outer, fuel - 1);
                format!("(let {table} := build m (fun {row} => build n (fun {column} => {element})); {rest})")
            }
            0 | 1 if fuel > 1 => {
                let (k, table) = (self.random.below(2), self.name("t"));
                let index = self.name("i");
                let is_added = self.sort == Sort::Carried && k == 0 && self.random.below(2) == 0;
                let mut inner = scope.clone();
                inner.indices[if is_added { 1 } else { k }].push(index.clone());
                let element = self.number(&inner, fuel - 1);
                let mut outer = scope.clone();
                outer.tables[k].push(table.clone());
                let rest = self.total(&outer, fuel - 1);
                match is_added {
                    true => {
                        format!("(let {table} := scatter n m (fun {index} => (int k[{index}], {element})); {rest})")
                    }
                    false => format!("(let {table} := build {} (fun {index} => {element}); {rest})", SIZES[k]),
                }
            }
            2 if fuel > 1 => format!("{} + {}", self.sum(scope, fuel - 1), self.total(scope, fuel - 1)),
            _ => self.sum(scope, fuel),
        }
    }

    fn sum(&mut self, scope: &Scope, fuel: u32) -> String {
        let (k, state, index) = (self.random.below(2), self.name("s"), self.name("i"));
        let mut inner = scope.clone();
        inner.indices[k].push(index.clone());
        let element = self.number(&inner, fuel.saturating_sub(1));
        let round = match self.random.below(6) {
            0 => format!("{state} - ({element})"),
            1 => format!("if {} then {state} + {element} else {state}", self.condition(&inner)),
            _ => format!("{state} + {element}"),
        };
        format!("ifold {} (fun {state} {index} => {round}) 0", SIZES[k])
    }

    fn condition(&mut self, scope: &Scope) -> String {
        let k = usize::from(scope.indices[0].len() < 2);
        match (&scope.indices[k][..], self.random.below(2)) {
            ([first, .., last], 0) => format!("{first} < {last}"),
            ([first, .., last], _) => format!("not ({first} = {last})"),
            _ => format!("{} < {}", self.leaf(scope), self.leaf(scope)),
        }
    }

    fn number(&mut self, scope: &Scope, fuel: u32) -> String {
        if fuel == 0 {
            return self.leaf(scope);
        }
        let less = fuel - 1;
        if self.sort == Sort::Edgy && self.random.below(3) == 0 {
            return self.steep(scope, less);
        }
        if self.sort == Sort::Carried && self.random.below(8) == 0 {
            return format!("({})", self.carried(scope, less));
        }
        match self.random.below(13) {
            0 | 1 => format!("({} + {})", self.number(scope, less), self.number(scope, less)),
            2 | 3 => format!("({} - {})", self.number(scope, less), self.number(scope, less)),
            4..=6 => format!("{} * {}", self.factor(scope, less), self.factor(scope, less)),
            7 => format!("(-{})", self.factor(scope, less)),
            8 => {
                let function = ["tanh", "cos", "sin"][self.random.below(3)];
                format!("{function} ({})", self.number(scope, less))
            }
            9 => {
                let (condition, then) = (self.condition(scope), self.number(scope, less));
                format!("(if {condition} then {then} else {})", self.number(scope, less))
            }
            10 => {
                let (name, value) = (self.name("r"), self.number(scope, less));
                let mut inner = scope.clone();
                inner.reals.push(name.clone());
                format!("(let {name} := {value}; {})", self.number(&inner, less))
            }
            _ => format!("({})", self.sum(scope, less)),
        }
    }

    /// What stands at an index from data, or beside that of a row.
    fn elsewhere(&mut self, row: &str) -> String {
        match self.random.below(4) {
            0 => format!("x[k[{row}]]"),
            1 => format!("x[int k[{row}] - 1 else 0]"),
            2 => format!("x[o - int {row} else 0.5]"),
            _ => format!("x[int {row} + o else 0]"),
        }
    }

    /// A loop over m with a state, through which x, a and c go, and what is read elsewhere.
    fn all_carried(&mut self, scope: &Scope) -> String {
        let (state, row) = (self.name("s"), self.name("i"));
        let mut inner = scope.clone();
        inner.indices[1].push(row.clone());
        let read = format!("{} * a[{row}][k[{row}]]", self.elsewhere(&row));
        let more = self.number(&inner, 1);
        self.rounds("m", (&state, &row), &format!("{read} + c * ({more})"))
    }

    /// A loop with a state over anything.
    fn carried(&mut self, scope: &Scope, fuel: u32) -> String {
        let (k, state, index) = (self.random.below(2), self.name("s"), self.name("i"));
        let mut inner = scope.clone();
        inner.indices[k].push(index.clone());
        let added = self.number(&inner, fuel);
        self.rounds(SIZES[k], (&state, &index), &added)
    }

    /// Rounds that add to what becomes of a number, of two, or of n, or whose numbers are all kept.
    fn rounds(&mut self, times: &str, (s, i): (&str, &str), added: &str) -> String {
        let (j, l) = (self.name("j"), self.name("l"));
        match self.random.below(6) {
            0 => format!("ifold {times} (fun {s} {i} => tanh ({s} + {added})) 0.5"),
            1 => format!("ifold {times} (fun {s} {i} => if {s} < 1 then {s} * 0.9 + sin ({added}) else cos {s}) 0"),
            2 => format!(
                "(let {l} := ifold {times} (fun {s} {i} => (cos {s}.2 + {added} * 0.5, {s}.1 * 0.3)) (0, 1); \
                 {l}.1 * {l}.2)"
            ),
            3 => format!(
                "(let {l} := scan {times} (fun {s} {i} => let {j} := tanh ({s} - ({added})); ({j}, {j} * {s})) 0.1; \
                 ifold {times} (fun {s} {i} => {s} + {l}.2[{i}] * {l}.1) 0)"
            ),
            4 => format!(
                "(let {l} := ifold {times} (fun {s} {i} => build n (fun {j} => \
                 sin ({s}[int {j} - 1 else 0.2] * c + y[{j}] + {added}))) x; ifold n (fun {s} {j} => {s} + {l}[{j}]) 0)"
            ),
            _ => format!(
                "(let {l} := ifold {times} (fun {s} {i} => (tanh ({s}.1 + {added}), \
                 {s}.2 + {s}.1 * ({added}))) (0.3, 0); {l}.2)"
            ),
        }
    }

    fn steep(&mut self, scope: &Scope, fuel: u32) -> String {
        match self.random.below(6) {
            k @ 0..=2 => format!("{} ({})", ["sqrt", "log", "exp"][k], self.number(scope, fuel)),
            3 => format!("({} / {})", self.number(scope, fuel), self.leaf(scope)),
            k => format!("{} {} {}", ["min", "max"][k - 4], self.operand(scope), self.operand(scope)),
        }
    }

    fn operand(&mut self, scope: &Scope) -> String {
        let leaf = self.leaf(scope);
        format!("({leaf})")
    }

    fn factor(&mut self, scope: &Scope, fuel: u32) -> String {
        let number = self.number(scope, fuel);
        format!("({number})")
    }

    fn leaf(&mut self, scope: &Scope) -> String {
        let indices = [0, 1].map(|k| self.one_of(&scope.indices[k]));
        let k = self.random.below(2);
        match (self.random.below(8), &indices) {
            (0 | 1, [Some(i), _]) => format!("x[{i}]"),
            (2, [Some(i), _]) => format!("y[{i}]"),
            (3 | 4, [Some(i), Some(j)]) => {
                let matrix = self.one_of(&scope.matrices).filter(|_| self.random.below(3) > 0);
                format!("{}[{j}][{i}]", matrix.as_deref().unwrap_or("a"))
            }
            (5 | 6, _) if indices[k].is_some() && !scope.tables[k].is_empty() => {
                let table = self.one_of(&scope.tables[k]).unwrap_or_default();
                format!("{table}[{}]", indices[k].as_deref().unwrap_or_default())
            }
            (7, [_, Some(j)]) if self.sort == Sort::Carried => self.elsewhere(&j.clone()),
            (7, _) if self.sort == Sort::Edgy => {
                ["0", "(1 / 0)", "(-1 / 0)", "(0 / 0)", "1", "-2"][self.random.below(6)].to_owned()
            }
            (7, _) => ["0.5", "2", "-1", "3"][self.random.below(4)].to_owned(),
            _ => self.one_of(&scope.reals).unwrap_or_default(),
        }
    }
}
