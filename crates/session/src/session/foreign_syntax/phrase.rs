//! Says a line anew: a phrase of another language is found in it, and written as a phrase of this one.
//!
//! A phrase is a row of words and signs. In it `A`, `B`, `C` and `E` stand for an operand each (a word, a number or what
//! stands in brackets, with the brackets and fields directly behind it), followed by `…` for any balanced text that isn't
//! empty; `W` and `F` stand for a word each, `N` for a number, `M` for what the finding marks; `⟨` is the beginning of the line
//! and `⟩` its end. What stands twice stands for the same.

use std::ops::Range;

use redexter_language::ground::text::in_word;

/// A phrase: how it is written elsewhere, and here.
pub(super) type Phrase = (&'static str, &'static str);

/// All phrases, in sections; those of a finding's code are said only where it was found.
const TABLE: &str = include_str!("phrases.txt");

/// Signs of several characters that are read as one.
const SIGNS: &[&str] = &[
    "<-->", "-->", "==>", "***", "---", ">>>", "<+>", "<*", "<+", ">>", ";;", "|>", "||", "&&", "==", "/=", "**", "!=",
    "<=", ">=", ":=", "::", "->", "=>", "..", "//",
];

/// Words of both languages that are no operands.
const STRUCTURE: &[&str] = &[
    "def", "else", "fn", "for", "fun", "if", "import", "in", "let", "return", "rule", "strategy", "then", "throw",
    "while",
];

/// The names of holes, which stand for parts of the line.
const HOLE_NAMES: &str = "ABCEFWNM";

/// The hole for what the finding marks.
const MARKED: char = 'M';

/// The phrases of these sections.
pub(super) fn phrases(sections: &[&str]) -> Vec<Phrase> {
    let text = |name: &&str| TABLE.split("\n§ ").find(|text| text.starts_with(*name)).into_iter().flat_map(str::lines);
    let mut all = Vec::new();
    for (foreign, ours) in sections.iter().flat_map(text).filter_map(|line| line.split_once(" ⇒")) {
        // Blanks count in what is written here: behind the sign stands one, unless nothing is.
        let ours = ours.strip_prefix(' ').unwrap_or(ours);
        all.extend(foreign.split(" ¦ ").flat_map(|foreign| ours.split(" ¦ ").map(move |ours| (foreign, ours))));
    }
    all
}

/// A word, number or sign of a text.
#[derive(Clone, Copy)]
struct PhraseToken<'t> {
    text: &'t str,
    start: usize,
}

impl PhraseToken<'_> {
    fn end(&self) -> usize {
        self.start + self.text.len()
    }

    fn is_word(&self) -> bool {
        self.text.starts_with(|c: char| c.is_alphabetic() || c == '_') && !STRUCTURE.contains(&self.text)
    }

    fn is_number(&self) -> bool {
        self.text.starts_with(|c: char| c.is_ascii_digit())
    }

    /// The hole that a token of a phrase is.
    fn hole(&self) -> Option<char> {
        let mut chars = self.text.chars();
        chars.next().filter(|c| HOLE_NAMES.contains(*c) && chars.next().is_none())
    }
}

/// The words, numbers and signs of a line, and which of its bytes a finding marks.
#[derive(Clone, Copy)]
struct PhraseTokens<'t> {
    all: &'t [PhraseToken<'t>],
    marked: Option<&'t Range<usize>>,
}

impl PhraseTokens<'_> {
    /// The token behind what is marked, if that begins here.
    fn marked_end(self, at: usize) -> Option<usize> {
        let marked = self.marked.filter(|marked| self.all.get(at).is_some_and(|token| token.start == marked.start))?;
        let inside = self.all[at..].iter().take_while(|token| token.end() <= marked.end).count();
        let last = self.all.get((at + inside).checked_sub(1)?)?;
        (last.end() == marked.end).then_some(at + inside)
    }
}

