//! Escapes text for TeX: whatever stands in it, none of it is a command.

/// Prose.
pub(super) fn prose(text: &str) -> String {
    text.chars().map(in_text).collect()
}

/// Code in a line, which may break between words.
pub(super) fn typewritten(text: &str) -> String {
    format!("\\texttt{{{}}}", text.split_whitespace().map(prose).collect::<Vec<_>>().join(" "))
}

fn in_text(c: char) -> String {
    match c {
        '\\' => "\\textbackslash{}".to_owned(),
        '{' | '}' | '$' | '&' | '#' | '%' | '_' => format!("\\{c}"),
        '~' => "\\textasciitilde{}".to_owned(),
        '^' => "\\textasciicircum{}".to_owned(),
        '<' => "\\textless{}".to_owned(),
        '>' => "\\textgreater{}".to_owned(),
        '|' => "\\textbar{}".to_owned(),
        // In a group of its own: two hyphens in a row would become a dash.
        '-' => "{-}".to_owned(),
        '`' => "\\textasciigrave{}".to_owned(),
        '\'' => "\\textquotesingle{}".to_owned(),
        '"' => "\\textquotedbl{}".to_owned(),
        '.' => ".\\allowbreak{}".to_owned(),
        c if c.is_ascii_graphic() || c == ' ' => c.to_string(),
        c => match symbol(c) {
            Some(symbol) => format!("${symbol}$"),
            None => unusual(c),
        },
    }
}

/// The name of a variable or a size: its digits at the end below it, its primes behind it.
pub(super) fn identifier(name: &str) -> String {
    let stem = name.trim_end_matches('\'');
    let primes = &name[stem.len()..];
    let word = stem.trim_end_matches(|c: char| c.is_ascii_digit());
    let (word, digits) = if word.is_empty() { (stem, "") } else { (word, &stem[word.len()..]) };
    let set = match word.chars().count() {
        1 => math(word),
        _ => format!("\\mathit{{{}}}", math(word)),
    };
    let below = if digits.is_empty() { String::new() } else { format!("_{{{digits}}}") };
    format!("{set}{below}{primes}")
}

/// A formula, or a piece of one.
pub(super) fn math(text: &str) -> String {
    text.chars().map(in_math).collect()
}

fn in_math(c: char) -> String {
    const RAISED: &str = "⁰¹²³⁴⁵⁶⁷⁸⁹";
    match c {
        '{' | '}' | '$' | '&' | '#' | '%' | '_' => format!("\\{c}"),
        '\\' => "\\backslash ".to_owned(),
        '~' => "\\sim ".to_owned(),
        '^' => "\\hat{}".to_owned(),
        ' ' => "~".to_owned(),
        '…' => "\\dots ".to_owned(),
        // In groups of their own, TeX adds no space to them as to punctuation.
        '!' => "{!}".to_owned(),
        ',' => "{,}".to_owned(),
        c if c.is_ascii_graphic() => c.to_string(),
        c => match (RAISED.chars().position(|digit| digit == c), symbol(c)) {
            (Some(digit), _) => format!("{{}}^{{{digit}}}"),
            (None, Some(symbol)) => format!("{symbol} "),
            (None, None) => format!("\\text{{{}}}", unusual(c)),
        },
    }
}

/// The command of a character that has one in mathematics.
fn symbol(c: char) -> Option<String> {
    const COMMANDS: &str = "α alpha β beta γ gamma δ delta ε varepsilon ζ zeta η eta θ theta ι iota κ kappa λ lambda μ mu ν nu ξ \
        xi π pi ρ rho ς varsigma σ sigma τ tau υ upsilon φ varphi χ chi ψ psi ω omega Γ Gamma Δ Delta Θ \
        Theta Λ Lambda Ξ Xi Π Pi Σ Sigma Φ Phi Ψ Psi Ω Omega → to · cdot × times ⊕ oplus \
        ⊖ ominus ⊗ otimes ⊘ oslash";
    let mut words = COMMANDS.split_whitespace();
    words.find(|word| word.starts_with(c))?;
    words.next().map(|name| format!("\\{name}"))
}

/// A character that not every font has: letters of Latin scripts as they are, others by their number.
fn unusual(c: char) -> String {
    match c {
        'À'..='ÿ' | 'Ā'..='ſ' => c.to_string(),
        '…' => "\\dots{}".to_owned(),
        c if c.is_whitespace() => " ".to_owned(),
        c => format!("[U+{:04X}]", c as u32),
    }
}
