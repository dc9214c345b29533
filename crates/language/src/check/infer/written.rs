//! Converts types and sizes from their written form.

use super::Inference;
use crate::check::diagnose;
use crate::check::solve::CheckMode;
use crate::ground::{Diagnostic, Name, Span, Trouble, code};
use crate::syntax::raw::{RawSize, RawSizeKind, RawType, RawTypeKind};
use crate::term::{Size, Type};

impl Inference<'_> {
    pub(in super::super) fn raw_type(&mut self, raw: &RawType) -> Result<Type, Trouble> {
        Ok(match &raw.kind {
            RawTypeKind::Real => Type::real(),
            RawTypeKind::Int => Type::int(),
            RawTypeKind::Hole => self.solver.fresh(),
            RawTypeKind::Fin(n) => Type::fin(self.raw_size(n)?),
            RawTypeKind::Array(n, a) => Type::array(self.raw_size(n)?, self.raw_type(a)?),
            RawTypeKind::Pair(a, b) => Type::pair(self.raw_type(a)?, self.raw_type(b)?),
            RawTypeKind::Fun(a, b) => Type::fun(self.raw_type(a)?, self.raw_type(b)?),
            RawTypeKind::Name(name) if self.types.contains(name) || self.solver.mode.sizes_are_open() => {
                Type::var(name)
            }
            RawTypeKind::Name(name) => return Err(self.unknown_type(name, raw.span).into()),
        })
    }

    fn unknown_type(&self, name: &Name, span: Span) -> Diagnostic {
        let known = ["real", "int", "fin", "array"].into_iter().chain(self.types.iter().map(Name::as_str));
        let elsewhere = match name.as_str().to_lowercase().as_str() {
            "float" | "double" | "f64" | "f32" | "number" => "write `real`".to_owned(),
            "bool" | "boolean" | "integer" | "i64" | "nat" => "write `int`; truth values are `int`, too".to_owned(),
            _ => format!("declare it: `{{{name} : type}}`"),
        };
        diagnose::unknown(code::UNKNOWN_SIZE, "type", name.as_str(), span, known, elsewhere)
    }

    pub(in super::super) fn raw_size(&mut self, raw: &RawSize) -> Result<Size, Trouble> {
        let too_large = || diagnose::too_large(raw.span);
        Ok(match &raw.kind {
            RawSizeKind::Literal(n) => Size::literal(*n),
            RawSizeKind::Hole => self.solver.fresh_size(),
            RawSizeKind::Add(a, b) => self.raw_size(a)?.plus(&self.raw_size(b)?).ok_or_else(too_large)?,
            RawSizeKind::Mul(a, b) => self.raw_size(a)?.times(&self.raw_size(b)?).ok_or_else(too_large)?,
            RawSizeKind::Name(name)
                if !matches!(self.solver.mode, CheckMode::Rule { .. }) && self.is_computed(name) =>
            {
                return Err(computed_size(name, raw.span).into());
            }
            RawSizeKind::Name(name) if self.sizes.contains(name) => {
                self.guessed.retain(|(guessed, _)| guessed != name);
                Size::var(name)
            }
            RawSizeKind::Name(name) if self.solver.mode.sizes_are_open() => {
                self.sizes.insert(name.clone());
                Size::var(name)
            }
            RawSizeKind::Name(name) => {
                let known = self.sizes.iter().map(Name::as_str);
                let declare = format!("declare it before the parameters: `{{{name}}}`");
                return Err(
                    diagnose::unknown(code::UNKNOWN_SIZE, "size", name.as_str(), raw.span, known, declare).into()
                );
            }
        })
    }

    /// Whether the name is that of a variable, and no size is called so.
    fn is_computed(&self, name: &Name) -> bool {
        !self.sizes.contains(name) && self.local(name).is_some()
    }
}

/// A variable where a size must stand.
fn computed_size(name: &Name, span: Span) -> Diagnostic {
    Diagnostic::error(code::UNKNOWN_SIZE, format!("`{name}` is a value, and no size follows from one"))
        .at(span, "a size is needed here")
        .help(format!("bind a size in place of it, in a definition `{{{name}}}`: as a term a size is an `int`, too"))
        .help(format!(
            "or repeat something up to a size, and keep what it was from `{name}` on: `if int i < {name} then … else …`"
        ))
}
