//! Says what a slice of another language, `v[1:3]` or `v[::-1]`, is here.

use crate::syntax::words::in_word;

/// The remedy for the slice that begins with the bracket at `open`.
pub(super) fn remedy(text: &str, open: usize) -> String {
    let before = &text[..open];
    let array = &before[before.trim_end_matches(in_word).len()..];
    let v = if array.is_empty() { "v" } else { array };
    let inside = &text[open + 1..];
    let inside = &inside[..inside.find([']', '\n']).unwrap_or(inside.len())];
    let inside = inside.replace("..", ":");
    match inside.split(',').map(str::trim).collect::<Vec<&str>>()[..] {
        [part] => of_one(v, part),
        [":", j] if !j.contains(':') => format!("write `build n (fun i => {v}[i, {j}])` for a column of n elements"),
        [i, ":"] if !i.contains(':') => format!("write `{v}[{i}]` for a row"),
        _ => format!("write `build n (fun i => build m (fun j => {v}[i, j]))` for a part of n rows of m elements"),
    }
}

/// For an array of one dimension.
fn of_one(v: &str, part: &str) -> String {
    let parts: Vec<&str> = part.split(':').map(str::trim).collect();
    let numeral = |text: &str| text.parse::<u64>().ok();
    match parts[..] {
        ["", ""] | ["", "", ""] => format!("write `{v}`"),
        ["", "", "-1"] => format!("write `reverse {v}`"),
        ["", "", step] => format!("write `build n (fun i => {v}[{step} * i])` for n elements"),
        [start, _, step] => format!("write `build n (fun i => {v}[{step} * i + {start}])` for n elements"),
        ["", end] if numeral(end).is_some() => format!("write `(take {v} : array {end} real)`"),
        ["", _] => format!("write `take {v}`: it has as many of the first elements as are wanted"),
        [start, ""] => format!(
            "write `build _ (fun i => {v}[i + {start}])`, or `drop {v}`, which has as many of the last elements as are wanted"
        ),
        [start, end] => match (numeral(start), numeral(end)) {
            (Some(a), Some(b)) if a < b => format!("write `(slice {v} {a} : array {} real)`", b - a),
            _ => format!("write `slice {v} {start}`: it has as many elements as are wanted"),
        },
        _ => format!("write `slice {v} 1`: it has as many elements as are wanted"),
    }
}

#[cfg(test)]
mod tests {
    use super::remedy;

    #[test]
    fn each_slice_is_said_here() {
        let said = |slice: &str, ours: &str| {
            let text = format!("f {slice} x");
            let told = remedy(&text, text.find('[').unwrap_or(0));
            assert!(told.contains(&format!("`{ours}`")), "{slice}: {told}");
        };
        said("v[1:]", "build _ (fun i => v[i + 1])");
        said("v[1:]", "drop v");
        said("v[1:3]", "(slice v 1 : array 2 real)");
        said("v[1..3]", "(slice v 1 : array 2 real)");
        said("v[k:n]", "slice v k");
        said("v[:3]", "(take v : array 3 real)");
        said("v[:k]", "take v");
        said("v[:]", "v");
        said("v[::2]", "build n (fun i => v[2 * i])");
        said("v[1::2]", "build n (fun i => v[2 * i + 1])");
        said("v[::-1]", "reverse v");
        said("(g v)[::-1]", "reverse v");
        said("a[:, 0]", "build n (fun i => a[i, 0])");
        said("a[i, :]", "a[i]");
    }
}
