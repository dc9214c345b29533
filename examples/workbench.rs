//! The workbench as one file: the core as a WebAssembly module, and the page around it.
//!
//! `web/build` builds the module and runs `cargo run --example workbench -- MODULE.wasm OUT.html`.

use std::env::args;
use std::error::Error;
use std::fs;
use std::num::NonZeroU64;

use redexter::handout::frame::{HtmlDocument, Markup};
use zopfli::{Format, Options};

/// More make it hardly smaller.
const ROUNDS: NonZeroU64 = NonZeroU64::new(5).unwrap();

/// At most: code and texts of different kinds are each packed in their own way.
const BLOCKS: u16 = 1_000;

macro_rules! texts {
    ($($path:literal)*) => {
        &[$(include_str!(concat!("../", $path))),*]
    };
}

const STYLES: &[&str] = texts! {
    "crates/telling/src/handout/assets/look.css"
    "crates/telling/src/handout/assets/viewer.css"
    "web/workbench/workbench.css"
};

/// In the order in which they run: each knows those before it.
const SCRIPTS: &[&str] = texts! {
    "crates/telling/src/handout/assets/browser.js"
    "crates/telling/src/handout/assets/sheet.js"
    "crates/telling/src/handout/assets/drawing.js"
    "crates/telling/src/handout/assets/steps.js"
    "crates/telling/src/handout/assets/curve.js"
    "crates/telling/src/handout/assets/stages.js"
    "crates/telling/src/handout/assets/facts.js"
    "crates/telling/src/handout/assets/search.js"
    "crates/telling/src/handout/assets/terms.js"
    "crates/telling/src/handout/assets/ways.js"
    "crates/telling/src/handout/assets/viewer.js"
    "crates/telling/src/handout/assets/sides.js"
    "web/workbench/worker.js"
    "web/workbench/core.js"
    "web/workbench/dom.js"
    "web/workbench/completion.js"
    "web/workbench/editor.js"
    "web/workbench/files.js"
    "web/workbench/lines.js"
    "web/workbench/term.js"
    "web/workbench/rewrites.js"
    "web/workbench/rules.js"
    "web/workbench/history.js"
    "web/workbench/compare.js"
    "web/workbench/evaluate.js"
    "web/workbench/lessons.js"
    "web/workbench/program.js"
    "web/workbench/workbench.js"
};

/// A script or a style without its lines of comments and its indentation, which are for those who read the source. No text in
/// one goes over several lines, so that neither is part of a text.
fn packed(source: &str) -> String {
    let lines = source.split_inclusive('\n').map(str::trim_start);
    lines.filter(|line| !line.is_empty() && !line.starts_with("//")).collect()
}

fn main() -> Result<(), Box<dyn Error>> {
    let [_, module, out] = &args().collect::<Vec<_>>()[..] else {
        return Err("usage: workbench MODULE.wasm OUT.html".into());
    };
    // As small as it gets: it is packed once, and loaded often.
    let mut module_packed = Vec::new();
    let options = Options { iteration_count: ROUNDS, maximum_block_splits: BLOCKS, ..Options::default() };
    zopfli::compress(options, Format::Gzip, &fs::read(module)?[..], &mut module_packed)?;
    let [styles, scripts] = [STYLES, SCRIPTS].map(|all| all.iter().map(|source| packed(source)).collect::<Vec<_>>());
    let frame = HtmlDocument {
        title: "Redexter: the workbench",
        description: "A workbench for the order of program optimisations on differentiable array programs",
        body: Markup::known(include_str!("../web/workbench/index.html")),
        data: &[("module", &module_packed)],
        styles: &styles.iter().map(String::as_str).collect::<Vec<_>>(),
        scripts: &scripts.iter().map(String::as_str).collect::<Vec<_>>(),
        runs_wasm: true,
    };
    fs::write(out, frame.document())?;
    Ok(())
}
