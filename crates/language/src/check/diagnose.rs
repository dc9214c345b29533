//! Builds the checker's diagnostics, one function per finding, wherever it is found. It knows no state of the checker.

use crate::ad::AdError;
use crate::ground::name::did_you_mean;
use crate::ground::{Diagnostic, DiagnosticCode, Label, Name, Span, Trouble, code};
use crate::term::{Kind, RangeEnd, RangeGap, Size, Term, Type, TypeView};

pub(super) fn too_large(span: Span) -> Diagnostic {
    Diagnostic::error(code::SIZE_TOO_LARGE, "a size is too large")
        .at(span, "needs a size beyond 2^63-1, or one with too many terms or factors")
        .help("use smaller sizes")
}

pub(super) fn ad(span: Span, error: &AdError) -> Diagnostic {
    let found = |headline: String, label: &str, help: &str| {
        Diagnostic::error(code::NOT_DIFFERENTIABLE, headline).at(span, label).help(help)
    };
    match error {
        AdError::NotDifferentiable(op) => found(
            format!("`{}` is not differentiable", op.text()),
            "D is taken of a function that uses it",
            "differentiate a function that doesn't use it",
        ),
        AdError::TypeVariable(ty) => found(
            format!("D of the type `{ty}` isn't known"),
            "D is taken here",
            "write the type that it is used at, such as `real`, in place of the type parameter",
        ),
        AdError::FreeFunction { .. } => unknown_static(span, "depends on a function that isn't known here"),
        AdError::TooManyParts(_) | AdError::IllTyped(_) | AdError::Stopped(_) => {
            found("D can't be taken here".into(), &error.to_string(), "take D of something smaller")
        }
    }
}

/// A function that is to be transposed, but isn't linear in `x` here, or isn't written out. What holds the place together with
/// what is linear is taken apart by a rule.
pub(super) fn not_linear(span: Span, x: Option<(&Name, Option<&Term>)>) -> Diagnostic {
    let found = Diagnostic::error(code::NOT_LINEAR, "what `pull` transposes is linear");
    match x {
        Some((x, holder)) => {
            let found = found.at(span, format!("isn't linear in `{x}`"));
            match holder.and_then(separating_rule) {
                Some(rule) => found.help(format!(
                    "a pair holds it beside what is linear: apply `fastGradient.linearise` (here `{rule}`) to `fun {x} => …` alone, and `pull` what \
                     comes of it"
                )),
                None => found.help(format!(
                    "linear are `{x}`, 0, sums of such, and a product of one with what doesn't mention `{x}`"
                )),
            }
        }
        None => found.at(span, "isn't written out").help("write the function: `pull (fun d => …) w`"),
    }
}

/// The rule that takes the pairs of such a term apart.
fn separating_rule(holder: &Term) -> Option<&'static str> {
    match holder.kind() {
        Kind::Ifold(_) => Some("ifoldUnzip` or `ifoldScan"),
        Kind::Scan(_) | Kind::Scanr(_) => Some("scanUnzip"),
        Kind::Let(_) => Some("letUnzip"),
        Kind::Fst => Some("fstPair"),
        Kind::Snd => Some("sndPair"),
        _ => None,
    }
}

/// A derivative by more reals, or of more, than can be written one by one.
pub(super) fn too_many_reals(span: Span, most: u64) -> Diagnostic {
    Diagnostic::error(code::NOT_DIFFERENTIABLE, "derivatives go by a moderate number of reals outside of arrays")
        .at(span, format!("the type has more than {most}"))
        .help("put the numbers into an array")
}

/// A derivative by something, or of something, that isn't made of reals.
pub(super) fn no_slope(span: Span, part: &Type) -> Diagnostic {
    let help = match part.view() {
        TypeView::Int => "count with `int`, and let a `real` change: `fun x => f x k` leaves `k` as it is",
        TypeView::Fin(_) => "an index doesn't change a little: `fun x => f x i` leaves `i` as it is",
        _ => "take it by the numbers that the function is made of, not by the function",
    };
    Diagnostic::error(code::NOT_DIFFERENTIABLE, format!("derivatives go by reals, not by `{part}`"))
        .at(span, format!("is used where `{part}` would have to change a little"))
        .help(help)
}

/// Something that isn't made of reals, where values are added up.
pub(super) fn no_sum(span: Span, ty: &Type) -> Diagnostic {
    let help = match ty.view() {
        TypeView::Int | TypeView::Fin(_) => "make a `real` of it: `real v`",
        _ => "a value is a `real`, or pairs and arrays of them",
    };
    Diagnostic::error(code::BAD_OPERANDS, "`scatter`, `plus` and `pull` add values that are made of reals")
        .at(span, format!("gives values of type `{ty}`"))
        .help(help)
}

pub(super) fn unknown_static(span: Span, what: &str) -> Diagnostic {
    Diagnostic::error(code::UNKNOWN_STATIC, "a function under D must be known while the model is read")
        .at(span, what)
        .help("what unfolds: a λ, a definition, a primitive, a let-bound λ or a partial application")
}

pub(super) fn kept_function(span: Span, ty: &Type) -> Diagnostic {
    Diagnostic::error(code::MISMATCH, format!("`keep` takes what is computed, found `{ty}`"))
        .at(span, "keeps a function, which computes nothing by itself")
        .help("write `keep` in its body: `fun x => keep (…)`")
}

