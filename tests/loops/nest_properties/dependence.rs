//! What the analysis of dependences says of the loops of grown nests is compared with what their iterations touch.

use std::collections::HashMap;

use redexter::eval::Sizes;
use redexter::ground::Random;
use redexter::nest::{
    CellRole, Iterations, LoopRange, Nest, NestValue, ScalarKind, Stmt, are_separate, each, nest_text,
};
use redexter::term::Scalar;

use crate::nest_properties::grown::{grown, renamed};
use crate::nest_properties::interpreter::{Memory, Order, Ran, Touched, Ways, inputs, run, same};
use crate::nest_properties::short::{add, int, load, real, set, slot};
use crate::nest_properties::verify::some_sizes;
use redexter_reference::cases;

/// Sums of reals above this may hang on their order.
const EXACT: f64 = 1e12;

/// What the analysis says of the loops that ran, and what their iterations show.
#[derive(Debug, Default)]
struct Counts {
    loops: usize,
    /// Roles that were compared.
    uniform: usize,
    private: usize,
    varying: usize,
    reductions: usize,
    carried: usize,
    /// Loops that are independent as far as runs show, and those of which the analysis says so.
    independent: usize,
    told: usize,
    /// Loops whose order doesn't matter, by their roles.
    reversed: usize,
    separate: usize,
    fused: usize,
}

/// A run at some sizes.
struct At<'n> {
    nest: &'n Nest,
    sizes: Sizes,
    inputs: Vec<Vec<Scalar>>,
    forward: Memory,
}

impl<'n> At<'n> {
    fn run(&'n self, chosen: &'n Stmt, order: Order) -> Result<Ran, String> {
        let ways = Ways { chosen: Some(chosen), order, ..Ways::default() };
        run(self.nest, &self.sizes, &self.inputs, ways).map_err(|fault| format!("{fault:?}"))
    }

    /// That another order leaves the same as they do in theirs.
    fn leaves_the_same(&'n self, chosen: &'n Stmt, order: Order, (forward, why): (&Memory, &str)) {
        let wrong = match self.run(chosen, order) {
            Err(fault) => fault,
            Ok(ran) if same(forward, &ran.memory) => return,
            Ok(_) => "other values".to_owned(),
        };
        panic!("{why}, but {wrong} at {:?}\n{}\n{}", self.sizes, self.text(), of_loop(self.nest, chosen));
    }

    fn text(&self) -> String {
        nest_text("f", self.nest)
    }
}

/// A loop alone, as text.
fn of_loop(nest: &Nest, chosen: &Stmt) -> String {
    nest_text("chosen", &Nest { body: vec![chosen.clone()], ..nest.clone() })
}

/// The cells that somebody may see behind a loop.
fn seen(stmt: &Stmt) -> impl Fn(u32) -> bool {
    let own = crate::nest_properties::interpreter::declared(stmt);
    move |cell| !own.contains(&cell)
}

/// Which iterations touched each element, and whether one stored it.
fn touching(run: &[Touched]) -> HashMap<(u32, usize), (Vec<usize>, bool)> {
    let mut all: HashMap<(u32, usize), (Vec<usize>, bool)> = HashMap::new();
    for (k, touched) in run.iter().enumerate() {
        for (cell, at, stored) in touched {
            let (iterations, is_stored) = all.entry((*cell, *at)).or_default();
            if iterations.last() != Some(&k) {
                iterations.push(k);
            }
            *is_stored |= stored;
        }
    }
    all
}

/// Whether no iteration stored what another touched, where a loop ran more than once at least.
fn is_independent(log: &[Vec<Touched>], seen: &impl Fn(u32) -> bool) -> bool {
    log.iter().all(|run| {
        touching(run).iter().all(|((cell, _), (iterations, stored))| !seen(*cell) || !stored || iterations.len() < 2)
    })
}

