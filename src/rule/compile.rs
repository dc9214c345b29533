//! Conditions from their raw tree: names looked up in the law, the rule's parameters and the vocabulary.

use std::collections::BTreeSet;

use crate::check::Law;
use crate::ground::{Diagnostic, Name, Span, code, name::nearest};
use crate::syntax::raw::{Ident, RawCondition, RawConditionKind, RawQuantity, RawRule};
use crate::term::{Atom, Kind, Size, Term, Type, TypeView};

use super::condition::{Condition, Predicate, Quantity, Variable};

/// The rule's conditions as they are to be understood for one of its laws.
pub(super) fn conditions(rule: &RawRule, law: &Law) -> Result<Vec<Condition>, Diagnostic> {
    let scope = Scope::new(rule, law);
    rule.conditions.iter().map(|raw| scope.condition(raw)).collect()
}

struct Scope<'a> {
    params: &'a [Ident],
    vars: Vec<&'a Name>,
    binders: BTreeSet<Name>,
    sizes: BTreeSet<Name>,
}

impl<'a> Scope<'a> {
    fn new(rule: &'a RawRule, law: &'a Law) -> Scope<'a> {
        let vars = law.vars.iter().map(|v| &v.name).collect();
        let mut scope = Scope { params: &rule.params, vars, binders: BTreeSet::new(), sizes: BTreeSet::new() };
        scope.visit(&law.left);
        for var in &law.vars {
            scope.types(&var.ty);
        }
        scope
    }

    fn visit(&mut self, term: &Term) {
        match term.kind() {
            Kind::Lam(name, ty) => {
                self.binders.insert(name.clone());
                self.types(ty);
            }
            Kind::Let(name) => {
                self.binders.insert(name.clone());
            }
            Kind::Ifold(n) | Kind::Build(n) | Kind::Fin(_, n) => self.atoms(n),
            Kind::SizeVar(name) => {
                self.sizes.insert(name.clone());
            }
            _ => {}
        }
        term.kids().iter().for_each(|kid| self.visit(kid));
    }

    fn types(&mut self, ty: &Type) {
        match ty.view() {
            TypeView::Fin(n) => self.atoms(n),
            TypeView::Array(n, a) => {
                self.atoms(n);
                self.types(a);
            }
            TypeView::Pair(a, b) | TypeView::Fun(a, b) => {
                self.types(a);
                self.types(b);
            }
            _ => {}
        }
    }

    fn atoms(&mut self, size: &Size) {
        self.sizes.extend(size.atoms().filter_map(|a| match a {
            Atom::Var(name) => Some(name.clone()),
            Atom::Unknown(_) => None,
        }));
    }

    fn condition(&self, raw: &RawCondition) -> Result<Condition, Diagnostic> {
        let plain = match &raw.kind {
            RawConditionKind::Holds(RawQuantity::Call(word, arguments)) => {
                let predicate = self.predicate(word)?;
                let [RawQuantity::Name(of)] = &arguments[..] else {
                    return Err(bad(word.span, format!("`{}` takes one variable", word.name)));
                };
                Condition::Holds(predicate, self.variable(of)?)
            }
            RawConditionKind::Holds(_) => {
                let help = "compare two numbers, or write a predicate such as `constant(e)`";
                return Err(bad(raw.span, "a number is no condition".to_owned()).help(help));
            }
            RawConditionKind::Compare(op, a, b) => Condition::Compare(*op, self.quantity(a)?, self.quantity(b)?),
        };
        Ok(if raw.negated { plain.negate() } else { plain })
    }

    fn predicate(&self, word: &Ident) -> Result<Predicate, Diagnostic> {
        let found = Predicate::ALL.iter().find(|(text, ..)| *text == word.name.as_str());
        found.map(|(_, predicate, _)| *predicate).ok_or_else(|| {
            let diagnostic = bad(word.span, format!("conditions have no word `{}`", word.name));
            suggest(diagnostic, &word.name, Predicate::ALL.iter().map(|(text, ..)| *text))
        })
    }

    fn variable(&self, ident: &Ident) -> Result<Variable, Diagnostic> {
        let name = ident.name.clone();
        if let Some(j) = self.vars.iter().position(|v| **v == name) {
            return Ok(Variable { name, of_law: Some(j) });
        }
        if self.binders.contains(&name) {
            return Ok(Variable { name, of_law: None });
        }
        let names = self.vars.iter().copied().chain(&self.binders).map(Name::as_str);
        Err(suggest(bad(ident.span, format!("the left side has no variable `{name}`")), &name, names))
    }

    fn quantity(&self, raw: &RawQuantity) -> Result<Quantity, Diagnostic> {
        Ok(match raw {
            RawQuantity::Number(n, _) => Quantity::Number(*n),
            RawQuantity::Name(ident) => self.number(ident)?,
            RawQuantity::Call(word, arguments) if word.name.as_str() == "occurrences" => match &arguments[..] {
                [RawQuantity::Name(of)] if self.binders.contains(&of.name) => {
                    Quantity::Occurrences(Variable { name: of.name.clone(), of_law: None })
                }
                _ => return Err(bad(word.span, "`occurrences` takes a variable that the left side binds".to_owned())),
            },
            RawQuantity::Call(word, _) => {
                let diagnostic = bad(word.span, format!("`{}` is no number that conditions know", word.name));
                return Err(suggest(diagnostic, &word.name, ["occurrences"]));
            }
            RawQuantity::Add(a, b) => Quantity::Add(Box::new(self.quantity(a)?), Box::new(self.quantity(b)?)),
            RawQuantity::Mul(a, b) => Quantity::Mul(Box::new(self.quantity(a)?), Box::new(self.quantity(b)?)),
        })
    }

    fn number(&self, ident: &Ident) -> Result<Quantity, Diagnostic> {
        if let Some(k) = self.params.iter().position(|p| p.name == ident.name) {
            return Ok(Quantity::Parameter(ident.name.clone(), k));
        }
        if self.sizes.contains(&ident.name) {
            return Ok(Quantity::Size(ident.name.clone()));
        }
        let names = self.params.iter().map(|p| &p.name).chain(&self.sizes).map(Name::as_str);
        let diagnostic =
            bad(ident.span, format!("`{}` is no parameter of the rule and no size of the law", ident.name));
        Err(suggest(diagnostic, &ident.name, names))
    }
}

fn bad(span: Span, headline: String) -> Diagnostic {
    Diagnostic::error(code::BAD_RULE, headline).at(span, "in this condition")
}

fn suggest<'a>(diagnostic: Diagnostic, wanted: &Name, names: impl IntoIterator<Item = &'a str>) -> Diagnostic {
    match nearest(wanted.as_str(), names) {
        Some(name) => diagnostic.help(format!("did you mean `{name}`?")),
        None => diagnostic,
    }
}