/// The line with the phrase in each of its places written anew, and before that, where there are several, with the one alone that
/// has what a finding marks: the bytes `marked` of the line. Nothing where the phrase isn't in it.
pub(super) fn said_anew(line: &str, marked: Option<&Range<usize>>, foreign: &str, ours: &str) -> Vec<String> {
    let phrase = tokens(foreign);
    let tokens = PhraseTokens { all: &tokens(line), marked };
    let (mut places, mut at): (Vec<(Range<usize>, String)>, usize) = (Vec::new(), 0);
    let mut in_string = false;
    while at < tokens.all.len() {
        let mut bound = Vec::new();
        in_string ^= tokens.all[at].text == "\"";
        let found = if in_string { None } else { matching(tokens, at, &phrase, &mut bound) };
        let found = found.filter(|end| is_whole(tokens.all, at..*end, &phrase, ours));
        match found.filter(|_| agree(line, &bound) && !captures(line, ours, &bound)) {
            Some(end) if end > at => {
                let mut new = String::new();
                write(&mut new, line, ours, &bound);
                places.push((tokens.all[at].start..tokens.all[end - 1].end(), new));
                at = end;
            }
            _ => at += 1,
        }
    }
    let written = |places: &[(Range<usize>, String)]| {
        let (mut text, mut copied) = (String::new(), 0);
        for (place, new) in places {
            text.push_str(&line[copied..place.start]);
            text.push_str(new);
            copied = place.end;
        }
        text + &line[copied..]
    };
    let has_mark = |place: &Range<usize>| {
        marked.is_some_and(|marked| place.start <= marked.start && marked.end <= place.end && *place != *marked)
    };
    let own = places.iter().position(|(place, _)| has_mark(place)).filter(|_| places.len() > 1);
    let own = own.map(|k| written(&places[k..=k]));
    own.into_iter().chain((!places.is_empty()).then(|| written(&places))).collect()
}

fn tokens(text: &str) -> Vec<PhraseToken<'_>> {
    let mut all = Vec::new();
    let mut start = 0;
    while let Some(c) = text[start..].chars().next() {
        let rest = &text[start..];
        let length = if c.is_ascii_digit() {
            let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
            let point = rest[digits..].strip_prefix('.').filter(|more| more.starts_with(|c: char| c.is_ascii_digit()));
            point.map_or(digits, |more| digits + 1 + more.find(|c: char| !c.is_ascii_digit()).unwrap_or(more.len()))
        } else if in_word(c) {
            // A quote belongs to the word, unless it closes what a quote before it opened.
            let quoted = all.iter().filter(|token: &&PhraseToken| token.text == "'").count() % 2 == 1;
            rest.find(|c: char| !in_word(c) && (quoted || c != '\'')).unwrap_or(rest.len())
        } else {
            SIGNS.iter().find(|sign| rest.starts_with(**sign)).map_or(c.len_utf8(), |sign| sign.len())
        };
        if !c.is_whitespace() {
            all.push(PhraseToken { text: &rest[..length], start });
        }
        start += length;
    }
    all
}

/// A hole and what it stands for, in bytes of the line.
type HoleBinding = (char, usize, usize);

/// The token behind a phrase that begins at a token, if it does; `bound` gets what its holes stand for.
fn matching(tokens: PhraseTokens, at: usize, phrase: &[PhraseToken], bound: &mut Vec<HoleBinding>) -> Option<usize> {
    let Some((part, mut rest)) = phrase.split_first() else { return Some(at) };
    let PhraseTokens { all, .. } = tokens;
    let mut ends = match (part.hole(), part.text) {
        (Some(_), _) if rest.first().is_some_and(|next| next.text == "…") => {
            rest = &rest[1..];
            run_ends(all, at)
        }
        (Some(MARKED), _) => Vec::from_iter(tokens.marked_end(at)),
        (Some(name), _) => Vec::from_iter(hole_end(all, at, name)),
        (None, "⟨") => Vec::from_iter((at == 0).then_some(at)),
        (None, "⟩") => Vec::from_iter((at == all.len()).then_some(at)),
        (None, text) => Vec::from_iter(all.get(at).filter(|token| token.text == text).map(|_| at + 1)),
    };
    if rest.is_empty() {
        // What stands last takes as much as it can.
        ends.reverse();
    }
    let known = bound.len();
    ends.into_iter().find_map(|end| {
        bound.truncate(known);
        bound.extend(part.hole().map(|name| (name, all[at].start, all[end - 1].end())));
        matching(tokens, end, rest, bound)
    })
}

