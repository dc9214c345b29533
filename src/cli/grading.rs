//! Tabulates the grades of a class: who reached what, who handed in nothing, what went wrong most, and which files are equal.

use std::collections::BTreeMap;
use std::path::Path;

use redexter_language::ground::text::counted;
use redexter_language::ground::{Diagnostic, Trouble};
use redexter_session::session::{self, GradingLesson, LessonGrade, Session};
use redexter_telling::lesson::{DiagnosisKind, ProgressRecord};
use serde_json::{Value, json};

/// The heads of the table, in both of its forms.
const HEADS: [&str; 7] = ["student", "lesson", "state", "attempts", "hints", "mistakes", "remarks"];

/// What was handed in, and what is expected.
pub struct ClassGrades {
    /// The lessons by which it is graded.
    lessons: Vec<GradingLesson>,
    /// The names of those that are expected of everybody; none where each may take any.
    expected: Vec<String>,
    /// Those who are to hand in, as far as that is known.
    roster: Vec<String>,
    students: Vec<StudentGrades>,
}

/// What one student handed in.
struct StudentGrades {
    /// The file's name without its folder and ending.
    name: String,
    /// The file as it was named.
    file: String,
    /// None where it can't be read; then what is wrong with it.
    record: Result<ProgressRecord, String>,
    grades: Vec<LessonGrade>,
    /// Whose file is equal.
    equal: Option<String>,
}

/// A row of the table.
struct GradeRow {
    student: String,
    lesson: String,
    state: &'static str,
    attempts: usize,
    hints: usize,
    mistakes: String,
    remarks: Vec<String>,
}

impl ClassGrades {
    /// A class that has handed in nothing yet: it is graded by the lessons in a folder and those that ship, and the students are
    /// those in a file of names.
    pub fn new(session: &mut Session, folder: Option<&Path>, roster: Option<&Path>) -> Result<ClassGrades, Trouble> {
        let own = folder.map_or(Ok(Vec::new()), |folder| session::lessons_in(session, folder))?;
        let expected = own.iter().map(|lesson| lesson.name.clone()).collect();
        let lessons = own.into_iter().chain(session::lessons_that_ship()).collect();
        let names = roster.map(|path| session.read_named(path)).transpose()?.unwrap_or_default();
        // Some editors begin a text with a mark of its encoding.
        let names = names.trim_start_matches('\u{feff}');
        let roster = names.lines().map(str::trim).filter(|name| !name.is_empty()).map(str::to_owned).collect();
        Ok(ClassGrades { lessons, expected, roster, students: Vec::new() })
    }

    /// Grades a file.
    pub fn add(&mut self, session: &mut Session, path: &Path, record: ProgressRecord) -> Result<(), Trouble> {
        let grades = session::grade(session, &record, &self.lessons)?;
        let equal = self.students.iter().find(|other| {
            other.record.as_ref().is_ok_and(|known| *known == record)
                && record.lessons.iter().any(|l| !l.attempts.is_empty())
        });
        let equal = equal.map(|other| other.name.clone());
        self.students.push(StudentGrades { name: named(path), file: told(path), record: Ok(record), grades, equal });
        Ok(())
    }

    /// Notes a file that can't be read.
    pub fn unread(&mut self, path: &Path, found: &[Diagnostic]) {
        let why = found.first().map_or_else(String::new, |found| found.headline.clone());
        let (name, file) = (named(path), told(path));
        self.students.push(StudentGrades { name, file, record: Err(why), grades: Vec::new(), equal: None });
    }

    /// Whether everything could be read and holds.
    pub fn is_right(&self) -> bool {
        let holds = |grade: &LessonGrade| grade.wrong.is_empty();
        self.students.iter().all(|student| student.record.is_ok() && student.grades.iter().all(holds))
    }

    /// Those on the roster of whom there is no file.
    fn missing(&self) -> impl Iterator<Item = &String> {
        self.roster.iter().filter(|name| !self.students.iter().any(|student| student.name == **name))
    }

