//! Derivations to be handed out: what is written of them is what the printer prints, step by step, and nothing in a page
//! is markup that somebody's text made.

use crate::support::{generate, session};
use std::fs;
use std::io::Read;
use std::path::Path as File;
use std::rc::Rc;

use flate2::read::GzDecoder;
use generate::Generator;
use redexter::derivation::{Derivation, DerivationRun};
use redexter::ground::blocks::{TextBlockId, TextBlocks};
use redexter::ground::layout::{Indent, LineMeasure};
use redexter::ground::{Budget, Limits, Nesting, StopReason, with_stack};
use redexter::handout::frame::{BEGINNING, HtmlDocument, Markup, gzipped};
use redexter::handout::{HandoutFormat, HandoutInfo, derivation, sheet};
use redexter::redex::site;
use redexter::rule::{ContextUse, Focus};
use redexter::session::{MemorySystem, Response, Session, SilentSink, derive, submit};
use redexter::strategy::Step;
use redexter::syntax::{PrintStyle, flatten, print_pieces, print_term};
use redexter::term::{Path, SizeBounds, Term};
use redexter::walk::WalkAnswer;
use redexter::why::{RedexOrigin, WhyAnswer};
use serde_json::Value;
use session::session;

/// A block with the blocks in it.
#[derive(Debug, PartialEq)]
struct Tree {
    kind: i64,
    place: Option<String>,
    parts: Vec<Part>,
}

#[derive(Clone, Debug, PartialEq)]
enum Part {
    Text(String),
    Break,
    Block(Rc<Tree>),
}

fn trees(blocks: &Value) -> Vec<Rc<Tree>> {
    let mut all: Vec<Rc<Tree>> = Vec::new();
    for block in blocks.as_array().unwrap() {
        let [kind, place, parts @ ..] = &block.as_array().unwrap()[..] else { panic!("{block}") };
        let part = |part: &Value| match part.as_u64() {
            None => Part::Text(part.as_str().unwrap().to_owned()),
            Some(0) => Part::Break,
            Some(k) => Part::Block(all[k as usize - 1].clone()),
        };
        let place = place.as_str().map(str::to_owned);
        let tree = Tree { kind: kind.as_i64().unwrap(), place, parts: parts.iter().map(part).collect() };
        all.push(Rc::new(tree));
    }
    all
}

/// The tree with another one at the end of a way of parts.
fn edited(tree: &Rc<Tree>, way: &[Value], new: &Rc<Tree>) -> Rc<Tree> {
    let Some((k, rest)) = way.split_first() else { return new.clone() };
    let k = k.as_u64().unwrap() as usize;
    let Part::Block(inner) = &tree.parts[k] else { panic!("no block is part {k} of {tree:?}") };
    let mut parts = tree.parts.clone();
    parts[k] = Part::Block(edited(inner, rest, new));
    Rc::new(Tree { kind: tree.kind, place: tree.place.clone(), parts })
}

fn of_term(term: &Term) -> Rc<Tree> {
    let written: Value = serde_json::from_str(&sheet(term, &Budget::default()).unwrap()).unwrap();
    trees(&written["blocks"])[written["root"].as_u64().unwrap() as usize].clone()
}

fn laid(tree: &Tree, width: usize) -> String {
    fn again(tree: &Tree, blocks: &mut TextBlocks<()>) -> TextBlockId {
        let group = match tree.kind {
            -2 => None,
            -1 => Some(Indent::Align),
            by => Some(Indent::Nest(by as usize)),
        };
        blocks.open(group, false);
        for part in &tree.parts {
            match part {
                Part::Text(text) => blocks.text(text[1..].to_owned(), ()),
                Part::Break => blocks.line(()),
                Part::Block(inner) => {
                    let inner = again(inner, blocks);
                    blocks.again(inner);
                }
            }
        }
        blocks.close()
    }
    let mut blocks = TextBlocks::new(LineMeasure { width, behind: 1 });
    let root = again(tree, &mut blocks);
    let mut text = String::new();
    blocks.lay_each(root, &mut |piece| text.push_str(&piece.text));
    text
}

fn lies_as_printed(tree: &Tree, term: &Term) {
    for width in [20, 60, 100] {
        assert_eq!(laid(tree, width), print_term(term, &PrintStyle { width }));
    }
}

/// Without what depends on where a line or a subterm ends.
fn bare(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace() && !"()".contains(*c)).collect()
}

