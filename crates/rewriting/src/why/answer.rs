//! Joins the answers to why in one type, `WhyAnswer`.

use super::growth::WorkGrowth;
use super::stage::WhyStage;
use super::step::WhyStep;
use super::why_not::WhyNot;
use redexter_language::ground::StopReason;

/// An answer to why, or to why not.
#[derive(Clone, Debug)]
pub enum WhyAnswer {
    /// Why there is a step.
    Step(WhyStep),
    /// Why a stage did nothing, or what it did.
    Stage(WhyStage),
    /// Why a rule doesn't apply.
    Not(WhyNot),
    /// Where work comes from.
    Growth(WorkGrowth),
}

impl WhyAnswer {
    /// The limit that ended the looking, if one did.
    pub fn stopped(&self) -> Option<&StopReason> {
        match self {
            WhyAnswer::Step(why) => why.stopped.as_ref(),
            WhyAnswer::Stage(why) => why.stopped.as_ref(),
            WhyAnswer::Not(why) => why.stopped.as_ref(),
            WhyAnswer::Growth(growth) => growth.stopped.as_ref(),
        }
    }
}
