//! Defines the theme: the colours of each look on a terminal. It alone names `colored`.

use colored::{Color, ColoredString, Colorize, control};
use redexter_language::syntax::PrintRole;
use redexter_telling::render::{Look, Styled};

/// The text in its colours, for a terminal. Whoever calls it has decided that there are colours, whatever the environment says.
pub fn painted(text: &Styled) -> String {
    control::set_override(true);
    let mut out = String::with_capacity(text.text().len());
    for (look, run) in text.runs() {
        match look {
            Look::Mark => {}
            _ if run.trim().is_empty() => out.push_str(run),
            _ => out += &in_colours(look, run).to_string(),
        }
    }
    out
}

fn in_colours(look: Look, run: &str) -> ColoredString {
    match look {
        Look::Role(PrintRole::Keyword) => run.color(Color::Blue),
        Look::Role(PrintRole::Binder) | Look::Strong => run.bold(),
        Look::Role(PrintRole::Number) | Look::Note => run.color(Color::Cyan),
        Look::Role(PrintRole::Primitive) => run.color(Color::Magenta),
        Look::Role(PrintRole::Size | PrintRole::Type) => run.color(Color::Yellow),
        Look::Plain | Look::Mark | Look::Role(PrintRole::Variable | PrintRole::Operator | PrintRole::Plain) => {
            run.into()
        }
        Look::Redex => run.color(Color::Red).bold().underline(),
        Look::Contractum => run.color(Color::Green).bold(),
        Look::Rule | Look::Warning => run.color(Color::Yellow).bold(),
        Look::Aside => run.dimmed(),
        Look::Error => run.color(Color::Red).bold(),
    }
}
