//! Records what a student did in lessons, and writes and reads that as a text that is kept and handed in.

use serde_json::{Value, json};

use super::DiagnosisKind;
use redexter_language::ground::text::plain_lines;

/// A schedule that was tried.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LessonAttempt {
    /// As it prints.
    pub schedule: String,
    /// The kind of its diagnosis.
    pub kind: DiagnosisKind,
}

/// The record of one lesson.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LessonRecord {
    /// The lesson's own name, wherever its file lies.
    pub lesson: String,
    /// The fingerprint of its text, if that is known.
    pub text: Option<String>,
    /// How many hints were asked for.
    pub hints: usize,
    /// Rules and strategies that were defined meanwhile.
    pub defined: Vec<String>,
    /// What was tried, in order.
    pub attempts: Vec<LessonAttempt>,
}

/// The record of all lessons.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProgressRecord {
    /// Each lesson once, in the order in which they were first opened.
    pub lessons: Vec<LessonRecord>,
}

/// The fingerprint of a lesson's text, whatever its line ends are: equal texts have equal ones, on every machine.
pub fn fingerprint(text: &str) -> String {
    let (plain, _) = plain_lines(text);
    // FNV-1a: what is to be noticed are two versions of a lesson; of records nothing is trusted anyway.
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    format!("{:016x}", plain.trim_end().bytes().fold(0xcbf2_9ce4_8422_2325, step))
}

/// The version of the text's format.
const FORMAT_VERSION: u64 = 1;

impl LessonRecord {
    /// Whether the goal was reached.
    pub fn is_reached(&self) -> bool {
        self.attempts.iter().any(|attempt| attempt.kind.is_reached())
    }
}

impl ProgressRecord {
    /// The record of a lesson, if anything was done in it.
    pub fn of(&self, lesson: &str) -> Option<&LessonRecord> {
        self.lessons.iter().find(|taken| taken.lesson == lesson)
    }

    /// The record of a lesson, to add to it; a new one if nothing was done in it.
    pub fn in_lesson(&mut self, lesson: &str) -> &mut LessonRecord {
        let at = self.lessons.iter().position(|taken| taken.lesson == lesson);
        let at = at.unwrap_or_else(|| {
            self.lessons.push(LessonRecord { lesson: lesson.to_owned(), ..LessonRecord::default() });
            self.lessons.len() - 1
        });
        &mut self.lessons[at]
    }

    /// Another record with those lessons of this one in which more was done than before.
    pub fn over(&self, mut other: ProgressRecord, before: &ProgressRecord) -> ProgressRecord {
        for taken in self.lessons.iter().filter(|taken| before.of(&taken.lesson) != Some(taken)) {
            *other.in_lesson(&taken.lesson) = taken.clone();
        }
        other
    }

    /// Whether all that another record tells was done in this one, too.
    pub fn goes_on(&self, before: &ProgressRecord) -> bool {
        before.lessons.iter().all(|taken| {
            let done = self.of(&taken.lesson).map_or(&[][..], |own| &own.attempts);
            done.starts_with(&taken.attempts)
        })
    }

    /// As JSON.
    pub fn text(&self) -> String {
        let attempt = |attempt: &LessonAttempt| json!({"schedule": attempt.schedule, "says": attempt.kind.word()});
        let taken = |taken: &LessonRecord| {
            let attempts: Vec<Value> = taken.attempts.iter().map(attempt).collect();
            let mut told = json!({"lesson": taken.lesson});
            taken.text.iter().for_each(|text| told["text"] = json!(text));
            for (name, value) in
                [("hints", json!(taken.hints)), ("defined", json!(taken.defined)), ("attempts", Value::Array(attempts))]
            {
                told[name] = value;
            }
            told
        };
        let lessons: Vec<Value> = self.lessons.iter().map(taken).collect();
        format!("{:#}\n", json!({"redexter lessons": FORMAT_VERSION, "lessons": lessons}))
    }

