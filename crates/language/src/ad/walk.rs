//! Takes D of terms. It is homomorphic on everything but constants, variables and primitives, since no other constructor
//! speaks of `real`. The work of each case stands in a function of its own, so that the frames of the recursion stay small.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::activity::Activity;
use super::lift::raise;
use super::scope::{Binding, Scope, function_type};
use super::uses::{InnerVariable, UseSearch, spine};
use super::{AdError, DualTypes, prim};
use crate::ground::{Budget, Name};
use crate::term::{IllTyped, Kind, Node, Term, Type, TypeView};

/// A node by identity, not by equality: equal nodes may differ in the names that users gave. With it, which of its
/// free variables are active: those have the type D α, the others are constants.
type DualKey = (*const Node, SmallVec<[Activity; 4]>);

/// The indices of a term's free variables, in the order of its node.
type FreeIndices = SmallVec<[u32; 8]>;

/// One run of D. Remembers the results for shared subterms, and for folds, which may be met twice.
pub(super) struct Differentiator<'a> {
    budget: &'a Budget,
    types: DualTypes,
    scope: Scope,
    done: FxHashMap<DualKey, (FreeIndices, Part)>,
    /// What notations in the walked term mean, kept alive as that is.
    meanings: Vec<Term>,
}

/// D of a part of the walked term: what is active in it has tangents.
#[derive(Clone)]
struct Part {
    term: Term,
    activity: Activity,
}

/// How often a fold is met with a state that begins with constants before all of its state is taken to be active.
const MAX_STATES: usize = 2;

/// The parts that a constructor is put around.
type Parts = SmallVec<[Part; 2]>;

impl Part {
    fn constant(term: Term) -> Part {
        Part { term, activity: Activity::Constant }
    }

    fn active(term: Term) -> Part {
        Part { term, activity: Activity::Active }
    }

    fn is_constant(&self) -> bool {
        self.activity == Activity::Constant
    }

    /// Something around this part, which is of the same sort.
    fn within(self, make: impl FnOnce(Term) -> Result<Term, IllTyped>) -> Result<Part, AdError> {
        Ok(Part { term: make(self.term)?, activity: self.activity })
    }
}

/// A loop's step, what it makes of its state where that differs, and what else a scan's step gives.
type LoopStep = (Term, Option<Activity>, Option<Activity>);

