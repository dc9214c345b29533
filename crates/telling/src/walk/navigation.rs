//! Runs the commands that look at the derivation of the current term, and go back and forth in it.

use std::ops::Range;
use std::rc::Rc;

use super::answer::{StepPosition, WalkAnswer};
use super::{Walk, WalkOwner, no_term};
use redexter_language::ground::{Diagnostic, Trouble, code, name::did_you_mean, text::listed};
use redexter_language::term::{Path, Program, Term};
use redexter_rewriting::derivation::{self, Address, Derivation, DerivationView, StageName};

/// The most steps that are listed at the start and at the end of those that are asked for by their numbers.
const MAX_END_STEPS: usize = 50;

/// The most nodes of terms that are compared.
const MAX_COMPARED_NODES: u64 = 200_000;

/// The most rows of a table of stages.
const MAX_ROWS: usize = 30;

/// The stages or the steps that an address of names means.
enum NamedSteps {
    Stages(Vec<usize>),
    /// The steps by a rule, where no stage has its name.
    Steps(Vec<Range<usize>>),
}

/// The steps by the rule that names mean, if there are any.
fn by_rule(derivation: &Derivation, ways: &[StageName]) -> Option<Vec<Range<usize>>> {
    let [way] = ways else { return None };
    let pieces = derivation.steps_where(|k| way.names_rule(derivation.steps()[k].rule()));
    (!pieces.is_empty()).then_some(pieces)
}

impl Walk {
    /// The derivation on which the current term lies.
    pub(crate) fn derivation(&self) -> Result<Rc<Derivation>, Trouble> {
        let line = self.history.line();
        if let Some((_, derivation)) = self.derivation.borrow().as_ref().filter(|(known, _)| *known == line) {
            return Ok(derivation.clone());
        }
        let (start, runs) = self.history.runs().ok_or_else(no_term)?;
        let derivation = Rc::new(Derivation::new(&start.term, &runs));
        *self.derivation.borrow_mut() = Some((line, derivation.clone()));
        Ok(derivation)
    }

    /// The derivation that is told of, and how many of its steps were taken: that on which the current term lies, or that
    /// of a run that a limit ended and that left it.
    pub fn told(&self) -> Result<(Rc<Derivation>, StepPosition), Trouble> {
        if let Some(stray) = &self.stray {
            let derivation = Rc::new(Derivation::of_run(&stray.strategy, stray.trace.clone()));
            let count = derivation.steps().len();
            return Ok((derivation, StepPosition { step: count, of: count }));
        }
        let derivation = self.derivation()?;
        let place = self.place(&derivation);
        Ok((derivation, place))
    }

    /// The derivation that is told of, if it has steps.
    pub fn all_steps(&self) -> Result<Rc<Derivation>, Trouble> {
        let (derivation, _) = self.told()?;
        if derivation.steps().is_empty() {
            return Err(Diagnostic::error(code::COMMAND, "no step was taken yet").into());
        }
        Ok(derivation)
    }

    /// Tells of a derivation.
    pub(super) fn trace(&mut self, address: Option<&Address>, owner: &dyn WalkOwner) -> Result<WalkAnswer, Trouble> {
        let (derivation, place) = self.told()?;
        if derivation.steps().is_empty() {
            return Ok(WalkAnswer::NoTrace);
        }
        let now = self.current()?.term.clone();
        Ok(WalkAnswer::Derivation(Box::new(self.view(&derivation, address, &now, owner)?), place))
    }

    /// A derivation, or the part of it that an address names; paths are those of this term.
    pub fn view(
        &self,
        derivation: &Derivation,
        address: Option<&Address>,
        now: &Term,
        owner: &dyn WalkOwner,
    ) -> Result<DerivationView, Trouble> {
        let budget = owner.budget();
        let title = address.map(Address::to_string);
        Ok(match address {
            None => derivation.view_stages(title, derivation.stages().tops(), MAX_ROWS, &budget)?,
            Some(Address::Stage(ways)) => match self.meant(derivation, ways)? {
                NamedSteps::Stages(stages) => derivation.view_stages(title, &stages, MAX_ROWS, &budget)?,
                NamedSteps::Steps(pieces) => derivation.view(title, pieces, derivation::MAX_END_STEPS, &budget)?,
            },
            Some(address) => {
                let ends = if let Address::Steps(..) = address { MAX_END_STEPS } else { derivation::MAX_END_STEPS };
                derivation.view(title, self.pieces(derivation, address, now, owner)?, ends, &budget)?
            }
        })
    }