/// That each role is what a run shows of it.
fn roles_are_kept(iterations: &Iterations, log: &[Vec<Touched>], at: &At, chosen: &Stmt) {
    for run in log {
        for ((cell, _), (by, stored)) in touching(run) {
            let kept = match iterations.role(cell) {
                CellRole::Uniform => !stored,
                CellRole::Varying(_) => by.len() < 2,
                CellRole::Private | CellRole::Reduction(_) | CellRole::Carried => true,
            };
            let role = iterations.role(cell);
            assert!(kept, "cell {cell} isn't {role:?}\n{}\n{}", at.text(), of_loop(at.nest, chosen));
        }
    }
}

fn is_loop(stmt: &Stmt) -> bool {
    matches!(stmt, Stmt::For(..) | Stmt::Lanes(..) | Stmt::Pairs(..) | Stmt::Strips(..))
}

/// All loops of a nest.
fn loops(nest: &Nest) -> Vec<&Stmt> {
    let mut all = Vec::new();
    each(&nest.body, &mut |stmt| {
        if is_loop(stmt) {
            all.push(stmt);
        }
    });
    all
}

/// Loops over the same rounds, one behind the other: the statement of the first, and what both do in one loop.
fn side_by_side(nest: &Nest) -> Vec<(&Stmt, &LoopRange, &[Stmt], Vec<Stmt>)> {
    fn of(stmt: &Stmt) -> Option<(&LoopRange, &[Stmt])> {
        match stmt {
            Stmt::For(range, inside) | Stmt::Lanes(range, inside) => Some((range, inside)),
            _ => None,
        }
    }
    let mut all = Vec::new();
    let look = |body: &[Stmt]| -> Vec<usize> {
        (1..body.len())
            .filter(|k| match (of(&body[k - 1]), of(&body[*k])) {
                (Some((a, _)), Some((b, _))) => (&a.from, &a.to, &a.most, &b.most) == (&b.from, &b.to, &None, &None),
                _ => false,
            })
            .collect()
    };
    let mut bodies: Vec<&[Stmt]> = vec![&nest.body];
    each(&nest.body, &mut |stmt| bodies.extend(stmt.inside()));
    for body in bodies {
        for k in look(body) {
            let (Some((range, first)), Some((other, second))) = (of(&body[k - 1]), of(&body[k])) else { continue };
            all.push((&body[k - 1], range, first, renamed(second, other.cell, range.cell)));
        }
    }
    all
}

/// Small integers alone, whose sums are exact.
fn is_exact(memory: &Memory) -> bool {
    memory.iter().flatten().flat_map(|block| &block.elements).all(|element| match element {
        Some(Scalar::Real(x)) => x.abs() <= EXACT,
        _ => true,
    })
}

fn compared(seed: u64, counts: &mut Counts) {
    let nest = grown(seed);
    let mut random = Random::new(seed);
    let mut runs = Vec::new();
    for sizes in some_sizes(&nest, &mut random) {
        if let Some(inputs) = inputs(&nest, &sizes, &mut random)
            && let Ok(ran) = run(&nest, &sizes, &inputs, Ways::default())
            && is_exact(&ran.memory)
        {
            runs.push(At { nest: &nest, sizes, inputs, forward: ran.memory });
        }
    }
    for chosen in loops(&nest) {
        of_one(&runs, chosen, counts);
    }
    for (first, range, a, b) in side_by_side(&nest) {
        if Iterations::of_both(range, a, &b).are_independent() {
            counts.fused += 1;
            let why = "fused lanes are independent";
            runs.iter().for_each(|at| at.leaves_the_same(first, Order::Fused, (&at.forward, why)));
        }
    }
}

