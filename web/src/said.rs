//! Converts what is said to JSON: text in pieces with their looks, and findings with their places.

use redexter::ground::{Diagnostic, Severity, Sources, Span, Trouble};
use redexter::render::Styled;
use serde_json::{Value, json};

/// Text as pieces: the name of a look, empty for plain text, and what it says.
pub fn pieces(text: &Styled) -> Value {
    text.runs().map(|(look, text)| json!([look.class(), text])).collect()
}

/// Trouble as a list of findings; a limit has neither code nor place.
pub fn findings(trouble: &Trouble, sources: &Sources) -> Vec<Value> {
    match trouble {
        Trouble::Wrong(all) => all.iter().map(|finding| self::finding(finding, sources)).collect(),
        Trouble::Stopped { reason, help } => {
            vec![json!({ "severity": "stopped", "headline": reason.to_string(), "help": help, "places": [] })]
        }
    }
}

fn finding(finding: &Diagnostic, sources: &Sources) -> Value {
    let place = |span: Span, message: &str| {
        let (line, column) = sources.position(span);
        let source = sources.get(span.source);
        let text = &source.text;
        json!({
            "source": source.name,
            "line": line,
            "column": column,
            "start": units(text, span.start as usize),
            "end": units(text, span.end as usize),
            "message": message,
        })
    };
    let mut labels: Vec<_> = finding.labels.iter().collect();
    labels.sort_by_key(|label| !label.primary);
    json!({
        "severity": if finding.severity == Severity::Error { "error" } else { "warning" },
        "code": finding.code.to_string(),
        "headline": finding.headline,
        "help": finding.help,
        "places": labels.into_iter().map(|label| place(label.span, &label.message)).collect::<Vec<Value>>(),
    })
}

/// An offset in bytes as one in the units of a page's texts, UTF-16.
pub fn units(text: &str, offset: usize) -> usize {
    text[..text.floor_char_boundary(offset.min(text.len()))].encode_utf16().count()
}
