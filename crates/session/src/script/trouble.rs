//! Turns Rhai's errors into findings with places in the user's text.

use rhai::{Dynamic, EvalAltResult, ParseError, ParseErrorType, Position};

use super::bounded::{MAX_BYTES, MAX_ELEMENTS};
use super::errors::source_named;
use super::foreign_names;
use super::libraries::PRELUDE;
use super::meanings;
use super::prelude;
use super::read;
use super::world::ScriptWorld;
use redexter_language::ground::text::{begins_name, line_start};
use redexter_language::ground::{Diagnostic, SourceId, Span, StopReason, Trouble, code};
use redexter_language::syntax::tokens::{Dialect, TokenKind, tokens};
use redexter_language::term::Slot;

/// The findings for an error while a text ran. `variables`, and names behind a dot, are candidates for "did you mean".
pub(crate) fn of_run(world: &ScriptWorld, source: SourceId, error: &EvalAltResult, variables: &[String]) -> Trouble {
    let at = error.position();
    let place = |finding: Diagnostic, label: &str| match finding.labels.is_empty() {
        true => world.placed(finding, source, at, label),
        false => finding,
    };
    match error {
        EvalAltResult::ErrorInFunctionCall(name, inside, inner, _) => {
            let defined = world.named.borrow().functions_of.get(name).copied();
            let inside = defined.or(source_named(Some(inside))).unwrap_or(source);
            called(world, source, name, at, of_run(world, inside, inner, variables))
        }
        EvalAltResult::ErrorTerminated(token, _) => stopped(world, source, token, at),
        EvalAltResult::ErrorDataTooLarge(what, _) => {
            let most = if what.ends_with("string") { MAX_BYTES } else { MAX_ELEMENTS };
            StopReason::Elements(most as u64).into()
        }
        EvalAltResult::ErrorStackOverflow(_) => {
            let finding = Diagnostic::error(code::SCRIPT, "functions call each other too deeply");
            place(finding, "this call").help("a function that calls itself needs a case in which it doesn't").into()
        }
        EvalAltResult::ErrorRuntime(value, _) => match value.read_lock::<Trouble>() {
            Some(trouble) => match &*trouble {
                Trouble::Wrong(all) => Trouble::Wrong(all.iter().map(|d| place(d.clone(), "here")).collect()),
                stopped => stopped.clone(),
            },
            None => place(Diagnostic::error(code::SCRIPT, format!("the script throws: {value}")), "here").into(),
        },
        EvalAltResult::ErrorVariableNotFound(name, _) => place(unknown(world, name, variables), "is not known").into(),
        EvalAltResult::ErrorFunctionNotFound(signature, _) => place(uncallable(world, signature), "here").into(),
        EvalAltResult::ErrorModuleNotFound(path, _) => {
            let name = path.split("::").next().unwrap_or(path);
            let finding = Diagnostic::error(code::SCRIPT, format!("there is no module `{name}`"));
            place(finding, "here")
                .help(format!("what belongs to a model, a script or an alias stands behind a dot: `{name}.name`"))
                .into()
        }
        EvalAltResult::ErrorParsing(kind, _) => place(syntax(kind), "here").into(),
        EvalAltResult::ErrorDotExpr(why, _) => {
            let plain = || place(Diagnostic::error(code::SCRIPT, sentence(&without_paths(why))), "here");
            let span = world.span(source, at);
            span.and_then(|span| unquoted(&world.sources.borrow().get(source).text, span)).unwrap_or_else(plain).into()
        }
        other => {
            let mut bare = other.to_string();
            if let Some(k) = bare.rfind(" (line ") {
                bare.truncate(k);
            }
            place(Diagnostic::error(code::SCRIPT, sentence(&without_paths(&bare))), "here").into()
        }
    }
}

/// The finding for an address that stands there without its quotes, around this place.
fn unquoted(text: &str, within: Span) -> Option<Diagnostic> {
    let is_of_one = |c: char| c.is_alphanumeric() || c == '.' || c == '_';
    let start = text[..within.start as usize].trim_end_matches(is_of_one).len();
    let rest = &text[start..];
    let address = &rest[..rest.find(|c| !is_of_one(c)).unwrap_or(rest.len())];
    let first = address.split('.').next()?;
    Slot::NAMED.iter().find(|(name, _)| *name == first)?;
    let finding = Diagnostic::error(code::SCRIPT, format!("`{address}` is no strategy"))
        .at(Span::new(within.source, start, start + address.len()), "an address stands in quotes");
    Some(match text.trim() == address {
        true => finding.help(format!("write `at(\"{address}\", s)` for `s` at that place; `:at {address}` shows it")),
        false => finding.help(format!("write `\"{address}\"`")),
    })
}

/// A text in which this project's types are called without the modules that they stand in; `::` stays elsewhere.
fn without_paths(text: &str) -> String {
    let bare = |word| match str::rsplit_once(word, "::") {
        Some((path, name)) if path.starts_with("redexter_") => name,
        _ => word,
    };
    text.split(' ').map(bare).collect::<Vec<_>>().join(" ")
}

