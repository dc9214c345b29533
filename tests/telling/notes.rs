//! Derivations as notes and papers: every step is told, its terms read back, no text is taken for a command.

use crate::support::session;
use std::path::Path;
use std::process::Command;
use std::slice;

use redexter::derivation::{Derivation, DerivationRun};
use redexter::ground::{Budget, Nesting};
use redexter::handout::{HandoutFormat, HandoutInfo, HandoutPart};
use redexter::session::{MemorySystem, Response, Session, SilentSink, submit};
use redexter::term::Term;
use redexter::walk::WalkAnswer;

const PAPER: &[&str] = &[
    "normalize(beta <+ getBuild <+ letPair <+ letSubstSafe <+ letSubstN(1) <+ fstPair <+ sndPair)",
    "normalize(ifoldFission <+ fstPair <+ sndPair)",
    "normalize(ifFloat <+ addZero <+ ifoldOneHot <+ letSubstSafe)",
];

/// All that may be taken for a command of either notation.
const HOSTILE: &str =
    "`a` ``b``` <script>*x*_y_</script> [l](u) # $x$ %c &amp; {b} \\end{document} ~^|\"' -- \n# h\u{202e}λ中é";

fn start() -> Session {
    session::session(MemorySystem::default(), Nesting::default(), SilentSink)
}

fn term(session: &mut Session, text: &str) -> Term {
    match submit(session, text) {
        Ok(Response::Term(program)) => program.term,
        other => panic!("{text}: {other:?}"),
    }
}

fn derivation(model: &str, strategies: &[&str]) -> Derivation {
    let mut session = start();
    submit(&mut session, &format!(":load models/{model}.arr")).unwrap();
    let first = term(&mut session, "gradient");
    let mut run = |strategy: &&str| match submit(&mut session, strategy).unwrap() {
        Response::Walk(WalkAnswer::Run(run)) => {
            DerivationRun { strategy: run.strategy.into(), traces: vec![run.trace] }
        }
        other => panic!("{other:?}"),
    };
    let runs: Vec<DerivationRun> = strategies.iter().map(&mut run).collect();
    Derivation::new(&first, &runs)
}

fn told(title: &str) -> HandoutInfo {
    HandoutInfo { title: title.into(), model: "m.arr:gradient".into(), schedule: "s".into(), ..HandoutInfo::default() }
}

/// The fenced blocks.
fn fences(text: &str) -> Vec<Vec<&str>> {
    let mut all = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if line.starts_with("```") {
            all.push(lines.by_ref().take_while(|line| !line.starts_with("```")).collect());
        }
    }
    all
}

#[test]
fn what_notes_show_of_a_term_is_that_term() {
    let all = [derivation("vector_sum", PAPER), derivation("dot", PAPER), derivation("vector_sum", &["fastGradient"])];
    let mut compared = 0;
    for derivation in all {
        let text = HandoutFormat::Markdown.write((&told("A title"), &derivation), None, &Budget::default()).unwrap();
        let count = derivation.steps().len();
        let headings: Vec<&str> = text.lines().filter(|line| line.starts_with("### ")).collect();
        let expected: Vec<String> = derivation
            .steps()
            .iter()
            .enumerate()
            .map(|(k, step)| format!("### {}. `{}`", k + 1, step.rule()))
            .collect();
        assert_eq!(headings, expected);
        let mut session = start();
        let shown = fences(&text);
        assert_eq!(term(&mut session, &shown[0].join("\n")), derivation.term(0));
        assert_eq!(term(&mut session, &shown[count + 1].join("\n")), derivation.term(count));
        for (k, lines) in shown[1..=count].iter().enumerate() {
            for (sign, after) in [("- ", k), ("+ ", k + 1)] {
                let lines: Vec<&str> = lines.iter().filter_map(|line| line.strip_prefix(sign)).collect();
                let text = lines.join("\n");
                assert!(text.contains('«') && text.contains('»'), "step {}", k + 1);
                if !text.contains('…') {
                    assert_eq!(
                        term(&mut session, &text.replace(['«', '»'], "")),
                        derivation.term(after),
                        "step {}",
                        k + 1
                    );
                    compared += 1;
                }
            }
        }
    }
    assert!(compared > 40, "{compared}");
}

#[test]
fn where_no_model_is_known_the_title_says_what_is_rewritten() {
    let derivation = derivation("vector_sum", &["normalize(beta)"]);
    let told = HandoutInfo { model: String::new(), ..told("gradient") };
    let budget = Budget::default();
    assert!(
        HandoutFormat::Markdown
            .write((&told, &derivation), None, &budget)
            .unwrap()
            .contains("`s` rewrites `gradient` in 1 step")
    );
    assert!(
        HandoutFormat::Latex
            .write((&told, &derivation), None, &budget)
            .unwrap()
            .contains("\\texttt{s} rewrites \\texttt{gradient} in 1 step")
    );
}

#[test]
fn no_text_in_notes_is_markup() {
    let derivation = derivation("vector_sum", &["normalize(beta)"]);
    let hostile = HandoutInfo { model: HOSTILE.into(), schedule: HOSTILE.into(), ..told(HOSTILE) };
    let text = HandoutFormat::Markdown.write((&hostile, &derivation), None, &Budget::default()).unwrap();
    let mut headings = text.lines().filter(|line| line.starts_with('#'));
    let title = headings.next().unwrap();
    assert_eq!(text.lines().next(), Some("<!-- Written by redexter. -->"));
    let mut escaped = false;
    for c in title[2..].chars() {
        assert!(escaped || c == '\\' || !"`<>*_[]#$&{}\\~^|\"!-".contains(c), "{c} in {title}");
        escaped = c == '\\' && !escaped;
    }
    assert_eq!(headings.count(), derivation.steps().len() + 3, "its own headings alone");
    let summary = text.lines().nth(4).unwrap();
    assert!(summary.starts_with("```` `a`") && summary.contains("中é ```` rewrites"), "{summary}");
}

