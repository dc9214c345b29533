//! Carries out the commands that load, ask, evaluate, write and set.

use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::Duration;

use super::Session;
use super::dispatch::SessionResult;
use super::host::Allowance;
use super::inputs;
use super::prerequisites::DefinitionContext;
use super::response::{LoadedModel, Response};
use super::save::{self, SavePurpose, SaveRequest};
use super::system::FileKind;
use super::tasks::document;
use crate::script::{Host, LibraryGuide, LineValue};
use redexter_language::check::Model;
use redexter_language::ground::text::{begins_name, in_word};
use redexter_language::ground::writing::within;
use redexter_language::ground::{Budget, Diagnostic, Limits, Name, Trouble, code, name};
use redexter_language::syntax::print_type;
use redexter_language::term::Program;
use redexter_loops::blocks;
use redexter_loops::export::{FutharkOptions, futhark};
use redexter_rewriting::rule;
use redexter_telling::command::LimitName;
use redexter_telling::walk::{DefinitionOrigin, HistoryShape};

/// While a session is written down after a line, its budget's watch may be asked so often: once in 256 pieces of text.
const MAX_SAVE_ASKS: u64 = 7_800;

/// A model that lines may use.
#[derive(Clone)]
pub struct BoundModel {
    pub name: String,
    pub path: PathBuf,
    pub model: Rc<Model>,
    /// Its definitions that stand for terms of their own.
    pub programs: Vec<(Name, Program)>,
    /// The definitions that have their own names in lines; loading the model again binds these anew.
    pub bound: Vec<String>,
}

/// A stamp of a session's state: while it is the same, so is what is saved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionStamp {
    history: HistoryShape,
    statements: usize,
    reloads: u64,
    allowance: Allowance,
}

impl BoundModel {
    pub fn names(&self) -> Vec<String> {
        self.programs.iter().map(|(name, _)| name.to_string()).collect()
    }
}

impl Session {
    /// Loads a model or runs a script that the user named.
    pub fn load(&mut self, path: &Path) -> SessionResult {
        self.host.files.name(path);
        let answer = self.load_named(path)?;
        self.remember(path, &answer);
        if !matches!(answer, Response::Restored(_)) {
            self.statements.push(format!(":load {}", path.display()));
        }
        Ok(answer)
    }

    fn load_named(&mut self, path: &Path) -> SessionResult {
        match path.extension().and_then(|e| e.to_str()) {
            Some("arr") => self.load_model(path),
            Some("strat") => {
                let text = self.host.files.read(path)?;
                if text.starts_with(save::TITLE) {
                    return self.bring_back(path, &text, false);
                }
                self.interpreter.run_script(&path.to_string_lossy(), &text, &[])?;
                Ok(Response::Script(path.to_owned(), self.interpreter.defined_last()))
            }
            other => {
                let headline = format!("`{}` is neither model nor script", path.display());
                Err(match other {
                    Some("md" | "markdown") => document(path, headline),
                    _ => Diagnostic::error(code::COMMAND, headline).help("models end in `.arr`, scripts in `.strat`"),
                }
                .into())
            }
        }
    }

    pub(super) fn load_model(&mut self, path: &Path) -> SessionResult {
        let model = self.model(path)?;
        self.bind(path, model)
    }

    /// The definitions of a model get names in lines.
    pub(super) fn bind(&mut self, path: &Path, model: Rc<Model>) -> SessionResult {
        let name = bound_name(path);
        let own = model.definitions().iter().filter(|definition| !definition.is_static());
        let programs = own.map(|definition| Ok((definition.name().clone(), definition.program(&self.host.budget())?)));
        let programs: Vec<(Name, Program)> = programs.collect::<Result<_, Trouble>>()?;
        let known = self.loaded.iter().position(|other| other.name == name).map(|k| self.loaded.remove(k));
        self.interpreter.bind_model(&name, &model);
        let types = model.definitions().iter().map(|d| (d.name().to_string(), print_type(d.ty())));
        let mut answer = LoadedModel {
            name: name.clone(),
            path: path.to_owned(),
            definitions: types.collect(),
            hidden: Vec::new(),
            hides: Vec::new(),
        };
        let mut bound = Vec::new();
        for (own, program) in &programs {
            let own = own.to_string();
            if let Some(before) = self.bound_before(&own) {
                let before = &mut self.loaded[before];
                before.bound.retain(|other| *other != own);
                answer.hides.push((own.clone(), format!("{}.{own}", before.name)));
                self.interpreter.eval_line(&format!("let {own} = {name}[\"{own}\"];"))?;
                bound.push(own);
            } else if known.as_ref().is_some_and(|k| k.bound.contains(&own)) {
                self.interpreter.eval_line(&format!("let {own} = {name}[\"{own}\"];"))?;
                bound.push(own);
            } else if self.interpreter.bind_program(&own, program.clone()) {
                bound.push(own);
            } else {
                answer.hidden.push(own);
            }
        }
        self.loaded.push(BoundModel { name, path: path.to_owned(), model, programs, bound });
        Ok(Response::Model(answer))
    }