/// The finding for a text that Rhai can't read.
pub(crate) fn of_text(world: &ScriptWorld, source: SourceId, error: &ParseError) -> Trouble {
    let sources = world.sources.borrow();
    let text = &sources.get(source).text;
    let mut finding = syntax(&error.0);
    if let ParseErrorType::UnexpectedEOF = *error.0
        && let Some(sign) = tokens(text, Dialect::Script).iter().rfind(|token| token.counts())
        && sign.kind == TokenKind::Sign
    {
        let sign = &text[sign.range()];
        finding.headline = format!("something is missing behind `{sign}`");
        finding.help = vec![format!("write it there, or leave `{sign}` out")];
    }
    match world.span(source, error.1) {
        Some(span) => beside(finding, &error.0, text, span).into(),
        None => {
            let end = text.trim_end().len();
            finding.at(Span::new(source, end, end), "the text ends here").into()
        }
    }
}

/// The finding with what its surroundings say: a `;` is missing where the line before ends, and who begins a line with a word
/// that is reserved names nothing by it.
fn beside(mut finding: Diagnostic, kind: &ParseErrorType, text: &str, span: Span) -> Diagnostic {
    let before = &text[..span.start as usize];
    let begins_line = before[line_start(text, before.len())..].trim().is_empty();
    match kind {
        ParseErrorType::MissingToken(token, _) if token == ";" && begins_line => {
            let all = tokens(text, Dialect::Script);
            let last = all.iter().take_while(|token| token.end <= before.len()).filter(|token| token.counts()).last();
            let Some(last) = last else { return finding.at(span, "here") };
            let line = text[line_start(text, last.end)..last.end].trim();
            finding.headline = "a `;` is missing behind this".to_owned();
            finding.help = vec![format!("write `{line};`")];
            finding.at(Span::new(span.source, last.start, last.end), "here")
        }
        ParseErrorType::PropertyExpected => unquoted(text, span).unwrap_or_else(|| finding.at(span, "here")),
        ParseErrorType::Reserved(word) if begins_line && begins_name(word) => {
            finding.help.clear();
            finding.at(span, "here")
        }
        _ => finding.at(span, "here"),
    }
}

pub(crate) fn unknown(world: &ScriptWorld, name: &str, more: &[String]) -> Diagnostic {
    if meanings::value_of(world, name).is_some() {
        return Diagnostic::error(code::NOT_A_STRATEGY, format!("`{name}` takes no arguments"))
            .help(format!("write `{name}` alone"));
    }
    if let Some(finding) = world.imports().alone(name) {
        return finding;
    }
    let name = if name == read::TRY { "try" } else { name };
    let finding = unknown_without_a_guess(name);
    if prelude::derives(name) {
        let help = format!("the prelude has it, which `--bare` leaves out: `import \"{PRELUDE}\";` brings it in");
        return finding.help(help);
    }
    // Who only errs in large and small letters isn't told of other things first.
    let cased = in_other_letters(world, name);
    let finding = match &cased {
        Some(known) => finding.help(format!("did you mean `{known}`?")),
        None => finding,
    };
    if let Some(help) = foreign_names::said(name) {
        return finding.help(help);
    }
    if cased.is_some() {
        return finding;
    }
    let members = meanings::members(world);
    let member = members.iter().chain(more).find(|known| known.rsplit_once('.').is_some_and(|(_, last)| last == name));
    let near = match member {
        Some(member) => Some(format!("did you mean `{member}`?")),
        None => meanings::did_you_mean(world, name, more),
    };
    finding.help(near.unwrap_or_else(|| list_of_rules(&world.sources.borrow().get(world.current.get()).name)))
}

/// A variable that is called, and is no function.
pub(crate) fn not_callable(name: &str) -> Diagnostic {
    Diagnostic::error(code::UNKNOWN_STRATEGY, format!("`{name}` is no function of scripts"))
        .help(format!("`{name}.apply(normalize(beta))` runs a strategy on a term, `:eval` evaluates the current one"))
}

pub(crate) fn unknown_without_a_guess(name: &str) -> Diagnostic {
    Diagnostic::error(code::UNKNOWN_STRATEGY, format!("unknown rule, strategy or variable `{name}`"))
}

/// How the rules are listed from where a text with this name was written.
fn list_of_rules(source: &str) -> String {
    let command = match source {
        "<input>" => "`:rules`",
        "<strategy>" => "`:rules`, or `redexter rules`,",
        _ => "`redexter rules`",
    };
    format!("{command} lists the rules")
}