/// How tightly an operator binds; nothing that is none.
fn binding(token: &PhraseToken) -> Option<u32> {
    Some(match token.text {
        "||" => 1,
        "&&" => 2,
        "<" | ">" | "=" | "<=" | ">=" | "==" | "/=" | "!=" => 3,
        "+" | "-" => 4,
        "*" | "/" | "%" | "//" => 5,
        "^" | "**" => 6,
        _ => return None,
    })
}

/// Whether a phrase that begins or ends with an operator's operand has it whole: in `x ^ 2 / n` no quotient begins with `2`, in
/// `max x 0 / n` none with `0`, and in `v - w * 2` no difference ends with `w`. What stays behind or before its operator needn't
/// be whole.
fn is_whole(tokens: &[PhraseToken], at: Range<usize>, phrase: &[PhraseToken], ours: &str) -> bool {
    let is_operand = |token: &PhraseToken| token.is_word() || token.is_number();
    let ours = self::tokens(ours);
    let stays = |theirs: &[PhraseToken], own: &[PhraseToken]| {
        theirs.iter().map(|token| token.text).eq(own.iter().map(|token| token.text))
    };
    let first = match phrase {
        // `F` is a function, and a sign behind it none between operands.
        [hole, sign, ..] if hole.hole() == Some('F') && binding(sign).is_some() => return true,
        [hole, operator, ..] if hole.hole().is_some() && !ours.get(..2).is_some_and(|own| stays(&phrase[..2], own)) => {
            binding(operator)
        }
        _ => None,
    };
    let last = match phrase {
        [.., operator, hole]
            if hole.hole().is_some() && !stays(&[*operator, *hole], ours.last_chunk::<2>().map_or(&[], |own| own)) =>
        {
            binding(operator)
        }
        _ => None,
    };
    let begins = first.is_none_or(|own| match at.start.checked_sub(1).map(|k| tokens[k]) {
        Some(before) if is_operand(&before) || [")", "]", "}"].contains(&before.text) => false,
        Some(before) => binding(&before).is_none_or(|other| other < own),
        None => true,
    });
    let ends = last.is_none_or(|own| match tokens.get(at.end) {
        Some(behind) if is_operand(behind) || ["(", "["].contains(&behind.text) => false,
        Some(behind) => binding(behind).is_none_or(|other| other <= own),
        None => true,
    });
    begins && ends
}

/// Whether a hole that stands twice stands for the same.
fn agree(line: &str, bound: &[HoleBinding]) -> bool {
    let text = |(_, start, end): &HoleBinding| &line[*start..*end];
    bound.iter().enumerate().all(|(k, one)| bound[..k].iter().all(|other| other.0 != one.0 || text(other) == text(one)))
}

/// Whether what is written here binds a name, of its own, that a hole's text has: it would mean another thing inside.
fn captures(line: &str, ours: &str, bound: &[HoleBinding]) -> bool {
    let written = tokens(ours);
    let binders = written.split(|token| token.text == "fun").skip(1).flat_map(|behind| {
        behind.iter().take_while(|token| token.text != "=>").filter(|token| token.is_word() && token.hole().is_none())
    });
    let mut inside = bound.iter().flat_map(|(_, start, end)| tokens(&line[*start..*end]));
    let binders: Vec<&str> = binders.map(|token| token.text).collect();
    inside.any(|token| binders.contains(&token.text))
}

/// The token behind what a hole of this name stands for.
fn hole_end(tokens: &[PhraseToken], at: usize, name: char) -> Option<usize> {
    let first = tokens.get(at)?;
    match name {
        'W' | 'F' => first.is_word().then_some(at + 1),
        'N' => first.is_number().then_some(at + 1),
        _ => operand_end(tokens, at),
    }
}

fn operand_end(tokens: &[PhraseToken], at: usize) -> Option<usize> {
    let first = tokens.get(at)?;
    let simple = first.is_word() || first.is_number();
    let mut end = if simple { at + 1 } else { group_end(tokens, at)? };
    while let Some(next) = tokens.get(end).filter(|next| next.start == tokens[end - 1].end()) {
        end = match next.text {
            "(" | "[" => group_end(tokens, end)?,
            "." if tokens.get(end + 1).is_some_and(|t| t.is_word() || t.is_number()) => end + 2,
            _ => break,
        };
    }
    Some(end)
}