/// Each place is that of a subterm with the same text; gives how many there are.
fn places_hold(tree: &Tree, at: &str, root: &Term) -> usize {
    let here = match &tree.place {
        None => at.to_owned(),
        Some(place) if at.is_empty() => place.clone(),
        Some(place) => format!("{at}.{place}"),
    };
    let mut count = 0;
    if tree.place.is_some() {
        let path = Path::parse(&here, root).unwrap_or_else(|slot| panic!("no {slot} in {here}"));
        let marked = print_pieces(root, &[], Some(&path), &PrintStyle { width: 100 });
        let marked: Vec<_> = marked.into_iter().filter(|piece| piece.marked).collect();
        assert_eq!(bare(&laid(tree, 100)), bare(&flatten(&marked)), "{here}");
        count += 1;
    }
    let inner = tree.parts.iter().filter_map(|part| if let Part::Block(inner) = part { Some(inner) } else { None });
    count + inner.map(|inner| places_hold(inner, &here, root)).sum::<usize>()
}

fn opened(model: &str) -> Session {
    let memory = MemorySystem::default();
    memory.put(File::new("m.arr"), &fs::read(format!("models/{model}.arr")).unwrap());
    let mut session = session(memory, Nesting::default(), SilentSink);
    submit(&mut session, ":load m.arr").unwrap();
    session
}

fn with_script(model: &str, script: &str) -> Session {
    let mut session = opened(model);
    let text = fs::read_to_string(script).unwrap();
    for line in text.lines().filter(|line| line.starts_with("strategy ")) {
        submit(&mut session, line).unwrap();
    }
    session
}

/// What strategies do to the gradient, from its beginning.
fn taken(session: &mut Session, strategies: &[&str]) -> Derivation {
    let Response::Term(first) = submit(session, "gradient").unwrap() else { panic!("no term") };
    let run = |strategy: &&str| match submit(session, strategy).unwrap() {
        Response::Walk(WalkAnswer::Run(run)) => {
            DerivationRun { strategy: run.strategy.into(), traces: vec![run.trace] }
        }
        other => panic!("{other:?}"),
    };
    let runs: Vec<DerivationRun> = strategies.iter().map(run).collect();
    Derivation::new(&first.term, &runs)
}

fn made(model: &str, script: &str, strategies: &[&str]) -> Derivation {
    taken(&mut with_script(model, script), strategies)
}

fn deep(work: impl FnOnce() + Send + 'static) {
    with_stack(10_000, work).expect("a thread");
}

#[test]
fn edits_give_the_term_of_each_step() {
    let stages: &[&str] = &["first", "fuse", "split", "onehot"];
    let general: &[&str] = &["fastGradient"];
    for (model, strategies) in [
        ("vector_sum", stages),
        ("dot", stages),
        ("least_squares", stages),
        ("vector_sum", general),
        ("dot", general),
        ("least_squares", general),
    ] {
        deep(move || {
            let done = made(model, "strategies/paper.strat", strategies);
            let written = derivation(&HandoutInfo::default(), &done, &Budget::default()).unwrap();
            let written: Value = serde_json::from_str(&written).unwrap();
            let (all, steps) = (trees(&written["blocks"]), written["steps"].as_array().unwrap());
            let mut now = all[written["first"].as_u64().unwrap() as usize].clone();
            assert!(steps.len() > 12 && steps.len() == done.steps().len(), "{model}: {} steps", steps.len());
            for (k, step) in steps.iter().enumerate() {
                let before = done.term(k);
                assert_eq!(step[1], done.steps()[k].path().address(&before));
                for edit in step[4].as_array().unwrap() {
                    let (block, way) = edit.as_array().unwrap().split_last().unwrap();
                    now = edited(&now, way, &all[block.as_u64().unwrap() as usize]);
                }
                let term = done.term(k + 1);
                assert_eq!(now, of_term(&term), "{model}: step {}", k + 1);
                if k.is_multiple_of(8) || k + 1 == steps.len() {
                    lies_as_printed(&now, &term);
                    assert!(places_hold(&now, "", &term) > 1);
                }
            }
        });
    }
}

/// The path to the first subterm, from the root down and from left to right, that is this one.
fn first_same(term: &Term, wanted: &Term) -> Option<Vec<u32>> {
    if term == wanted {
        return Some(Vec::new());
    }
    let inside = term.kids().into_iter().enumerate();
    inside.filter(|(_, kid)| kid.size() >= wanted.size()).find_map(|(k, kid)| {
        let below = first_same(&kid, wanted)?;
        Some([vec![k as u32], below].concat())
    })
}

