//! Tells what formulas of work come to at sizes that stand behind `:cost`, as in `:cost n=10`.

use redexter_language::cost::{Poly, Work};
use redexter_language::eval::{no_size, open_sizes};
use redexter_language::ground::text::{begins_name, in_word};
use redexter_language::ground::{Diagnostic, Name, code};
use redexter_language::term::Term;

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