/// The token behind the bracket that closes this one.
fn group_end(tokens: &[PhraseToken], at: usize) -> Option<usize> {
    match tokens[at].text {
        quote @ ("`" | "\"") => tokens[at + 1..].iter().position(|token| token.text == quote).map(|k| at + k + 2),
        "(" | "[" | "{" => run_ends(tokens, at).first().copied(),
        _ => None,
    }
}

/// Where a balanced text that begins here may end.
fn run_ends(tokens: &[PhraseToken], at: usize) -> Vec<usize> {
    let mut ends = Vec::new();
    let mut open = 0_usize;
    for (k, token) in tokens.iter().enumerate().skip(at) {
        match token.text {
            "(" | "[" | "{" => open += 1,
            ")" | "]" | "}" if open == 0 => break,
            ")" | "]" | "}" => open -= 1,
            _ => {}
        }
        if open == 0 {
            ends.push(k + 1);
        }
    }
    ends
}

/// Writes a phrase with what its holes stand for.
fn write(out: &mut String, line: &str, phrase: &str, bound: &[HoleBinding]) {
    let mut copied = 0;
    for token in tokens(phrase) {
        out.push_str(&phrase[copied..token.start]);
        copied = token.end();
        let known = token.hole().and_then(|name| bound.iter().find(|(other, ..)| *other == name));
        out.push_str(known.map_or(token.text, |(_, start, end)| &line[*start..*end]));
    }
}

#[cfg(test)]
mod tests {
    use super::said_anew;

    #[test]
    fn phrases_are_said_anew_wherever_they_stand() {
        let new = |line, foreign, ours| said_anew(line, None, foreign, ours).pop().unwrap_or_default();
        assert_eq!(new("s(alltd(x), alltd(y))", "alltd", "tryAll"), "s(tryAll(x), tryAll(y))");
        assert_eq!(new("def f := x[0] ^ 2 + 1", "A ^ B", "pow A B"), "def f := pow x[0] 2 + 1");
        assert_eq!(new("a ? (b ? c) : d", "⟨ A… ? B… : C… ⟩", "if A then B else C"), "if a then (b ? c) else d");
        assert_eq!(new("exp $ x + 1", "A $ B…", "A (B)"), "exp (x + 1)");
        assert_eq!(new("rule r = `x * 1 -> x`", "` A… -> B… `", "`A --> B`"), "rule r = `x * 1 --> x`");
        assert_eq!(new("f('a b', \"'a b'\")", "' A… '", "\"A\""), "f(\"a b\", \"'a b'\")");
        assert_eq!(new("a - a", "W - W", "0"), "0");
        // What binds more tightly than the phrase's operator belongs to an operand.
        for line in ["x ^ 2 / n", "max x 0 / n", "2 * x / n", "(f x) y / n", "x / n ^ 2", "x / f n"] {
            assert_eq!(new(line, "A / B", "(real A / B)"), "", "{line}");
        }
        assert_eq!(new("x && y < 0", "x && A", "(x > 0) && A"), "(x > 0) && y < 0");
        assert_eq!(new("x + y / n, y / n - 1", "A / B", "(real A / B)"), "x + (real y / n), (real y / n) - 1");
        assert!(said_anew("a - b", None, "W - W", "0").is_empty());
        assert!(said_anew("f(a", None, "A ^ B", "pow A B").is_empty());
        assert!(said_anew("(a) b", None, "A ^ B", "pow A B").is_empty());
        // What is marked is a part of the second product, not of the first.
        let line = "f (k * k) + f (k * k)";
        let marked = |from, to| said_anew(line, Some(&(from..to)), "f ( M )", "f (real (M))").join(", ");
        assert_eq!(marked(15, 20), "f (k * k) + f (real (k * k))");
        assert_eq!(marked(15, 19), "", "no words end there");
        // `x` would be the binder's.
        assert_eq!(new("map (+ y) v", "map ( + A ) B", "vectorMap B (fun x => x + A)"), "vectorMap v (fun x => x + y)");
        assert!(said_anew("map (+ x) v", None, "map ( + A ) B", "vectorMap B (fun x => x + A)").is_empty());
        // The place with the mark alone, then all.
        let both = said_anew("x[i] - m[i]", Some(&(9..10)), "W [ F ]", "W[F else 0]");
        assert_eq!(both, ["x[i] - m[i else 0]", "x[i else 0] - m[i else 0]"]);
    }
}
