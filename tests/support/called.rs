//! A driver in C calls exported programs and writes down their results; each array stands in a block of exactly its size.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, Stdio};

use redexter::blocks::packed;
use redexter::export::c::{CTarget, Caller};
use redexter::export::{c, nest_of};
use redexter::ground::{Budget, Name};
use redexter::nest::{Freedom, Nest, ScalarKind};

use super::mixed::{Case, Run};

/// Programs in C call it.
pub const fn called(freedom: Freedom, vectors: u32) -> CTarget {
    CTarget { caller: Caller::C, freedom, vectors, checked: false }
}

/// Signs of zeros and roundings are the evaluator's without a flag.
const PLAIN: [&str; 2] = ["-std=gnu11", "-w"];

/// `given` reads a block from the input, `room` makes one for results: NaN as a double, far outside of all arrays as an index,
/// so that results that depend on what nobody wrote differ. `apart` makes one for a temporary, until `together`.
const HELPERS: &str = r#"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
static void words(void *to, size_t n) { if (n && fread(to, 8, n, stdin) != n) exit(3); }
static uint64_t number(void) { uint64_t n; words(&n, 1); return n; }
static void *given(void) { uint64_t n = number(); void *all = malloc(8 * n); words(all, n); return all; }
static void fill(void *to, size_t n) {
  for (size_t k = 0; k < n; k++) ((uint64_t *)to)[k] = UINT64_C(0xfff8bebebebebebe);
}
static void *room(size_t n) { void *all = malloc(8 * n); fill(all, n); return all; }
static void done(void *all, size_t n) { if (n) fwrite(all, 8, n, stdout); free(all); }
static void *temporaries[4096];
static size_t count;
static void *apart(int64_t bytes) { return temporaries[count++] = room((size_t)bytes / 8); }
static void together(void) { while (count) free(temporaries[--count]); }
"#;

/// Where temporaries stand.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Temporaries {
    /// In the arena, as callers of C have it.
    Arena,
    /// Each in a block of its own, so that nothing behind one is another.
    Apart,
}

/// What the exporter writes where a temporary begins, and the size behind which the next one does.
const BEGINS: (&str, &str, &str) = ("(void *)free_bytes;", "  free_bytes += (", " + 56) & ~INT64_C(63);");

/// The same source with each temporary in a block of its own, and how many there are.
fn apart(source: &str) -> (String, usize) {
    let (mut text, mut count, mut lines) = (String::new(), 0, source.lines());
    while let Some(line) = lines.next() {
        match line.strip_suffix(BEGINS.0) {
            Some(begun) => {
                let next = lines.next().and_then(|next| next.strip_prefix(BEGINS.1)?.strip_suffix(BEGINS.2));
                let _ = writeln!(text, "{begun}apart({});", next.expect("a size"));
                count += 1;
            }
            None => {
                let _ = writeln!(text, "{line}");
            }
        }
    }
    (text, count)
}

/// Programs that were written as C, and compiled.
pub struct Called<'a> {
    cases: Vec<&'a Case>,
    nests: Vec<Nest>,
    folder: &'a Path,
    is_exact: bool,
    /// What the compiler doesn't take, and why.
    refused: Vec<String>,
}

