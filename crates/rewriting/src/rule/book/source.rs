//! Names the papers that rules of the book come from.

use super::super::info::{RuleInfo, RuleOrigin};

/// The paper that redexter follows.
const PAPER: &str = "Böhler, Richter and Mezini, FTfJP 2023: the paper that Redexter follows";

/// The rules that this paper builds on.
const PUBLISHED: &str =
    "Shaikhha, Fitzgibbon, Vytiniotis and Peyton Jones, ICFP 2019: the rules that the paper builds on";

/// Who published which rules; those that move something out of any place have a name for each place.
const SOURCES: &[(&str, &[&str])] = &[
    (PAPER, &["getBuild", "letSubst", "letSubstN"]),
    (
        PUBLISHED,
        &[
            "beta",
            "letDead",
            "letLet",
            "letCse",
            "letSwap",
            "letFloat",
            "addZero",
            "mulOne",
            "mulZero",
            "subSelf",
            "factor",
            "distribute",
            "ifTrue",
            "ifFalse",
            "ifSame",
            "ifKnown",
            "ifFloat",
            "ifoldZero",
            "ifoldPeel",
            "ifoldConst",
            "ifoldOneHot",
            "fstPair",
            "sndPair",
            "ifoldFission",
        ],
    ),
];

/// Who published a rule of the book; `None` of a user's.
pub fn source(info: &RuleInfo) -> Option<&'static str> {
    let name = info.name.as_str();
    // The list names rules without a direction, since both directions come from one source.
    let name = name.strip_suffix(".reverse").unwrap_or(name);
    let published = SOURCES.iter().find(|(_, names)| names.contains(&name)).map(|(source, _)| *source);
    (info.origin == RuleOrigin::Book).then(|| published.unwrap_or("Redexter's own"))
}
