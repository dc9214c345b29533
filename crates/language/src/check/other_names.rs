//! Translates foreign names: those that functions of the prelude have in other languages, and those that they or the paper
//! give to what has a form of its own here.

/// Names there, and here.
const NAMES: &[(&str, &str)] = &[
    ("total", "sum"),
    ("prod", "product"),
    ("average", "mean"),
    ("var", "variance"),
    ("sorted", "sort"),
    ("arange", "range"),
    ("eye", "identity"),
    ("diag", "diagonal"),
    ("select", "where"),
    ("log_softmax", "logSoftmax"),
    ("logsoftmax", "logSoftmax"),
    ("map", "vectorMap"),
    ("fmap", "vectorMap"),
    ("zipWith", "vectorMap2"),
    ("map2", "vectorMap2"),
    ("inner", "dot"),
    ("scale", "vectorSMul"),
    ("fill", "replicate"),
    ("full", "replicate"),
    ("maximum", "vectorMax"),
    ("amax", "vectorMax"),
    ("minimum", "vectorMin"),
    ("amin", "vectorMin"),
    ("logsumexp", "logSumExp"),
    ("logaddexp", "logAddExp"),
    ("onehot", "oneHot"),
    ("one_hot", "oneHot"),
    ("matvec", "matrixVectorMul"),
    ("outer", "outerProduct"),
    ("gradient", "grad"),
    ("jacobi", "jacobian"),
    ("head", "first"),
    ("flip", "reverse"),
    ("rev", "reverse"),
    ("concatenate", "concat"),
    ("snoc", "append"),
    ("ravel", "flatten"),
    ("unflatten", "reshape"),
    ("sliding_window_view", "windows"),
    ("dynamic_slice", "slice"),
    ("derivative", "deriv"),
];

/// Names of the paper, and there, for what has a form of its own here.
const FORMS: &[(&str, &str)] = &[
    ("mkpair", "a pair is written `(a, b)`"),
    ("geti", "an element is written `v[i]`"),
    ("addInt", "write `a + b`: one operator adds reals and integers"),
    ("fromInt", "write `real i`"),
    ("len", "the size is in the type: that of `v : array n real` is `n`, as a term an `int`"),
    ("length", "the size is in the type: that of `v : array n real` is `n`, as a term an `int`"),
    ("shape", "sizes are in the type: those of `a : array n (array m real)` are `n` and `m`, as terms `int`s"),
    ("isnan", "only NaN is unequal to itself: `x != x`"),
    ("isNaN", "only NaN is unequal to itself: `x != x`"),
    ("isinf", "only infinities are above all numbers: `abs x > 1.7976931348623157e308`"),
    ("isfinite", "finite numbers are not above the largest: `abs x <= 1.7976931348623157e308`"),
    ("fold", "write `ifold n (fun acc i => …) z`: the function takes what is folded so far, and an index"),
    ("reduce", "write `ifold n (fun acc i => …) z`: the function takes what is folded so far, and an index"),
    ("foldl", "write `ifold n (fun acc i => …) z`: the function takes what is folded so far, and an index"),
    ("true", "truth is an `int`: write 1, or a comparison"),
    ("True", "truth is an `int`: write 1, or a comparison"),
    ("false", "truth is an `int`: write 0, or a comparison"),
    ("False", "truth is an `int`: write 0, or a comparison"),
    ("diff", "`D e` is the dual-numbers transformation of e, `deriv f x` the derivative of f at x"),
];

/// The name here of a function that has this name in other languages.
pub(super) fn ours(name: &str) -> Option<&'static str> {
    NAMES.iter().find(|(there, _)| *there == name).map(|(_, ours)| *ours)
}

/// The notation here of what has this name in the paper or in other languages.
pub(super) fn form(name: &str) -> Option<&'static str> {
    FORMS.iter().find(|(there, _)| *there == name).map(|(_, form)| *form)
}

/// The notation here of a truth value of other languages, which nobody means as the name of a pattern variable.
pub(super) fn truth(name: &str) -> Option<&'static str> {
    form(name).filter(|form| form.starts_with("truth "))
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
