//! Lists left sides on which rules written as text are tested besides their laws: those that ask about their place, in such a
//! place, and those that ask what a part costs, or whether it is a number, with such a part.

/// Left sides in the notation of rules, by the rule's name: most below a build whose variable is compared with one further in.
const PLACED: &[(&str, &[&str])] = &[
    (
        "letSubstTangent",
        &[
            "build n (fun p => let t := ifold n (fun a j => a + (if p = j then f(j) else 0)) 0; b(p, t))",
            "build n (fun p => let t := build n (fun j => if p = j then f(j) else g(p)); b(p, t))",
            "build n (fun p => let t := c(p); ifold n (fun a j => if p = j then f(p, j, t) else a) z)",
        ],
    ),
    (
        "letBranch",
        &[
            "build n (fun p => ifold n (fun a j => a + (if c(j) then (let x := (if p = j then f(j) else 0); b(j, x)) else 0)) 0)",
            "build n (fun p => ifold n (fun a j => a + (if c(j) then g(j) else (let x := (if p = j then f(j) else 0); b(j, x)))) 0)",
        ],
    ),
    (
        "letCompare",
        &[
            "let t := build n (fun i => build n (fun j => i = j)); b(t)",
            "let t := build n (fun i => build n (fun j => if i = j then 1 else 0)); b(t)",
            "let t := build n (fun i => build n (fun j => i < j)); b(t)",
            "let t := build n (fun i => build n (fun j => j < i)); b(t)",
        ],
    ),
    ("mulNumbers", &["2 * (3 * x)", "2 * (0.5 * x * y)", "0.5 * (4 / x)"]),
    (
        "ifSplit",
        &[
            "build n (fun p => ifold n (fun a j => a + (if p = j then f(p, j) else g(p, j))) z)",
            "build n (fun p => ifold n (fun a j => a + (if c(j) then f(p, j) else (if p != j then g(p, j) else h(j)))) 0)",
        ],
    ),
    (
        "ifFloatMul",
        &[
            "build n (fun p => ifold n (fun a j => a + e(p, j) * (if p = j then f(j) else 0)) 0)",
            "build n (fun p => ifold n (fun a j => a + (if p = j then f(j) else 0) * e(p, j)) 0)",
            "build n (fun p => ifold n (fun a j => a + (if p = j then f(j) else 0) / e(p, j)) 0)",
            "build n (fun p => ifold n (fun a j => a + -(if p = j then f(j) else 0)) 0)",
            "build n (fun p => ifold n (fun a j => a + e(p, j) * (if k : fin m := c(p, j) then (if p = j then f(j, k) else 0) else 0)) 0)",
        ],
    ),
    (
        "ifSplitSum",
        &[
            "build n (fun p => ifold n (fun a j => a + (if c(j) then (if p = j then f(j) else 0) + b(p, j) else 0)) 0)",
            "build n (fun p => ifold n (fun a j => a + (if c(p, j) then b(p, j) + (if p = j then f(j) else 0) else 0)) 0)",
            "build n (fun p => ifold n (fun a j => a + (if c(p, j) then b(p, j) - (if p = j then f(j) else 0) else 0)) 0)",
        ],
    ),
    (
        "guardFloatIf",
        &[
            "build n (fun p => ifold n (fun a j => a + (if k : fin m := c(j) then (if p = j then f(j, k) else 0) else 0)) 0)",
            "build n (fun p => ifold n (fun a j => a + (if k : fin m := c(j) then 0 else (if p = j then f(j) else 0))) 0)",
        ],
    ),
    (
        "ifoldSplitOneHot",
        &[
            "build n (fun p => ifold n (fun a j => a + ((if p = j then f(j) else 0) + g(p, j))) 0)",
            "build n (fun p => ifold n (fun a j => a + (g(p, j) - (if p = j then f(j) else 0))) 0)",
        ],
    ),
    (
        "distributeOneHot",
        &[
            "build n (fun p => ifold n (fun a j => a + e(p, j) * ((if p = j then f(j) else 0) + g(p, j))) 0)",
            "build n (fun p => ifold n (fun a j => a + (g(p, j) - (if p = j then f(j) else 0)) * e(p, j)) 0)",
            "build n (fun p => ifold n (fun a j => a + ((if p = j then f(j) else 0) + g(p, j)) / e(p, j)) 0)",
            "build n (fun p => ifold n (fun a j => a + (-((if p = j then f(j) else 0) + g(p, j)))) 0)",
        ],
    ),
];

/// The left sides for a rule with this name.
pub(super) fn of(name: &str) -> &'static [&'static str] {
    PLACED.iter().find(|(placed, _)| *placed == name).map_or(&[], |(_, all)| all)
}
