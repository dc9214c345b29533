//! What programs with functions in pairs, arrays, branches and folds cost: counted by the evaluator, and as a formula or as
//! what isn't known.

use std::cell::RefCell;

use redexter::cost::{self, CALL, UnknownReason, Work, why_unknown, work};
use redexter::eval::{self, Counts, Sizes};
use redexter::ground::{Budget, Name, Random, Sources, Span};
use redexter::term::{Program, SizeBounds};
use redexter::{check, syntax};

const SIZES: [(u64, u64); 7] = [(0, 0), (1, 1), (2, 2), (2, 3), (5, 1), (1, 9), (4, 20)];

fn read(text: &str) -> Program {
    let (sources, budget) = (RefCell::new(Sources::default()), Budget::default());
    let library = check::prelude(&sources);
    let id = sources.borrow_mut().add("it", text);
    let raw = syntax::parse_term(&sources.borrow(), Span::new(id, 0, text.len()), &budget).expect(text);
    check::term(&raw, &library, &budget).unwrap_or_else(|wrong| panic!("{text}: {wrong:?}"))
}

fn counted(program: &Program, (n, m): (u64, u64)) -> [u128; 5] {
    let sizes: Sizes = [(Name::new("n"), n), (Name::new("m"), m)].into_iter().collect();
    let inputs = eval::random_inputs(program, &sizes, 1).expect("inputs");
    let (_, counts) = eval::evaluate(program, &inputs, &sizes, &Budget::default()).expect("a value");
    let Counts { flops, compares, reads, writes, iterations } = counts;
    [flops, compares, reads, writes, iterations].map(u128::from)
}

fn formula(work: &Work, (n, m): (u64, u64)) -> [u128; 5] {
    work.kinds().map(|poly| poly.at(|name| if name.as_str() == "n" { n } else { m }))
}

/// What is known of a program's cost: it is what is counted, or above that in programs that choose.
fn is_known(text: &str, chooses: bool) -> bool {
    let program = read(text);
    let work = work(&program.term);
    let known = !work.total().is_unknown();
    assert_eq!(known, why_unknown(&program.term).is_none(), "{text}");
    for sizes in SIZES.into_iter().filter(|_| known) {
        let (formula, counts) = (formula(&work, sizes), counted(&program, sizes));
        match chooses {
            true => assert!(formula.iter().zip(&counts).all(|(f, c)| f >= c), "{text}: {formula:?} < {counts:?}"),
            false => assert_eq!(formula, counts, "{text} at {sizes:?}"),
        }
    }
    known
}

/// The parameters that the bodies below have.
const PARAMETERS: &str = "fun (v : array n real) (t : array m real) (x : real) => ";

#[test]
fn what_a_fold_makes_of_functions_is_not_known_where_it_is_called() {
    for (body, call) in [
        ("(ifold m (fun f i => fun x => f (t[i] * x * x)) (fun x => x)) (ifold n (fun a i => a + v[i]) 0)", "ifold m"),
        ("(ifold m (fun f i => fun y => f (f y)) (fun y => y + 1)) x", ""),
        ("(ifold m (fun f i => if t[i] < x then f else fun y => f (y * y)) (fun y => y)) x", ""),
        ("(fst (ifold m (fun p i => (fun y => fst p (y + 1), snd p + 1)) (fun y => y, 0))) x", ""),
        ("(ifold m (fun p i => (fun y => snd p y, fun y => fst p (y + y))) (fun y => y, fun y => y * y)).1 x", ""),
        ("let g := ifold m (fun f i => fun y => f (y + t[i])) (fun y => y); build n (fun j => g v[j])", ""),
        ("vectorSum (build n (ifold m (fun f i => fun j => f j + 1) (fun j => v[j])))", ""),
        ("ifold n (ifold m (fun f i => fun a j => f (a * a) j) (fun a j => a + v[j])) x", ""),
        ("(ifold m (fun fs i => build 2 (fun k => fun y => fs[k] (y + 1))) (build 2 (fun k => fun y => y)))[0] x", ""),
        ("ifold m (fun a i => (ifold n (fun f j => fun y => f (y * 2)) (fun y => y)) a) x", ""),
        ("(ifold m (fun h i => fun f => fun y => h f (f y)) (fun f => f)) (fun y => y * 3) x", ""),
        ("let call := fun f => f x; call (ifold m (fun f i => fun y => f (y * t[i])) (fun y => y))", ""),
    ] {
        let text = format!("{PARAMETERS}{body}");
        let program = read(&text);
        let found = why_unknown(&program.term).unwrap_or_else(|| panic!("{text}: {}", work(&program.term).total()));
        assert_eq!(found.reason, UnknownReason::MadeByFold, "{text}");
        assert!(found.path.find(&program.term).is_some(), "{text}");
        assert!(work(&program.term).kinds().iter().all(|poly| poly.to_string() == "not known"), "{text}");
        let shown = syntax::print_term(&program.term, &syntax::PrintStyle { width: usize::MAX });
        assert!(shown.contains(call), "{text}");
        // No polynomial below the fourth degree in m runs through what is counted at 2, 200 and so on, or it isn't ours to say.
        assert_ne!(counted(&program, (2, 2)), counted(&program, (2, 20)), "{text}: it does depend on m");
    }
}