/// What is said of one loop.
fn of_one<'n>(runs: &'n [At<'n>], chosen: &'n Stmt, counts: &mut Counts) {
    let iterations = Iterations::of(chosen).expect("a loop");
    let (is_told, seen) = (iterations.are_independent(), seen(chosen));
    let ran = |at: &'n At<'n>| Some((at, at.run(chosen, Order::Forward).ok()?));
    let runs: Vec<(&At, Ran)> = runs.iter().filter_map(ran).collect();
    // Two rounds that touch something tell more than none.
    let tells = |ran: &Ran| ran.log.iter().any(|run| run.iter().filter(|round| !round.is_empty()).count() > 2);
    if runs.iter().filter(|(_, ran)| tells(ran)).count() < 3 {
        return;
    }
    counts.loops += 1;
    for (at, ran) in &runs {
        roles_are_kept(&iterations, &ran.log, at, chosen);
    }
    for cell in iterations.stored() {
        *match iterations.role(*cell) {
            CellRole::Uniform => &mut counts.uniform,
            CellRole::Private => &mut counts.private,
            CellRole::Varying(_) => &mut counts.varying,
            CellRole::Reduction(_) => &mut counts.reductions,
            CellRole::Carried => &mut counts.carried,
        } += 1;
    }
    if runs.iter().all(|(_, ran)| is_independent(&ran.log, &seen)) {
        counts.independent += 1;
        counts.told += usize::from(is_told);
    } else {
        let at = runs[0].0;
        assert!(!is_told, "it isn't independent\n{}\n{}", at.text(), of_loop(at.nest, chosen));
    }
    let any_order = |cell: &u32| {
        matches!(iterations.role(*cell), CellRole::Private | CellRole::Varying(_) | CellRole::Reduction(_))
    };
    if is_told || iterations.stored().iter().all(any_order) {
        counts.reversed += 1;
        let why = "any order is as good";
        runs.iter().for_each(|(at, ran)| at.leaves_the_same(chosen, Order::Reversed, (&ran.memory, why)));
    }
    let (Stmt::For(_, inside) | Stmt::Lanes(_, inside)) = chosen else { return };
    if inside.len() > 1 && are_separate(inside) {
        counts.separate += 1;
        let why = "its statements are separate";
        runs.iter().for_each(|(at, ran)| at.leaves_the_same(chosen, Order::TakenApart, (&ran.memory, why)));
    }
}

/// `x[i + more] := 0.0`, with the inner loop's index, a variable that the loop stores, or what stays added.
#[test]
fn an_index_has_the_same_added_to_it_in_each_iteration() {
    let [x, i, j, moves, stays] = [1, 2, 3, 4, 5];
    let role = |more: u32| {
        let stores =
            crate::nest_properties::short::each(j, int(3), vec![set(x, [add(load(more), load(i))], real(0.0))]);
        let each_i =
            crate::nest_properties::short::each(i, int(4), vec![stores, set(moves, [], add(load(moves), int(1)))]);
        Iterations::of(&each_i).expect("a loop").role(x)
    };
    assert_eq!([role(j), role(moves), role(stays)], [CellRole::Carried, CellRole::Carried, CellRole::Varying(0)]);
}

/// A number that one statement declares, and another one reads or stores.
#[test]
fn what_declares_for_others_is_in_one_loop_with_them() {
    let [x, y, c, s, i] = [1, 2, 3, 4, 5];
    let number = |cell: u32| slot(cell, "c", ScalarKind::Real, &[]);
    let stores = |cell: u32, value: NestValue| set(cell, [load(i)], value);
    let apart = [stores(x, real(1.0)), stores(y, real(2.0))];
    let reads = [Stmt::Let(number(c), real(1.0)), stores(x, load(c))];
    let sets = [Stmt::Var(number(s)), set(s, [], real(1.0))];
    let both = [sets[1].clone(), sets[0].clone()];
    assert_eq!([&apart, &reads, &sets, &both].map(|inside| are_separate(inside)), [true, false, false, false]);
}

#[test]
fn what_is_told_of_grown_loops_is_what_runs_show() {
    let mut counts = Counts::default();
    let nests = cases(300, 50_000) as usize;
    (0..nests as u64).for_each(|seed| compared(seed, &mut counts));
    println!("{counts:?}");
    let Counts { loops, varying, reductions, carried, independent, told, reversed, separate, fused, .. } = counts;
    assert!(
        loops > nests * 2 / 3 && varying > nests / 3 && reductions > nests / 5 && carried > nests / 5,
        "{counts:?}"
    );
    assert!(reversed > nests / 3 && separate > nests / 50 && fused > nests / 75, "{counts:?}");
    assert!(told * 100 > independent * 50, "{counts:?}");
}
