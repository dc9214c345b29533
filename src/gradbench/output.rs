//! Converts results, which are words of 8 bytes in flat arrays, to an output.

use super::evals::{Dims, OutputSpec};
use super::input::{length, packed_places};
use super::json::write_number;
use redexter_language::eval::Sizes;

/// The number of an observation's entries, in two rows of 15.
const OBSERVATION_ENTRIES: usize = 30;

/// The output as JSON.
pub(super) fn output(answer: &OutputSpec, words: &[Vec<u64>], sizes: &Sizes) -> String {
    let mut out = String::new();
    let part = |k: usize| words.get(k).map_or(&[][..], |words| &words[..]);
    match answer {
        OutputSpec::Real => number(part(0).first(), &mut out),
        OutputSpec::Reals(dims) => array(&lengths(dims, sizes), part(0), &mut out),
        OutputSpec::Mixture => {
            for (k, (key, dims)) in [("alpha", &["k"][..]), ("mu", &["k", "d"]), ("q", &["k", "d"])].iter().enumerate()
            {
                out += &format!("{}\"{key}\":", if k == 0 { "{" } else { "," });
                array(&lengths(dims, sizes), part(k), &mut out);
            }
            out += ",\"l\":";
            below(part(3), (length("k", sizes), length("d", sizes)), &mut out);
            out.push('}');
        }
        OutputSpec::Errors => {
            let p = length("p", sizes);
            let first = part(0).get(..2).unwrap_or(&[]);
            out += "{\"reproj_error\":{\"elements\":";
            array(&[first.len() as u64], first, &mut out);
            out += &format!(",\"repeated\":{p}}},\"w_err\":{{\"element\":");
            number(part(1).first(), &mut out);
            out += &format!(",\"repeated\":{p}}}}}");
        }
        OutputSpec::Rows => rows(part(0), part(1), part(2), sizes, &mut out),
    }
    out
}

fn lengths(dims: Dims, sizes: &Sizes) -> Vec<u64> {
    dims.iter().map(|dim| length(dim, sizes)).collect()
}

fn number(word: Option<&u64>, out: &mut String) {
    write_number(word.map_or(f64::NAN, |word| f64::from_bits(*word)), out);
}

/// Items in brackets.
fn list<T>(items: impl Iterator<Item = T>, out: &mut String, mut write: impl FnMut(T, &mut String)) {
    out.push('[');
    for (k, item) in items.enumerate() {
        if k > 0 {
            out.push(',');
        }
        write(item, out);
    }
    out.push(']');
}

fn array(lengths: &[u64], words: &[u64], out: &mut String) {
    match lengths {
        [] => number(words.first(), out),
        [_] => list(words.iter(), out, |word, out| number(Some(word), out)),
        [count, rest @ ..] => {
            let one = words.len() / (*count).max(1) as usize;
            list(0..*count as usize, out, |k, out| array(rest, &words[k * one..(k + 1) * one], out));
        }
    }
}

/// The parts of matrices below their diagonals, column by column.
fn below(words: &[u64], (k, d): (u64, u64), out: &mut String) {
    let (k, d) = (k as usize, d as usize);
    list(0..k, out, |c, out| {
        list(packed_places(d), out, |at, out| number(words.get(c * d * d + at), out));
    });
}

/// The rows of a sparse Jacobian: where those of the first observation begin, with their columns and values, and the same of the
/// last entry of all. The observations in between are all alike.
fn rows(columns: &[u64], values: &[u64], weights: &[u64], sizes: &Sizes, out: &mut String) {
    let (n, m, p) = (length("n", sizes), length("m", sizes), length("p", sizes));
    // Each row begins 15 entries after the one before; the weights' rows have one entry each.
    let begins = |row: u64| if row <= 2 * p { 15 * row } else { 30 * p + (row - 2 * p) };
    let shown = OBSERVATION_ENTRIES.min(values.len());
    out.push_str("{\"rows\":");
    list((0..shown as u64).map(|row| begins(row.min(3 * p))).chain([begins(3 * p)]), out, |row, out| {
        *out += &row.to_string();
    });
    out.push_str(",\"cols\":");
    let last = (11 * n + 3 * m + p).saturating_sub(1);
    list(columns[..shown].iter().copied().chain([last]), out, |column, out| *out += &column.to_string());
    out.push_str(",\"vals\":");
    list(values[..shown].iter().chain(weights.last()), out, |word, out| number(Some(word), out));
    out.push('}');
}