/// A document without what stands behind a backslash.
fn plain(text: &str) -> String {
    text.replace("\\\\", "").replace("\\{", "").replace("\\}", "")
}

#[test]
fn each_step_of_a_paper_is_balanced_and_marked() {
    for (model, strategies) in [("vector_sum", PAPER), ("dot", PAPER), ("least_squares", &["fastGradient"])] {
        let derivation = derivation(model, strategies);
        let text = HandoutFormat::Latex.write((&told(HOSTILE), &derivation), None, &Budget::default()).unwrap();
        let mut parts = text.split("\\paragraph");
        let (head, all): (&str, Vec<&str>) = (parts.next().unwrap(), parts.collect());
        let [first, steps @ .., last] = &*all else { panic!("no terms") };
        assert!(first.starts_with("{First}") && last.starts_with("{Last}"));
        assert_eq!(steps.len(), derivation.steps().len());
        for part in all.iter().chain([&head]) {
            let open = plain(part).chars().try_fold(0_u32, |open, c| match c {
                '{' => Some(open + 1),
                '}' => open.checked_sub(1),
                _ => Some(open),
            });
            assert_eq!(open, Some(0), "{part}");
        }
        for step in steps {
            assert!(
                step.contains("\\redex{") && step.contains("\\contractum{") && step.contains("\\leadsto"),
                "{step}"
            );
        }
    }
}

#[test]
fn a_paper_sets_programs_as_the_paper_does() {
    let derivation = derivation("vector_sum", PAPER);
    let text = HandoutFormat::Latex.write((&told("t"), &derivation), None, &Budget::default()).unwrap();
    let last = text.rsplit("\\leadsto\\quad & ").next().unwrap();
    let last: String = last.lines().next().unwrap().into();
    assert_eq!(
        last.replace("\\contractum{", "").replace(['}', '{'], ""),
        "\\lambda ~(v~:~\\mathttarray~n~\\mathttreal).~\\mathttbuild_n~(\\lambda ~i.~1)"
    );
}

#[test]
fn a_paper_compiles() {
    let Ok(_) = Command::new("pdflatex").arg("--version").output() else {
        println!("SKIPPED: there is no pdflatex");
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    for (name, model, strategies) in [
        ("paper", "vector_sum", PAPER),
        ("hostile", "dot", &["normalize(beta)"]),
        ("long", "log_sum_exp", &["fastGradient"]),
    ] {
        let hostile = HandoutInfo { model: HOSTILE.into(), schedule: HOSTILE.into(), ..told(HOSTILE) };
        let told = if name == "hostile" { hostile } else { told(name) };
        let text =
            HandoutFormat::Latex.write((&told, &derivation(model, strategies)), None, &Budget::default()).unwrap();
        std::fs::write(folder.path().join(format!("{name}.tex")), &text).unwrap();
        let run = Command::new("pdflatex")
            .args(["-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape", name])
            .current_dir(folder.path())
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&run.stdout);
        let wrong: Vec<&str> = said.lines().filter(|line| line.starts_with('!') || line.starts_with("l.")).collect();
        assert!(run.status.success(), "{name}: {wrong:?}");
        assert!(folder.path().join(Path::new(name).with_extension("pdf")).exists());
    }
}

#[test]
fn a_part_has_the_steps_and_terms_of_the_whole() {
    let whole = derivation("vector_sum", &["fastGradient"]);
    let budget = Budget::default();
    let all = HandoutFormat::Markdown.write((&told("t"), &whole), None, &budget).unwrap();
    let shown = fences(&all);
    let mut session = start();
    // Two that overlap, one that stands apart, the last one alone.
    let last = 14..15;
    for pieces in [&[1..4, 2..6, 8..9][..], slice::from_ref(&last)] {
        let (told, part) = HandoutPart::of(&whole, ("x", pieces), told("t"));
        let text = HandoutFormat::Markdown.write((&told, &part), None, &budget).unwrap();
        let own = fences(&text);
        let steps: Vec<usize> = (0..15).filter(|k| pieces.iter().any(|piece| piece.contains(k))).collect();
        assert_eq!(own.len(), steps.len() + 2);
        for (lines, k) in own[1..].iter().zip(&steps) {
            assert_eq!(*lines, shown[k + 1], "step {}", k + 1);
            assert!(text.contains(&format!("### {}. ", k + 1)), "step {}", k + 1);
        }
        let end = steps.last().unwrap() + 1;
        assert_eq!(term(&mut session, &own[0].join("\n")), whole.term(steps[0]));
        assert_eq!(term(&mut session, &own[steps.len() + 1].join("\n")), whole.term(end));
        let paper = HandoutFormat::Latex.write((&told, &part), None, &budget).unwrap();
        assert_eq!(paper.matches("\\leadsto").count(), steps.len());
        assert!(paper.contains("\\paragraph{First}") && paper.contains("\\paragraph{Last}"));
    }
}
