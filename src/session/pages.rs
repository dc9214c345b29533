//! Derivations written to be handed out.

use std::path::{Path, PathBuf};
use std::rc::Rc;

use super::Session;
use super::answer::Answer;
use super::response::Response;
use crate::derivation::Derivation;
use crate::ground::{Trouble, text::listed};
use crate::handout::{self, Form, Told};
use crate::script::Host;
use crate::strategy::{Stop, Strategy, Trace};

/// What strategies did to a definition, to be handed out.
pub struct Handout<'a> {
    /// `MODEL.arr:NAME`
    pub target: &'a str,
    /// The strategy, and the one that it is compared with.
    pub strategies: Vec<&'a str>,
    /// The scripts that they are from.
    pub scripts: &'a [PathBuf],
}

/// A derivation, and what is told of it.
type Way = (Told, Derivation);

impl Session {
    /// Runs strategies on a definition, and writes what they did in these forms; also the limit that ended one of them. Two
    /// strategies are compared on a page; in other forms the first is told.
    pub fn handout(&mut self, of: &Handout, forms: &[Form]) -> Result<(Vec<String>, Option<Box<Stop>>), Trouble> {
        let program = self.target(of.target)?;
        let (path, _) = of.target.rsplit_once(':').unwrap_or((of.target, ""));
        let scripts: Vec<String> = of.scripts.iter().filter_map(|path| self.read_named(path).ok()).collect();
        let told = Told {
            source: self.read_named(Path::new(path)).ok(),
            script: Some(scripts.join("\n")).filter(|text| !text.is_empty()),
            ..named(of.target)
        };
        let strategies: Vec<Strategy> =
            of.strategies.iter().map(|text| self.strategy(text)).collect::<Result<_, Trouble>>()?;
        self.during(|session| {
            let (mut ways, mut ended): (Vec<Way>, _) = (Vec::new(), None);
            for (text, strategy) in of.strategies.iter().zip(&strategies) {
                let derived = session.derive(strategy, &program)?;
                let mut told = Told { schedule: (*text).to_owned(), ..told.clone() };
                let mut trace = derived.trace;
                // All that was done until then tells more than the best term of it.
                if let Some(stop) = derived.stopped {
                    told.stopped = Some(stop.reason.to_string());
                    trace = Trace::clone(&stop.trace);
                    ended = Some(stop);
                }
                ways.push((told, Derivation::of_run(text, Rc::new(trace))));
            }
            let budget = session.host.budget();
            let write = |form: &Form| match (&ways[..], form) {
                ([first, second], Form::Page) => {
                    handout::comparison([(&first.0, &first.1), (&second.0, &second.1)], &budget)
                }
                (ways, form) => ways.first().map_or(Ok(String::new()), |(told, way)| form.write(told, way, &budget)),
            };
            let texts = forms.iter().map(write).collect::<Result<_, _>>()?;
            Ok((texts, ended))
        })
    }

    /// Writes the derivation of the current term.
    pub(super) fn export_derivation(&mut self, form: Form, path: &Path) -> Answer {
        let derivation = self.walk.all_steps()?;
        let told = self.told_of(&derivation);
        let text = self.during(|session| form.write(&told, &derivation, &session.host.budget()))?;
        self.host.files.write_named(path, &text)?;
        Ok(Response::Written(path.to_owned()))
    }

    /// What is known of a derivation: the definition that it begins with, where that was loaded, and its stages.
    pub fn told_of(&self, derivation: &Derivation) -> Told {
        let (start, stages) = (derivation.term(0), derivation.stages());
        let schedule = listed(stages.tops().iter().map(|top| &stages.stage(*top).name));
        let found = self.loaded.iter().rev().find_map(|model| {
            let (name, _) = model.programs.iter().find(|(_, known)| known.term == start)?;
            Some((model, name))
        });
        let told = match found {
            None => Told { title: "A derivation".to_owned(), ..Told::default() },
            Some((model, name)) => Told {
                source: self.host.files.read(&model.path).ok(),
                ..named(&format!("{}:{name}", model.path.display()))
            },
        };
        Told { schedule, ..told }
    }
}

/// The title is what comes behind the colon, and where it is from.
fn named(target: &str) -> Told {
    let title = match target.rsplit_once(':') {
        Some((path, name)) => format!("{name}, {}", path.rsplit('/').next().unwrap_or(path)),
        None => target.to_owned(),
    };
    Told { title, model: target.to_owned(), ..Told::default() }
}