/// The program: 6 flops where m = 2, 402 where m = 200.
#[test]
fn a_fold_of_compositions_is_counted_as_it_runs() {
    let text = "fun (v : array n real) (t : array m real) =>
        (ifold m (fun f i => fun x => f (t[i] * x * x)) (fun x => x)) (ifold n (fun a i => a + v[i]) 0)";
    let program = read(text);
    assert_eq!((counted(&program, (2, 2))[0], counted(&program, (2, 200))[0]), (6, 402));
    assert_eq!(work(&program.term).total().to_string(), "not known");
}

#[test]
fn functions_that_are_followed_have_a_formula() {
    for (body, chooses) in [
        ("let f := fun y => y * y; f (f x)", false),
        ("let p := (fun y => y + 1, fun y => y * y * y); fst p (snd p x)", false),
        ("let fs := build n (fun i => fun y => y + v[i]); vectorSum (build n (fun i => fs[i] x))", false),
        ("let compose := fun f => fun g => fun y => f (g y); compose (fun y => y * y) (fun y => y + 1) x", false),
        ("let twice := fun f => fun y => f (f y); twice (twice (fun y => y * 3)) x", false),
        ("[fun y => y, fun y => y * y][0] x", true),
        ("(if x < 0 then fun y => y else fun y => y * y) x", true),
        ("(ifold m (fun f i => f) (fun y => y * y)) x", false),
        ("(ifold m (fun f i => fun y => y * t[i]) (fun y => y)) x", true),
        ("snd (ifold m (fun p i => (fun y => fst p (y + 1), snd p + 1)) (fun y => y, 0))", false),
        ("(ifold m (fun p i => (snd p, fst p)) (fun y => y, fun y => y * y)).1 x", true),
        ("(ifold m (fun f i => if t[i] < 0 then f else fun y => y * t[i]) (fun y => y)) x", true),
        ("let f := ifold m (fun f i => fun y => f (y + 1)) (fun y => y); x * 2", false),
        ("ifold 0 (fun a i => (ifold m (fun f i => fun y => f (y + 1)) (fun y => y)) a) x", false),
        ("ifold m (fun a i => (fun y => y * t[i]) a) x", false),
        ("ifold m ((fun c => fun a i => a * c) x) 1", false),
        ("let pick := fun p => fst p; pick (fun y => y * y, x) x", false),
        ("let at := fun f => build n (fun i => f v[i]); vectorSum (at (fun y => y * y * y))", false),
    ] {
        assert!(is_known(&format!("{PARAMETERS}{body}"), chooses), "{body}");
    }
}

#[test]
fn a_call_of_a_function_from_outside_is_counted_as_one() {
    for (text, total) in [
        ("fun (f : real -> real) (x : real) => f (f x)", format!("2*{CALL}")),
        ("fun (f : real -> real) (v : array n real) => build n (fun i => f v[i])", format!("n*{CALL} + 2*n")),
        ("fun (p : (real -> real) * real) => fst p (snd p)", CALL.to_owned()),
        ("fun (fs : array n (real -> real)) (i : fin n) => fs[i] 1", format!("{CALL} + 1")),
        ("fun (f : real -> real) (x : real) => if x < 0 then f x else x", format!("{CALL} + 1")),
        ("fun (f : real -> real) (x : real) => x", "0".to_owned()),
        ("fun (h : (real -> real) -> real) => h (fun x => x * x)", "not known".to_owned()),
    ] {
        let program = read(text);
        assert_eq!(work(&program.term).total().to_string(), total, "{text}");
        let reason = why_unknown(&program.term).map(|found| found.reason);
        assert_eq!(reason, (total == "not known").then_some(UnknownReason::GivenFunction), "{text}");
    }
}

#[test]
fn what_is_not_known_is_above_everything_and_below_nothing() {
    let unknown =
        work(&read(&format!("{PARAMETERS}(ifold m (fun f i => fun y => f (f y)) (fun y => y)) x")).term).total();
    let known = work(&read(&format!("{PARAMETERS}vectorSum v")).term).total();
    let bounds = SizeBounds::default();
    assert!(cost::compare(&known, &unknown, &bounds).is_raised);
    assert!(!cost::compare(&unknown, &known, &bounds).is_raised);
    assert!(!cost::compare(&unknown, &unknown, &bounds).is_raised);
    for (one, other) in [(&known, &unknown), (&unknown, &known), (&unknown, &unknown)] {
        assert!(!one.is_below(other) && !one.grows_within(other), "{one} {other}");
    }
    assert_eq!(unknown.order().to_string(), "not known");
}

/// The types of what is grown.
#[derive(Clone, Copy, PartialEq)]
enum Grown {
    Real,
    /// `real -> real`
    Function,
    /// Two of these.
    Both,
    /// So many as n.
    Many,
    /// From functions to functions.
    Higher,
}

