//! Renders as JSON where a rule applies, or why it doesn't.

use serde_json::{Value, json};

use super::rule_text::{MAX_EXCERPT_CHARS, called, excerpt, via_words};
use redexter_language::ground::Name;
use redexter_language::term::{Path, Term};
use redexter_rewriting::rule::{ConditionFacts, RuleExplanation, RuleMismatch};
use redexter_rewriting::why::{NearMatch, Remedy, RuleAnswer};

/// Where a rule applies, or why it doesn't.
pub fn why_rule(answer: &RuleAnswer) -> Value {
    let json = WhyRuleJson { whole: &answer.program.term };
    json!({
        "rule": answer.rule,
        "laws": answer.laws,
        "conditions": answer.conditions,
        "at": answer.at.as_ref().map(|at| json.path(at)),
        "applies": answer.applies.iter().map(|redex| json!({
            "rule": redex.rule.to_string(),
            "path": json.path(&redex.path),
            "term": json.term(&redex.path, &redex.term),
        })).collect::<Vec<_>>(),
        "all": answer.all,
        "nearest": answer.nearest.iter().map(|near| json.near(near)).collect::<Vec<_>>(),
        "others": answer.others.iter().map(|(why, count)| json!({ "why": why, "places": count })).collect::<Vec<_>>(),
        "apart": answer.apart,
        "lacks": answer.lacks,
        "remedies": answer.remedies.iter().map(|remedy| json.remedy(remedy)).collect::<Vec<_>>(),
        "tried": answer.tried,
        "stopped": answer.stopped.as_ref().map(|reason| reason.to_string()),
    })
}

/// Writes what stands in a term, with addresses that can be typed back.
struct WhyRuleJson<'a> {
    whole: &'a Term,
}

impl WhyRuleJson<'_> {
    fn path(&self, path: &Path) -> String {
        path.address(self.whole)
    }

    fn called(&self, binder: &Path, hint: &Name) -> Name {
        called(self.whole, binder, hint)
    }

    fn paths(&self, paths: &[Path]) -> Vec<String> {
        paths.iter().map(|path| self.path(path)).collect()
    }

    fn term(&self, path: &Path, term: &Term) -> String {
        excerpt(self.whole, path, term, MAX_EXCERPT_CHARS)
    }

    fn near(&self, near: &NearMatch) -> Value {
        let RuleExplanation { law, matched, of, mismatch } = &near.explanation;
        json!({
            "rule": near.rule.to_string(),
            "path": self.path(&near.path),
            "term": self.term(&near.path, &near.term),
            "law": law.as_ref().map(|(number, text)| json!({ "number": number, "text": text })),
            "matched": matched,
            "of": of,
            "mismatch": self.mismatch(mismatch),
            "other": near.other.as_ref().map(|other| other.to_string()),
        })
    }

    fn mismatch(&self, mismatch: &RuleMismatch) -> Value {
        match mismatch {
            RuleMismatch::Form(form) => json!({
                "kind": "form",
                "wanted": form.piece,
                "noun": form.noun,
                "under": form.under,
                "path": self.path(&form.path),
                "found": self.term(&form.path, &form.found),
                "behind": form.behind.as_ref().map(|behind| json!({
                    "through": behind.through.iter().map(|via| via_words(self.whole, via)).collect::<Vec<_>>(),
                    "path": self.path(&behind.path),
                })),
            }),
            RuleMismatch::Captures(captures) => json!({
                "kind": "captures",
                "variable": captures.variable.as_str(),
                "path": self.path(&captures.path),
                "binder": [captures.binder.0.as_str(), self.called(&captures.bound, &captures.binder.1).as_str()],
                "bound": self.path(&captures.bound),
                "occurrences": self.paths(&captures.occurrences),
            }),
            RuleMismatch::Differs(differs) => json!({
                "kind": "differs",
                "variable": differs.variable.as_str(),
                "paths": self.paths(&differs.paths),
                "at": self.paths(&differs.at),
                "terms": ([0, 1].map(|k| self.term(&differs.at[k], &differs.terms[k]))),
            }),
            RuleMismatch::Size { law, wanted, found, path } => json!({
                "kind": "size",
                "law": law.to_string(),
                "wanted": wanted.as_ref().map(|size| size.to_string()),
                "found": found.to_string(),
                "path": self.path(path),
            }),
            RuleMismatch::Type { law, wanted, found, path } => json!({
                "kind": "type",
                "law": law.to_string(),
                "wanted": wanted.as_ref().map(|ty| ty.to_string()),
                "found": found.to_string(),
                "path": self.path(path),
            }),
            RuleMismatch::Bound { size, value, least, wanted } => json!({
                "kind": "bound",
                "size": size.as_str(),
                "value": value.to_string(),
                "least": least,
                "wanted": wanted,
            }),
            RuleMismatch::Condition(facts) => self.facts(facts),
            RuleMismatch::Words(words) => json!({ "kind": "words", "words": words }),
            RuleMismatch::Within { words, path, found } => {
                json!({ "kind": "words", "words": words, "path": self.path(path), "found": self.term(path, found) })
            }
            RuleMismatch::TooLarge => json!({ "kind": "too large" }),
            RuleMismatch::Unchanged => json!({ "kind": "unchanged" }),
        }
    }

    fn facts(&self, facts: &ConditionFacts) -> Value {
        json!({
            "kind": "condition",
            "condition": facts.condition,
            "meaning": facts.meaning,
            "numbers": facts.numbers.iter().map(|(text, size)| json!({
                "what": text,
                "is": size.as_ref().map(|size| size.to_string()),
            })).collect::<Vec<_>>(),
            "terms": facts.terms.iter().map(|(name, path, term)| json!({
                "variable": name.as_str(),
                "path": self.path(path),
                "term": self.term(path, term),
            })).collect::<Vec<_>>(),
            "occurrences": facts.occurrences.iter().map(|all| json!({
                "variable": all.variable.as_str(),
                "name": self.called(&all.bound, &all.name).as_str(),
                "bound": self.path(&all.bound),
                "count": all.count,
                "places": self.paths(&all.places),
                "looped": all.looped,
            })).collect::<Vec<_>>(),
            "around": facts.around.as_ref().map(|around| around.iter().map(|binder| json!({
                "name": self.called(&binder.path, &binder.name).as_str(),
                "path": self.path(&binder.path),
                "counts": binder.counts,
                "parameter": binder.parameter,
            })).collect::<Vec<_>>()),
        })
    }

    fn remedy(&self, remedy: &Remedy) -> Value {
        let after = remedy.redex.rewrite(self.whole);
        let path = remedy.path.address(after.as_ref().unwrap_or(self.whole));
        json!({
            "rule": remedy.redex.rule.to_string(),
            "path": self.path(&remedy.redex.path),
            "near": self.path(&remedy.near),
            "then": { "rule": remedy.rule.to_string(), "path": path },
            "costs": remedy.costs,
        })
    }
}
