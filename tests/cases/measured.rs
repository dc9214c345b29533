//! The general schedule on models with values that another tool computed: `tests/measured` has each model, but for those that
//! ship, with inputs and what its derivative gives there, and a table of what the scheduled derivatives take beside their primals
//! and which way the schedule went, which `UPDATE_GOLDEN=1 cargo test --test cases measured` writes. `holds` and `primal` are the
//! bytes that native code of the derivative and of the primal takes besides inputs and results, on the larger inputs.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{env, fs};

use libtest_mimic::{Failed, Trial};
use redexter::cost::cheaper_total;
use redexter::eval::{self, Counts, Sizes, Value};
use redexter::export::nest_of;
use redexter::ground::{Budget, Name, Trouble, with_stack};
use redexter::nest::{Freedom, NestForm, NestStyle};
use redexter::strategy::{Outcome, run};
use redexter::term::Program;
use serde_json::Value as Json;

use crate::support::figures::Figures;
use crate::support::shipped::{Workbench, files};

/// The models, those that ship where a case's isn't among them, and the table.
const FOLDER: &str = "tests/measured";
const SHIPPED: &str = "models";
const TABLE: &str = "tests/measured/table.txt";

/// How far apart values may be, for each 1 of the larger magnitude.
const TOLERANCE: f64 = 1e-9;

/// The most work for one of the primal's at the worst sizes.
const ORDER: f64 = 12.0;

pub fn trials() -> Vec<Trial> {
    let measured = || with_stack(20_000, tabled).map_err(|e| Failed::from(format!("{e:?}")))?;
    vec![Trial::test("measured", measured)]
}

/// A derivative with its inputs, of which there are few and many.
struct Case {
    model: String,
    entry: String,
    primal: String,
    inputs: Vec<(String, Json)>,
}

fn cases() -> Vec<Case> {
    let mut all: BTreeMap<(String, String), Case> = BTreeMap::new();
    for path in files(FOLDER, "json") {
        let json: Json = serde_json::from_str(&fs::read_to_string(&path).expect("a case")).expect("JSON");
        let text = |key: &str| json[key].as_str().expect("a name").to_owned();
        let (model, entry) = (text("model"), text("entry"));
        let case = all.entry((model.clone(), entry.clone())).or_insert_with(|| Case {
            model,
            entry,
            primal: text("primal"),
            inputs: Vec::new(),
        });
        case.inputs.push((json["input"].to_string(), json["expected"].clone()));
    }
    all.into_values().collect()
}

