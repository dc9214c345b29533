//! Runs the commands that move the focus, which is the subterm that is looked at and rewritten.

use super::answer::{FocusedSubterm, PatternMatches, WalkAnswer};
use super::command::FindTarget;
use super::instances::PatternInstances;
use super::marks::TrackedPath;
use super::navigation::{no_step, path};
use super::{Walk, WalkOwner};
use redexter_language::ground::name::did_you_mean;
use redexter_language::ground::{Diagnostic, Name, Trouble, code};
use redexter_language::syntax::names_at;
use redexter_language::term::{Path, Term, Type, View};
use redexter_rewriting::derivation::Address;
use redexter_rewriting::rule::Pattern;

/// The most places that are listed.
const MAX_PLACES: usize = 20;

/// The places where a pattern matches.
pub struct PatternPlaces {
    /// The term in which they are.
    whole: Term,
    /// The place within which they were looked for.
    within: Path,
    pattern: String,
    instances: PatternInstances,
}

impl Walk {
    /// The subterm in focus; None where that is the whole term, and an error where there is none.
    pub fn focus(&self) -> Result<Option<Box<FocusedSubterm>>, Trouble> {
        let (now, path) = (self.current()?, self.history.focus());
        Ok((!path.0.is_empty()).then(|| Box::new(focus(&now.term, &path))))
    }

    /// The path to the focus, as an address; None where it is on the whole.
    pub fn focus_address(&self) -> Option<String> {
        let (now, path) = (self.current().ok()?, self.history.focus());
        (!path.0.is_empty()).then(|| address(&now.term, &path))
    }

    fn put_focus(&mut self, place: TrackedPath) -> Result<WalkAnswer, Trouble> {
        let focus = FocusedSubterm { lost: place.lost, ..focus(&self.current()?.term, &place.path) };
        self.history.set_focus(place.path);
        Ok(WalkAnswer::Focus(Box::new(focus)))
    }

    fn focus_on(&mut self, path: Path) -> Result<WalkAnswer, Trouble> {
        self.put_focus(TrackedPath { path, lost: false })
    }

    pub(super) fn put_focus_at(&mut self, address: &Address, owner: &dyn WalkOwner) -> Result<WalkAnswer, Trouble> {
        let now = self.current()?.term.clone();
        match address {
            Address::Path(text) => self.focus_on(path(text, &now)?),
            Address::Mark(mark) => {
                let place = self.marked(mark)?;
                self.put_focus(place)
            }
            Address::Pattern(text) => {
                let first = self.first_match(text, owner)?;
                self.focus_on(first)
            }
            Address::Step(number) => {
                let derivation = self.derivation()?;
                let step = number.checked_sub(1).and_then(|k| derivation.steps().get(k));
                let path = step.ok_or_else(|| no_step(*number, derivation.steps().len()))?.path();
                if path.find(&now).is_none() {
                    let way = path.display(&derivation.term(number - 1));
                    let gone = format!("the redex of step {number} stood at `.{way}`, where nothing is now");
                    let help = format!("`:goto {number}` makes the term after it the current one");
                    return Err(Diagnostic::error(code::COMMAND, gone).help(help).into());
                }
                self.focus_on(path)
            }
            Address::Tag(tag) => Err(self.tag_of_a_term(tag)),
            Address::Steps(..) | Address::Stage(_) => {
                let wrong = Diagnostic::error(code::COMMAND, format!("`{address}` names several steps"));
                Err(wrong.help("a focus is at a path, a pattern in backticks, a mark or one step").into())
            }
        }
    }

    /// The first place within the focus where a pattern matches.
    pub(crate) fn first_match(&self, text: &str, owner: &dyn WalkOwner) -> Result<Path, Trouble> {
        let places = self.places(&owner.pattern(text)?, text, owner)?;
        places.nth(1).ok_or_else(|| nothing_found(text, &places.within))
    }

