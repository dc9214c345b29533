//! Programs by the real compiler, which `FUTHARK` names; without it there is none, and who asks says so.

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};

use super::run::Datum;

/// An executable in a folder of its own, which goes with it.
pub struct Executable {
    folder: PathBuf,
}

/// The lengths of an array, which one without elements doesn't show, and the type of what is in it.
pub struct Shape {
    pub lengths: Vec<u64>,
    pub element: &'static str,
}

impl Drop for Executable {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// A file compiled, where there is a compiler: it has to take it without a warning.
pub fn executable(text: &str) -> Result<Option<Executable>, String> {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let Some(compiler) = std::env::var_os("FUTHARK") else {
        println!("skipped: no compiler of Futhark (FUTHARK names one)");
        return Ok(None);
    };
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    let folder = std::env::temp_dir().join(format!("redexter-compiled-{}-{count}", std::process::id()));
    fs::create_dir_all(&folder).map_err(|e| e.to_string())?;
    let made = Executable { folder };
    let source = made.folder.join("program.fut");
    fs::write(&source, text).map_err(|e| e.to_string())?;
    let said = Command::new(compiler).arg("c").arg(&source).output().map_err(|e| e.to_string())?;
    let words = String::from_utf8_lossy(&[said.stderr, said.stdout].concat()).into_owned();
    if said.status.success() && words.trim().is_empty() { Ok(Some(made)) } else { Err(format!("{words}\n{text}")) }
}

impl Executable {
    /// What an entry gives of data of these shapes.
    pub fn run(&self, entry: &str, arguments: &[(Datum, Shape)]) -> Result<Datum, String> {
        let mut command = Command::new(self.folder.join("program"));
        command.args(["--entry-point", entry]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().map_err(|e| e.to_string())?;
        let text: String = arguments.iter().map(|(datum, shape)| written(datum, shape) + "\n").collect();
        // One that needs no input may have ended before.
        let _ = child.stdin.take().ok_or("no input")?.write_all(text.as_bytes());
        let said = child.wait_with_output().map_err(|e| e.to_string())?;
        if !said.status.success() {
            return Err(String::from_utf8_lossy(&said.stderr).into_owned());
        }
        let output = String::from_utf8_lossy(&said.stdout).into_owned();
        let mut parts = output.lines().map(|line| read(&mut line.trim())).collect::<Result<Vec<Datum>, String>>()?;
        if parts.len() == 1 { Ok(parts.remove(0)) } else { Ok(Datum::Tuple(parts)) }
    }
}

fn written(datum: &Datum, shape: &Shape) -> String {
    match datum {
        Datum::F64(x) if x.is_nan() => "f64.nan".to_owned(),
        Datum::F64(x) if x.is_infinite() => format!("{}f64.inf", if *x < 0.0 { "-" } else { "" }),
        Datum::F64(x) => format!("{x:?}f64"),
        Datum::I64(k) => format!("{k}i64"),
        Datum::Array(items) if has_elements(datum) => {
            let items: Vec<String> = items.iter().map(|item| written(item, shape)).collect();
            format!("[{}]", items.join(", "))
        }
        Datum::Array(_) => {
            let lengths: String = shape.lengths.iter().map(|n| format!("[{n}]")).collect();
            format!("empty({lengths}{})", shape.element)
        }
        other => panic!("{other:?} as input"),
    }
}

fn has_elements(datum: &Datum) -> bool {
    if let Datum::Array(items) = datum { items.first().is_some_and(has_elements) } else { true }
}

fn read(text: &mut &str) -> Result<Datum, String> {
    let wrong = |text: &str| format!("{text:?} is no value");
    if let Some(rest) = text.strip_prefix("empty(") {
        let (inside, rest) = rest.split_once(')').ok_or(wrong(text))?;
        *text = rest;
        let dims = inside.split(']').filter_map(|dim| dim.strip_prefix('[')?.parse::<usize>().ok());
        return Ok(dims
            .collect::<Vec<usize>>()
            .into_iter()
            .rev()
            .fold(Datum::I64(0), |element, n| Datum::Array(vec![element; n])));
    }
    if let Some(rest) = text.strip_prefix('[') {
        *text = rest;
        let mut items = Vec::new();
        while !text.starts_with(']') {
            items.push(read(text)?);
            *text = text.trim_start_matches([',', ' ']);
        }
        *text = &text[1..];
        return Ok(Datum::Array(items));
    }
    let length = text.find([',', ']', ' ']).unwrap_or(text.len());
    let (word, rest) = text.split_at(length);
    *text = rest;
    Ok(match (word, word.strip_suffix("f64"), word.strip_suffix("i64")) {
        ("f64.nan" | "-f64.nan", _, _) => Datum::F64(f64::NAN),
        ("f64.inf", _, _) => Datum::F64(f64::INFINITY),
        ("-f64.inf", _, _) => Datum::F64(f64::NEG_INFINITY),
        (_, Some(digits), _) => Datum::F64(digits.parse().map_err(|_| wrong(word))?),
        (_, _, Some(digits)) => Datum::I64(digits.parse().map_err(|_| wrong(word))?),
        _ => return Err(wrong(word)),
    })
}