impl Differentiator<'_> {
    pub(super) fn new(budget: &Budget) -> Differentiator<'_> {
        let (types, scope) = (DualTypes::default(), Scope::default());
        Differentiator { budget, types, scope, done: FxHashMap::default(), meanings: Vec::new() }
    }

    /// D of `term`, which is walked from here. It keeps every visited node alive, which makes addresses good keys.
    pub(super) fn dual(&mut self, term: &Term) -> Result<Term, AdError> {
        let part = self.part(term)?;
        self.lifted(part)
    }

    fn lifted(&mut self, part: Part) -> Result<Term, AdError> {
        self.raised(part, &Activity::Active)
    }

    fn raised(&mut self, part: Part, to: &Activity) -> Result<Term, AdError> {
        raise(part.term, &part.activity, to, &mut self.types)
    }

    /// What has D taken of its parts: a constant all the same where it holds no reals.
    fn sorted(&mut self, term: Term, ty: &Type) -> Result<Part, AdError> {
        Ok(Part { term, activity: Activity::of_type(ty, &mut self.types)? })
    }

    fn part(&mut self, term: &Term) -> Result<Part, AdError> {
        if self.scope.is_constant(term) {
            return Ok(Part::constant(term.clone()));
        }
        if let Kind::Var = term.kind() {
            return self.variable(term);
        }
        // What stands in one place alone is met as often as what is around it, which is remembered.
        let again = term.is_shared() || matches!(term.kind(), Kind::Ifold(_) | Kind::Scan(_) | Kind::Scanr(_));
        let key = if again { self.key(term) } else { None };
        if let Some(key) = &key
            && let Some((there, done)) = self.done.get(key)
        {
            return Ok(moved(done, there, &indices(term)));
        }
        self.budget.tick()?;
        let done = self.node(term)?;
        self.budget.measure(done.term.size(), done.term.depth())?;
        if let Some(key) = key {
            self.done.insert(key, (indices(term), done.clone()));
        }
        Ok(done)
    }

    fn variable(&mut self, term: &Term) -> Result<Part, AdError> {
        let index = term.places()[0];
        match self.scope.at(index) {
            Some(Binding::Value(activity)) => {
                let activity = activity.clone();
                Ok(Part { term: Term::var(index, &activity.ty(term.ty(), &mut self.types)?), activity })
            }
            Some(Binding::Function { parameters, .. }) => {
                Ok(Part::active(Term::var(index, &function_type(term.ty(), parameters, &mut self.types)?)))
            }
            None => Err(AdError::FreeFunction { index: index - self.scope.len() as u32, ty: term.ty().clone() }),
        }
    }

    fn node(&mut self, term: &Term) -> Result<Part, AdError> {
        match term.kind() {
            Kind::Lam(name, ty) => self.function(name, ty, term, &[]),
            Kind::App => self.application(term, &[]),
            Kind::Let(name) => self.binding(name, term, &[]),
            Kind::Build(_) | Kind::Scatter(..) => self.build(term),
            Kind::Ifold(_) | Kind::Scan(_) | Kind::Scanr(_) => self.fold(term),
            Kind::Pull | Kind::Plus => self.meaning(term),
            Kind::Prim(_) => self.primitive(term),
            kind @ Kind::Guard(..) => {
                let number = self.part(&term.kid(0))?;
                let inside = self.under(Binding::Value(Activity::Constant), &term.kid(1))?;
                let other = self.part(&term.kid(2))?;
                self.made(kind, Parts::from_iter([number, inside, other]), term.ty())
            }
            kind => {
                let kids = self.kids(term)?;
                self.made(kind, kids, term.ty())
            }
        }
    }

    fn meaning(&mut self, term: &Term) -> Result<Part, AdError> {
        let meaning = term.meaning();
        self.meanings.push(meaning.clone());
        self.part(&meaning)
    }

    /// A function that takes `parameters`, of which there are no more than it has λs.
    fn taking(&mut self, term: &Term, parameters: &[Activity]) -> Result<Part, AdError> {
        self.budget.tick()?;
        match term.kind() {
            _ if parameters.is_empty() => self.part(term),
            Kind::Lam(name, ty) => self.function(name, ty, term, parameters),
            Kind::App => self.application(term, parameters),
            Kind::Let(name) => self.binding(name, term, parameters),
            Kind::If => self.choice(term, parameters),
            _ => self.part(term),
        }
    }

    fn kids(&mut self, term: &Term) -> Result<Parts, AdError> {
        let mut kids = Parts::with_capacity(term.kid_count());
        for k in 0..term.kid_count() {
            let kid = self.part(&term.kid(k))?;
            kids.push(kid);
        }
        Ok(kids)
    }

    /// The constructor around its parts, which has the type `ty` before D. An index and a condition are constants as they are.
    fn made(&mut self, kind: &Kind, kids: Parts, ty: &Type) -> Result<Part, AdError> {
        if kids.iter().all(Part::is_constant) {
            return Ok(Part::constant(Term::of(kind, kids.into_iter().map(|kid| kid.term).collect())?));
        }
        let activity = made_of(kind, &kids).of(ty, &mut self.types)?;
        let wanted = |k: usize| match kind {
            Kind::Pair if k == 0 => activity.halves().0,
            Kind::Pair => activity.halves().1,
            Kind::Array(_) => activity.element(),
            Kind::If | Kind::Guard(..) if k > 0 => activity.clone(),
            _ => kids[k].activity.clone(),
        };
        let wanted: SmallVec<[Activity; 2]> = (0..kids.len()).map(wanted).collect();
        let mut raised = SmallVec::with_capacity(kids.len());
        for (kid, wanted) in kids.into_iter().zip(wanted) {
            raised.push(self.raised(kid, &wanted)?);
        }
        let term = match (kind, ty.view()) {
            (Kind::Array(element), _) => {
                Term::array(&activity.element().ty(element, &mut self.types)?, raised.into_vec())?
            }
            _ => Term::of(kind, raised)?,
        };
        Ok(Part { term, activity })
    }

    fn primitive(&mut self, term: &Term) -> Result<Part, AdError> {
        let Kind::Prim(prim) = term.kind() else { return self.node(term) };
        let kids = self.kids(term)?;
        if *term.ty() == Type::real() && !kids.iter().all(Part::is_constant) {
            let operands: Result<Vec<Term>, AdError> = kids.into_iter().map(|kid| self.lifted(kid)).collect();
            return Ok(Part::active(prim::dual(*prim, operands?)?));
        }
        let primal = |kid: Part| if kid.is_constant() { Ok(kid.term) } else { Term::fst(kid.term) };
        let primals: Result<Vec<Term>, IllTyped> = kids.into_iter().map(primal).collect();
        Ok(Part::constant(Term::prim(*prim, primals?)?))
    }

    /// A λ of which nothing is known but its type, and what it is applied to.
    fn function(&mut self, name: &Name, ty: &Type, term: &Term, parameters: &[Activity]) -> Result<Part, AdError> {
        let activity = match parameters.first() {
            Some(known) => known.clone(),
            None => Activity::of_type(ty, &mut self.types)?,
        };
        let ty = activity.ty(ty, &mut self.types)?;
        self.scope.enter(Binding::Value(activity));
        let body = self.taking(&term.kid(0), parameters.get(1..).unwrap_or(&[]));
        self.scope.leave();
        let body = self.lifted(body?)?;
        Ok(Part::active(Term::lam(name, &ty, body)?))
    }

    /// A function that a condition picks, where both may be.
    fn choice(&mut self, term: &Term, parameters: &[Activity]) -> Result<Part, AdError> {
        let condition = self.part(&term.kid(0))?;
        let first = self.taking(&term.kid(1), parameters)?;
        let second = self.taking(&term.kid(2), parameters)?;
        Ok(Part::active(Term::if_else(condition.term, first.term, second.term)?))
    }

    /// A part below a binder.
    fn under(&mut self, binding: Binding, term: &Term) -> Result<Part, AdError> {
        self.scope.enter(binding);
        let done = self.part(term);
        self.scope.leave();
        done
    }

    /// A function that gets a name, and its binding. `inner` are the binders around `body` from that name inwards.
    fn function_bound(
        &mut self,
        from: &Term,
        inner: Vec<InnerVariable>,
        body: &Term,
    ) -> Result<(Part, Binding), AdError> {
        let mut parameters = self.scope.parameters(from);
        let arity = arity(from);
        if arity > 0 {
            let search = UseSearch { scope: &self.scope, types: &mut self.types, budget: self.budget, inner };
            parameters = search.parameters(body, arity)?.into();
        }
        let part = if arity > 0 { self.taking(from, &parameters)? } else { self.part(from)? };
        let known = self.scope.known(from).map(|known| (known, self.scope.len()));
        Ok((part, Binding::Function { known, parameters }))
    }

    fn binding(&mut self, name: &Name, term: &Term, parameters: &[Activity]) -> Result<Part, AdError> {
        let (from, body) = (term.kid(0), term.kid(1));
        let (value, binding) = if is_function(&from) {
            self.function_bound(&from, vec![InnerVariable::Function], &body)?
        } else {
            let value = self.part(&from)?;
            let binding = Binding::Value(value.activity.clone());
            (value, binding)
        };
        self.scope.enter(binding);
        let done = self.taking(&body, parameters);
        self.scope.leave();
        let done = done?;
        let is_used = body.occurrences(0) == 0 || done.term.occurrences(0) > 0;
        if from.ty().has_function() && !is_used {
            // A function that is applied to constants alone was put where it is applied.
            return done.within(|body| Ok(body.lower(1).unwrap_or(body)));
        }
        done.within(|body| Term::let_in(name, value.term, body))
    }

    /// An application: of a λ to what its parameters are known to be, of a known function to constants, or of any other.
    /// The result, if a function, takes `parameters`.
    fn application(&mut self, term: &Term, parameters: &[Activity]) -> Result<Part, AdError> {
        let (head, arguments) = spine(term);
        let mut parts = Vec::with_capacity(arguments.len());
        for argument in &arguments {
            parts.push(if is_function(argument) { None } else { Some(self.part(argument)?) });
        }
        if let Kind::Lam(..) = head.kind() {
            return self.applied(&head, &arguments, parts, parameters, term.ty());
        }
        let constants = || parts.iter().flatten().all(Part::is_constant);
        if let Some(known) = self.scope.known(&head)
            && constants()
            && !self.scope.is_active(&known)
        {
            let done = self.applied(&known, &arguments, parts.clone(), &[], term.ty())?;
            if done.is_constant() {
                return Ok(done);
            }
        }
        let taken = match head.kind() {
            Kind::If => {
                let passed = parts.iter().map(|p| p.as_ref().map_or(Activity::Active, |part| part.activity.clone()));
                passed.take(arity(&head)).collect()
            }
            _ => self.scope.parameters(&head),
        };
        let head = self.taking(&head, &taken)?.term;
        self.around(head, &taken, &arguments, parts, term.ty())
    }

    /// A dual function that takes `taken` around what it is applied to, which gives a result of type `ty` before D.
    /// `parts` are the arguments but for functions.
    fn around(
        &mut self,
        mut function: Term,
        taken: &[Activity],
        arguments: &[Term],
        parts: Vec<Option<Part>>,
        ty: &Type,
    ) -> Result<Part, AdError> {
        for (k, (argument, part)) in arguments.iter().zip(parts).enumerate() {
            let part = match part {
                Some(part) => part,
                None => self.part(argument)?,
            };
            let argument = self.raised(part, taken.get(k).unwrap_or(&Activity::Active))?;
            function = Term::app(function, argument)?;
        }
        self.sorted(function, ty)
    }

    /// λs applied to arguments, which are passed with tangents only where they are active; otherwise as [`Self::around`].
    fn applied(
        &mut self,
        function: &Term,
        arguments: &[Term],
        mut parts: Vec<Option<Part>>,
        parameters: &[Activity],
        ty: &Type,
    ) -> Result<Part, AdError> {
        let (names, body) = lambdas(function, arguments.len());
        let rest = parts.split_off(names.len());
        let activities = parts.iter().map(|part| part.as_ref().map_or(Activity::Active, |part| part.activity.clone()));
        let activities: Vec<Activity> = activities.collect();
        let (mut passed, mut bindings) = (Vec::with_capacity(names.len()), Vec::with_capacity(names.len()));
        for (k, part) in parts.into_iter().enumerate() {
            let (part, binding) = match part {
                Some(part) => {
                    let binding = Binding::Value(part.activity.clone());
                    (part, binding)
                }
                None => {
                    let mut inner: Vec<_> = activities.iter().cloned().map(InnerVariable::Value).collect();
                    inner[k] = InnerVariable::Function;
                    self.function_bound(&arguments[k], inner, &body)?
                }
            };
            passed.push(part.term);
            bindings.push(binding);
        }
        bindings.into_iter().for_each(|binding| self.scope.enter(binding));
        let done = self.taking(&body, if rest.is_empty() { parameters } else { &[] });
        names.iter().for_each(|_| self.scope.leave());
        let mut done = done?;
        for (name, argument) in names.iter().zip(&passed).rev() {
            done = done.within(|body| Term::lam(name, argument.ty(), body))?;
        }
        for argument in passed {
            done = done.within(|f| Term::app(f, argument))?;
        }
        if rest.is_empty() { Ok(done) } else { self.around(done.term, &[], &arguments[names.len()..], rest, ty) }
    }

    /// A `build`, or a `scatter`, whose steps give an index besides: that is a constant.
    fn build(&mut self, term: &Term) -> Result<Part, AdError> {
        let f = term.kid(0);
        let around = |f: Term| Term::of(term.kind(), [f].into_iter().collect());
        if let Some(known) = self.scope.known(&f)
            && let Kind::Lam(name, below) = known.kind()
        {
            let step = self.under(Binding::Value(Activity::Constant), &known.kid(0))?;
            if matches!(f.kind(), Kind::Lam(..)) || step.is_constant() {
                let element = match term.kind() {
                    Kind::Build(_) => step.activity,
                    _ => step.activity.halves().1,
                };
                let activity = Activity::array(element).of(term.ty(), &mut self.types)?;
                return Ok(Part { term: around(Term::lam(name, below, step.term)?)?, activity });
            }
        }
        let f = self.part(&f)?;
        self.sorted(around(f.term)?, term.ty())
    }

    /// A fold or a scan whose state begins with constants keeps those that no step makes active. What a scan stores is as
    /// active as what its steps give.
    fn fold(&mut self, term: &Term) -> Result<Part, AdError> {
        let (f, start) = (term.kid(0), self.part(&term.kid(1))?);
        if let Some(known) = self.scope.known(&f) {
            let mut state = start.activity.clone();
            for _ in 0..MAX_STATES {
                if state == Activity::Active {
                    break;
                }
                let Some((step, next, element)) = self.step(&known, &state, !matches!(term.kind(), Kind::Ifold(_)))?
                else {
                    break;
                };
                if next.is_none() && (state == Activity::Constant || matches!(f.kind(), Kind::Lam(..))) {
                    let activity = match element {
                        None => state.clone(),
                        Some(element) => {
                            Activity::pair(state.clone(), Activity::array(element)).of(term.ty(), &mut self.types)?
                        }
                    };
                    let start = self.raised(start.clone(), &state)?;
                    let done = Term::of(term.kind(), [step, start].into_iter().collect())?;
                    if activity.ty(term.ty(), &mut self.types)? == *done.ty() {
                        return Ok(Part { term: done, activity });
                    }
                    break;
                }
                state = next.unwrap_or(Activity::Active);
            }
        }
        let f = self.part(&f)?;
        let start = self.lifted(start)?;
        self.sorted(Term::of(term.kind(), [f.term, start].into_iter().collect())?, term.ty())
    }

    /// The step of a loop with such a state, what else of the state it makes active, if anything, and of a scan the activity of
    /// what it gives besides.
    fn step(&mut self, step: &Term, activity: &Activity, is_scan: bool) -> Result<Option<LoopStep>, AdError> {
        let Kind::Lam(state, ty) = step.kind() else { return Ok(None) };
        let inner = step.kid(0);
        let Kind::Lam(index, below) = inner.kind() else { return Ok(None) };
        let body = inner.kid(0);
        self.scope.enter(Binding::Value(activity.clone()));
        let next = self.under(Binding::Value(Activity::Constant), &body);
        self.scope.leave();
        let next = next?;
        let (after, element) = match body.ty().view() {
            TypeView::Pair(_, element) if is_scan => {
                let (after, given) = next.activity.halves();
                (after, Some(given.of(element, &mut self.types)?))
            }
            _ => (next.activity.clone(), None),
        };
        let joined = activity.join(&after).of(ty, &mut self.types)?;
        if joined != *activity {
            return Ok(Some((next.term, Some(joined), element)));
        }
        let whole = match &element {
            None => activity.clone(),
            Some(element) => Activity::pair(activity.clone(), element.clone()).of(body.ty(), &mut self.types)?,
        };
        let ty = activity.ty(ty, &mut self.types)?;
        let body = Term::lam(index, below, self.raised(next, &whole)?)?;
        let step = Term::lam(state, &ty, body)?;
        Ok(Some((step, None, element)))
    }

    /// `None` for a term with functions that are bound around it: what they are is part of what it is.
    fn key(&self, term: &Term) -> Option<DualKey> {
        let mut active = SmallVec::with_capacity(term.places().len());
        for (index, _) in term.free() {
            match self.scope.at(index) {
                Some(Binding::Function { .. }) => return None,
                Some(Binding::Value(activity)) => active.push(activity.clone()),
                None => active.push(Activity::Constant),
            }
        }
        Some((std::ptr::from_ref::<Node>(term), active))
    }
}