    /// The place in the current term that an address means, where it means one.
    pub(crate) fn place_at(&self, address: &Address, owner: &dyn WalkOwner) -> Result<Option<Path>, Trouble> {
        let now = &self.current()?.term;
        Ok(match address {
            Address::Path(text) => Some(path(text, now)?),
            Address::Mark(mark) => Some(self.marked(mark)?.path),
            Address::Pattern(text) => Some(self.first_match(text, owner)?),
            Address::Step(_) | Address::Steps(..) | Address::Stage(_) | Address::Tag(_) => None,
        })
    }

    /// The place of the subterm with a name.
    pub(crate) fn marked(&self, mark: &str) -> Result<TrackedPath, Trouble> {
        let wrong = |text: String| Diagnostic::error(code::COMMAND, text);
        match self.marks.find(mark, &self.history) {
            Some(Some(place)) => Ok(place),
            Some(None) => Err(wrong(format!("`%{mark}` is in another derivation"))
                .help("`:log` lists the terms that were current")
                .into()),
            None => {
                let near = did_you_mean(mark, self.marks.names());
                let help = near.unwrap_or_else(|| format!("`:mark {mark}` gives it to the subterm in focus"));
                Err(wrong(format!("no subterm has the mark `%{mark}`")).help(help).into())
            }
        }
    }

    pub(super) fn mark(&mut self, name: &str) -> Result<WalkAnswer, Trouble> {
        self.current()?;
        self.marks.set(name, &self.history);
        Ok(WalkAnswer::Marked(name.to_owned()))
    }

    pub(super) fn list_marks(&mut self) -> Result<WalkAnswer, Trouble> {
        let now = &self.current()?.term;
        let place = |name: &str| {
            let place = self.marks.find(name, &self.history).flatten()?;
            Some((address(now, &place.path), place.lost))
        };
        Ok(WalkAnswer::Marks(self.marks.names().map(|name| (name.to_owned(), place(name))).collect()))
    }

    /// The places within the focus where a pattern matches.
    fn places(&self, pattern: &Pattern, text: &str, owner: &dyn WalkOwner) -> Result<PatternPlaces, Trouble> {
        let (whole, within) = (self.current()?.term.clone(), self.history.focus());
        let root = within.find(&whole).unwrap_or_else(|| whole.clone());
        let instances = PatternInstances::of(&root, pattern, &owner.budget())?;
        Ok(PatternPlaces { whole, within, pattern: text.to_owned(), instances })
    }

    pub(super) fn find(&mut self, find: &FindTarget, owner: &dyn WalkOwner) -> Result<WalkAnswer, Trouble> {
        if let FindTarget::Pattern(text) = find {
            self.found = Some(self.places(&owner.pattern(text)?, text, owner)?.into());
        }
        let found = self.found.clone().ok_or_else(|| {
            Diagnostic::error(code::COMMAND, "nothing was looked for yet")
                .help("write `:find` with a pattern in backticks, for example ``:find `x * y` ``")
        })?;
        if found.whole != self.current()?.term {
            let again = format!("``:find `{}` `` looks again", found.pattern);
            return Err(Diagnostic::error(code::COMMAND, "the term has changed since").help(again).into());
        }
        let count = found.instances.count();
        let FindTarget::Nth(number) = find else {
            let places = (1..=count.min(MAX_PLACES)).filter_map(|number| found.nth(number));
            return Ok(WalkAnswer::Found(PatternMatches {
                pattern: found.pattern.clone(),
                within: address(&found.whole, &found.within),
                places: places.map(|place| focus(&found.whole, &place)).collect(),
                count,
            }));
        };
        let place = found.nth(*number).ok_or_else(|| {
            let wrong = format!("`{}` matches at {count} places", found.pattern);
            Diagnostic::error(code::COMMAND, wrong).help("`:find` lists the first of them again")
        })?;
        self.focus_on(place)
    }

