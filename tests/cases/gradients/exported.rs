//! Scheduled derivatives as Futhark: a golden file for each, which `redexter export` writes, too, which an independent
//! checker accepts, and which gives what the evaluator gives, by the compiler, too, where `FUTHARK` names it.

use std::path::Path;
use std::process::{Command, Stdio};
use std::{env, fs};

use libtest_mimic::Failed;
use redexter::export::{FutharkOptions, futhark as export};
use redexter::ground::Name;
use redexter::term::Program;

use crate::gradients::{SCHEDULE, agree, bench, futhark, same};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// Compares a scheduled derivative with its golden file in every way.
pub fn golden(file: &str, derivative: &str, fast: &Program) -> Result<(), Failed> {
    let exported = export(&[(Name::new(derivative), fast.clone())], &FutharkOptions::default());
    let text = exported.map_err(|all| format!("{all:?}"))?;
    let path = Path::new(ROOT).join(format!("tests/golden/futhark/models/{file}_{derivative}.fut"));
    if env::var_os("UPDATE_GOLDEN").is_some() {
        fs::create_dir_all(path.parent().ok_or("no folder")?)?;
        fs::write(&path, &text)?;
    }
    if fs::read_to_string(&path).unwrap_or_default() != text {
        return Err(format!("{} is no longer\n{text}", path.display()).into());
    }
    if by_command(file, derivative)? != text {
        return Err(format!("`redexter export` doesn't write\n{text}").into());
    }
    let compiled = futhark::compile(&text)?;
    let executable = futhark::compiled::executable(&text)?;
    for (sizes, inputs) in bench::samples(file, fast) {
        let (found, expected) = agree::both(&compiled, derivative, fast, &sizes, &inputs)?;
        same(&expected, &found, &inputs)?;
        if let Some(executable) = &executable {
            let (found, _) = agree::compiled(executable, derivative, fast, &sizes, &inputs)?;
            same(&expected, &found, &inputs)?;
        }
    }
    Ok(())
}

/// What `redexter export` writes.
fn by_command(file: &str, derivative: &str) -> Result<String, Failed> {
    let (script, schedule) = SCHEDULE;
    let model = format!("models/{file}.arr:{derivative}");
    let mut command = Command::new(env!("CARGO_BIN_EXE_redexter"));
    command.current_dir(ROOT).stdin(Stdio::null());
    let output = command.args(["export", "futhark", &model, "--apply", schedule, "--use", script]).output()?;
    match output.status.success() {
        true => Ok(String::from_utf8(output.stdout)?),
        false => Err(String::from_utf8_lossy(&output.stderr).into_owned().into()),
    }
}