    /// The place of the loaded model whose definition a name still means.
    fn bound_before(&mut self, own: &str) -> Option<usize> {
        let at = self.loaded.iter().position(|other| other.bound.iter().any(|bound| bound == own))?;
        let meant = match self.interpreter.eval_line(own) {
            Ok(LineValue::Program { program, .. }) => program,
            _ => return None,
        };
        let same = |(name, known): &(Name, Program)| name.as_str() == own && *known == meant;
        self.loaded[at].programs.iter().any(same).then_some(at)
    }

    /// The type of a term, or what D makes of a type, as in `D (array n real -> real)`. What may be both is a type.
    pub(super) fn type_of(&mut self, text: &str) -> SessionResult {
        let dual = self.dual_type(text);
        if let Some(Ok(ty)) = dual {
            return Ok(Response::Value(print_type(&ty)));
        }
        let value = match self.value_of(text, true) {
            Err(wrong) => {
                let part = self.closed(text).map(|part| part.ty());
                let ty = part.map_or_else(|| dual.unwrap_or(Err(wrong)), Ok)?;
                return Ok(Response::Value(print_type(&ty)));
            }
            Ok(value) => value,
        };
        match value {
            LineValue::Program { program, .. } => Ok(Response::Type(program)),
            LineValue::Strategy(_) => Ok(Response::Value("strategy".to_owned())),
            _ => Err(Diagnostic::error(code::COMMAND, format!("`{text}` is no term"))
                .help("`:type` alone is about the current term")
                .into()),
        }
    }

    /// The strategies there are.
    pub fn strategies(&self) -> Response {
        let defined = self.interpreter.strategies().into_iter().map(|d| match d.body {
            Some(body) => format!("{} = {body}", d.usage),
            None => d.usage,
        });
        let libraries = self.interpreter.libraries().into_iter().map(|library| (library.name, library.path));
        let (built_in, libraries) = (self.interpreter.built_in(), libraries.collect());
        Response::Strategies { built_in, defined: defined.collect(), libraries }
    }

    /// The strategies and libraries that contain a text, if there are some. A rule's name is no text.
    fn strategies_with(&self, wanted: &str) -> Option<Response> {
        let has = |text: &str| text.to_lowercase().contains(&wanted.to_lowercase());
        let Response::Strategies { mut built_in, mut defined, mut libraries } = self.strategies() else { return None };
        built_in.retain(|(usage, about)| has(usage) || has(about));
        defined.retain(|line| has(line));
        libraries.retain(|(name, path)| has(name) || has(path));
        let none = built_in.is_empty() && defined.is_empty() && libraries.is_empty();
        let rule = self.interpreter.rules().iter().any(|info| info.name.as_str() == wanted);
        (!none && !rule).then_some(Response::Strategies { built_in, defined, libraries })
    }

    /// All about one strategy, or what a library offers; else what contains the text.
    pub(super) fn guide(&self, wanted: &str) -> SessionResult {
        let bare = wanted.split('(').next().unwrap_or(wanted).trim();
        if let Some(guide) = self.interpreter.guide(bare) {
            return Ok(Response::Strategy(guide));
        }
        let libraries = self.interpreter.libraries();
        let called = |library: &&LibraryGuide| library.name == wanted || library.path == wanted;
        if let Some(library) = libraries.iter().find(called) {
            return Ok(Response::Library(library.clone()));
        }
        let members = self.interpreter.members();
        let behind_a_dot = members.iter().find(|member| member.rsplit_once('.').is_some_and(|(_, last)| last == bare));
        if let Some(guide) = behind_a_dot.and_then(|member| self.interpreter.guide(member)) {
            return Ok(Response::Strategy(guide));
        }
        if let Some(found) = self.strategies_with(wanted) {
            return Ok(found);
        }
        let unknown = Diagnostic::error(code::UNKNOWN_STRATEGY, format!("there is no strategy or library `{wanted}`"));
        if self.interpreter.rules().iter().any(|info| info.name.as_str() == bare) {
            return Err(unknown.help(format!("it is a rule: write `:rule {bare}`")).into());
        }
        let names = self.interpreter.names();
        let all = names.iter().chain(libraries.iter().map(|library| &library.name));
        let near = name::did_you_mean(bare, all.map(String::as_str));
        Err(unknown.help(near.unwrap_or_else(|| "`:strategies` lists them".to_owned())).into())
    }