    pub(super) fn go_up(&mut self, count: usize) -> Result<WalkAnswer, Trouble> {
        let Path(mut way) = self.history.focus();
        self.current()?;
        if way.is_empty() {
            return Err(nothing_there("nothing is around the whole term", "`:down` goes to its first child"));
        }
        way.truncate(way.len().saturating_sub(count));
        self.focus_on(Path(way))
    }

    pub(super) fn go_down(&mut self, child: Option<&str>) -> Result<WalkAnswer, Trouble> {
        let (now, mut focus) = (self.current()?.term.clone(), self.history.focus());
        let below = match child {
            None if focus.find(&now).is_some_and(|here| here.kid_count() == 0) => {
                return Err(nothing_there("nothing is below the focus", "`:up` goes to the term around it"));
            }
            None => Path(vec![0]),
            Some(child) => {
                let way = [focus.display(&now), child.to_owned()].join(".");
                return self.focus_on(path(&way, &now)?);
            }
        };
        focus.0.extend(below.0);
        self.focus_on(focus)
    }

    pub(super) fn go_aside(&mut self, right: bool) -> Result<WalkAnswer, Trouble> {
        let (now, Path(mut way)) = (self.current()?.term.clone(), self.history.focus());
        let last = way.pop();
        let siblings = Path(way.clone()).find(&now).map_or(0, |around| around.kid_count());
        let next = last.and_then(|k| if right { k.checked_add(1) } else { k.checked_sub(1) });
        match next.filter(|next| (*next as usize) < siblings) {
            Some(next) => {
                way.push(next);
                self.focus_on(Path(way))
            }
            None if last.is_none() => Err(nothing_there("nothing is beside the whole term", "`:down` goes into it")),
            None => {
                let side = if right { "behind" } else { "before" };
                Err(nothing_there(&format!("no child is {side} this one"), "`:up` goes to the term around it"))
            }
        }
    }

    pub(super) fn go_top(&mut self) -> Result<WalkAnswer, Trouble> {
        self.focus_on(Path::default())
    }
}

impl PatternPlaces {
    /// The path to the one with this number, from 1.
    fn nth(&self, number: usize) -> Option<Path> {
        let way = self.instances.nth(number)?;
        Some(Path(self.within.0.iter().copied().chain(way.0).collect()))
    }
}

fn nothing_there(headline: &str, help: &str) -> Trouble {
    Diagnostic::error(code::COMMAND, headline).help(help).into()
}

fn nothing_found(pattern: &str, within: &Path) -> Trouble {
    let headline = format!("`{pattern}` matches nothing there");
    let wrong = Diagnostic::error(code::COMMAND, headline);
    match within.0.is_empty() {
        true => wrong.into(),
        false => wrong.help("only the focus was looked at; `:top` puts it on the whole term").into(),
    }
}

/// A path as an address.
fn address(term: &Term, path: &Path) -> String {
    path.address(term)
}

/// A subterm of a term, with what is shown around it.
fn focus(whole: &Term, path: &Path) -> FocusedSubterm {
    let (mut part, mut types) = (whole.clone(), Vec::new());
    for k in path.0.iter().map(|k| *k as usize) {
        if k < part.kid_count() {
            types.extend(bound(&part, k));
            part = part.kid(k);
        }
    }
    let names = names_at(whole, path).unwrap_or_default();
    // Each binder has its type; where no name is known, a blank stands for it.
    let names = names.into_iter().chain(std::iter::repeat(Name::new("_")));
    FocusedSubterm {
        path: path.clone(),
        address: address(whole, path),
        whole: whole.clone(),
        part,
        binders: names.zip(types).collect(),
        lost: false,
    }
}

/// The type of what a term binds in a child.
fn bound(term: &Term, kid: usize) -> Option<Type> {
    let ty = match term.view() {
        View::Lam(_, ty, _) => ty,
        View::Let(_, value, _) => value.ty().clone(),
        _ => return None,
    };
    (term.binders(kid) > 0).then_some(ty)
}
