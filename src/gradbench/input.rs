//! Converts an input to words of 8 bytes in flat arrays, and finds the sizes that follow from it.

use super::evals::{Dims, InputSpec};
use super::json::ProtocolJson;
use redexter_language::eval::Sizes;
use redexter_language::ground::Name;

/// The most numbers of an array (2^27, which is 1 GB).
const MAX_NUMBERS: u64 = 1 << 27;

/// The arguments of a definition, and its sizes.
#[derive(Default)]
pub(super) struct FlatInput {
    pub(super) words: Vec<Vec<u64>>,
    pub(super) sizes: Sizes,
}

/// Reads an input, or says what is wrong with it.
pub(super) fn input(given: &[InputSpec], json: &ProtocolJson) -> Result<FlatInput, String> {
    let mut input = FlatInput::default();
    for given in given {
        let words = match given {
            InputSpec::Size(key) => {
                input.set(key, whole(json, key)?)?;
                continue;
            }
            InputSpec::Whole => vec![number(json, "the input")?.to_bits()],
            InputSpec::Real(key) => vec![number(member(json, key)?, key)?.to_bits()],
            InputSpec::Int(key) => vec![whole(json, key)?],
            InputSpec::Reals(key, dims) => input.array(key, dims, member(json, key)?)?,
            InputSpec::Below(key, count, size) => input.below(key, (count, size), member(json, key)?)?,
            InputSpec::Repeated(key, count, dims) => input.repeated(key, count, dims, member(json, key)?)?,
            InputSpec::Round(count, size) => input.round(count, size)?,
        };
        input.words.push(words);
    }
    Ok(input)
}

/// The value of a length: a size by its name, or a number.
pub(super) fn length(dim: &str, sizes: &Sizes) -> u64 {
    dim.parse().ok().or_else(|| sizes.get(&Name::new(dim))).unwrap_or(0)
}

fn member<'j>(json: &'j ProtocolJson, key: &str) -> Result<&'j ProtocolJson, String> {
    json.get(key).ok_or_else(|| format!("the input has no `{key}`"))
}

fn number(json: &ProtocolJson, what: &str) -> Result<f64, String> {
    if let ProtocolJson::Number(x) = json { Ok(*x) } else { Err(format!("`{what}` should be a number")) }
}

fn whole(json: &ProtocolJson, key: &str) -> Result<u64, String> {
    json.whole(key).ok_or_else(|| format!("`{key}` should be a whole number from 0"))
}

/// An empty array with room for so many numbers.
fn room(what: &str, lengths: &[u64]) -> Result<Vec<u64>, String> {
    let count = lengths.iter().fold(1, |n: u64, length| n.saturating_mul(*length));
    let megabytes = count.saturating_mul(8) / 1_000_000;
    let large = || format!("`{what}` would have {count} numbers ({megabytes} MB), but there may be {MAX_NUMBERS}");
    let mut words = Vec::new();
    match count <= MAX_NUMBERS && words.try_reserve_exact(count as usize).is_ok() {
        true => Ok(words),
        false => Err(large()),
    }
}

impl FlatInput {
    /// A size has this value, or had it already.
    fn set(&mut self, dim: &str, value: u64) -> Result<(), String> {
        let name = Name::new(dim);
        let known = dim.parse().ok().or_else(|| self.sizes.get(&name));
        match known {
            Some(known) if known != value => {
                Err(format!("an array has the length {value} where {dim} = {known} is wanted"))
            }
            Some(_) => Ok(()),
            None => {
                self.sizes.set(&name, value);
                Ok(())
            }
        }
    }

    fn array(&mut self, key: &str, dims: Dims, json: &ProtocolJson) -> Result<Vec<u64>, String> {
        let mut words = Vec::new();
        self.fill(dims, json, &mut words).map_err(|wrong| format!("`{key}`: {wrong}"))?;
        // Sizes of which no array tells, since all around it are empty.
        dims.iter().try_for_each(|dim| self.set(dim, length(dim, &self.sizes)))?;
        Ok(words)
    }

    fn fill(&mut self, dims: Dims, json: &ProtocolJson, words: &mut Vec<u64>) -> Result<(), String> {
        match (dims, json) {
            ([], ProtocolJson::Number(x)) => words.push(x.to_bits()),
            ([dim], ProtocolJson::Numbers(all)) => {
                self.set(dim, all.len() as u64)?;
                words.extend(all.iter().map(|x| x.to_bits()));
            }
            ([dim, rest @ ..], ProtocolJson::Array(items)) => {
                self.set(dim, items.len() as u64)?;
                items.iter().try_for_each(|item| self.fill(rest, item, words))?;
            }
            ([], _) => return Err("there should be a number".to_owned()),
            _ => {
                return Err(format!(
                    "there should be an array of {}",
                    if dims.len() > 1 { "arrays" } else { "numbers" }
                ));
            }
        }
        Ok(())
    }

    /// Dense matrices, 0 on and above the diagonal.
    fn below(&mut self, key: &str, (count, size): (&str, &str), json: &ProtocolJson) -> Result<Vec<u64>, String> {
        let (k, d) = (length(count, &self.sizes), length(size, &self.sizes));
        let mut words = room(key, &[k, d, d])?;
        words.resize((k * d * d) as usize, 0);
        let packed = d * d.saturating_sub(1) / 2;
        let wrong = || format!("`{key}` should be {k} arrays of {packed} numbers");
        let rows: &[ProtocolJson] = match json {
            ProtocolJson::Array(rows) => rows,
            _ => return Err(wrong()),
        };
        if rows.len() as u64 != k {
            return Err(wrong());
        }
        for (c, row) in rows.iter().enumerate() {
            let numbers: &[f64] = match row {
                ProtocolJson::Numbers(all) => all,
                ProtocolJson::Array(none) if none.is_empty() => &[],
                _ => return Err(wrong()),
            };
            if numbers.len() as u64 != packed {
                return Err(wrong());
            }
            for (x, at) in numbers.iter().zip(packed_places(d as usize)) {
                words[c * (d * d) as usize + at] = x.to_bits();
            }
        }
        Ok(words)
    }

    fn repeated(&self, key: &str, count: &str, dims: Dims, json: &ProtocolJson) -> Result<Vec<u64>, String> {
        let one: &[f64] = match (dims, json) {
            ([], ProtocolJson::Number(x)) => std::slice::from_ref(x),
            ([_], ProtocolJson::Numbers(all)) => all,
            _ => return Err(format!("`{key}` should be {}", if dims.is_empty() { "a number" } else { "numbers" })),
        };
        let (count, wanted) = (length(count, &self.sizes), dims.iter().map(|dim| length(dim, &self.sizes)).product());
        if one.len() as u64 != wanted {
            return Err(format!("`{key}` should have {wanted} numbers and has {}", one.len()));
        }
        let mut words = room(key, &[count, wanted])?;
        (0..count).for_each(|_| words.extend(one.iter().map(|x| x.to_bits())));
        Ok(words)
    }

    fn round(&self, count: &str, size: &str) -> Result<Vec<u64>, String> {
        let (n, below) = (length(count, &self.sizes), length(size, &self.sizes));
        if below == 0 && n > 0 {
            return Err(format!("where {count} = {n}, {size} can't be 0"));
        }
        let mut words = room(count, &[n])?;
        words.extend((0..n).map(|k| k % below));
        Ok(words)
    }
}

/// The places of the numbers below the diagonal in a dense matrix, column by column.
pub(super) fn packed_places(d: usize) -> impl Iterator<Item = usize> {
    (0..d).flat_map(move |column| (column + 1..d).map(move |row| row * d + column))
}