    fn rows(&self) -> Vec<GradeRow> {
        let mut rows: Vec<GradeRow> = self.students.iter().flat_map(|student| self.rows_of(student)).collect();
        for name in self.missing() {
            let lessons = if self.expected.is_empty() { vec![String::new()] } else { self.expected.clone() };
            rows.extend(lessons.into_iter().map(|lesson| GradeRow::bare(name, lesson, "nothing handed in")));
        }
        rows
    }

    fn rows_of(&self, student: &StudentGrades) -> Vec<GradeRow> {
        if let Err(why) = &student.record {
            let mut row = GradeRow::bare(&student.name, String::new(), "not readable");
            row.remarks.push(why.clone());
            return vec![row];
        }
        let mut remarks = Vec::new();
        remarks.extend(student.equal.iter().map(|other| format!("equal to the file of {other}")));
        if !self.roster.is_empty() && !self.roster.contains(&student.name) {
            remarks.push("not on the roster".to_owned());
        }
        let done = student.grades.iter().map(|grade| GradeRow {
            student: student.name.clone(),
            lesson: grade.lesson.clone(),
            state: state(grade),
            attempts: grade.attempts,
            hints: grade.hints,
            mistakes: mistakes(&grade.kinds),
            remarks: remarks.iter().chain(&grade.wrong).chain(&grade.notes).cloned().collect(),
        });
        let is_done = |name: &&String| student.grades.iter().any(|grade| grade.lesson == **name);
        let open = self.expected.iter().filter(|name| !is_done(name));
        let open = open.map(|name| GradeRow::bare(&student.name, name.clone(), "not begun"));
        done.chain(open).collect()
    }

    /// The mistakes of all, by lesson and kind: how many were made, by how many students, the most frequent first.
    fn common_mistakes(&self) -> Vec<(String, DiagnosisKind, usize, usize)> {
        let mut counts: BTreeMap<(String, DiagnosisKind), (usize, usize)> = BTreeMap::new();
        for grade in self.students.iter().flat_map(|student| &student.grades) {
            for (kind, count) in counted_mistakes(&grade.kinds) {
                let all = counts.entry((grade.lesson.clone(), kind)).or_default();
                *all = (all.0 + count, all.1 + 1);
            }
        }
        let mut all: Vec<_> =
            counts.into_iter().map(|((lesson, kind), (count, by))| (lesson, kind, count, by)).collect();
        all.sort_by(|a, b| b.3.cmp(&a.3).then(b.2.cmp(&a.2)));
        all
    }

    /// As text: each file, then what they have in common.
    pub fn text(&self) -> String {
        let mut lines = Vec::new();
        for student in self.students.iter().filter(|student| student.record.is_ok()) {
            lines.push(student.file.clone());
            lines.extend(student.grades.iter().map(line));
            lines.extend(student.equal.iter().map(|other| format!("    equal to the file of {other}")));
            let is_open = |name: &&String| !student.grades.iter().any(|grade| grade.lesson == **name);
            let open: Vec<_> = self.expected.iter().filter(is_open).collect();
            lines.extend(open.iter().map(|name| format!("  {name:<20} not begun")));
            let wrong = student.grades.iter().map(|grade| grade.wrong.len()).sum::<usize>();
            let reached = student.grades.iter().filter(|grade| grade.reached).count();
            let of = format!("  {reached} of {} reached", counted(student.grades.len() + open.len(), "lesson"));
            lines.push(if wrong == 0 { of } else { format!("{of}; {} wrong", counted(wrong, "thing")) });
        }
        lines.extend(self.missing().map(|name| format!("{name}: nothing handed in")));
        let common = self.common_mistakes();
        if self.students.len() > 1 && !common.is_empty() {
            lines.push("what went wrong most".to_owned());
            lines.extend(common.iter().map(|(lesson, kind, count, by)| {
                format!(
                    "  {lesson:<20} {:<12} {}, by {}",
                    kind.word(),
                    counted(*count, "time"),
                    counted(*by, "student")
                )
            }));
        }
        lines.join("\n")
    }