    pub(super) fn evaluate(&mut self, text: &str, count: bool) -> SessionResult {
        let program = self.current()?.clone();
        let text = inputs::object(text)?;
        // Only the evaluator counts; blocks of lanes give the same value sooner.
        if count {
            return Ok(Response::Counts(self.evaluate_on(&program, &text, &[])?.1));
        }
        let value = self.evaluate_by(&program, &text, &[], |inputs, sizes, budget| {
            blocks::value(&program, inputs, sizes, budget)
        })?;
        Ok(Response::Json(value))
    }

    pub(super) fn export(&mut self, path: &Path) -> SessionResult {
        let program = self.current()?.clone();
        let origin = self.walk.history().origin();
        let name = origin.map_or("main", |origin| &origin.name);
        let text = self.writing(|| futhark(&[(Name::new(name), program)], &FutharkOptions::default()))??;
        self.host.files.write_named(path, text.as_bytes())?;
        Ok(Response::Written(path.to_owned()))
    }

    /// The definition of a loaded model that stands for a program.
    pub(super) fn origin(&self, program: &Program) -> Option<DefinitionOrigin> {
        self.loaded.iter().rev().find_map(|model| {
            let (name, _) = model.programs.iter().find(|(_, known)| known == program)?;
            let path = serde_json::Value::from(model.path.to_string_lossy());
            Some(DefinitionOrigin { name: name.to_string(), written: format!("load({path})[\"{name}\"]") })
        })
    }

    pub(super) fn save(&mut self, path: &Path) -> SessionResult {
        self.current()?;
        let path = &if path.extension().is_none() { path.with_extension("strat") } else { path.to_owned() };
        self.may_save_to(path)?;
        let text = self.writing(|| save::script(&self.saving(), SavePurpose::Script))?;
        self.host.files.write_named(path, text.as_bytes())?;
        Ok(Response::Written(path.to_owned()))
    }

    /// Refuses to write over what a user wrote.
    fn may_save_to(&self, path: &Path) -> Result<(), Diagnostic> {
        let wrong = |why: &str| Diagnostic::error(code::COMMAND, format!("`{}` {why}", path.display()));
        if path.extension().is_some_and(|extension| extension != "strat") {
            return Err(wrong("is no script's name").help("scripts end in `.strat`"));
        }
        let system = &self.host.files.system;
        let is_file = system.kind(path) == Some(FileKind::File);
        let is_saved = || system.read(path).is_ok_and(|text| text.starts_with(save::TITLE.as_bytes()));
        match is_file && !is_saved() {
            true => {
                Err(wrong("has something else than a saved session").help("save to another file, or remove that one"))
            }
            false => Ok(()),
        }
    }

    /// The whole session, to be read back; empty where nothing was done. None where that is too long to be written after each
    /// line.
    pub fn saved(&self) -> Option<String> {
        match self.walk.current().is_err() && self.statements.is_empty() && self.widest.is_none() {
            true => Some(String::new()),
            false => {
                let short = Budget::default().asked_at_most(MAX_SAVE_ASKS, Rc::default());
                within(short, || save::script(&self.saving(), SavePurpose::Session)).ok()
            }
        }
    }

    /// The stamp of the session's state: while it is the same, so is what is saved.
    pub fn edits(&self) -> SessionStamp {
        SessionStamp {
            history: HistoryShape::of(self.walk.history()),
            statements: self.statements.len(),
            reloads: self.reloads,
            allowance: self.host.allowance(),
        }
    }