/// A function that can't be called like this.
fn uncallable(world: &ScriptWorld, signature: &str) -> Diagnostic {
    let name = signature.split(['(', ' ']).next().unwrap_or(signature);
    let name = if name == read::TRY { "try" } else { name };
    if let Some(usage) = meanings::usage(world, name) {
        let imports = world.imports();
        let shown = imports.named(name).map_or(name, |imported| imported.shown());
        let headline = format!("`{shown}` doesn't take these arguments");
        return Diagnostic::error(code::NOT_A_STRATEGY, headline).help(format!("write `{usage}`"));
    }
    if !begins_name(name) {
        return Diagnostic::error(
            code::SCRIPT,
            format!("there is no {}", signature.replace(name, &format!("`{name}` on"))),
        );
    }
    let finding = Diagnostic::error(code::UNKNOWN_STRATEGY, format!("no function `{name}` takes these arguments"));
    let near = || meanings::did_you_mean(world, name, &[]);
    let cased = in_other_letters(world, name).is_some();
    match foreign_names::said(name) {
        Some(help) => near().filter(|_| cased).into_iter().fold(finding, Diagnostic::help).help(help),
        None => near().into_iter().fold(finding, Diagnostic::help),
    }
}

/// So many calls are shown on the way to a finding.
const MAX_CALLS: usize = 3;

/// Adds the call through which trouble came.
fn called(world: &ScriptWorld, source: SourceId, name: &str, at: Position, inner: Trouble) -> Trouble {
    let Trouble::Wrong(mut all) = inner else { return inner };
    let full = all.first().is_some_and(|first| first.labels.len() > MAX_CALLS);
    if let (Some(span), Some(first), false) =
        (world.span(source, at), all.first_mut(), full || name.starts_with("anon$"))
    {
        let finding = first.clone();
        *first = match finding.labels.is_empty() {
            true => finding.at(span, format!("in this call of `{name}`")),
            false => finding.because(span, format!("in this call of `{name}`")),
        };
    }
    Trouble::Wrong(all)
}

/// A limit; where a strategy met it, the place in the script.
fn stopped(world: &ScriptWorld, source: SourceId, token: &Dynamic, at: Position) -> Trouble {
    let trouble = token.read_lock::<Trouble>().map_or(StopReason::Interrupted.into(), |trouble| trouble.clone());
    match (&trouble, world.span(source, at)) {
        (Trouble::Stopped { help, .. }, Some(span)) if !help.is_empty() => {
            let sources = world.sources.borrow();
            let (line, column) = sources.position(span);
            let place = format!("it ran at {}:{line}:{column}", sources.get(source).name);
            trouble.help(place)
        }
        _ => trouble,
    }
}

/// What is wrong with the form of a text.
fn syntax(kind: &ParseErrorType) -> Diagnostic {
    let error = |headline: String| Diagnostic::error(code::SYNTAX, headline);
    match kind {
        ParseErrorType::Reserved(word) if word == "print" => {
            error("`print` is a function".to_owned()).help("write `print(…)`")
        }
        ParseErrorType::Reserved(word) if !begins_name(word) => error(format!("`{word}` has no meaning here")),
        ParseErrorType::Reserved(word) => {
            Diagnostic::error(code::RESERVED_WORD, format!("`{word}` is a reserved word of the script language"))
                .help(format!("choose another name; a definition `{word}` of a model is `model[\"{word}\"]`"))
        }
        ParseErrorType::UnexpectedEOF => error("the text ends too early".into()).help("close what is open"),
        ParseErrorType::MissingToken(token, _) if token == ";" => {
            error("a `;` or an operator is missing before this".into())
                .help("statements end with `;`; for one strategy after another write `;;`, or `;` inside parentheses")
        }
        ParseErrorType::MissingToken(token, why) => error(format!("`{token}` is missing {}", written(why))),
        ParseErrorType::ExprTooDeep => error("this expression is nested too deeply".into()).help("name parts of it"),
        ParseErrorType::UnknownOperator(sign) if sign == "#" => {
            error("`#` has no meaning here".into()).help("a comment begins with `//`, a map with `#{`")
        }
        ParseErrorType::UnknownOperator(sign) => error(format!("`{sign}` is no operator")),
        ParseErrorType::BadInput(wrong) if wrong.to_string().contains("':='") => {
            error("`:=` stands in the array language only".into()).help("in a schedule write `let name = …`")
        }
        other => {
            // Rhai has a word for those who come from elsewhere, and it is no help.
            let told = other.to_string();
            let told = told.find(". This is not ").map_or(&*told, |end| &told[..end]);
            error(sentence(&written(told)))
        }
    }
}

/// Rhai's words with the operators as users write them.
fn written(text: &str) -> String {
    text.replace(read::CHOICE, "<+").replace(read::SEQUENCE, ";;").replace(&format!("'{}'", read::THEN), "';'")
}

/// The name that differs from this one in large and small letters alone.
fn in_other_letters(world: &ScriptWorld, name: &str) -> Option<String> {
    meanings::names(world).into_iter().find(|known| known.eq_ignore_ascii_case(name))
}

/// Begins small, as headlines do.
fn sentence(text: &str) -> String {
    let mut chars = text.chars();
    let first = chars.next().map(|c| c.to_lowercase().to_string()).unwrap_or_default();
    first + chars.as_str()
}

/// The message that a script gets of trouble that it catches.
pub(crate) fn message(trouble: &Trouble) -> String {
    match trouble {
        Trouble::Wrong(all) => all.iter().map(|d| d.headline.as_str()).collect::<Vec<_>>().join("\n"),
        Trouble::Stopped { reason, .. } => reason.to_string(),
    }
}