    /// The steps that an address means, counted from 0.
    pub(crate) fn pieces(
        &self,
        derivation: &Derivation,
        address: &Address,
        now: &Term,
        owner: &dyn WalkOwner,
    ) -> Result<Vec<Range<usize>>, Trouble> {
        let count = derivation.steps().len();
        let one = |from: usize, to: usize| std::iter::once(from.saturating_sub(1)..to).collect();
        let pieces: Vec<Range<usize>> = match address {
            Address::Step(0) | Address::Steps(0, _) => return Err(first_term().into()),
            Address::Step(k) => one(*k, *k),
            Address::Steps(from, to) => one(*from, *to),
            Address::Stage(ways) => match self.meant(derivation, ways)? {
                NamedSteps::Stages(stages) => derivation.pieces(&stages),
                NamedSteps::Steps(pieces) => pieces,
            },
            Address::Path(text) => derivation.steps_at(&path(text, now)?),
            Address::Mark(mark) => derivation.steps_at(&self.marked(mark)?.path),
            Address::Pattern(pattern) => {
                let pattern = owner.pattern(pattern)?;
                derivation.steps_where(|k| pattern.matches(&derivation.steps()[k].redex))
            }
            Address::Tag(tag) => return Err(self.tag_of_a_term(tag)),
        };
        match pieces.last() {
            Some(last) if last.end > count => Err(no_step(last.end, count).into()),
            Some(_) => Ok(pieces),
            None => Err(Diagnostic::error(code::COMMAND, format!("no step of the derivation is at {address}")).into()),
        }
    }

    /// The stages that a path of names leads to, or else the steps by a rule.
    fn meant(&self, derivation: &Derivation, ways: &[StageName]) -> Result<NamedSteps, Trouble> {
        let stages = derivation.find(ways).map(NamedSteps::Stages);
        stages.or_else(|unreached| by_rule(derivation, ways).map(NamedSteps::Steps).ok_or(unreached)).map_err(
            |unreached| {
                let written = Address::Stage(ways.to_vec()).to_string();
                let slashed = written.replace('.', "/");
                let other = Address::parse(&slashed).filter(|_| slashed != written);
                let exists = matches!(&other, Some(Address::Stage(ways)) if derivation.find(ways).is_ok());
                let wrong = no_stage(&written, &unreached);
                Trouble::from(match self.history.tagged(&written) {
                    Some(_) => wrong.help(format!("write `@{written}`, which is a tag")),
                    None if exists => wrong.help(format!("write `{slashed}`: stages stand behind slashes")),
                    None => wrong.help(unreached.help()),
                })
            },
        )
    }

    /// The number of the last step that an address means; 0 for the first term.
    fn last_of(&self, derivation: &Derivation, address: &Address, owner: &dyn WalkOwner) -> Result<usize, Trouble> {
        if *address == Address::Step(0) {
            return Ok(0);
        }
        let now = self.current()?.term.clone();
        Ok(self.pieces(derivation, address, &now, owner)?.last().map_or(0, |last| last.end))
    }

    /// The addresses that begin as a text does: stages by their names, behind a `/` those in a stage, rules and tags.
    pub fn addresses(&self, typed: &str) -> Vec<String> {
        let tags = self.history.tags().map(|tag| format!("@{tag}"));
        let mut found: Vec<String> = tags.collect();
        if let Ok(derivation) = self.derivation() {
            found.extend(derivation.names_below(typed.rsplit_once('/').map(|(above, _)| above)));
        }
        found.retain(|address| address.starts_with(typed));
        found
    }

    /// The number of the step after which the current term stands, of how many.
    pub(super) fn place(&self, derivation: &Derivation) -> StepPosition {
        StepPosition { step: self.history.taken(), of: derivation.steps().len() }
    }

    pub(super) fn go_to(&mut self, address: &Address, owner: &dyn WalkOwner) -> Result<WalkAnswer, Trouble> {
        self.current()?;
        if let Address::Tag(tag) = address {
            if !self.history.go_to_tag(tag) {
                return Err(self.no_tag(tag).into());
            }
        } else {
            let derivation = self.derivation()?;
            let step = self.last_of(&derivation, address, owner)?;
            if !self.history.go_to(step) {
                return Err(no_step(step, derivation.steps().len()).into());
            }
        }
        self.stray = None;
        self.here()
    }

    /// Answers with the position of the current term in its derivation.
    pub fn here(&mut self) -> Result<WalkAnswer, Trouble> {
        let derivation = self.derivation()?;
        let pending = self.history.current().is_some_and(|state| state.pending().is_some());
        let (place, now, focus) = (self.place(&derivation), self.current()?.clone(), self.focus()?);
        Ok(WalkAnswer::At { place, now, focus, pending })
    }

    pub(super) fn tag(&mut self, name: &str) -> Result<WalkAnswer, Trouble> {
        self.current()?;
        let moved = self.history.tag(name);
        Ok(WalkAnswer::Tagged { name: name.to_owned(), moved })
    }