    /// As CSV: a row for each student and lesson.
    pub fn csv(&self) -> String {
        let row = |cells: &[String]| cells.iter().map(|cell| csv_cell(cell)).collect::<Vec<_>>().join(",");
        let heads = row(&HEADS.map(str::to_owned));
        let rows = self.rows().into_iter().map(|r| {
            row(&[
                r.student,
                r.lesson,
                r.state.to_owned(),
                r.attempts.to_string(),
                r.hints.to_string(),
                r.mistakes,
                r.remarks.join("; "),
            ])
        });
        [heads].into_iter().chain(rows).collect::<Vec<_>>().join("\n")
    }

    /// As JSON: the rows, and the mistakes of all.
    pub fn json(&self) -> String {
        let row = |r: GradeRow| {
            let cells = [
                json!(r.student),
                json!(r.lesson),
                json!(r.state),
                json!(r.attempts),
                json!(r.hints),
                json!(r.mistakes),
                json!(r.remarks),
            ];
            HEADS.iter().map(|head| (*head).to_owned()).zip(cells).collect::<serde_json::Map<_, _>>().into()
        };
        let mistake = |(lesson, kind, times, students): (String, DiagnosisKind, usize, usize)| json!({"lesson": lesson, "kind": kind.word(), "times": times, "students": students});
        let rows: Vec<Value> = self.rows().into_iter().map(row).collect();
        let mistakes: Vec<Value> = self.common_mistakes().into_iter().map(mistake).collect();
        format!("{:#}", json!({"grades": rows, "mistakes": mistakes}))
    }
}

impl GradeRow {
    /// A row of what wasn't done.
    fn bare(student: &str, lesson: String, state: &'static str) -> GradeRow {
        let student = student.to_owned();
        GradeRow { student, lesson, state, attempts: 0, hints: 0, mistakes: String::new(), remarks: Vec::new() }
    }
}

/// A student is called like the file.
fn named(path: &Path) -> String {
    path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default()
}

fn told(path: &Path) -> String {
    path.display().to_string()
}

fn state(grade: &LessonGrade) -> &'static str {
    match (grade.reached, grade.is_there) {
        (true, _) => "reached",
        (false, true) => "not reached",
        (false, false) => "not checked",
    }
}

/// How often which kind of mistake was made.
fn counted_mistakes(kinds: &[DiagnosisKind]) -> BTreeMap<DiagnosisKind, usize> {
    let mut counts = BTreeMap::new();
    kinds.iter().filter(|kind| !kind.is_reached()).for_each(|kind| *counts.entry(*kind).or_default() += 1);
    counts
}

/// The same in words: `failed 2, stuck 1`.
fn mistakes(kinds: &[DiagnosisKind]) -> String {
    counted_mistakes(kinds).iter().map(|(kind, count)| format!("{kind} {count}")).collect::<Vec<_>>().join(", ")
}

/// A lesson of a report in a line, and what doesn't hold or is to be known in lines of their own.
fn line(grade: &LessonGrade) -> String {
    let (attempts, hints) = (counted(grade.attempts, "attempt"), counted(grade.hints, "hint"));
    let line = format!("  {:<20} {:<12} {attempts}, {hints}", grade.lesson, state(grade));
    grade.wrong.iter().chain(&grade.notes).fold(line, |all, told| format!("{all}\n    {told}"))
}

/// A cell as CSV has it. What a spreadsheet would take for a formula is text there, too.
fn csv_cell(text: &str) -> String {
    let text = if text.starts_with(['=', '+', '-', '@', '\t']) { format!("'{text}") } else { text.to_owned() };
    match text.contains(['"', ',', '\n', '\r']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text,
    }
}