struct Grower {
    random: Random,
    scope: Vec<(String, Grown)>,
    names: usize,
    /// Whether one of several functions, or of several branches, is run.
    chooses: bool,
    /// Whether a fold makes functions.
    folds: bool,
}

impl Grower {
    fn new(seed: u64) -> Grower {
        let scope = vec![("x".to_owned(), Grown::Real)];
        Grower { random: Random::new(seed), scope, names: 0, chooses: false, folds: false }
    }

    fn bound(&mut self, kind: Grown, body: Grown, fuel: u32) -> (String, String) {
        self.names += 1;
        let name = format!("y{}", self.names);
        self.scope.push((name.clone(), kind));
        let body = self.grow(body, fuel);
        self.scope.pop();
        (name, body)
    }

    fn lam(&mut self, from: Grown, to: Grown, fuel: u32) -> String {
        let ty =
            ["real", "real -> real", "(real -> real) * (real -> real)", "array n (real -> real)", ""][from as usize];
        let (name, body) = self.bound(from, to, fuel);
        format!("(fun ({name} : {ty}) => {body})")
    }

    /// A fold whose state is of this kind.
    fn fold(&mut self, kind: Grown, fuel: u32) -> String {
        self.folds |= kind != Grown::Real;
        let start = self.grow(kind, fuel);
        if kind == Grown::Function && self.random.below(2) == 0 {
            let argument = self.bound(Grown::Real, Grown::Real, fuel);
            return format!("(ifold m (fun g k => fun {} => g ({} * t[k])) {start})", argument.0, argument.1);
        }
        let (state, next) = self.bound(kind, kind, fuel);
        format!("(ifold m (fun {state} k{} => {next}) {start})", self.names)
    }

    fn choice(&mut self, kind: Grown, fuel: u32) -> String {
        self.chooses = true;
        let [c, a, b] = [Grown::Real, kind, kind].map(|kind| self.grow(kind, fuel));
        format!("(if {c} < 0 then {a} else {b})")
    }

    fn grow(&mut self, kind: Grown, fuel: u32) -> String {
        let known: Vec<String> =
            self.scope.iter().filter(|(_, of)| *of == kind).map(|(name, _)| name.clone()).collect();
        let chance = self.random.below(10);
        if !known.is_empty() && (fuel == 0 || chance < 3) {
            return known[self.random.below(known.len())].clone();
        }
        let less = fuel.saturating_sub(1);
        match kind {
            _ if fuel > 0 && chance == 3 => self.choice(kind, less),
            _ if fuel > 0 && chance == 4 && kind != Grown::Higher => self.fold(kind, less),
            _ if fuel > 0 && chance == 5 => {
                let of = [Grown::Function, Grown::Both, Grown::Many][self.random.below(3)];
                let value = self.grow(of, less);
                let (name, body) = self.bound(of, kind, less);
                format!("(let {name} := {value}; {body})")
            }
            Grown::Real if fuel == 0 => "1.5".to_owned(),
            Grown::Real if chance < 8 => {
                let [f, a] = [Grown::Function, Grown::Real].map(|kind| self.grow(kind, less));
                format!("({f} {a})")
            }
            Grown::Real => {
                let [a, b] = [Grown::Real; 2].map(|kind| self.grow(kind, less));
                format!("({a} * {b})")
            }
            Grown::Function if fuel == 0 || chance == 6 => self.lam(Grown::Real, Grown::Real, less),
            Grown::Function => match self.random.below(4) {
                0 => format!("({} {})", self.grow(Grown::Higher, less), self.grow(Grown::Function, less)),
                1 => format!("(fst {})", self.grow(Grown::Both, less)),
                2 => format!("(snd {})", self.grow(Grown::Both, less)),
                // The size may be 0, so that there is nothing to choose an index of.
                _ => format!("(ifold n (fun g k => {}[k]) (fun y => y))", {
                    (self.folds, self.chooses) = (true, true);
                    self.grow(Grown::Many, less)
                }),
            },
            Grown::Both => {
                let [f, g] = [Grown::Function; 2].map(|kind| self.grow(kind, less));
                format!("({f}, {g})")
            }
            Grown::Many => format!("(build n (fun k => {}))", self.grow(Grown::Function, less)),
            Grown::Higher => self.lam(Grown::Function, Grown::Function, less),
        }
    }
}

#[test]
fn grown_programs_cost_what_is_counted_or_less_than_their_formula_or_it_is_not_known() {
    let (mut known, mut exact, mut unknown) = (0, 0, 0);
    for seed in 0..1_500 {
        let mut grower = Grower::new(seed);
        let body = grower.grow(Grown::Real, 5);
        let text = format!("{PARAMETERS}{body} + vectorSum v + vectorSum t");
        let chooses = grower.chooses || grower.folds;
        match is_known(&text, chooses) {
            true => known += 1,
            false => {
                unknown += 1;
                assert!(grower.folds, "no fold makes functions, and still it isn't known: {text}");
            }
        }
        exact += usize::from(!chooses);
    }
    assert!(exact > 200 && known > 1_000 && unknown > 30, "{exact} exact, {known} known, {unknown} not");
}
