//! Modules know each other in one direction only: no circle of names between the modules of a crate, nor between those within
//! `rule`, `check` and some more. Between crates the compiler sees to it.
//!
//! One module names another if a file of it has a path into the other: in a `use` or elsewhere, in a macro's arguments, too, but
//! not in comments and unit tests. Imports and re-exports on the way are named, and followed to the file that defines what is
//! meant; what a `mod.rs` defines itself is a module beside its children, by the name `mod`. Methods leave no path where they are
//! called: so a type's inherent `impl` belongs in the type's module, and one that stands in another counts as a circle of the
//! two.

use crate::support::{floors, house};
use std::fs;

use floors::{FLOORS, crates, root};
use house::{House, circle};

/// Modules whose own modules have an order, with their crates; the files of the others may need each other.
const ORDERED: [(&str, &str); 15] = [
    ("crates/language", "check"),
    ("crates/language", "ground"),
    ("crates/rewriting", "compare"),
    ("crates/rewriting", "rule"),
    ("crates/rewriting", "strategy"),
    ("crates/rewriting", "strategy::engine"),
    ("crates/session", "reply"),
    ("crates/session", "script"),
    ("crates/session", "session"),
    ("crates/telling", "handout"),
    ("crates/telling", "lesson"),
    ("crates/telling", "questions"),
    ("crates/telling", "render"),
    ("crates/telling", "walk"),
    (".", "terminal"),
];

fn made_up(files: &[(&str, &str)]) -> Option<Vec<String>> {
    circle(&House::of(files.iter().copied()).edges(""))
}

#[test]
fn no_circles() {
    let everywhere = crates().map(|folder| (folder, ""));
    let within = ORDERED.iter().map(|(folder, within)| (root().join(folder), *within));
    let mut found = String::new();
    for (folder, within) in everywhere.chain(within) {
        let house = House::read(&folder.join("src"));
        assert!(house.children(within).len() > 2, "no modules in {} {within}", folder.display());
        if let Some(links) = circle(&house.edges(within)) {
            found += &format!("a circle in {} {within}\n  {}\n", folder.display(), links.join("\n  "));
        }
    }
    assert!(found.is_empty(), "{found}");
}

/// Each module stands in its crate's tour, behind those that it names.
#[test]
fn the_tours_have_their_order() {
    for folder in crates() {
        let house = House::read(&folder.join("src"));
        let tour = fs::read_to_string(folder.join("src/lib.rs")).expect("a tour");
        let modules = house.children("");
        let told: Vec<&str> = tour.split("[`").filter_map(|rest| rest.split_once("`]")).map(|(name, _)| name).collect();
        let turn = |module: &str| told.iter().position(|name| *name == module);
        let missing: Vec<&&str> =
            modules.iter().filter(|module| turn(module).is_none() && **module != "main").collect();
        assert!(missing.is_empty(), "the tour of {} lacks {missing:?}", folder.display());
        let edges = house.edges("");
        let early = edges.iter().filter(|((from, to), _)| from != "main" && turn(from) < turn(to));
        let early: Vec<String> =
            early.map(|((from, to), places)| format!("{from} before {to}: {}", places[0])).collect();
        assert!(early.is_empty(), "the tour of {} has\n  {}", folder.display(), early.join("\n  "));
    }
}

/// A floor needs those below it that it names, and no others: what runs on this machine is none of the core's.
#[test]
fn a_floor_stands_on_those_below_it() {
    for (name, below) in FLOORS {
        let manifest = fs::read_to_string(root().join("crates").join(name).join("Cargo.toml")).expect("a manifest");
        let named: Vec<&str> =
            manifest.lines().filter_map(|line| line.strip_prefix("redexter-")?.split(['.', ' ']).next()).collect();
        assert_eq!(named, below, "{name}");
    }
}

/// Crates that one module alone names, so that it alone changes with them.
const ONE_MODULE: [(&str, &str); 21] = [
    ("base64", "handout"),
    ("clap", "cli"),
    ("clap_complete", "cli"),
    ("clap_mangen", "cli"),
    ("codespan_reporting", "render"),
    ("colored", "terminal"),
    ("ctrlc", "terminal"),
    ("mimalloc", "main"),
    ("nix", "terminal"),
    ("pest", "syntax"),
    ("pest_derive", "syntax"),
    ("rawzip", "arrays"),
    ("redexter_kernels", "blocks"),
    ("redexter_loader", "native"),
    ("rhai", "script"),
    ("rustyline", "repl"),
    ("serde_core", "eval"),
    ("sha2", "handout"),
    ("similar", "render"),
    ("siphasher", "term"),
    ("strsim", "ground"),
];

