//! What is built in: licences and sources of every package are those that `deny.toml` allows, and what is unsafe says why.

use crate::support::floors;
use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

const RULES: &str = include_str!("../../deny.toml");

/// The strings of a list in `deny.toml`.
fn listed(key: &str) -> Vec<&'static str> {
    let (_, rest) = RULES.split_once(&format!("\n{key} = [")).unwrap_or_else(|| panic!("no {key}"));
    let (list, _) = rest.split_once(']').expect("the end of a list");
    list.split('"').skip(1).step_by(2).collect()
}

fn cargo(arguments: &[&str]) -> String {
    let told = Command::new(env!("CARGO")).args(arguments).current_dir(env!("CARGO_MANIFEST_DIR")).output();
    let told = told.expect("cargo");
    assert!(told.status.success(), "{}", String::from_utf8_lossy(&told.stderr));
    String::from_utf8(told.stdout).expect("text")
}

/// What is built on this machine: others' packages needn't be here.
fn packages() -> Vec<Value> {
    let version = cargo(&["-vV"]);
    let host = version.lines().find_map(|line| line.strip_prefix("host: ")).expect("a host");
    let all =
        ["metadata", "--locked", "--offline", "--all-features", "--format-version", "1", "--filter-platform", host];
    let told: Value = serde_json::from_str(&cargo(&all)).expect("JSON");
    told["packages"].as_array().expect("packages").clone()
}

/// Whether an expression of licences can be met with those that are allowed. `/` is an old way to write `OR`.
fn is_met(expression: &str, allowed: &[&str]) -> bool {
    let expression = expression.replace('/', " OR ");
    let plain = expression.split_whitespace().collect::<Vec<_>>().join(" ");
    if let Some((choice, rest)) = plain.strip_prefix('(').and_then(|inside| inside.split_once(')')) {
        let rest = rest.trim();
        let is_rest_met = match (rest.strip_prefix("AND "), rest.strip_prefix("OR ")) {
            (Some(other), _) => return is_met(choice, allowed) && is_met(other, allowed),
            (_, Some(other)) => is_met(other, allowed),
            _ => false,
        };
        return is_met(choice, allowed) || is_rest_met;
    }
    let is_one_met = |all: &str| all.split(" AND ").all(|one| allowed.contains(&one.trim().trim_end_matches('+')));
    plain.split(" OR ").any(is_one_met)
}

#[test]
fn licences_are_those_that_are_allowed() {
    let allowed = listed("allow");
    let refused: Vec<String> = packages()
        .iter()
        .filter(|package| !package["license"].as_str().is_some_and(|licence| is_met(licence, &allowed)))
        .map(|package| format!("{}: {}", package["name"], package["license"]))
        .collect();
    assert!(refused.is_empty(), "{refused:#?}");
}

#[test]
fn a_choice_of_licences_is_read() {
    let allowed = ["MIT", "Unicode-3.0"];
    for met in
        ["MIT", "MIT/Apache-2.0", "Apache-2.0 OR MIT", "(MIT OR Apache-2.0) AND Unicode-3.0", "MIT AND Unicode-3.0"]
    {
        assert!(is_met(met, &allowed), "{met}");
    }
    for refused in ["Apache-2.0", "MIT AND Apache-2.0", "(MIT OR Apache-2.0) AND GPL-3.0", "GPL-3.0 OR LGPL-3.0"] {
        assert!(!is_met(refused, &allowed), "{refused}");
    }
}

#[test]
fn packages_come_from_one_registry_and_none_is_banned() {
    let (banned, registries) = (listed("deny"), listed("allow-registry"));
    let packages = packages();
    assert!(packages.len() > 100, "only {} packages", packages.len());
    for package in &packages {
        let (name, source) = (package["name"].as_str().expect("a name"), package["source"].as_str());
        assert!(!banned.contains(&name), "{name} is banned");
        let known = |source: &str| source.strip_prefix("registry+").is_some_and(|place| registries.contains(&place));
        assert!(source.is_none_or(known), "{name} comes from {source:?}");
        if source.is_none() {
            for needed in package["dependencies"].as_array().expect("dependencies") {
                assert!(needed["req"] != "*" || needed["path"].is_string(), "{name} takes any version of {needed}");
            }
        }
    }
}

/// The crates forbid unsafe code, but that of the page, whose border to the browser needs it, the allocator that counts, what
/// calls code that was compiled, and what chooses loops by the processor.
#[test]
fn what_is_unsafe_says_why() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let libraries = floors::crates().chain([root.join("crates/reference")]).map(|folder| folder.join("src/lib.rs"));
    for forbidding in libraries.chain([root.join("src/main.rs")]) {
        let text = fs::read_to_string(&forbidding).expect("a file");
        assert!(text.contains("#![forbid(unsafe_code)]"), "{} doesn't forbid unsafe code", forbidding.display());
    }
    let loader = ["crates/loader/src/lib.rs", "crates/loader/src/team.rs"];
    for file in ["web/src/lib.rs", "crates/allocator/src/lib.rs", "crates/kernels/src/lib.rs"].into_iter().chain(loader)
    {
        let text = fs::read_to_string(root.join(file)).expect("a file");
        let lines: Vec<&str> = text.lines().collect();
        let is_declared = |line: &str| ["unsafe fn", "unsafe extern"].iter().any(|ty| line.contains(ty));
        let is_use = |line: &str| line.contains("unsafe") && !is_declared(line) && !line.contains("SAFETY");
        for at in (0..lines.len()).filter(|k| is_use(lines[*k])) {
            let mut before = lines[..at].iter().rev().take_while(|line| !line.trim().is_empty());
            assert!(before.any(|line| line.contains("SAFETY")), "{file}:{}: no reason", at + 1);
        }
    }
}