impl<'a> Called<'a> {
    /// The programs that can be exported, compiled at once with these flags, without those that the compiler doesn't take.
    pub fn compiled(
        cases: &'a [Case],
        (target, temporaries): (CTarget, Temporaries),
        folder: &'a Path,
        flags: &[&str],
    ) -> Called<'a> {
        let nest = |case: &Case| nest_of(&Name::new("f"), &case.program, &target.form()).ok();
        let (cases, nests) = cases.iter().filter_map(|case| Some((case, nest(case)?))).unzip();
        let is_exact = target.freedom == Freedom::Exact;
        let mut called = Called { cases, nests, folder, is_exact, refused: Vec::new() };
        while let Err(said) = called.compile(&target, temporaries, flags) {
            let k = named(&said).filter(|k| *k < called.cases.len()).unwrap_or_else(|| panic!("{said}"));
            called.refused.push(format!("{}{said}", called.cases.remove(k).text));
            called.nests.remove(k);
        }
        called
    }

    /// What the compiler says, if it fails.
    fn compile(&self, target: &CTarget, temporaries: Temporaries, flags: &[&str]) -> Result<(), String> {
        let entry = |(k, case): (usize, &&Case)| (Name::new(&format!("f{k}")), case.program.clone());
        let written = c("all", &self.cases.iter().enumerate().map(entry).collect::<Vec<_>>(), target).expect("C");
        let mut source = written.source;
        if temporaries == Temporaries::Apart {
            let (text, count) = apart(&source);
            assert_eq!(count, self.nests.iter().map(|nest| nest.temporaries.len()).sum::<usize>());
            source = text;
        }
        let [file, made] = ["driver.c", "driver"].map(|name| self.folder.join(name));
        fs::write(&file, format!("{HELPERS}{source}{}", driver(&self.nests))).expect("a file");
        let mut command = Command::new("cc");
        command.args(PLAIN).args(flags).arg(file).arg("-o").arg(made).arg("-lm");
        let said = command.output().expect("cc");
        let first = String::from_utf8_lossy(&said.stderr).lines().take(4).collect::<Vec<_>>().join("\n");
        if said.status.success() { Ok(()) } else { Err(first) }
    }

    pub fn programs(&self) -> usize {
        self.cases.len()
    }

    pub fn runs(&self) -> usize {
        self.cases.iter().map(|case| case.runs.len()).sum()
    }

    /// What is wrong: what isn't compiled, runs that ended early, and, of exact ones, results that aren't the evaluator's. After
    /// a run that ended early the driver is started again for those behind it.
    pub fn wrong(&self) -> Vec<String> {
        let runs: Vec<(usize, &Run)> =
            self.cases.iter().enumerate().flat_map(|(k, case)| case.runs.iter().map(move |run| (k, run))).collect();
        let (mut wrong, mut rest) = (self.refused.clone(), &runs[..]);
        while !rest.is_empty() {
            let (found, said) = self.called(rest);
            let mut words = found.chunks_exact(8).map(|word| u64::from_le_bytes(word.try_into().expect("8 bytes")));
            let mut ended = None;
            for (at, (k, run)) in rest.iter().enumerate() {
                let expected = self.expected(*k, run);
                let own: Vec<u64> = words.by_ref().take(expected.len() + 1).collect();
                // A word behind each run says that it came to its end.
                if own.len() <= expected.len() {
                    ended = Some(at);
                    break;
                }
                if !self.is_exact {
                    continue;
                }
                if let Some(at) = expected.iter().zip(&own).position(|((number, a), b)| !same(*number, *a, *b)) {
                    let show = |word: u64| match expected[at].0 {
                        ScalarKind::Real => format!("{:?}", f64::from_bits(word)),
                        ScalarKind::Int => word.cast_signed().to_string(),
                    };
                    let (a, b) = (show(expected[at].1), show(own[at]));
                    wrong.push(format!("{}: number {at} is {b} and not {a}", self.described(*k, run)));
                }
            }
            let Some(at) = ended else { break };
            let (k, run) = rest[at];
            wrong.push(format!("{}:\n{said}", self.described(k, run)));
            rest = &rest[at + 1..];
        }
        wrong
    }

    fn described(&self, k: usize, run: &Run) -> String {
        format!("{} at {:?}", self.cases[k].text, run.sizes)
    }

    /// The numbers of a result in the order in which the driver writes them.
    fn expected(&self, k: usize, run: &Run) -> Vec<(ScalarKind, u64)> {
        let ty = self.cases[k].program.term.applied().1.ty().clone();
        let words = packed([(&ty, &run.expected)], &Budget::default()).expect("words");
        let numbers = self.nests[k].results.iter().map(|slot| slot.array.number);
        numbers.zip(words).flat_map(|(number, words)| words.into_iter().map(move |word| (number, word))).collect()
    }

    /// What the driver writes for these runs, and what it says.
    fn called(&self, runs: &[(usize, &Run)]) -> (Vec<u8>, String) {
        let mut words = Vec::new();
        for (k, run) in runs {
            let (nest, case) = (&self.nests[*k], self.cases[*k]);
            words.push(*k as u64);
            words.extend(nest.sizes.iter().map(|name| run.sizes.get(name).unwrap_or(0)));
            let (parameters, _) = case.program.term.applied();
            let given =
                packed(parameters.iter().map(|(_, ty)| ty).zip(&run.inputs), &Budget::default()).expect("words");
            for part in given {
                words.push(part.len() as u64);
                words.extend(part);
            }
            words.extend(nest.results.iter().map(|slot| run.sizes.elements(&slot.array.dims)));
        }
        let [input, output] = ["input", "output"].map(|name| self.folder.join(name));
        fs::write(&input, words.into_iter().flat_map(u64::to_le_bytes).collect::<Vec<u8>>()).expect("a file");
        let child = Command::new(self.folder.join("driver"))
            .env("ASAN_OPTIONS", "detect_leaks=0")
            .stdin(File::open(&input).expect("a file"))
            .stdout(File::create(&output).expect("a file"))
            .stderr(Stdio::piped())
            .spawn()
            .expect("the driver");
        let said = child.wait_with_output().expect("the driver");
        let reason = String::from_utf8_lossy(&said.stderr).lines().take(8).collect::<Vec<_>>().join("\n");
        (fs::read(output).expect("a file"), format!("{}\n{reason}", said.status))
    }
}

