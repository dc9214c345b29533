//! Spells users' names in the letters that names of every target may have, and keeps apart what would be spelled alike.

use rustc_hash::FxHashSet;

/// Letters outside ASCII that have a usual spelling.
#[rustfmt::skip]
const SPELLED: &[(char, &str)] = &[
    ('α', "alpha"), ('β', "beta"), ('γ', "gamma"), ('δ', "delta"), ('ε', "epsilon"), ('ζ', "zeta"), ('η', "eta"),
    ('θ', "theta"), ('κ', "kappa"), ('λ', "lambda"), ('μ', "mu"), ('ν', "nu"), ('ξ', "xi"), ('π', "pi"),
    ('ρ', "rho"), ('σ', "sigma"), ('τ', "tau"), ('φ', "phi"), ('χ', "chi"), ('ψ', "psi"), ('ω', "omega"),
    ('Δ', "Delta"), ('Σ', "Sigma"), ('Φ', "Phi"), ('Ψ', "Psi"), ('Ω', "Omega"), ('∂', "d"),
    ('₀', "0"), ('₁', "1"), ('₂', "2"), ('₃', "3"), ('₄', "4"), ('₅', "5"), ('₆', "6"), ('₇', "7"), ('₈', "8"),
    ('₉', "9"),
];

/// A name of ASCII letters, digits and `_` that begins with a letter; a prime is spelled as asked for, and a letter that has
/// no usual spelling by its number.
pub(super) fn spelled(text: &str, prime: &str) -> String {
    let mut name = String::new();
    for c in text.chars() {
        match SPELLED.iter().find(|(letter, _)| *letter == c) {
            Some((_, spelled)) => name.push_str(spelled),
            None if c.is_ascii_alphanumeric() => name.push(c),
            None if c == '\'' => name.push_str(prime),
            None if c.is_alphanumeric() => name += &format!("u{:x}", u32::from(c)),
            None => name.push('_'),
        }
    }
    let bare = name.trim_start_matches(['_', '\'']);
    match bare.chars().next() {
        Some(c) if c.is_ascii_alphabetic() => bare.to_owned(),
        _ => format!("x{bare}"),
    }
}

/// Names that are given out once each.
#[derive(Default)]
pub(super) struct UniqueNames(FxHashSet<String>);

impl UniqueNames {
    /// One that holds these already.
    pub(super) fn without(taken: impl IntoIterator<Item = String>) -> UniqueNames {
        UniqueNames(taken.into_iter().collect())
    }

    /// `base`, else `base` with the least number for which neither it nor it with one of these ends was given out; the ends go
    /// with it.
    pub(super) fn with_ends(&mut self, base: &str, ends: &[&str]) -> String {
        let all = std::iter::once(base.to_owned()).chain((2u64..).map(|k| format!("{base}_{k}")));
        let own = |name: &str| -> Vec<String> {
            std::iter::once("").chain(ends.iter().copied()).map(|end| format!("{name}{end}")).collect()
        };
        let free = all.into_iter().find(|name| own(name).iter().all(|one| !self.0.contains(one)));
        let name = free.unwrap_or_else(|| base.to_owned());
        self.0.extend(own(&name));
        name
    }

    /// The same without ends.
    pub(super) fn one(&mut self, base: &str) -> String {
        self.with_ends(base, &[])
    }
}
