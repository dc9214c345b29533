//! Says in the words of the command line what a help line says in those of the prompt: `:help D` is `redexter help D` there.

use super::usage_errors::quoted;
use redexter_language::ground::{Diagnostic, Trouble};
use redexter_telling::command;
use redexter_telling::questions;
use redexter_telling::styled::Styled;

/// What stands for the definition that is meant.
const TARGET: &str = "FILE.arr:NAME";

/// Trouble with its help in these words.
pub fn trouble(trouble: Trouble) -> Trouble {
    let all = |help: Vec<String>| help.iter().map(|line| line_of(line)).collect();
    match trouble {
        Trouble::Wrong(found) => {
            let spelled = found.into_iter().map(|wrong| Diagnostic { help: all(wrong.help.clone()), ..wrong });
            Trouble::Wrong(spelled.collect())
        }
        Trouble::Stopped { reason, help } => Trouble::Stopped { reason, help: all(help) },
    }
}

/// An answer in these words.
pub fn answer(text: &Styled) -> Styled {
    text.runs().fold(Styled::default(), |all, (look, piece)| all.and(look, &line_of(piece)))
}

/// A text with each command of the prompt, between backticks, as it is typed in a shell; a text that says that already stays.
fn line_of(text: &str) -> String {
    if text.contains("`redexter ") {
        return text.to_owned();
    }
    let (mut new, mut inside) = (String::new(), false);
    for (k, piece) in text.split('`').enumerate() {
        if k > 0 {
            new.push('`');
        }
        let command = piece.strip_prefix(':').filter(|_| inside).and_then(in_a_shell);
        new.push_str(command.as_deref().unwrap_or(piece));
        inside = !inside;
    }
    new
}

/// A command without its colon as it is typed in a shell; nothing where it is none, or stays the prompt's.
fn in_a_shell(line: &str) -> Option<String> {
    let (name, rest) = line.split_once(' ').unwrap_or((line, ""));
    let info = command::named(name)?;
    let typed = match (info.name, rest.split_once(' ')) {
        ("help" | "strategies", _) => format!("redexter help {}", words(rest)),
        ("rules" | "rule", _) => format!("redexter rules {}", words(rest)),
        ("lesson", _) => format!("redexter learn {rest}"),
        ("load", _) => format!("redexter repl {}", words(rest)),
        ("set", Some((limit, value))) => format!("--{limit} {value}"),
        ("why-not", _) => format!("redexter why-not {} STRATEGY {TARGET}", words(rest)),
        ("eval", _) => format!("redexter eval {TARGET} --input {}", words(rest)),
        ("count", _) => format!("redexter eval {TARGET} --count --input {}", words(rest)),
        (name, _) if questions::named(name).is_some() => format!("redexter ask {} {TARGET}", words(line)),
        // It goes step by step, which a line of a shell doesn't.
        _ => format!("redexter repl FILE.arr` and there `:{line}"),
    };
    Some(typed.trim_end().to_owned())
}

/// A text as one word of a shell; nothing stays nothing.
fn words(text: &str) -> String {
    if text.is_empty() { String::new() } else { quoted(text) }
}

#[cfg(test)]
mod tests {
    use super::line_of;

    #[test]
    fn commands_of_the_prompt_are_said_as_a_shell_takes_them() {
        let said = [
            ("`:help D` says more", "`redexter help D` says more"),
            ("`:rules` lists the rules", "`redexter rules` lists the rules"),
            ("`:set max-steps 5`", "`--max-steps 5`"),
            ("`:why-not letSubstN(1)`", "`redexter why-not 'letSubstN(1)' STRATEGY FILE.arr:NAME`"),
            ("`:search 50 beta`", "`redexter ask 'search 50 beta' FILE.arr:NAME`"),
            ("`:take N` takes one", "`redexter repl FILE.arr` and there `:take N` takes one"),
            ("`:=` binds, `x` doesn't, `:rules`", "`:=` binds, `x` doesn't, `redexter rules`"),
            ("`:rules`, or `redexter rules`", "`:rules`, or `redexter rules`"),
        ];
        for (prompt, shell) in said {
            assert_eq!(line_of(prompt), shell);
        }
    }
}
