//! Replaces functions of Rhai that make more than a string or an array may hold before Rhai looks, or that would never end: these
//! look first.

use rhai::{Array, Dynamic, Engine, ImmutableString, Map};

use super::errors::{RhaiResult, stop};
use redexter_language::ground::StopReason;

/// Bytes of a string.
pub(crate) const MAX_BYTES: usize = 10_000_000;

/// Elements of an array or a map, those inside its elements among them: what Rhai does with all of them at once is done soon.
pub(crate) const MAX_ELEMENTS: usize = 1_000_000;

type RhaiString = ImmutableString;

pub(crate) fn register(engine: &mut Engine) {
    splitting(engine);
    engine.register_fn("replace", |text: &mut RhaiString, old: RhaiString, new: RhaiString| replace(text, &old, &new));
    engine.register_fn("replace", |text: &mut RhaiString, old: RhaiString, new: char| {
        replace(text, &old, &new.to_string())
    });
    engine.register_fn("replace", |text: &mut RhaiString, old: char, new: RhaiString| {
        replace(text, &old.to_string(), &new)
    });
    engine.register_fn("replace", |text: &mut RhaiString, old: char, new: char| {
        replace(text, &old.to_string(), &new.to_string())
    });
    engine.register_fn("pad", |text: &mut RhaiString, length: i64, with: RhaiString| pad(text, length, &with));
    engine.register_fn("pad", |array: &mut Array, length: i64, item: Dynamic| {
        let more = usize::try_from(length).unwrap_or(0).saturating_sub(array.len());
        let elements = elements(&item).saturating_mul(more).saturating_add(array.len());
        if elements > MAX_ELEMENTS {
            return Err(too_many(MAX_ELEMENTS));
        }
        array.resize(array.len() + more, item);
        Ok(())
    });
}

fn splitting(engine: &mut Engine) {
    engine.register_fn("to_chars", |text: RhaiString| collected(text.chars()));
    engine.register_fn("split", |text: RhaiString| match text.is_empty() {
        true => whole(&text),
        false => collected(text.split_whitespace()),
    });
    engine.register_fn("split", |text: RhaiString, by: RhaiString| split(&text, &by, i64::MAX, false));
    engine.register_fn("split", |text: RhaiString, by: char| split(&text, &by.to_string(), i64::MAX, false));
    engine.register_fn("split", |text: RhaiString, by: RhaiString, most: i64| split(&text, &by, most, false));
    engine.register_fn("split", |text: RhaiString, by: char, most: i64| split(&text, &by.to_string(), most, false));
    engine.register_fn("split_rev", |text: RhaiString, by: RhaiString| split(&text, &by, i64::MAX, true));
    engine.register_fn("split_rev", |text: RhaiString, by: char| split(&text, &by.to_string(), i64::MAX, true));
    engine.register_fn("split_rev", |text: RhaiString, by: RhaiString, most: i64| split(&text, &by, most, true));
    engine.register_fn("split_rev", |text: RhaiString, by: char, most: i64| split(&text, &by.to_string(), most, true));
}

/// The parts of a text between what it is split by, no more than so many, perhaps from its end.
fn split(text: &RhaiString, by: &str, most: i64, reverse: bool) -> RhaiResult<Array> {
    let most = usize::try_from(most).unwrap_or(0);
    if most <= 1 || text.is_empty() || !text.contains(by) {
        return whole(text);
    }
    match reverse {
        true => collected(text.rsplitn(most, by)),
        false => collected(text.splitn(most, by)),
    }
}

fn whole(text: &RhaiString) -> RhaiResult<Array> {
    Ok(vec![text.clone().into()])
}

fn collected(parts: impl Iterator<Item = impl Into<Dynamic>>) -> RhaiResult<Array> {
    let parts: Array = parts.take(MAX_ELEMENTS + 1).map(Into::into).collect();
    if parts.len() > MAX_ELEMENTS { Err(too_many(MAX_ELEMENTS)) } else { Ok(parts) }
}

fn replace(text: &mut RhaiString, old: &str, new: &str) -> RhaiResult<()> {
    // Only a longer replacement makes a text longer; `min` below keeps the difference from underflowing for the others.
    let times = if new.len() > old.len() { text.matches(old).count() } else { 0 };
    if text.len().saturating_add(times.saturating_mul(new.len() - old.len().min(new.len()))) > MAX_BYTES {
        return Err(too_many(MAX_BYTES));
    }
    // As Rhai's own: an empty text stays empty, though an empty `old` occurs in it.
    if !text.is_empty() {
        *text = text.replace(old, new).into();
    }
    Ok(())
}

/// Makes a text at least so many characters long with copies of another one, the last of which may be a part.
fn pad(text: &mut RhaiString, length: i64, with: &str) -> RhaiResult<()> {
    let missing = usize::try_from(length).unwrap_or(0).saturating_sub(text.chars().count());
    if missing > 0 && !with.is_empty() {
        let longest = with.chars().map(char::len_utf8).max().unwrap_or(0);
        if missing.saturating_mul(longest).saturating_add(text.len()) > MAX_BYTES {
            return Err(too_many(MAX_BYTES));
        }
        text.make_mut().extend(with.chars().cycle().take(missing));
    }
    Ok(())
}

/// A value and what is in it.
fn elements(value: &Dynamic) -> usize {
    if let Some(array) = value.read_lock::<Array>() {
        return array.iter().map(elements).sum::<usize>() + 1;
    }
    let inside = value.read_lock::<Map>().map_or(0, |map| map.values().map(elements).sum());
    inside + 1
}

fn too_many(most: usize) -> Box<rhai::EvalAltResult> {
    stop(StopReason::Elements(most as u64).into())
}
