//! Defines what inputs that aren't written as JSON must answer.

use std::collections::BTreeSet;

use super::inputs::missing;
use super::parameters::Parameter;
use super::sizes::{Sizes, undetermined};
use super::value::Value;
use crate::ground::{Budget, Diagnostic, Name, Trouble};
use crate::term::Size;

/// Inputs that aren't written as JSON.
pub trait ExternalInputs {
    /// The parameters that there is one for, by name; and names of sizes.
    fn names(&self) -> BTreeSet<Name>;

    /// The value of a size among these names, and where it stands.
    fn size(&self, name: &Name) -> Result<(u64, String), Diagnostic>;

    /// The lengths of the input for a parameter among these names, each beside the size that the type has there and with its
    /// place. An input that fits its type at no sizes is refused.
    fn lengths(&self, parameter: &Parameter) -> Result<Vec<(Size, u64, String)>, Trouble>;

    /// The input for a parameter, of its type at these sizes.
    fn value(&self, parameter: &Parameter, sizes: &Sizes, budget: &Budget) -> Result<Value, Trouble>;
}

/// Nothing comes from elsewhere.
pub(super) struct NoExternalInputs;

impl ExternalInputs for NoExternalInputs {
    fn names(&self) -> BTreeSet<Name> {
        BTreeSet::new()
    }

    fn size(&self, name: &Name) -> Result<(u64, String), Diagnostic> {
        Err(undetermined(name))
    }

    fn lengths(&self, _: &Parameter) -> Result<Vec<(Size, u64, String)>, Trouble> {
        Ok(Vec::new())
    }

    fn value(&self, parameter: &Parameter, _: &Sizes, _: &Budget) -> Result<Value, Trouble> {
        Err(missing(parameter).into())
    }
}
