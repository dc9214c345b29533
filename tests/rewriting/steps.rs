//! Steps as text, over derivations of shipped models and of grown programs: a step changes no name outside its redex, and
//! what is written of its lines alone are those lines of the whole text.

use crate::support::{generate, shipped};
use generate::Generator;
use redexter::cost::cheaper_total;
use redexter::ground::{Budget, Limits, with_stack};
use redexter::strategy::{Trace, run};
use redexter::syntax::{Excerpt, ExcerptPrinter, PrintRole, PrintStyle, PrintedPiece, Window, print_pieces};
use redexter::term::{Path, Program, Term};
use redexter_reference::cases;
use shipped::{Workbench, files, schedules};

/// The derivations of the shipped schedules on the models and on so many grown programs, each with what it is of: of all in an
/// extended run, else of each fifth. Of long ones the first `most` rewrites.
fn derivations(grown: u64, most: u64) -> impl Iterator<Item = (String, Trace)> {
    let workbench = Workbench::new();
    let strategies: Vec<_> = schedules().iter().flat_map(|path| workbench.strategies(path)).collect();
    let models = files("models", "arr").into_iter().flat_map(|path| workbench.programs(&path));
    let grown = (0..grown).map(|seed| (format!("seed {seed}"), Generator::new(seed, true).program(6)));
    let programs: Vec<(String, Program)> = models.chain(grown).collect();
    let each = cases(5, 1) as usize;
    programs.into_iter().enumerate().flat_map(move |(k, (name, program))| {
        let of = |(strategy, s): &(String, _)| {
            let budget = Budget::new(Limits { max_steps: most, ..Limits::default() }, None);
            let trace = run(s, &program, &budget, cheaper_total).ok()?.trace;
            Some((format!("{strategy} on {name}"), trace))
        };
        strategies.iter().skip(k % each).step_by(each).filter_map(of).collect::<Vec<_>>()
    })
}

/// The names outside the mark, in order.
fn names_outside(term: &Term, mark: &Path) -> Vec<String> {
    let pieces = print_pieces(term, &[], Some(mark), &PrintStyle { width: usize::MAX });
    let named = |piece: &PrintedPiece| !piece.marked && matches!(piece.role, PrintRole::Binder | PrintRole::Variable);
    pieces.into_iter().filter(named).map(|piece| piece.text.into_owned()).collect()
}

/// All lines of a text.
fn everything(term: &Term, beside: &Term, mark: &Path, style: &PrintStyle) -> Vec<Vec<PrintedPiece>> {
    let all = Window { context: usize::MAX, ends: usize::MAX };
    let [whole, _] = ExcerptPrinter::new(all, style).around([term, beside], mark);
    whole.into_iter().map(|line| line.expect("every line")).collect()
}

/// The lines of a text that a window shows, cut from all of them.
fn cut(lines: Vec<Vec<PrintedPiece>>, window: Window) -> Excerpt {
    let is_marked = |line: &Vec<PrintedPiece>| line.iter().any(|piece| piece.marked);
    let first = lines.iter().position(is_marked).unwrap_or(0);
    let last = lines.iter().rposition(is_marked).unwrap_or(0);
    let shown = |k: usize| {
        k + window.context >= first && k <= last + window.context && (k < first + window.ends || k + window.ends > last)
    };
    let mut out: Excerpt = lines.into_iter().enumerate().map(|(k, line)| shown(k).then_some(line)).collect();
    out.dedup_by(|a, b| a.is_none() && b.is_none());
    out
}

#[test]
fn a_step_changes_no_name_outside_its_redex() {
    let steps = with_stack(10_000, || {
        let mut steps = 0;
        for (name, trace) in derivations(40, 40) {
            for (step, before, after) in trace.rewrites() {
                let path = step.path();
                let (old, new) = (names_outside(&before, &path), names_outside(&after, &path));
                assert_eq!(old, new, "{:?} of {name}", step.rule());
                steps += 1;
            }
        }
        steps
    });
    assert!(steps.expect("a thread") > cases(2_000, 10_000));
}

#[test]
fn the_lines_around_a_mark_are_those_of_the_whole_text() {
    let steps = with_stack(10_000, || {
        let mut steps = 0;
        for (k, (name, trace)) in derivations(12, 40).enumerate() {
            let style = PrintStyle { width: [96, 40, 71, 12][k % 4] };
            let window = Window { context: [3, 1][k % 2], ends: [8, 2, 1][k % 3] };
            let mut printer = ExcerptPrinter::new(window, &style);
            for (step, before, after) in trace.rewrites() {
                let path = step.path();
                let shown = printer.around([&before, &after], &path);
                let whole = [everything(&before, &after, &path, &style), everything(&after, &before, &path, &style)];
                assert_eq!(shown, whole.map(|lines| cut(lines, window)), "{:?} of {name}", step.rule());
                steps += 1;
            }
        }
        steps
    });
    assert!(steps.expect("a thread") > cases(1_000, 5_000));
}

/// The general schedule on a model, in full.
fn fast_gradient(model: &str) -> Trace {
    let workbench = Workbench::new();
    let strategies = workbench.strategies(std::path::Path::new("strategies/gradient.strat"));
    let (_, strategy) = strategies.into_iter().find(|(name, _)| name.ends_with(" fastGradient")).expect("it ships");
    let programs = workbench.programs(std::path::Path::new(model));
    let (_, program) = programs.into_iter().find(|(name, _)| name.ends_with(":gradient")).expect("a gradient");
    run(&strategy, &program, &Budget::default(), cheaper_total).expect("no limit").trace
}

#[test]
fn a_step_costs_what_it_changes_and_what_it_shows() {
    let visited = with_stack(10_000, || {
        let trace = fast_gradient("models/mixture.arr");
        let mut printer = ExcerptPrinter::new(Window { context: 3, ends: 8 }, &PrintStyle { width: 96 });
        let (mut steps, mut nodes) = (0, 0);
        for (step, before, after) in trace.rewrites() {
            printer.around([&before, &after], &step.path());
            steps += 1;
            nodes += before.size() + after.size();
        }
        (steps, printer.visited(), nodes)
    });
    let (steps, visited, nodes) = visited.expect("a thread");
    assert!(steps > 1_500, "{steps}");
    assert!(visited < 1_000 * steps && visited * 2 < nodes, "{visited} for {steps} steps of terms of {nodes} nodes");
}