fn tabled() -> Result<(), Failed> {
    let workbench = Workbench::new();
    let strategies = workbench.strategies(Path::new("strategies/gradient.strat"));
    let (_, schedule) = strategies.iter().find(|(name, _)| name.ends_with(" fastGradient")).ok_or("no schedule")?;
    let mut table = format!(
        "{:28}{:>8}{:>8}{:>10}{:>10}{:>10}{:>10}  {:12} at\n",
        "derivative", "few", "many", "order", "rewrites", "holds", "primal", "way"
    );
    let mut unlike = Vec::new();
    for case in cases() {
        let in_folder = |folder: &str| Path::new(folder).join(&case.model).with_extension("arr");
        let of_its_own = files(FOLDER, "arr").iter().any(|path| path.file_stem() == in_folder(FOLDER).file_stem());
        let programs = workbench.programs(&in_folder(if of_its_own { FOLDER } else { SHIPPED }));
        let called = |name: &str| programs.iter().find(|(known, _)| known.ends_with(&format!(":{name}")));
        let name = format!("{}:{}", case.model, case.entry);
        let (Some((_, derivative)), Some((_, primal))) = (called(&case.entry), called(&case.primal)) else {
            return Err(format!("{name}: no such definitions").into());
        };
        let done =
            run(schedule, derivative, &Budget::default(), cheaper_total).map_err(|stop| stop.reason.to_string())?;
        let Outcome::Success(term) = done.outcome else { return Err(format!("{name}: it failed").into()) };
        let after = derivative.with(term);
        let (mut ratios, mut held) = (Vec::new(), [0; 2]);
        for (input, expected) in &case.inputs {
            let (value, counts) = ran(&after, input)?;
            for (most, program) in held.iter_mut().zip([&after, primal]) {
                *most = bytes(program, input)?.max(*most);
            }
            let found: Json = serde_json::from_str(&eval::value_to_json(&value)).map_err(|e| e.to_string())?;
            near(&found, expected).map_err(|why| format!("{name}: {why}"))?;
            let (_, before) = ran(primal, &taken(primal, input))?;
            ratios.push((counts.flops + counts.compares) as f64 / (before.flops + before.compares).max(1) as f64);
        }
        ratios.sort_by(f64::total_cmp);
        let Figures { order, at, .. } = Figures::of(primal, &after);
        let steps = done.trace.steps.len();
        if order > ORDER {
            unlike.push(name.clone());
        }
        let way = done.trace.steps.first().and_then(|step| step.within().get(1).map(ToString::to_string));
        let (way, [few, .., many]) = (way.unwrap_or_default(), &ratios[..]) else { return Err("one input".into()) };
        let [held, before] = held;
        table +=
            &format!("{name:28}{few:>8.2}{many:>8.2}{order:>10.2}{steps:>10}{held:>10}{before:>10}  {way:12} {at}\n");
    }
    let golden = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(TABLE);
    if env::var_os("UPDATE_GOLDEN").is_some() {
        fs::write(&golden, &table)?;
    }
    let known = fs::read_to_string(&golden).unwrap_or_default();
    if !unlike.is_empty() {
        return Err(format!("of another order than the primal: {unlike:?}\n{table}").into());
    }
    if known == table { Ok(()) } else { Err(format!("{TABLE} is no longer\n{table}").into()) }
}

/// Those of these inputs that a program takes: a primal takes no direction.
fn taken(program: &Program, input: &str) -> String {
    let names: Vec<String> = eval::parameters(program).into_iter().map(|own| own.name.to_string()).collect();
    let mut all: serde_json::Map<String, Json> = serde_json::from_str(input).expect("an object");
    all.retain(|name, _| names.contains(name));
    Json::from(all).to_string()
}

/// What a program comes to on these inputs.
fn ran(program: &Program, input: &str) -> Result<(Value, Counts), String> {
    let (values, sizes) = read(program, input)?;
    eval::evaluate(program, &values, &sizes, &Budget::default()).map_err(said)
}

/// What its native code, of which C that is exported has the loops, takes meanwhile.
fn bytes(program: &Program, input: &str) -> Result<u64, String> {
    let (_, sizes) = read(program, &taken(program, input))?;
    let form = NestForm::Fused(NestStyle::compiled(Freedom::Exact));
    Ok(8 * nest_of(&Name::new("f"), program, &form).map_err(said)?.arena_words(&sizes))
}

fn read(program: &Program, input: &str) -> Result<(Vec<Value>, Sizes), String> {
    eval::inputs_from_json(program, input, &[], &Budget::default()).map_err(said)
}

fn said(why: Trouble) -> String {
    format!("{why:?}")
}

fn near(found: &Json, expected: &Json) -> Result<(), String> {
    match (found, expected) {
        (Json::Array(found), Json::Array(expected)) if found.len() == expected.len() => {
            found.iter().zip(expected).try_for_each(|(found, expected)| near(found, expected))
        }
        (Json::Number(found), Json::Number(expected)) => {
            let (a, b) = (found.as_f64().unwrap_or(f64::NAN), expected.as_f64().unwrap_or(f64::NAN));
            let is_near = (a - b).abs() <= TOLERANCE * a.abs().max(b.abs()).max(1.0);
            if is_near { Ok(()) } else { Err(format!("{a} for {b}")) }
        }
        _ => Err(format!("{found} for {expected}")),
    }
}