/// The number of the program that a compiler names first.
fn named(said: &str) -> Option<usize> {
    let (_, rest) = said.split_once("all_f")?;
    rest.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}

fn same(number: ScalarKind, a: u64, b: u64) -> bool {
    let both_nan = number == ScalarKind::Real && f64::from_bits(a).is_nan() && f64::from_bits(b).is_nan();
    a == b || both_nan
}

/// A function for each program, which are called by number until the input ends.
fn driver(nests: &[Nest]) -> String {
    let mut text = String::new();
    for (k, nest) in nests.iter().enumerate() {
        let _ = writeln!(text, "static void run{k}(void) {{");
        let mut sizes = Vec::new();
        for s in 0..nest.sizes.len() {
            let _ = writeln!(text, "  int64_t s{s} = (int64_t)number();");
            sizes.push(format!("s{s}"));
        }
        let mut arguments = sizes.clone();
        for (g, slot) in nest.parameters.iter().enumerate() {
            let ty = if slot.array.number == ScalarKind::Real { "double" } else { "int64_t" };
            let _ = writeln!(text, "  {ty} *g{g} = given();");
            arguments.push(format!("{}g{g}", if slot.array.dims.is_empty() { "*" } else { "" }));
        }
        for r in 0..nest.results.len() {
            let _ = writeln!(text, "  size_t n{r} = number();\n  void *r{r} = room(n{r});");
            arguments.push(format!("r{r}"));
        }
        arguments.push("arena + 8".to_owned());
        let (sizes, arguments) = (sizes.join(", "), arguments.join(", "));
        // It begins where 8 bytes begin, but no 16.
        let _ = writeln!(text, "  size_t bytes = all_f{k}_arena({sizes});\n  char *arena = malloc(bytes + 8);");
        let _ =
            writeln!(text, "  fill(arena + 8, bytes / 8);\n  all_f{k}({arguments});\n  free(arena);\n  together();");
        text.extend((0..nest.results.len()).map(|r| format!("  done(r{r}, n{r});\n")));
        text.extend((0..nest.parameters.len()).map(|g| format!("  free(g{g});\n")));
        let _ = writeln!(text, "  done(calloc(1, 8), 1);\n  fflush(stdout);\n}}");
    }
    let all: Vec<String> = (0..nests.len()).map(|k| format!("run{k}")).collect();
    let _ = writeln!(text, "static void (*const runs[])(void) = {{{}}};", all.join(", "));
    text + "int main(void) {\n  uint64_t k;\n  while (fread(&k, 8, 1, stdin) == 1) runs[k]();\n  return 0;\n}\n"
}
