//! Reads models, and gives their definitions names in lines.

use std::cell::Cell;
use std::path::Path;
use std::rc::Rc;

use super::foreign_syntax::advise_text;
use super::response::{LoadedModel, Response, SessionResult};
use super::state::{BoundModel, Session};
use crate::script::{Host, LineValue};
use redexter_language::check::{Definition, Loader, Model};
use redexter_language::ground::text::{begins_name, in_word};
use redexter_language::ground::{Diagnostic, Name, Trouble};
use redexter_language::syntax::print_type;
use redexter_language::term::Program;
use redexter_telling::walk::DefinitionOrigin;

/// Reads a model.
pub(super) fn model(session: &Session, path: &Path) -> Result<Rc<Model>, Trouble> {
    model_from(session, path, &|path| session.host.files.read(path))
}

/// Reads a model from files that are read in this way; of one that is wrong, with how its first wrong line is written
/// here.
pub(super) fn model_from(
    session: &Session,
    path: &Path,
    read: &dyn Fn(&Path) -> Result<String, Diagnostic>,
) -> Result<Rc<Model>, Trouble> {
    let load = |read: &dyn Fn(&Path) -> Result<String, Diagnostic>| {
        Loader::new(&session.sources, read, &session.host.budget(), session.prelude.clone()).load(path)
    };
    load(read).map_err(|trouble| {
        let Ok(text) = read(path) else { return trouble };
        advise_text(&session.sources, trouble, &text, &["models", "terms"], &mut |whole| {
            let whole = Cell::new(Some(whole.to_owned()));
            // The first file that is read is the model.
            load(&|path: &Path| whole.take().map_or_else(|| read(path), Ok)).map(|_| ())
        })
    })
}

pub(super) fn load_model(session: &mut Session, path: &Path) -> SessionResult {
    let model = model(session, path)?;
    bind(session, path, model)
}

/// The definitions of a model get names in lines.
pub(super) fn bind(session: &mut Session, path: &Path, model: Rc<Model>) -> SessionResult {
    let name = bound_name(path);
    let own = model.definitions().iter().filter(|definition| !definition.is_static());
    let programs = own.map(|definition| Ok((definition.name().clone(), definition.program(&session.host.budget())?)));
    let programs: Vec<(Name, Program)> = programs.collect::<Result<_, Trouble>>()?;
    let known = session.work.loaded.iter().position(|other| other.name == name).map(|k| session.work.loaded.remove(k));
    session.interpreter.bind_model(&name, &model);
    let types = model.definitions().iter().map(|d| (d.name().to_string(), print_type(d.ty())));
    let mut answer = LoadedModel {
        name: name.clone(),
        path: path.to_owned(),
        definitions: types.collect(),
        hidden: Vec::new(),
        hides: Vec::new(),
    };
    // Another file's model of this name is reached by its path alone.
    let replaced = known.as_ref().filter(|known| known.path != path).map(|known| loading(&known.path));
    answer.hides.extend(replaced.iter().map(|before| (name.clone(), before.clone())));
    let mut bound = Vec::new();
    for (own, program) in &programs {
        let own = own.to_string();
        if let Some(before) = bound_before(session, &own) {
            let before = &mut session.work.loaded[before];
            before.bound.retain(|other| *other != own);
            answer.hides.push((own.clone(), format!("{}.{own}", before.name)));
            session.interpreter.eval_line(&format!("let {own} = {name}[\"{own}\"];"))?;
            bound.push(own);
        } else if known.as_ref().is_some_and(|k| k.bound.contains(&own)) {
            answer.hides.extend(replaced.iter().map(|before| (own.clone(), format!("{before}.{own}"))));
            session.interpreter.eval_line(&format!("let {own} = {name}[\"{own}\"];"))?;
            bound.push(own);
        } else if session.interpreter.bind_program(&own, program.clone()) {
            bound.push(own);
        } else {
            answer.hidden.push(own);
        }
    }
    session.work.loaded.push(BoundModel { name, path: path.to_owned(), model, programs, bound });
    Ok(Response::Model(answer))
}

/// The place of the loaded model whose definition a name still means.
fn bound_before(session: &mut Session, own: &str) -> Option<usize> {
    let at = session.work.loaded.iter().position(|other| other.bound.iter().any(|bound| bound == own))?;
    let meant = match session.interpreter.eval_line(own) {
        Ok(LineValue::Program { program, .. }) => program,
        _ => return None,
    };
    let same = |(name, known): &(Name, Program)| name.as_str() == own && *known == meant;
    session.work.loaded[at].programs.iter().any(same).then_some(at)
}

/// The name of a model in lines: its file's, made a name of the language.
fn bound_name(path: &Path) -> String {
    let stem = path.file_stem().map(|s| s.to_string_lossy()).unwrap_or_default();
    let name: String = stem.chars().map(|c| if in_word(c) { c } else { '_' }).collect();
    if begins_name(&name) { name } else { format!("_{name}") }
}

/// The definition of a loaded model that stands for a program, and how a line writes it.
pub(super) fn origin(session: &Session, program: &Program) -> Option<(DefinitionOrigin, Rc<Definition>)> {
    session.work.loaded.iter().rev().find_map(|model| {
        let (name, _) = model.programs.iter().find(|(_, known)| known == program)?;
        let origin =
            DefinitionOrigin { name: name.to_string(), written: format!("{}[\"{name}\"]", loading(&model.path)) };
        Some((origin, model.model.definition(name.as_str())?.clone()))
    })
}

/// What a line writes for the model in a file.
fn loading(path: &Path) -> String {
    format!("load({})", serde_json::Value::from(path.to_string_lossy()))
}
