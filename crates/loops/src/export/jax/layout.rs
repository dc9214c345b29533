//! Breaks long lines of Python inside of their brackets.

/// The width that lines keep to where they can.
pub(super) const WIDTH: usize = 110;

/// A statement as lines, so far to the right: where it is too long, what its longest bracket holds goes on lines of its own.
pub(super) fn wrapped(statement: &str, depth: usize) -> Vec<String> {
    let margin = " ".repeat(depth);
    if depth + statement.len() <= WIDTH {
        return vec![format!("{margin}{statement}")];
    }
    let Some((open, close)) = longest_bracket(statement) else { return vec![format!("{margin}{statement}")] };
    let items = items(&statement[open + 1..close]);
    let mut lines = vec![format!("{margin}{}", &statement[..=open])];
    let last = items.len() - 1;
    for (k, item) in items.iter().enumerate() {
        let item = if k == last { item.to_owned() } else { format!("{item},") };
        if !item.is_empty() {
            lines.extend(wrapped(&item, depth + 4));
        }
    }
    lines.extend(wrapped(&statement[close..], depth));
    lines
}

/// Where the outermost bracket with the most in it begins and ends.
fn longest_bracket(text: &str) -> Option<(usize, usize)> {
    let (mut depth, mut begun, mut best) = (0, 0, None);
    for (k, c) in text.char_indices().filter(|(_, c)| c.is_ascii()) {
        match c {
            '(' | '[' => {
                if depth == 0 {
                    begun = k;
                }
                depth += 1;
            }
            ')' | ']' => {
                depth -= 1;
                if depth == 0 && best.is_none_or(|(from, to)| to - from < k - begun) {
                    best = Some((begun, k));
                }
            }
            _ => {}
        }
    }
    best.filter(|(from, to)| to > &(from + 1))
}

/// What commas divide, brackets and strings left whole.
fn items(text: &str) -> Vec<String> {
    let (mut depth, mut is_string, mut all, mut item) = (0, false, Vec::new(), String::new());
    for c in text.chars() {
        match c {
            '"' => is_string = !is_string,
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            ',' if depth == 0 && !is_string => {
                all.push(std::mem::take(&mut item).trim().to_owned());
                continue;
            }
            _ => {}
        }
        item.push(c);
    }
    all.push(item.trim().to_owned());
    all
}
