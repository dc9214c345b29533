//! Builds the raw trees of types and sizes.

use pest::iterators::Pair;

use super::Rule;
use super::build::{Builder, WithHeight, first, part, parts};
use crate::ground::{Span, Trouble};
use crate::syntax::raw::{RawSize, RawSizeKind, RawType, RawTypeKind};

impl Builder {
    /// A whole type: products between arrows, to the right.
    pub fn ty(&self, pair: Pair<'_, Rule>) -> Result<WithHeight<RawType>, Trouble> {
        let products = parts(pair).map(|p| self.product(p)).collect::<Result<Vec<_>, _>>()?;
        self.to_the_right(products, RawTypeKind::Fun)
    }

    fn product(&self, pair: Pair<'_, Rule>) -> Result<WithHeight<RawType>, Trouble> {
        let items = parts(pair).map(|p| self.ty_item(p)).collect::<Result<Vec<_>, _>>()?;
        self.to_the_right(items, RawTypeKind::Pair)
    }

    fn to_the_right(
        &self,
        items: Vec<WithHeight<RawType>>,
        join: fn(Box<RawType>, Box<RawType>) -> RawTypeKind,
    ) -> Result<WithHeight<RawType>, Trouble> {
        self.joined(items.into_iter().rev(), |right, left| RawType {
            span: left.span.to(right.span),
            kind: join(Box::new(left), Box::new(right)),
        })
    }

    fn ty_item(&self, pair: Pair<'_, Rule>) -> Result<WithHeight<RawType>, Trouble> {
        let span = self.span(&pair);
        let rule = pair.as_rule();
        if rule == Rule::ty_atom {
            return self.ty_atom(first(pair), span);
        }
        let mut inner = parts(pair);
        let size = self.size_atom(part(&mut inner))?;
        match inner.next() {
            Some(element) => {
                let element_span = self.span(&element);
                let element = self.ty_atom(first(element), element_span)?;
                let below = size.height.max(element.height);
                let kind = RawTypeKind::Array(size.node, Box::new(element.node));
                self.tall(RawType { kind, span }, below)
            }
            None => self.tall(RawType { kind: RawTypeKind::Fin(size.node), span }, size.height),
        }
    }

    /// A name, or a type in parentheses, which `span` takes in.
    fn ty_atom(&self, inner: Pair<'_, Rule>, span: Span) -> Result<WithHeight<RawType>, Trouble> {
        if inner.as_rule() == Rule::ty {
            let mut ty = self.ty(inner)?;
            ty.node.span = span;
            return Ok(ty);
        }
        let kind = match inner.as_str() {
            "real" => RawTypeKind::Real,
            "int" => RawTypeKind::Int,
            "_" => RawTypeKind::Hole,
            _ => RawTypeKind::Name(self.binder(&inner)?.name),
        };
        self.tall(RawType { kind, span }, 0)
    }

    /// A size that stands alone or in parentheses.
    pub fn size_atom(&self, pair: Pair<'_, Rule>) -> Result<WithHeight<RawSize>, Trouble> {
        let span = self.span(&pair);
        let inner = first(pair);
        let kind = match inner.as_rule() {
            Rule::size => {
                let products = parts(inner).map(|p| self.size_product(p)).collect::<Result<Vec<_>, _>>()?;
                let mut size = self.to_the_left(products, RawSizeKind::Add)?;
                size.node.span = span;
                return Ok(size);
            }
            Rule::natural => RawSizeKind::Literal(self.natural(&inner)?),
            _ if inner.as_str() == "_" => RawSizeKind::Hole,
            _ => RawSizeKind::Name(self.binder(&inner)?.name),
        };
        self.tall(RawSize { kind, span }, 0)
    }

    fn size_product(&self, pair: Pair<'_, Rule>) -> Result<WithHeight<RawSize>, Trouble> {
        let atoms = parts(pair).map(|p| self.size_atom(p)).collect::<Result<Vec<_>, _>>()?;
        self.to_the_left(atoms, RawSizeKind::Mul)
    }

    fn to_the_left(
        &self,
        items: Vec<WithHeight<RawSize>>,
        join: fn(Box<RawSize>, Box<RawSize>) -> RawSizeKind,
    ) -> Result<WithHeight<RawSize>, Trouble> {
        self.joined(items, |left, right| RawSize {
            span: left.span.to(right.span),
            kind: join(Box::new(left), Box::new(right)),
        })
    }
}