    pub(super) fn log(&mut self) -> Result<WalkAnswer, Trouble> {
        self.current()?;
        Ok(WalkAnswer::Log(self.history.log()))
    }

    pub(super) fn diff(
        &mut self,
        from: &Address,
        to: Option<&Address>,
        owner: &dyn WalkOwner,
    ) -> Result<WalkAnswer, Trouble> {
        let before = self.term_at(from, owner)?;
        let after = match to {
            Some(to) => self.term_at(to, owner)?,
            None => self.current()?.clone(),
        };
        if let Some(long) =
            [&before, &after].into_iter().map(|program| program.term.size()).find(|size| *size > MAX_COMPARED_NODES)
        {
            let finding = Diagnostic::error(code::COMMAND, format!("a term of {long} nodes is too long to compare"));
            return Err(finding
                .help(format!("`:diff` compares up to {MAX_COMPARED_NODES} nodes; `:trace` tells the steps between"))
                .into());
        }
        let name = |address: &Address| address.to_string();
        Ok(WalkAnswer::Difference { names: (name(from), to.map_or("now".to_owned(), name)), before, after })
    }

    /// The whole term after the steps that an address means, or the one with a tag.
    fn term_at(&mut self, address: &Address, owner: &dyn WalkOwner) -> Result<Program, Trouble> {
        if let Address::Tag(tag) = address {
            return self.tagged(tag);
        }
        let derivation = self.derivation()?;
        let step = self.last_of(&derivation, address, owner)?;
        Ok(self.current()?.with(derivation.term(step)))
    }

    /// The term with a tag.
    pub(crate) fn tagged(&self, tag: &str) -> Result<Program, Trouble> {
        let tagged = self.history.tagged(tag).map(|state| state.program.clone());
        tagged.ok_or_else(|| self.no_tag(tag).into())
    }

    pub(crate) fn no_tag(&self, tag: &str) -> Diagnostic {
        let unknown = Diagnostic::error(code::COMMAND, format!("no term has the tag `@{tag}`"));
        let near = did_you_mean(tag, self.history.tags());
        unknown.help(near.unwrap_or_else(|| format!("`:tag {tag}` gives it to the current term; `:log` lists tags")))
    }

    pub(super) fn tag_of_a_term(&self, tag: &str) -> Trouble {
        match self.history.tagged(tag) {
            None => self.no_tag(tag).into(),
            Some(_) => Diagnostic::error(code::COMMAND, format!("`@{tag}` names a term, and no steps"))
                .help(format!("`:goto @{tag}` makes it the current one; `:trace` shows the steps to it"))
                .into(),
        }
    }
}

/// A path in a term.
pub(crate) fn path(text: &str, term: &Term) -> Result<Path, Trouble> {
    Path::parse(text, term).map_err(|missing| {
        let known = text.split('.').filter(|part| !part.is_empty()).take_while(|part| **part != missing);
        let known: Vec<&str> = known.collect();
        let here = Path::parse(&known.join("."), term).ok().and_then(|path| path.find(term));
        let children: Vec<String> =
            here.map_or(Vec::new(), |here| (0..here.kid_count()).map(|k| here.kind().slot(k).to_string()).collect());
        let reached = if known.is_empty() { "the root".to_owned() } else { format!("`.{}`", known.join(".")) };
        let wrong = Diagnostic::error(code::COMMAND, format!("{reached} has no child `{missing}`"));
        let there = || match children.is_empty() {
            true => "nothing is below it".to_owned(),
            false => format!("its children are {}", listed(&children)),
        };
        let near = did_you_mean(&missing, children.iter().map(String::as_str));
        wrong.help(near.unwrap_or_else(there)).into()
    })
}

pub(crate) fn first_term() -> Diagnostic {
    Diagnostic::error(code::COMMAND, "0 is the first term, before all steps").help("`:goto 0` makes it the current one")
}

pub(crate) fn no_step(wanted: usize, count: usize) -> Diagnostic {
    Diagnostic::error(code::COMMAND, format!("the derivation has no step {wanted}")).help(match count {
        0 => "no step was taken yet".to_owned(),
        1 => "its only step is 1".to_owned(),
        _ => format!("its steps are 1..{count}"),
    })
}

pub(crate) fn no_stage(address: &str, unreached: &derivation::UnreachedAddress) -> Diagnostic {
    let headline = match unreached.reached.is_empty() {
        true => format!("the derivation has no stage `{address}`"),
        false => format!("`{}` has no stage `{}`", unreached.reached, unreached.missing),
    };
    Diagnostic::error(code::COMMAND, headline)
}
