//! Why a rule doesn't apply.

use redexter::ground::Budget;
use redexter::redex::{Family, families, named};
use redexter::render::{Page, why_rule};
use redexter::rule::RuleInfo;
use redexter::term::Path;
use redexter::why::{RuleAnswer, rule_at};
use std::rc::Rc;

use super::book::World;

fn asked(world: &World, term: &str, rule: &str, at: Option<&str>) -> RuleAnswer {
    let program = world.term(term);
    let rules: Vec<Rc<RuleInfo>> = world.book.iter().cloned().collect();
    let rule: Family = named(rule, &rules).expect("a rule");
    let at = at.map(|at| Path::parse(at, &program.term).expect("a place"));
    rule_at(&rule, &program, at.as_ref(), &families(&rules), &Budget::default())
}

#[test]
fn explore() {
    let world = World::new();
    for (term, rule, at) in [
        ("fun (v : real) => let x := exp v; x * x + x", "letSubstN(1)", None),
        ("fun (v : real) => let x := exp v; x * x + x", "letSubstN", Some("body")),
        ("fun (v : real) => let x := exp v; x * x + x", "letSubstSafe", None),
        ("fun (v : array n real) (i : fin n) => (let x := 2; build n (fun i => v[i] * x))[i]", "getBuild", None),
        ("fun (v : array n real) (i : fin n) => let a := build n (fun i => v[i] * 2); a[i] + 1", "getBuild", None),
        ("fun (v : array n real) (i : fin n) => v[i]", "getBuild", Some("body.body")),
        ("fun (a b c : real) => if a < b then c + a else c + b", "ifSame", None),
        ("fun (v : array n real) => ifold n (fun a i => v[i] + a) 0", "ifoldInvariant", None),
        ("fun (v : array n real) => ifold n (fun a i => a + v[i]) 0", "ifoldInvariant", None),
        ("fun (v : array n real) => ifold n (fun a i => a + v[i]) 0", "ifoldZero", None),
        ("fun (v : array n real) => ifold n (fun a i => a + v[i]) 0", "ifoldPeel", None),
        ("fun (v : array n real) => build n (fun i => if v[i] < 0 then v[i] else 2 * v[i])", "ifSplit", None),
        ("fun (v : array n real) (k : fin n) => ifold n (fun a i => a + (if i = k then v[i] else 0)) 0", "ifoldOneHot", None),
        ("fun (v : array n real) => ifold n (fun a i => a + v[i]) 0", "sumOneHot", None),
        ("fun (v : real) => let x := exp v; x + exp (v + 1)", "letReuse", None),
        ("fun (v : real) => v", "getBuild", None),
        ("fun (v : real) => v * (1 + 0)", "mulOne", None),
        ("fun (v w : array n real) => build n (fun i => v[i] + w[i])", "buildGet", None),
        ("fun (x y : real) => let a := sin x; let b := a * y; b + a", "letSwap", None),
    ] {
        let answer = asked(&world, term, rule, at);
        println!("=== {term}\n    {rule} {at:?}\n{}[{} tried]", why_rule(&answer, Page::from(110)).text(), answer.tried);
    }
}