fn indices(term: &Term) -> FreeIndices {
    term.places().into()
}

/// A result made where the free variables had the indices `there`, for a place where they have the indices `here`.
fn moved(done: &Part, there: &FreeIndices, here: &FreeIndices) -> Part {
    if there == here {
        return done.clone();
    }
    let to: FxHashMap<u32, u32> = there.iter().copied().zip(here.iter().copied()).collect();
    let term = done.term.rename(|i| to.get(&i).copied().unwrap_or(i));
    Part { term, activity: done.activity.clone() }
}

/// What a constructor of data is of its parts.
fn made_of(kind: &Kind, kids: &[Part]) -> Activity {
    match (kind, kids) {
        (Kind::Pair, [a, b]) => Activity::pair(a.activity.clone(), b.activity.clone()),
        (Kind::Fst, [pair]) => pair.activity.halves().0,
        (Kind::Snd, [pair]) => pair.activity.halves().1,
        (Kind::Get, [array, _]) => array.activity.element(),
        (Kind::If | Kind::Guard(..), [_, a, b]) => a.activity.join(&b.activity),
        (Kind::Array(_), elements) => {
            let all = elements.iter().map(|e| e.activity.clone()).reduce(|a, b| a.join(&b));
            Activity::array(all.unwrap_or(Activity::Constant))
        }
        _ => Activity::Active,
    }
}

fn is_function(term: &Term) -> bool {
    matches!(term.ty().view(), TypeView::Fun(..))
}

/// The names of a function's parameters, at most so many, and what is below them.
fn lambdas(function: &Term, most: usize) -> (Vec<Name>, Term) {
    let (mut names, mut body) = (Vec::new(), function.clone());
    while names.len() < most
        && let Kind::Lam(name, _) = body.kind()
    {
        names.push(name.clone());
        body = body.kid(0);
    }
    (names, body)
}

/// How many parameters a function is known to have, below what it binds.
fn arity(function: &Term) -> usize {
    match function.kind() {
        Kind::Lam(..) => 1 + arity(&function.kid(0)),
        Kind::Let(_) => arity(&function.kid(1)),
        Kind::If => arity(&function.kid(1)).min(arity(&function.kid(2))),
        Kind::App => {
            let (head, arguments) = spine(function);
            if matches!(head.kind(), Kind::Lam(..)) { arity(&head).saturating_sub(arguments.len()) } else { 0 }
        }
        _ => 0,
    }
}
