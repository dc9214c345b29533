//! Translates foreign names: those that functions of the prelude have in other languages, and those that the paper gives to
//! constructs of this one.

/// Names there, and here.
const NAMES: &[(&str, &str)] = &[
    ("sum", "vectorSum"),
    ("total", "vectorSum"),
    ("map", "vectorMap"),
    ("fmap", "vectorMap"),
    ("zipWith", "vectorMap2"),
    ("map2", "vectorMap2"),
    ("dot", "vectorDot"),
    ("inner", "vectorDot"),
    ("norm", "vectorNorm"),
    ("scale", "vectorSMul"),
    ("fill", "vectorFill"),
    ("replicate", "vectorFill"),
    ("full", "vectorFill"),
    ("maximum", "vectorMax"),
    ("amax", "vectorMax"),
    ("minimum", "vectorMin"),
    ("amin", "vectorMin"),
    ("logsumexp", "logSumExp"),
    ("logaddexp", "logAddExp"),
    ("onehot", "oneHot"),
    ("one_hot", "oneHot"),
    ("transpose", "matrixTranspose"),
    ("matmul", "matrixMul"),
    ("matvec", "matrixVectorMul"),
    ("outer", "outerProduct"),
    ("gradient", "grad"),
    ("jacobi", "jacobian"),
    ("derivative", "deriv"),
];

/// Names of the paper for what has a form of its own here.
const FORMS: &[(&str, &str)] = &[
    ("mkpair", "a pair is written `(a, b)`"),
    ("geti", "an element is written `v[i]`"),
    ("addInt", "write `a + b`: one operator adds reals and integers"),
    ("fromInt", "write `real i`"),
    ("diff", "`D e` is the dual-numbers transformation of e, `deriv f x` the derivative of f at x"),
];

/// The name here of a function that has this name in other languages.
pub(super) fn ours(name: &str) -> Option<&'static str> {
    NAMES.iter().find(|(there, _)| *there == name).map(|(_, ours)| *ours)
}

/// The notation here of what has this name in the paper.
pub(super) fn form(name: &str) -> Option<&'static str> {
    FORMS.iter().find(|(there, _)| *there == name).map(|(_, form)| *form)
}

#[cfg(test)]
mod tests {
    use super::NAMES;
    use crate::shipped::PRELUDE;

    #[test]
    fn each_name_here_is_one_of_the_prelude() {
        for (there, ours) in NAMES {
            assert!(PRELUDE.contains(&format!("def {ours} ")), "{there}: {ours}");
            assert!(!PRELUDE.contains(&format!("def {there} ")), "{there}");
        }
    }
}
