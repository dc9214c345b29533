//! Carries trouble through Rhai, which knows only errors of its own, and texts by name.

use rhai::{Dynamic, EvalAltResult, Position};

use redexter_language::ground::{Diagnostic, SourceId, Trouble};

/// An error on its way through Rhai.
pub(crate) type RhaiResult<T> = Result<T, Box<EvalAltResult>>;

/// The name under which Rhai knows a text.
pub(crate) fn source_name(source: SourceId) -> String {
    source.0.to_string()
}

/// The text behind such a name.
pub(crate) fn source_named(name: Option<&str>) -> Option<SourceId> {
    name.and_then(|name| name.parse().ok()).map(SourceId)
}

/// A finding, as an error of Rhai; the place is filled in where it is known.
pub(crate) fn fail(finding: Diagnostic) -> Box<EvalAltResult> {
    stop(Trouble::from(finding))
}

/// Trouble, as an error of Rhai. A script can catch what is wrong, but no limit.
pub(crate) fn stop(trouble: Trouble) -> Box<EvalAltResult> {
    Box::new(match trouble {
        stopped @ Trouble::Stopped { .. } => EvalAltResult::ErrorTerminated(Dynamic::from(stopped), Position::NONE),
        wrong => EvalAltResult::ErrorRuntime(Dynamic::from(wrong), Position::NONE),
    })
}
