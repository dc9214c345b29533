//! Asks questions about derivations, and holds their answers.

use pyo3::prelude::*;

use crate::failure::Failure;
use crate::html;
use crate::worker::{Bench, Worker};
use redexter::command::Command;
use redexter::ground::{Diagnostic, Trouble, code};
use redexter::questions::{self, AskedQuestion};
use redexter::render;
use redexter::session::Session;
use redexter::strategy::Strategy;
use redexter::styled::Styled;
use redexter::walk::{Walk, WalkAnswer};

/// Answers are laid out to this width.
const WIDTH: usize = 100;

/// What a question came to: `str(answer)` is what the program says, `answer.data` the same as dictionaries and lists.
#[pyclass(frozen, module = "redexter")]
pub struct Answer {
    text: String,
    html: String,
    json: Option<String>,
}

/// An answer that left its session's thread.
pub struct AnswerTexts {
    text: String,
    html: String,
    json: Option<String>,
}

impl From<AnswerTexts> for Answer {
    fn from(texts: AnswerTexts) -> Answer {
        let AnswerTexts { text, html, json } = texts;
        Answer { text, html, json }
    }
}

impl Answer {
    /// A drawing: as text, and as an image of a notebook's.
    pub fn drawn(text: String, svg: String) -> Answer {
        Answer { text, html: svg, json: None }
    }
}

#[pymethods]
impl Answer {
    /// The answer as dictionaries, lists, numbers and texts; `None` where it is text alone.
    #[getter]
    fn data<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.json.as_ref().map(|json| py.import("json")?.getattr("loads")?.call1((json,))).transpose()
    }

    fn __str__(&self) -> &str {
        &self.text
    }

    fn __repr__(&self) -> &str {
        &self.text
    }

    fn _repr_html_(&self) -> &str {
        &self.html
    }
}

/// A text as an answer.
pub fn told(text: &Styled, json: Option<String>) -> AnswerTexts {
    AnswerTexts { text: text.text().trim_end().to_owned(), html: html::block(text), json }
}

/// Asks a question, written as behind a colon at the prompt, about a walk that a session's thread makes: `why 3`, `orders a | b`.
pub fn asked(
    worker: &Worker,
    py: Python<'_>,
    question: String,
    walk: impl FnOnce(&Bench) -> Result<Walk, Failure> + Send + 'static,
) -> PyResult<Answer> {
    let texts = worker.ask(py, move |bench| {
        let mut walk = walk(bench)?;
        ask(bench, &mut walk, &question)
    })?;
    Ok(texts.into())
}

fn ask(bench: &mut Bench, walk: &mut Walk, question: &str) -> Result<AnswerTexts, Failure> {
    let line = format!(":{}", question.trim().trim_start_matches(':'));
    let answer = bench.doing(&line, |session| answered(session, walk, &line))?;
    let trouble = match &answer {
        WalkAnswer::Finding(_, trouble) => trouble.clone(),
        _ => None,
    };
    if let Some(trouble) = trouble {
        return Err(bench.failed(trouble));
    }
    bench.telling(&line, |_, _| {
        let json = render::answer_json(&answer).map(|json| json.to_string());
        Ok(told(&render::walk(&answer, WIDTH.into()), json))
    })
}

fn answered(session: &mut Session, walk: &mut Walk, line: &str) -> Result<WalkAnswer, Trouble> {
    let (question, arguments) = match Command::parse(line)? {
        Command::Ask(_, arguments) if arguments.file.is_some() => {
            let wrong = Diagnostic::error(code::COMMAND, "a question asked here writes no file");
            return Err(wrong.help("leave the file out: a notebook shows the drawing").into());
        }
        Command::Ask(question, arguments) => (question, arguments),
        _ => {
            let wrong = Diagnostic::error(code::COMMAND, format!("`{}` is no question", line.trim_start_matches(':')));
            return Err(wrong.help(format!("ask for one of {}", questions::names())).into());
        }
    };
    let strategies: Vec<Strategy> =
        arguments.strategies.iter().map(|text| session.strategy(text)).collect::<Result<_, _>>()?;
    question.answer(AskedQuestion { arguments: &arguments, strategies: &strategies, walk, owner: session.owner() })
}
