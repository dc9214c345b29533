//! Reads a lesson's Markdown file into a [`LessonPage`], before anything in it is looked up.
//!
//! | block | is |
//! |---|---|
//! | `lesson` | the task: a line each for `term`, `form`, `work` and `rules` |
//! | `hint` | a hint; several from vague to exact |
//! | `solution` | a schedule that reaches the goal; the best one first |
//! | `wrong KIND` | a schedule that doesn't, or not directly; its comments are what to say of it |
//! | `wrong KIND like this` | the same, and they are said to whoever comes to the same end as well |
//!
//! Everything else is for readers, models and scripts among it.

use std::ops::Range;

use super::DiagnosisKind;
use redexter_language::ground::fence::{FencedBlock, blocks};
use redexter_language::ground::name::slip;
use redexter_language::ground::text::listed;
use redexter_language::ground::{Diagnostic, SourceId, Span, code};

/// A text of the page, and where it stands.
#[derive(Clone, Debug)]
pub struct PageText {
    /// The text.
    pub text: String,
    /// Its place, in bytes of the page.
    pub range: Range<usize>,
}

/// The contents of a lesson's file.
#[derive(Clone, Debug)]
pub struct LessonPage {
    /// Its first heading.
    pub title: String,
    /// The text for readers, in Markdown.
    pub prose: String,
    /// Models and scripts with the names that they are to have, in order.
    pub files: Vec<(String, PageText)>,
    /// The term that the lesson is about, as one types it.
    pub term: PageText,
    /// The form that is to be reached.
    pub form: Option<PageText>,
    /// The work that is to be reached.
    pub work: Option<PageText>,
    /// The rules that may be used.
    pub rules: PageText,
    /// Hints, from vague to exact.
    pub hints: Vec<PageText>,
    /// Schedules that reach the goal.
    pub solutions: Vec<PageText>,
    /// Schedules that are wrong.
    pub mistakes: Vec<WrongAnswer>,
}

/// A schedule that a lesson says is wrong.
#[derive(Clone, Debug)]
pub struct WrongAnswer {
    /// What is wrong with it.
    pub kind: DiagnosisKind,
    /// Whether its comment fits all that come to the same.
    pub for_alike: bool,
    /// The schedule, with comments.
    pub text: PageText,
}

impl PageText {
    /// Its place in a text.
    pub fn span(&self, source: SourceId) -> Span {
        Span::new(source, self.range.start, self.range.end)
    }

    /// Another line of it.
    fn go_on(&mut self, line: &str, end: usize) {
        self.text = format!("{}\n{line}", self.text);
        self.range.end = end;
    }

    /// The lines of a schedule that aren't comments, and those that are, without their marks.
    pub fn with_comments(&self) -> (String, String) {
        let mark = |line: &&str| line.trim_start().starts_with("//");
        let (comments, schedule): (Vec<&str>, Vec<&str>) = self.text.lines().partition(mark);
        let bare = |line: &&str| line.trim_start().trim_start_matches('/').trim().to_owned();
        (schedule.join("\n").trim().to_owned(), comments.iter().map(bare).collect::<Vec<_>>().join(" "))
    }
}

/// Whether a page is a lesson.
pub fn is_lesson(page: &str) -> bool {
    blocks(page).iter().any(|block| LESSON_BLOCKS.contains(&block.language) || meant(block.language).is_some())
}

impl LessonPage {
    /// Reads a page; an error for each thing that is missing, unknown or there twice.
    pub fn read(page: &str, source: SourceId) -> Result<LessonPage, Vec<Diagnostic>> {
        let mut reading = PageReader { page, source, wrong: Vec::new() };
        let read = reading.page();
        match read {
            Some(read) if reading.wrong.is_empty() => Ok(read),
            _ => Err(reading.wrong),
        }
    }
}

/// A page that is being read, with the errors so far.
struct PageReader<'a> {
    page: &'a str,
    source: SourceId,
    wrong: Vec<Diagnostic>,
}

/// The blocks that only lessons have.
const LESSON_BLOCKS: [&str; 4] = ["lesson", "hint", "solution", "wrong"];