/// For each step the number of the one that made its redex, or 0: the whole term is taken back step by step for as long as
/// the rule applies where the redex stood.
fn walked_back(of: &Derivation, bounds: &SizeBounds) -> Vec<usize> {
    let terms: Vec<Term> = (0..=of.steps().len()).map(|after| of.term(after)).collect();
    let maker = |(k, step): (usize, &Step)| {
        let mut path = step.path();
        for made in (0..k).rev() {
            let at = of.steps()[made].path();
            if path.0.starts_with(&at.0) {
                let wanted = path.find(&terms[made + 1]).unwrap();
                let Some(below) = first_same(&of.steps()[made].redex, &wanted) else { return made + 1 };
                path = Path([at.0, below].concat());
            }
            let (context, term) = site(&terms[made], &path).unwrap();
            match step.rule().apply(&Focus::new(&term, &context, bounds)) {
                Ok(contractum) if contractum != term => {}
                _ => return made + 1,
            }
        }
        0
    };
    of.steps().iter().enumerate().map(maker).collect()
}

/// What the data says made the redex of each step.
fn makers(of: &Derivation, bounds: &SizeBounds) -> Vec<usize> {
    let told = HandoutInfo { bounds: bounds.clone(), ..HandoutInfo::default() };
    let written: Value = serde_json::from_str(&derivation(&told, of, &Budget::default()).unwrap()).unwrap();
    written["steps"].as_array().unwrap().iter().map(|step| step[3].as_u64().unwrap() as usize).collect()
}

#[test]
fn each_step_names_the_step_that_why_names() {
    deep(|| {
        let mut session = with_script("vector_sum", "strategies/paper.strat");
        let done = taken(&mut session, &["first", "fuse", "split", "onehot"]);
        let told = makers(&done, &SizeBounds::default());
        assert!(told.iter().filter(|maker| **maker > 0).count() > 10, "{told:?}");
        for (k, maker) in told.iter().enumerate() {
            let Response::Walk(answer) = submit(&mut session, &format!(":why {}", k + 1)).unwrap() else {
                panic!("no answer for step {}", k + 1)
            };
            let Some(WhyAnswer::Step(why)) = answer.found() else { panic!("{answer:?}") };
            let origin = match &why.origin {
                RedexOrigin::First => 0,
                RedexOrigin::Step(made) => made.number,
                RedexOrigin::Earlier => panic!("step {} is old", k + 1),
            };
            assert_eq!(origin, *maker, "step {}", k + 1);
        }
    });
}

#[test]
fn what_made_a_redex_is_found_by_taking_steps_back() {
    const ALL: &str = "normalize(beta <+ getBuild <+ letPair <+ letSubstSafe <+ letSubstN(1) <+ fstPair <+ sndPair <+ \
                       letFloatOperand <+ letDead)";
    deep(|| {
        let mut session = with_script("vector_sum", "strategies/paper.strat");
        let strategies = [ALL, "fastGradient"].map(|text| session.strategy(text).unwrap());
        let models = ["vector_sum", "dot", "least_squares"];
        let mut all: Vec<Derivation> =
            models.map(|model| made(model, "strategies/paper.strat", &["fastGradient"])).into();
        for seed in 0..120 {
            let program = Generator::new(seed, seed % 2 == 0).program(5);
            if program.term.size() > 300 {
                continue;
            }
            assert_eq!(program.bounds, SizeBounds::default());
            let derived = derive(&session, &strategies[seed as usize % 2], &program);
            all.extend(derived.map(|derived| Derivation::of_run("s", Rc::new(derived.trace))));
        }
        let (mut steps, mut made, mut placed) = (0, 0, 0);
        for done in all {
            let told = makers(&done, &SizeBounds::default());
            assert_eq!(told, walked_back(&done, &SizeBounds::default()));
            let looks_around = |step: &&Step| step.rule().footprint().context != ContextUse::Nothing;
            steps += told.len();
            made += told.iter().filter(|maker| **maker > 0).count();
            placed += done.steps().iter().filter(looks_around).count();
        }
        assert!(steps > 900 && made > 650 && placed > 4, "{steps}, {made} of them made, {placed} look around");
    });
}

#[test]
fn sheets_of_random_terms_lie_as_they_are_printed() {
    deep(|| {
        let mut places = 0;
        for seed in 0..300 {
            let program = Generator::new(seed, seed % 2 == 0).program(6);
            // What shares much is written as often as it stands there.
            if program.term.size() > 1_000 {
                continue;
            }
            let tree = of_term(&program.term);
            lies_as_printed(&tree, &program.term);
            places += places_hold(&tree, "", &program.term);
        }
        assert!(places > 1_000, "{places}");
    });
}

