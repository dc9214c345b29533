//! Highlights models and scripts, also while they are typed: words, rules, strings, numbers and comments.

use super::words::Language;
use crate::styled::{Look, Styled};
use redexter_language::syntax::PrintRole;
use redexter_language::syntax::tokens::{Dialect, TokenKind, tokens};

/// A line at the prompt in its looks; `is_rule` knows the rules.
pub fn input_line(line: &str, is_rule: &dyn Fn(&str) -> bool) -> Styled {
    let command = if line.starts_with(':') { line.find(char::is_whitespace).unwrap_or(line.len()) } else { 0 };
    let mut text = Styled::of(Look::Note, &line[..command]);
    text.append(&code(&line[command..], Language::Script, is_rule));
    text
}

/// A model or a script in its looks, whatever stands in it; `is_rule` knows the rules. Laws look as models do.
pub fn code(text: &str, language: Language, is_rule: &dyn Fn(&str) -> bool) -> Styled {
    let mut out = Styled::default();
    match language {
        Language::Model => write(text, Dialect::Model, &|word| role(word, Language::Model), &mut out),
        Language::Script => {
            let look = |word: &str| if is_rule(word) { Look::Rule } else { role(word, Language::Script) };
            write(text, Dialect::Script, &look, &mut out);
        }
    }
    out
}

fn role(word: &str, language: Language) -> Look {
    language.words().iter().find(|(known, _)| *known == word).map_or(Look::Plain, |(_, role)| Look::Role(*role))
}

fn write(text: &str, dialect: Dialect, word: &dyn Fn(&str) -> Look, out: &mut Styled) {
    let mut defines = false;
    for token in tokens(text, dialect) {
        let written = &text[token.range()];
        match token.kind {
            TokenKind::Comment => out.push(Look::Aside, written),
            TokenKind::Number => out.push(Look::Role(PrintRole::Number), written),
            TokenKind::Quoted => out.push(Look::Role(PrintRole::Primitive), written),
            TokenKind::Ticked => law(written, out),
            // What a definition takes for its name is no primitive there.
            TokenKind::Word if defines && word(written) == Look::Role(PrintRole::Primitive) => out.plain(written),
            TokenKind::Word => out.push(word(written), written),
            TokenKind::Space | TokenKind::Sign | TokenKind::Open | TokenKind::Close => out.plain(written),
        }
        if token.kind != TokenKind::Space {
            defines = dialect == Dialect::Model && written == "def";
        }
    }
}

/// A law between backticks; the closing one is missing while it is typed.
fn law(text: &str, out: &mut Styled) {
    for (k, part) in text.split('`').enumerate() {
        if k > 0 {
            out.push(Look::Role(PrintRole::Primitive), "`");
        }
        write(part, Dialect::Law, &|word| role(word, Language::Model), out);
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Language, Look};
    use super::code;
    use redexter_language::shipped;
    use redexter_language::syntax::PrintRole;

    #[test]
    fn a_text_keeps_its_characters_and_gets_looks() {
        for (path, text) in shipped::FILES {
            for language in [Language::Model, Language::Script] {
                assert_eq!(code(text, language, &|_| false).text(), *text, "{path}");
            }
        }
        let has = |text: &str, language, look: Look, wanted: &str| {
            let text = code(text, language, &|word| word == "mine");
            assert!(text.runs().any(|(of, run)| of == look && run == wanted), "{text:?}");
        };
        let model = "def f (x : real) := let y := exp x; y + 1 -- done\n";
        has(model, Language::Model, Look::Role(PrintRole::Keyword), "let");
        has(model, Language::Model, Look::Role(PrintRole::Type), "real");
        has(model, Language::Model, Look::Role(PrintRole::Primitive), "exp");
        has(model, Language::Model, Look::Role(PrintRole::Number), "1");
        has(model, Language::Model, Look::Aside, "-- done");
        let script = "strategy s = mine; rule r = `fst (x, y) --> x`;";
        has(script, Language::Script, Look::Rule, "mine");
        has(script, Language::Script, Look::Role(PrintRole::Keyword), "fst");
    }
}
