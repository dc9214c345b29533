//! Cases in files, each a test of its own: `cargo test --test cases -- '[sessions]'` tries the transcripts alone.

mod corpus;
mod evidence;
mod gradients;
mod measured;
mod right;
mod sessions;
mod unseen;

#[allow(dead_code, reason = "other programs of tests need more of it")]
#[path = "../support"]
mod support {
    pub mod agree;
    pub mod figures;
    pub mod futhark;
    pub mod host;
    pub mod machine;
    pub mod program;
    pub mod session;
    pub mod shipped;
    pub mod typed;
}

use libtest_mimic::Arguments;

fn main() {
    let kinds = [
        ("corpus", corpus::trials()),
        ("evidence", evidence::trials()),
        ("gradients", gradients::trials()),
        ("measured", measured::trials()),
        ("right", right::trials()),
        ("sessions", sessions::trials()),
        ("unseen", unseen::trials()),
    ];
    let trials = kinds.into_iter().flat_map(|(kind, all)| all.into_iter().map(move |trial| trial.with_kind(kind)));
    libtest_mimic::run(&Arguments::from_args(), trials.collect()).exit();
}