    /// Reads what [`ProgressRecord::text`] writes; an error says what is wrong.
    pub fn read(text: &str) -> Result<ProgressRecord, String> {
        let all: Value = serde_json::from_str(text).map_err(|e| e.to_string())?;
        if all["redexter lessons"] != FORMAT_VERSION {
            return Err(format!("it has no `\"redexter lessons\": {FORMAT_VERSION}`"));
        }
        let lessons = all["lessons"].as_array().ok_or("it has no list `lessons`")?;
        Ok(ProgressRecord { lessons: lessons.iter().map(taken).collect::<Result<_, String>>()? })
    }
}

fn taken(value: &Value) -> Result<LessonRecord, String> {
    let lesson = value["lesson"].as_str().ok_or("a lesson has no name")?.to_owned();
    let missing = |what: &str| format!("`{lesson}` has no {what}");
    let hints = value["hints"].as_u64().and_then(|count| usize::try_from(count).ok());
    let attempts = value["attempts"].as_array().ok_or_else(|| missing("list `attempts`"))?;
    let attempt = |value: &Value| {
        let kind = value["says"].as_str().and_then(DiagnosisKind::named);
        Some(LessonAttempt { schedule: value["schedule"].as_str()?.to_owned(), kind: kind? })
    };
    let attempts = attempts.iter().map(attempt).collect::<Option<_>>();
    let defined = value["defined"].as_array().map_or(&[][..], |lines| &lines[..]);
    let defined = defined.iter().map(|line| line.as_str().map(str::to_owned)).collect::<Option<_>>();
    Ok(LessonRecord {
        text: value["text"].as_str().map(str::to_owned),
        hints: hints.ok_or_else(|| missing("number of `hints`"))?,
        defined: defined.ok_or_else(|| missing("text in `defined`"))?,
        attempts: attempts.ok_or_else(|| missing("`schedule` and `says` in an attempt"))?,
        lesson,
    })
}

#[cfg(test)]
mod tests {
    use super::{DiagnosisKind, LessonAttempt, ProgressRecord, fingerprint};

    #[test]
    fn what_is_written_is_read() {
        let mut record = ProgressRecord::default();
        record.in_lesson("fusion").hints = 2;
        let attempt = LessonAttempt { schedule: "at(\"body\", beta)".to_owned(), kind: DiagnosisKind::Stuck };
        record.in_lesson("fusion").attempts.push(attempt);
        record.in_lesson("own.md").defined.push("strategy s = beta".to_owned());
        record.in_lesson("own.md").text = Some(fingerprint("# T\r\n\r\nx\r\n"));
        assert_eq!(record.in_lesson("own.md").text, Some(fingerprint("\u{feff}# T\n\nx")));
        assert_ne!(fingerprint("# T\n\nx"), fingerprint("# T\n\ny"));
        assert_eq!(ProgressRecord::read(&record.text()).as_ref(), Ok(&record));
        let (before, mut own) = (record.clone(), record.clone());
        own.in_lesson("fusion").hints = 3;
        record.in_lesson("own.md").hints = 1;
        let mut both = own.over(record, &before);
        assert_eq!((both.in_lesson("fusion").hints, both.in_lesson("own.md").hints), (3, 1));
        for (wrong, says) in [
            ("", "EOF"),
            ("{}", "redexter lessons"),
            (r#"{"redexter lessons": 1}"#, "list `lessons`"),
            (r#"{"redexter lessons": 1, "lessons": [{}]}"#, "no name"),
            (r#"{"redexter lessons": 1, "lessons": [{"lesson": "a", "attempts": []}]}"#, "`hints`"),
            (
                r#"{"redexter lessons": 1, "lessons": [{"lesson": "a", "hints": 0, "attempts": [{"says": "no"}]}]}"#,
                "`says`",
            ),
        ] {
            let found = ProgressRecord::read(wrong).expect_err(wrong);
            assert!(found.contains(says), "{wrong}: {found}");
        }
    }
}
