//! The terms that rules reach: against a search by hand.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path as File;
use std::rc::Rc;

use redexter::choice::{RewriteGraph, graph};
use redexter::cost::{self, TYPICAL_SIZE};
use redexter::ground::{Budget, Limits, Nesting};
use redexter::redex::{Finder, RuleFamily, families};
use redexter::render::{answer_json, walk};
use redexter::session::{MemorySystem, Response};
use redexter::term::{Path, Program, Term};

use crate::asking::choice::{at, rules, run_to_end, wrong};
use crate::asking::redexes::programs;
use crate::asking::session::session;
use crate::asking::shipped::Workbench;
use crate::asking::walks::{deep, found, submit, walked};
use redexter::session::SilentSink;

fn drawn(
    program: &Program,
    names: &[&str],
    steps: usize,
    most: usize,
    bench: &Workbench,
) -> (RewriteGraph, Vec<RuleFamily>) {
    let all = rules(bench);
    let chosen = names.iter().map(|name| all.iter().find(|info| info.name.as_str() == *name).expect("a rule"));
    let families: Vec<RuleFamily> = chosen.map(RuleFamily::of).collect();
    let mut finder = Finder::new(families.clone());
    let found = graph(program, &Path::default(), (steps, most), &mut finder, &Budget::default());
    (found, families)
}

#[test]
fn a_graph_has_each_term_once_all_rewrites_between_them_and_its_normal_forms() {
    deep(|| {
        let bench = Workbench::new();
        let names = ["beta", "getBuild", "fstPair", "sndPair", "letSubst", "mulOne", "addZero"];
        let mut normal = 0;
        for program in programs(&bench) {
            let (found, families) = drawn(&program, &names, 3, 5_000, &bench);
            if found.limit.is_some() {
                continue;
            }
            // Breadth first by hand, over texts.
            let mut finder = Finder::new(families);
            let (mut seen, mut level) = (vec![program.term.clone()], vec![program.term.clone()]);
            for _ in 0..3 {
                let mut next = Vec::new();
                for term in level {
                    let all =
                        finder.redexes(&program.with(term.clone()), usize::MAX, &Budget::default()).unwrap().found;
                    for after in all.iter().filter_map(|redex| redex.rewrite(&term)) {
                        if !seen.contains(&after) {
                            seen.push(after.clone());
                            next.push(after);
                        }
                    }
                }
                level = next;
            }
            let terms: Vec<Term> = found.nodes.iter().map(|node| node.term.clone()).collect();
            assert_eq!(terms, seen);
            let size = |k: usize| found.nodes[k].work.at(|_| TYPICAL_SIZE);
            assert!((0..terms.len()).all(|k| size(found.cheapest) <= size(k)));
            for node in &found.nodes {
                let from = program.with(node.term.clone());
                let all = finder.redexes(&from, usize::MAX, &Budget::default()).unwrap().found;
                assert_eq!(node.is_normal(), all.is_empty());
                assert_eq!(*node.work, cost::work(&node.term).total());
                assert_eq!(node.open, node.depth == 3 && !all.is_empty());
                assert_eq!(node.edges.len(), if node.open { 0 } else { all.len() });
                for edge in &node.edges {
                    assert_eq!(run_to_end(&at(&edge.path, &node.term, &edge.rule), &from), terms[edge.to]);
                }
                normal += usize::from(node.is_normal());
            }
        }
        assert!(normal > 20, "{normal}");
    });
}

#[test]
fn a_graph_ends_at_its_limits_and_says_so() {
    deep(|| {
        let bench = Workbench::new();
        let (_, program) = bench.programs(File::new("models/dot.arr")).remove(1);
        let all: Vec<String> = rules(&bench).iter().map(|info| info.name.to_string()).collect();
        let names: Vec<&str> = all.iter().map(String::as_str).collect();
        let (found, _) = drawn(&program, &names, 9, 40, &bench);
        assert_eq!((found.nodes.len(), found.limit), (40, Some(40)));
        assert!(found.nodes[0].edges.iter().all(|edge| edge.to < 40));
        let mut finder = Finder::new(families(&rules(&bench)));
        let few = Budget::new(Limits { max_steps: 7, ..Limits::default() }, None);
        let found = graph(&program, &Path::default(), (2, 200), &mut finder, &few);
        assert!(found.stopped.is_some() && found.nodes.len() > 1 && found.nodes.len() <= 8);
        assert!(found.nodes[0].open);
    });
}

#[test]
fn graphs_are_drawn_into_files() {
    deep(|| {
        let memory = Rc::new(MemorySystem::default());
        memory.put(File::new("m.arr"), &fs::read("models/vector_sum.arr").unwrap());
        let mut session = session(memory.clone(), Nesting { terms: 100_000, ..Nesting::default() }, SilentSink);
        submit(&mut session, ":load m.arr");
        submit(&mut session, "gradient");
        let reached: RewriteGraph = found(&mut session, ":graph 2 getBuild <+ letSubstN(1) <+ beta");
        assert_eq!(reached.rules, ["getBuild", "letSubstN(1)", "beta"]);
        assert!(reached.nodes.len() > 3 && reached.limit.is_none());
        for file in ["g.svg", "g.dot"] {
            let line = format!(":graph 2 getBuild <+ letSubstN(1) <+ beta {file}");
            assert!(matches!(submit(&mut session, &line), Response::Drawn(path, _) if path == File::new(file)));
            let text = String::from_utf8(memory.get(File::new(file)).expect("a file").to_vec()).unwrap();
            let boxes = if file == "g.svg" { text.matches("<rect").count() } else { text.matches("];\n").count() };
            let links: BTreeSet<(usize, usize)> = reached
                .nodes
                .iter()
                .enumerate()
                .flat_map(|(from, node)| node.edges.iter().map(move |edge| (from, edge.to)))
                .collect();
            let extra = if file == "g.svg" { 0 } else { links.len() + 2 };
            assert_eq!(boxes, reached.nodes.len() + extra, "{text}");
        }
        let json = answer_json(&walked(&mut session, ":graph 1 getBuild")).expect("it is JSON");
        assert_eq!((&json["terms"][0]["number"], &json["all"]), (&1.into(), &true.into()));
        let answer = walked(&mut session, ":graph 2 getBuild <+ letSubstN(1) <+ beta");
        let text = walk(&answer, 100.into()).into_text();
        let numbered = |k: usize| text.lines().filter(|line| line.trim_start().starts_with(&format!("{k}. "))).count();
        assert!((1..=reached.nodes.len()).all(|k| numbered(k) == 1), "{text}");
        assert!(wrong(&mut session, ":graph 1 id").contains("has no rules"));
        // Those that fired, then.
        submit(&mut session, "topDown(beta)");
        let fired: RewriteGraph = found(&mut session, ":graph");
        assert_eq!((fired.rules, fired.steps), (vec!["beta".to_owned()], 1));
    });
}