/// The theme alone knows how a terminal is told of colours.
#[test]
fn a_crate_is_named_in_one_module() {
    let mut wrong = Vec::new();
    let mut seen = std::collections::BTreeSet::new();
    // What Python loads has an allocator of its own, as the program has.
    let others = crates().filter(|folder| !folder.ends_with("python"));
    for (path, text) in others.flat_map(|folder| house::texts(&folder.join("src"))) {
        let module = path.split('/').next().unwrap_or(&path).trim_end_matches(".rs").to_owned();
        for (name, owner) in ONE_MODULE {
            let (path_of, alone) = (format!("{name}::"), format!("use {name};"));
            let named = text.lines().map(str::trim_start).filter(|line| !line.starts_with("//")).any(|line| {
                let is_begun = |at: usize| !line[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == ':');
                line == alone || line.match_indices(&path_of).any(|(at, _)| is_begun(at))
            });
            if named {
                seen.insert(name);
            }
            if named && module != owner {
                wrong.push(format!("{path} names {name}, which is {owner}'s"));
            }
        }
        if text.contains("\\x1b[0m") || path != "terminal/theme.rs" && text.contains("use colored") {
            wrong.push(format!("{path} paints"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let unseen: Vec<&str> = ONE_MODULE.iter().map(|(name, _)| *name).filter(|name| !seen.contains(name)).collect();
    assert!(unseen.is_empty(), "named nowhere: {unseen:?}");
}

/// Code is laid out by rustfmt, which leaves comments as they are.
#[test]
fn comments_are_at_most_130_columns_wide() {
    let folders = crates().map(|folder| folder.join("src")).chain([root().join("tests")]);
    let texts = folders.flat_map(|folder| house::texts(&folder));
    let wide = |text: &str| text.lines().any(|line| line.trim_start().starts_with("//") && line.chars().count() > 130);
    let wrong: Vec<String> = texts.filter(|(_, text)| wide(text)).map(|(path, _)| path).collect();
    assert!(wrong.is_empty(), "comments are wider in {wrong:?}");
}

#[test]
fn circles_are_found() {
    let a = ("a.rs", "use crate::b;\n\nfn f() { g(&[crate::b::c::X]) }");
    let b = ("b/mod.rs", "mod c;\npub use c::{X, y as z};");
    let links = made_up(&[a, b, ("b/c.rs", "use super::super::a::f;")]).expect("a circle");
    assert_eq!(links, ["a -> b\n    a.rs:1: b\n    a.rs:3: b::c::X", "b -> a\n    b/c.rs:1: a::f"]);
}

#[test]
fn imports_are_followed() {
    let hands_on = ("b.rs", "pub use crate::a::{self, F};");
    let c = ("c.rs", "use crate::b::F as G;");
    assert_eq!(made_up(&[("a.rs", "pub struct F;"), hands_on, c]), None);
    let links = made_up(&[("a.rs", "use crate::c::H;"), hands_on, c]).expect("a circle");
    assert_eq!(links, ["a -> c\n    a.rs:1: c::H", "c -> a\n    c.rs:1: b::F"]);
}

#[test]
fn methods_bind_both_ways() {
    let own = ("a.rs", "pub struct A<T>(T);\nimpl<T: Into<u8>> A<T> {}");
    let of_trait = ("b.rs", "use crate::a::A;\nimpl Clone for A<fn() -> u8> {}\nfn f() -> impl Sized { }");
    assert_eq!(made_up(&[own, of_trait]), None);
    let apart = ("b.rs", "use crate::a::A;\nimpl<F: Fn() -> u8> A<F> {}");
    assert!(made_up(&[own, apart]).is_some_and(|links| links[0].contains("b.rs:2")), "no circle");
}

#[test]
fn comments_and_unit_tests_name_nothing() {
    let quiet = "//! [`crate::a`]\n#[cfg(test)]\nmod tests { use crate::a::A; }\n// crate::a\n";
    assert_eq!(made_up(&[("a.rs", "use crate::b::B;"), ("b.rs", quiet)]), None);
}
