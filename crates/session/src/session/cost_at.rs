//! Tells what formulas of work come to at sizes that stand behind `:cost`, as in `:cost n=10`, and what several devices hold and
//! tell each other, as in `:cost sharded n`.

use super::response::{Response, SessionResult};
use super::state::Session;
use redexter_language::cost::{Poly, Work};
use redexter_language::eval::{no_size, open_sizes};
use redexter_language::ground::text::{begins_name, in_word};
use redexter_language::ground::{Diagnostic, Name, code};
use redexter_language::term::Term;
use redexter_loops::export::shard_cost;
use redexter_telling::render::polynomial;

/// Of float64.
const BYTES_OF_A_NUMBER: u128 = 8;

/// How many devices there are, in formulas.
const DEVICES: &str = "p";

/// What stands before the sizes at the end of a text, and these.
pub(super) fn sizes_behind(text: &str) -> (&str, Vec<(Name, u64)>) {
    let (mut rest, mut sizes) = (text.trim(), Vec::new());
    while let Some((before, size)) = last_size(rest) {
        sizes.insert(0, size);
        rest = before.trim_end().trim_end_matches(',').trim_end();
    }
    (rest, sizes)
}

/// `NAME=NUMBER` at the end of a text, and what stands before it.
fn last_size(text: &str) -> Option<(&str, (Name, u64))> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_digit());
    let value = text[digits.len()..].parse().ok()?;
    let named = digits.trim_end().strip_suffix('=')?.trim_end();
    let before = named.trim_end_matches(in_word);
    let name = &named[before.len()..];
    let stands_alone = before.is_empty() || before.ends_with([' ', ',']);
    (begins_name(name) && stands_alone).then(|| (before, (Name::new(name), value)))
}

/// Work and memory at these sizes, all that a term has; as they are where none is given.
pub(super) fn at(sizes: &[(Name, u64)], term: &Term, work: Work, memory: Poly) -> Result<(Work, Poly), Diagnostic> {
    if sizes.is_empty() {
        return Ok((work, memory));
    }
    let open: Vec<Name> = open_sizes(term).into_iter().collect();
    let names: Vec<&str> = open.iter().map(Name::as_str).collect();
    if let Some((other, _)) = sizes.iter().find(|(name, _)| !open.contains(name)) {
        return Err(no_size(other, &names));
    }
    if let Some(missing) = open.iter().find(|name| !sizes.iter().any(|(given, _)| given == *name)) {
        let given = sizes.iter().map(|(name, value)| format!("{name}={value}"));
        let help = format!("write `:cost {} {missing}=10`", given.collect::<Vec<_>>().join(" "));
        return Err(Diagnostic::error(code::INPUT_MISSING, format!("nothing says how large `{missing}` is")).help(help));
    }
    let value = |name: &Name| sizes.iter().find(|(given, _)| given == name).map_or(0, |(_, value)| *value);
    let at = |poly: &Poly| if poly.is_unknown() { poly.clone() } else { Poly::constant(poly.at(value)) };
    let Work { flops, compares, reads, writes, iterations } = &work;
    let [flops, compares, reads, writes, iterations] = [flops, compares, reads, writes, iterations].map(at);
    Ok((Work { flops, compares, reads, writes, iterations }, at(&memory)))
}

/// What each of p devices holds and is told where the data of the current term is split over these sizes: as formulas, or at
/// sizes.
pub(super) fn sharded(session: &Session, over: &str, sizes: &[(Name, u64)]) -> SessionResult {
    let program = session.current()?;
    let over: Vec<Name> = over.split([' ', ',']).filter(|name| !name.is_empty()).map(Name::new).collect();
    if over.is_empty() {
        let wrong = Diagnostic::error(code::COMMAND, "over which size is the data split?");
        return Err(wrong.help("write `:cost sharded n`").into());
    }
    let name = Name::new(session.work.walk.history().origin().map_or("the term", |origin| &origin.name));
    let cost = session.writing(|| shard_cost(&name, program, &over))??;
    let bytes = |poly: &Poly| poly.times(&Poly::constant(BYTES_OF_A_NUMBER));
    let told = cost.reductions.iter().fold(Poly::default(), |all, one| all.plus(one));
    let [split, replicated, told] = [&cost.split, &cost.replicated, &told].map(bytes);
    let count = cost.reductions.len();
    let (held, got) = if sizes.is_empty() {
        (format!("({}) / {DEVICES} + {}", polynomial(&split), polynomial(&replicated)), polynomial(&told))
    } else {
        let open: Vec<Name> = open_sizes(&program.term).into_iter().chain([Name::new(DEVICES)]).collect();
        let names: Vec<&str> = open.iter().map(Name::as_str).collect();
        if let Some((other, _)) = sizes.iter().find(|(name, _)| !open.contains(name)) {
            return Err(no_size(other, &names).into());
        }
        let value = |name: &Name| sizes.iter().find(|(given, _)| given == name).map_or(0, |(_, value)| *value);
        if let Some(missing) = open.iter().find(|name| value(name) == 0) {
            let wrong = Diagnostic::error(code::INPUT_MISSING, format!("nothing says how large `{missing}` is"));
            let told = sizes.iter().map(|(name, value)| format!("{name}={value} ")).collect::<String>();
            let over = over.iter().map(Name::as_str).collect::<Vec<_>>().join(" ");
            return Err(wrong.help(format!("write `:cost sharded {over} {told}{missing}=8`")).into());
        }
        let devices = u128::from(value(&Name::new(DEVICES)));
        let part = split.at(value).div_ceil(devices);
        (part.saturating_add(replicated.at(value)).to_string(), told.at(value).to_string())
    };
    Ok(Response::Value(format!(
        "arguments   {held} bytes on each of {DEVICES} devices\nreductions  {count}, of {got} bytes on each device"
    )))
}