    /// The limits that the runs needed come before them, the time that they may take together behind them.
    fn saving(&self) -> SaveRequest<'_> {
        let Allowance { limits: now, timeout, memory } = self.host.allowance();
        let widest = self.widest.unwrap_or(now);
        let mut last = commands_between(widest, now);
        last.extend(timeout.map(|time| format!(":set timeout {}", time.as_secs_f64())));
        last.extend(memory.map(|bytes| format!(":set max-memory {}", bytes >> 20)));
        SaveRequest {
            history: self.walk.history(),
            around: self.surroundings(),
            models: &self.loaded,
            lines: &self.statements,
            limits: (commands_between(Limits::default(), widest), last),
        }
    }

    /// The definitions that the functions in the user's rules may mention.
    fn surroundings(&self) -> DefinitionContext {
        let rules = self.interpreter.rules().into_iter().filter(|info| info.origin == rule::RuleOrigin::User);
        let strategies = self.interpreter.strategies().into_iter().map(|defined| defined.name);
        let open = self.interpreter.variables().into_iter().chain(rules.map(|info| info.name.to_string()));
        let imported = self.interpreter.imported_names();
        DefinitionContext {
            functions: self.interpreter.functions(),
            open: open.chain(strategies).chain(imported).collect(),
            imported: self.interpreter.imported(),
        }
    }

    pub(super) fn limits(&self) -> Response {
        Response::Limits(self.host.allowance())
    }

    pub(super) fn set(&mut self, setting: LimitName, value: &str) -> SessionResult {
        let before = self.host.allowance();
        let mut allowance = before;
        let limits = &mut allowance.limits;
        match setting {
            LimitName::MaxSteps => limits.max_steps = number(value)?,
            LimitName::MaxSize => limits.max_size = number(value)?,
            LimitName::MaxDepth => limits.max_depth = self.depth(number(value)?)?,
            LimitName::MaxMemory => allowance.memory = megabytes(value)?,
            LimitName::Timeout => allowance.timeout = timeout(value)?,
        }
        let limits = allowance.limits;
        let widest = self.widest.unwrap_or(before.limits);
        self.widest = Some(Limits {
            max_steps: widest.max_steps.max(limits.max_steps),
            max_size: widest.max_size.max(limits.max_size),
            max_depth: widest.max_depth.max(limits.max_depth),
        });
        self.host.allow(allowance);
        Ok(self.limits())
    }

    /// A limit on depth that the stack has room for: the stack is made when the program starts.
    fn depth(&self, wanted: u64) -> Result<u32, Diagnostic> {
        let deepest = self.host.nesting.terms;
        u32::try_from(wanted).ok().filter(|w| *w <= deepest).ok_or_else(|| {
            Diagnostic::error(code::COMMAND, format!("this session can't nest deeper than {deepest}"))
                .help(format!("start it with `--max-depth {wanted}`"))
        })
    }
}

/// The commands that make one set of limits another.
fn commands_between(before: Limits, after: Limits) -> Vec<String> {
    let all = [
        ("max-steps", before.max_steps, after.max_steps),
        ("max-size", before.max_size, after.max_size),
        ("max-depth", before.max_depth.into(), after.max_depth.into()),
    ];
    let changed = all.into_iter().filter(|(_, before, after)| before != after);
    changed.map(|(name, _, after)| format!(":set {name} {after}")).collect()
}

/// The name of a model in lines: its file's, made a name of the language.
fn bound_name(path: &Path) -> String {
    let stem = path.file_stem().map(|s| s.to_string_lossy()).unwrap_or_default();
    let name: String = stem.chars().map(|c| if in_word(c) { c } else { '_' }).collect();
    if begins_name(&name) { name } else { format!("_{name}") }
}

fn number(value: &str) -> Result<u64, Diagnostic> {
    value.replace('_', "").parse().map_err(|_| {
        Diagnostic::error(code::COMMAND, format!("`{value}` is no number")).help("give a number such as 100000")
    })
}

fn megabytes(value: &str) -> Result<Option<u64>, Diagnostic> {
    if value == "half" {
        return Ok(None);
    }
    let count = value.replace('_', "").parse::<u64>().ok();
    count.and_then(|n| n.checked_mul(1 << 20)).map(Some).ok_or_else(|| {
        Diagnostic::error(code::COMMAND, format!("`{value}` is no number of megabytes"))
            .help("give megabytes such as 2000, or `half` for half of the machine's")
    })
}

fn timeout(value: &str) -> Result<Option<Duration>, Diagnostic> {
    if value == "none" {
        return Ok(None);
    }
    let seconds = value.parse::<f64>().ok().filter(|s| (0.0..=1e9).contains(s));
    seconds.map(|s| Some(Duration::from_secs_f64(s))).ok_or_else(|| {
        Diagnostic::error(code::COMMAND, format!("`{value}` is no number of seconds")).help("give seconds, or `none`")
    })
}