#[test]
fn rules_works_and_stages_are_those_of_the_derivation() {
    deep(|| {
        let done = made("vector_sum", "strategies/paper.strat", &["first", "fuse", "split", "onehot"]);
        let told = HandoutInfo { title: "t".into(), stopped: Some("a limit".into()), ..HandoutInfo::default() };
        let written: Value = serde_json::from_str(&derivation(&told, &done, &Budget::default()).unwrap()).unwrap();
        let titles: Vec<&str> =
            written["stages"].as_array().unwrap().iter().map(|stage| stage["title"].as_str().unwrap()).collect();
        assert_eq!(titles, ["first", "fuse", "split", "onehot"]);
        let ends = |stage: &Value| (stage["start"].as_u64(), stage["end"].as_u64());
        let stages = written["stages"].as_array().unwrap();
        assert!(stages.windows(2).all(|pair| ends(&pair[0]).1 == ends(&pair[1]).0));
        for (k, step) in written["steps"].as_array().unwrap().iter().enumerate() {
            let (rule, work) = (&written["rules"][step[0].as_u64().unwrap() as usize], &step[2]);
            assert_eq!(rule["name"], done.steps()[k].rule().to_string());
            let work = written["works"][work.as_u64().unwrap() as usize][0].as_str().unwrap();
            assert_eq!(work, redexter::render::polynomial(&done.work(k + 1)));
        }
        assert_eq!(
            written["rules"][0]["conditions"][0].as_str().unwrap().split(':').next(),
            Some("occurrences(x) <= k")
        );
        assert_eq!(
            (&written["title"], &written["stopped"], &written["source"]),
            (&"t".into(), &"a limit".into(), &Value::Null)
        );
    });
}

#[test]
fn a_limit_ends_the_writing() {
    deep(|| {
        let done = made("least_squares", "strategies/paper.strat", &["first", "fuse"]);
        let asked = Rc::default();
        let budget = Budget::new(Limits::default(), None).asked_at_most(2, asked);
        assert_eq!(
            HandoutFormat::Page.write((&HandoutInfo::default(), &done), None, &budget).err(),
            Some(StopReason::Operations(2))
        );
    });
}

/// The bytes that are written in base 91, with the digits that a page's script reads.
fn bytes_of(text: &str) -> Vec<u8> {
    let script = fs::read_to_string("crates/telling/src/handout/assets/browser.js").unwrap();
    let (_, after) = script.split_once("DIGITS = ").unwrap();
    let digits: String = serde_json::from_str(after.split_once(";\n").map(|(literal, _)| literal).unwrap()).unwrap();
    let value = |digit: char| digits.find(digit).unwrap();
    let bits = |group: &[char]| match group {
        [single] => format!("{:06b}", value(*single)),
        pair => format!("{:013b}", value(pair[0]) * 91 + value(pair[1])),
    };
    let all: String = text.chars().collect::<Vec<_>>().chunks(2).map(bits).collect();
    all.as_bytes().chunks_exact(8).map(|byte| byte.iter().fold(0, |sum, bit| sum * 2 + (bit - b'0'))).collect()
}

#[test]
fn data_of_any_length_is_read_as_it_was_written() {
    for length in 0..70u8 {
        let bytes: Vec<u8> = (0..length).map(|k| k.wrapping_mul(89).wrapping_add(length) ^ 255).collect();
        let parts = HtmlDocument {
            title: "",
            description: "",
            body: Markup::default(),
            data: &[("data", &bytes)],
            styles: &[],
            scripts: &[],
            runs_wasm: false,
        };
        let document = parts.document();
        let text = document.split_once("id=\"data\">").unwrap().1.split_once('<').unwrap().0;
        assert_eq!(bytes_of(text), bytes, "{text}");
    }
}

/// The data of a page.
fn data(page: &str) -> Value {
    let (_, rest) = page.split_once("id=\"data\">").unwrap();
    let packed = bytes_of(rest.split_once('<').unwrap().0);
    let mut text = String::new();
    GzDecoder::new(&packed[..]).read_to_string(&mut text).unwrap();
    serde_json::from_str(&text).unwrap()
}