/// Puts the use of a definition before what went wrong inside it as it unfolded: that is the caller's doing.
pub(super) fn called(trouble: Trouble, span: Span, name: &Name) -> Trouble {
    let Trouble::Wrong(mut all) = trouble else { return trouble };
    for d in &mut all {
        let primary = d.labels.iter().position(|l| l.primary);
        let inside = primary.map(|k| Label { primary: false, ..d.labels.remove(k) });
        d.labels.retain(|l| !l.message.starts_with("in this use"));
        d.labels.insert(0, Label { span, message: format!("in this use of `{name}`"), primary: true });
        d.labels.extend(inside.filter(|l| !l.message.starts_with("in this use")));
    }
    Trouble::Wrong(all)
}

pub(super) fn bad_number(span: Span, why: &str, help: &str) -> Diagnostic {
    Diagnostic::error(code::BAD_NUMBER, "this number can't be represented").at(span, why).help(help)
}

pub(super) fn undetermined(span: Span, what: &str) -> Diagnostic {
    Diagnostic::error(code::UNDETERMINED, format!("{what} can't be inferred"))
        .at(span, "nothing decides it")
        .help("write the type, as in `(e : array 3 real)` or `fun (x : real) => …`")
}

/// Sizes that are known only together, as a sum or a product.
pub(super) fn undetermined_sizes(span: Span) -> Diagnostic {
    Diagnostic::error(code::UNDETERMINED, "a size can't be inferred")
        .at(span, "a sum or product of sizes doesn't say what each of them is")
        .help(
            "give what is used here one size for the whole, as in `{m} (x : array m real)`, or one more parameter, whose type has \
             such a size alone, as in `{n k} (first : array n real) (x : array (n + k) real)`",
        )
}

/// A parameter of a `fun` whose type nothing decides.
pub(super) fn untyped(span: Span, name: &Name, ty: &str) -> Diagnostic {
    Diagnostic::error(code::UNDETERMINED, format!("the type of `{name}` can't be inferred"))
        .at(
            span,
            if ty == "_" { "nothing decides it".to_owned() } else { format!("nothing decides the `_` of `{ty}`") },
        )
        .help(format!("write it: `fun ({name} : real) => …`, or another type"))
}

pub(super) fn fin_too_large(span: Span, c: u64, n: &Size) -> Diagnostic {
    let headline = match n.as_literal() {
        Some(n) => format!("the index {c} is not below {n}"),
        None => format!("the index {c} is not below `{n}` for every size"),
    };
    let d = Diagnostic::error(code::FIN_TOO_LARGE, headline).at(span, format!("has type `{}`", Type::fin(n.clone())));
    match (n.as_literal(), n.as_atom()) {
        (Some(0), _) => d.help("there is no index below 0: the array is empty"),
        (Some(1), _) => d.help("the only index below 1 is 0"),
        (Some(k), _) => d.help(format!("use a number from 0 to {}", k - 1)),
        (None, Some(_)) => d.help(format!("ask for a lower bound: `{{{n} >= {}}}`", c.saturating_add(1))),
        (None, None) => d.help(format!("ask for lower bounds that make `{n}` at least {}", c.saturating_add(1))),
    }
}

/// A computed index that can't be shown to be below a size.
pub(super) fn not_shown(span: Span, n: &Size, gap: &RangeGap) -> Diagnostic {
    let missing = match gap.of {
        RangeEnd::Number => format!("it can be `{gap}`, which may be negative"),
        RangeEnd::Room => format!("what it lacks to the last one can be `{gap}`, which may be negative"),
        RangeEnd::Divisor => "it is divided by what may be 0".to_owned(),
    };
    let d = Diagnostic::error(code::RANGE_NOT_SHOWN, "this index isn't shown to be in range")
        .at(span, format!("has to be from 0 and below `{n}`: {missing}"));
    let d = match gap.lacking() {
        Some((size, least)) => match size.as_atom() {
            Some(_) => d.help(format!("ask for a lower bound: `{{{size} >= {least}}}`")),
            None => d.help(format!("ask for lower bounds that make `{size}` at least {least}")),
        },
        None => d,
    };
    d.help(format!("use an index of type `{}`, or make the array longer", Type::fin(n.clone())))
        .help("say what stands where there is no element: `v[i - 1 else 0]`")
}

pub(super) fn below_bound(span: Span, n: &Size, lower: u64, what: &str) -> Diagnostic {
    let headline = match n.as_literal() {
        Some(n) => format!("the size {n} is below {lower}"),
        None => format!("the size `{n}` may be below {lower}"),
    };
    let d = Diagnostic::error(code::BELOW_BOUND, headline).at(span, what);
    match n.as_atom() {
        Some(_) => d.help(format!("ask for it: `{{{n} >= {lower}}}`")),
        None => d.help(format!("a size of at least {lower} is needed")),
    }
}

/// A name that isn't known, with the nearest one that is.
pub(super) fn unknown<'a>(
    code: DiagnosticCode,
    what: &str,
    name: &str,
    span: Span,
    known: impl IntoIterator<Item = &'a str>,
    otherwise: impl Into<String>,
) -> Diagnostic {
    let d = Diagnostic::error(code, format!("unknown {what} `{name}`")).at(span, "not known here");
    d.help(did_you_mean(name, known).unwrap_or_else(|| otherwise.into()))
}

/// A name that nothing binds and nothing says to be a size.
pub(super) fn guessed(name: &Name, span: Span) -> Diagnostic {
    Diagnostic::warning(code::GUESSED_SIZE, format!("`{name}` is taken for a size"))
        .at(span, "nothing binds it")
        .help(format!("make it a parameter: `fun ({name} : real) => …`; a size is also written in a type"))
}

/// A term that the checker accepted can't be made: the checker and the term language disagree.
pub(super) fn bug(span: Span, what: impl ToString) -> Diagnostic {
    Diagnostic::error(code::INTERNAL, "redexter accepted this and then could not make the term")
        .at(span, what.to_string())
        .help("this is a bug in redexter: please report it with the model")
}