/// The words behind a wrong answer whose comment fits all that come to the same.
const FOR_ALIKE: &str = "like this";

/// Blocks that every document may have.
pub const COMMON_BLOCKS: [&str; 3] = ["arr", "session", "strat"];

/// The word for blocks that this one may be meant for, which is none itself.
pub fn nearly(language: &str) -> Option<&'static str> {
    let known = || COMMON_BLOCKS.into_iter().chain(LESSON_BLOCKS);
    if language.is_empty() || known().any(|word| word == language) { None } else { slip(language, known()) }
}

/// The block of a lesson that a word nearly names.
fn meant(language: &str) -> Option<&'static str> {
    nearly(language).filter(|near| LESSON_BLOCKS.contains(near))
}

/// The lines that may stand in the `lesson` block.
const TASK_KEYS: [&str; 4] = ["term", "form", "work", "rules"];

impl PageReader<'_> {
    fn page(&mut self) -> Option<LessonPage> {
        let all = blocks(self.page);
        let of = |language: &'static str| all.iter().filter(move |block| block.language == language);
        let tasks: Vec<&FencedBlock> = of("lesson").collect();
        if tasks.is_empty() {
            self.wrong(
                0..self.page.len().min(1),
                "there is no `lesson` block",
                "a lesson's page has one with its task",
            );
        }
        if let [_, second, ..] = &tasks[..] {
            self.wrong(second.inside.clone(), "a lesson has one task", "write one `lesson` block");
        }
        let mut keys = self.keys(tasks.first()?);
        let mut take = |key: &str| keys.iter().position(|(name, _)| name == key).map(|k| keys.swap_remove(k).1);
        let [term, form, work, rules] = TASK_KEYS.map(&mut take);
        let inside = &tasks[0].inside;
        let needed = [(&term, "`term: NAME`"), (&rules, "`rules: RULE, RULE…`")];
        for (_, line) in needed.iter().filter(|(part, _)| part.is_none()) {
            self.wrong(
                inside.clone(),
                format!("the task lacks a line {line}"),
                "a page about lessons says what it is for",
            );
        }
        if form.is_none() && work.is_none() {
            let help =
                "write ``form: `TERM` `` for the form that is to be reached, `work: n` for the order of its work";
            self.wrong(inside.clone(), "the task has no goal", help);
        }
        let title = self.page.lines().find_map(|line| line.strip_prefix("# ")).map(|title| title.trim().to_owned());
        if title.is_none() {
            self.wrong(0..self.page.len().min(1), "a lesson begins with its title", "write `# TITLE` above it");
        }
        for block in &all {
            let near = meant(block.language);
            if let Some(near) = near {
                self.wrong(
                    block.inside.clone(),
                    format!("a lesson has no `{}` blocks", block.language),
                    format!("did you mean `{near}`?"),
                );
            }
        }
        let parts = |language| of(language).map(part).collect::<Vec<PageText>>();
        let solutions = parts("solution");
        if solutions.is_empty() {
            self.wrong(inside.clone(), "the lesson has no solution", "write a `solution` block with a schedule");
        }
        let mistakes = of("wrong").filter_map(|block| self.wrong_answer(block)).collect();
        let named = |block: &&FencedBlock| matches!(block.language, "arr" | "strat");
        let file = |(k, block): (usize, &FencedBlock)| {
            let name = block.file.map_or_else(|| format!("lesson{k}.{}", block.language), str::to_owned);
            (name, part(block))
        };
        let files = all.iter().filter(named).enumerate().map(file).collect();
        let (prose, hints) = (self.prose(&all), parts("hint"));
        Some(LessonPage {
            title: title?,
            prose,
            files,
            term: term?,
            form,
            work,
            rules: rules?,
            hints,
            solutions,
            mistakes,
        })
    }

    /// The lines of the task. A value whose backtick is open goes on over the lines that follow, up to the other one; a line
    /// without a colon goes on with the value before it, too.
    fn keys(&mut self, task: &FencedBlock) -> Vec<(String, PageText)> {
        let mut found: Vec<(String, PageText)> = Vec::new();
        for line in task.lines.iter().filter(|line| !line.text.trim().is_empty()) {
            let range = line.at..line.at + line.text.trim_end().len();
            if let Some((_, open)) = found.last_mut().filter(|(_, part)| part.text.matches('`').count() == 1) {
                open.go_on(line.text.trim_end(), range.end);
                continue;
            }
            let Some((key, value)) = line.text.split_once(':') else {
                match found.last_mut() {
                    Some((_, part)) => part.go_on(line.text.trim(), range.end),
                    None => self.wrong(range, "a line of the task has no colon", "write `term: NAME`, for example"),
                }
                continue;
            };
            let (key, value) = (key.trim(), value.trim());
            if !TASK_KEYS.contains(&key) {
                let known = listed(TASK_KEYS);
                self.wrong(range, format!("a task has no `{key}`"), format!("its lines are for {known}"));
            } else if found.iter().any(|(other, _)| other == key) {
                self.wrong(range, format!("`{key}` is there twice"), "write it once");
            } else {
                found.push((key.to_owned(), PageText { text: value.to_owned(), range }));
            }
        }
        found
    }

    fn wrong_answer(&mut self, block: &FencedBlock) -> Option<WrongAnswer> {
        let kind = self.kind(block)?;
        let for_alike = block.more == FOR_ALIKE;
        if !for_alike && !block.more.is_empty() {
            let headline = format!("behind `wrong {kind}` may stand `{FOR_ALIKE}`, and not `{}`", block.more);
            self.wrong(
                block.inside.clone(),
                headline,
                format!("write `wrong {kind} {FOR_ALIKE}`, or nothing behind it"),
            );
        }
        Some(WrongAnswer { kind, for_alike, text: part(block) })
    }

    fn kind(&mut self, block: &FencedBlock) -> Option<DiagnosisKind> {
        let found = block.file.and_then(DiagnosisKind::named).filter(|kind| *kind != DiagnosisKind::Reached);
        if found.is_none() {
            let known = listed(
                DiagnosisKind::ALL.iter().filter(|kind| **kind != DiagnosisKind::Reached).map(|kind| kind.word()),
            );
            let headline = "a wrong answer doesn't say what is wrong with it";
            self.wrong(block.inside.clone(), headline, format!("write `wrong KIND`; kinds are {known}"));
        }
        found
    }

    /// The page without its title and the blocks that aren't for readers.
    fn prose(&self, all: &[FencedBlock]) -> String {
        let hidden = all.iter().filter(|b| LESSON_BLOCKS.contains(&b.language));
        let (mut out, mut from) = (String::new(), 0);
        for block in hidden {
            let opening = self.page[..block.inside.start].trim_end_matches('\n').rfind('\n').map_or(0, |at| at + 1);
            let closing =
                self.page[block.inside.end..].find('\n').map_or(self.page.len(), |at| block.inside.end + at + 1);
            out.push_str(self.page[from..opening].trim_end());
            out.push_str("\n\n");
            from = closing;
        }
        out.push_str(self.page[from..].trim());
        let title = out.trim_start().strip_prefix("# ").and_then(|rest| rest.split_once('\n'));
        let mut text = title.map_or(&out[..], |(_, rest)| rest).trim().to_owned();
        while text.contains("\n\n\n") {
            text = text.replace("\n\n\n", "\n\n");
        }
        text.push('\n');
        text
    }

    fn wrong(&mut self, at: Range<usize>, headline: impl Into<String>, help: impl Into<String>) {
        let place = Span::new(self.source, at.start, at.end);
        self.wrong.push(Diagnostic::error(code::LESSON, headline).at(place, "here").help(help));
    }
}

fn part(block: &FencedBlock) -> PageText {
    let Range { start, end } = block.inside;
    let last = block.lines.iter().rev().find(|line| !line.text.trim().is_empty());
    let end = last.map_or(end, |line| line.at + line.text.trim_end().len());
    PageText { text: block.text(), range: start..end }
}
