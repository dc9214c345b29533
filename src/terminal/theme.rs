//! The theme: the colours of each look on a terminal.

use redexter_language::syntax::Role;
use redexter_telling::render::{Look, Styled};

/// The text in its colours, for a terminal.
pub fn painted(text: &Styled) -> String {
    let mut out = String::with_capacity(text.text().len());
    for (look, run) in text.runs() {
        match parameters(look) {
            _ if look == Look::Mark => {}
            Some(parameters) if !run.trim().is_empty() => {
                out.extend(["\x1b[", parameters, "m", run, "\x1b[0m"]);
            }
            _ => out.push_str(run),
        }
    }
    out
}

/// What selects a look's colours: parameters of ECMA-48's SGR. 1 is bold, 2 faint, 4 underlined, 31 to 36 are colours.
fn parameters(look: Look) -> Option<&'static str> {
    Some(match look {
        Look::Role(Role::Keyword) => "34",
        Look::Role(Role::Binder) | Look::Strong => "1",
        Look::Role(Role::Number) | Look::Note => "36",
        Look::Role(Role::Primitive) => "35",
        Look::Role(Role::Size | Role::Type) => "33",
        Look::Plain | Look::Mark | Look::Role(Role::Variable | Role::Operator | Role::Plain) => return None,
        Look::Redex => "1;4;31",
        Look::Contractum => "1;32",
        Look::Rule | Look::Warning => "1;33",
        Look::Aside => "2",
        Look::Error => "1;31",
    })
}