#[test]
fn two_derivations_part_and_meet() {
    deep(|| {
        let mut session = with_script("vector_sum", "strategies/paper.strat");
        let mut stages = |all: &[&str]| taken(&mut session, all);
        let one = stages(&["first", "fuse", "split", "onehot"]);
        let told = HandoutInfo::default();
        let compared = |other: &Derivation| {
            data(&HandoutFormat::Page.write((&told, &one), Some((&told, other)), &Budget::default()).unwrap())
        };
        let same = compared(&stages(&["first", "fuse", "split", "onehot"]));
        assert_eq!((&same["parts"], &same["meet"]), (&25.into(), &Value::Null));
        assert_eq!(same["sides"][0], same["sides"][1]);
        let early = compared(&stages(&["first"]));
        assert_eq!((&early["parts"], &early["meet"]), (&5.into(), &Value::Null));
        let other = compared(&stages(&["fuse", "split", "onehot"]));
        // Both rewrite the same redex first, by other rules.
        let first = |side: &Value| side["rules"][side["steps"][0][0].as_u64().unwrap() as usize]["name"].clone();
        assert_eq!(other["parts"], 0);
        assert_eq!([0, 1].map(|k| first(&other["sides"][k])), ["letSubstN(1)", "letSubstSafe"]);
        assert!(other["meet"].as_str().unwrap().starts_with("They come to the same term again after "), "{other}");
    });
}

/// What would be markup, or end a string, a script or a comment.
const NASTY: &str = "</script><script>alert(1)</script><!-- <script> ]]> \" ' ` \u{2028} \u{0} & &lt; </title>";

#[test]
fn text_is_no_markup() {
    deep(|| {
        let done = made("vector_sum", "strategies/paper.strat", &["first"]);
        let plain = HandoutFormat::Page.write((&HandoutInfo::default(), &done), None, &Budget::default()).unwrap();
        let nasty = || NASTY.to_owned();
        let told = HandoutInfo {
            title: nasty(),
            model: nasty(),
            schedule: nasty(),
            stopped: Some(nasty()),
            source: Some(nasty()),
            script: Some(nasty()),
            ..HandoutInfo::default()
        };
        let page = HandoutFormat::Page.write((&told, &done), None, &Budget::default()).unwrap();
        assert!(page.starts_with(BEGINNING));
        for mark in ["<script", "</script", "<!--", "<title", "</title", "<style", "</style", "<meta"] {
            assert_eq!(page.matches(mark).count(), plain.matches(mark).count(), "{mark}");
        }
        assert!(!page.contains("alert(1)</script>") && page.contains("&lt;/script&gt;"));
        // None of these takes part in where an element ends.
        for script in plain.split("<script>").skip(1) {
            let (text, _) = script.split_once("</script>").unwrap();
            assert!(!text.contains("<!--") && !text.contains("<script") && !text.contains('\r'));
        }
        let (policy, _) = page.split_once("Content-Security-Policy\" content=\"").unwrap().1.split_once('"').unwrap();
        assert!(policy.starts_with("default-src &#39;none&#39;; script-src &#39;sha256-"), "{policy}");
        for forbidden in ["unsafe", "http:", "https:", "*", "blob:"] {
            assert!(!policy.contains(forbidden), "{policy}");
        }
        assert_eq!(policy.matches("sha256-").count(), plain.matches("<script>").count() + 1);
    });
}

#[test]
fn a_frame_holds_its_parts_and_a_hash_of_each_script() {
    let packed = gzipped(b"some bytes");
    let data = [("data", &packed[..])];
    let frame = |wasm: bool| HtmlDocument {
        title: NASTY,
        description: NASTY,
        body: Markup::known("<p>here</p>"),
        data: &data,
        styles: &["p { color: red }"],
        scripts: &["alert(1);"],
        runs_wasm: wasm,
    };
    let text = frame(false).document();
    assert_eq!(text, frame(false).document());
    // As `printf 'alert(1);' | openssl dgst -sha256 -binary | base64` has it.
    assert!(text.contains("script-src &#39;sha256-5jFwrAK0UV47oFbVg/iCCBbxD8X1w+QvoOUepu4C2YA=&#39;;"), "{text}");
    assert!(text.contains("<script>alert(1);</script>") && text.contains("<p>here</p>"));
    assert_eq!((text.matches("</title>").count(), text.matches("<script").count()), (1, 2));
    // A gzip member without a time.
    let held = text.split_once("id=\"data\">").unwrap().1.split_once('<').unwrap().0;
    assert_eq!(bytes_of(held)[..9], [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0], "{text}");
    let wasm = frame(true).document();
    assert!(wasm.contains("&#39;wasm-unsafe-eval&#39;;") && wasm.contains("worker-src blob:;"));
}
