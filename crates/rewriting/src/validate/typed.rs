//! Works types out anew, from the leaves up, each node once however many terms hold it.

use rustc_hash::FxHashSet;

use redexter_language::ground::{Budget, StopReason};
use redexter_language::term::{Kind, Node, Term, View};

/// Nodes whose types are right.
#[derive(Default)]
pub(super) struct TypingCheck {
    right: FxHashSet<*const Node>,
    /// What was checked stays, so that no other node comes to stand in the place of one of those.
    held: Vec<Term>,
}

impl TypingCheck {
    /// Whether the term and all below it have the types that their parts give them; what is wrong if not.
    pub(super) fn check(&mut self, term: &Term, budget: &Budget) -> Result<Result<(), String>, StopReason> {
        self.held.push(term.clone());
        let mut waiting = vec![(term.clone(), false)];
        while let Some((here, kids_are_right)) = waiting.pop() {
            budget.tick()?;
            let node: *const Node = &*here;
            if self.right.contains(&node) {
                continue;
            }
            if !kids_are_right {
                let kids = here.kids();
                waiting.push((here, true));
                waiting.extend(kids.into_iter().map(|kid| (kid, false)));
                continue;
            }
            if let Err(why) = anew(&here) {
                return Ok(Err(why));
            }
            self.right.insert(node);
        }
        Ok(Ok(()))
    }
}

/// Makes the term again of its children.
fn anew(term: &Term) -> Result<(), String> {
    if let Kind::Var = term.kind() {
        return Ok(());
    }
    let made = Term::of(term.kind(), term.kids()).map_err(|why| format!("an ill-typed term: {why}"))?;
    if let View::Pull(f, _) = term.view()
        && let View::Lam(name, _, body) = f.view()
        && body.linear_in(0).is_err()
    {
        return Err(format!("a `pull` of what isn't linear in `{name}`"));
    }
    match made.ty() == term.ty() {
        true => Ok(()),
        false => Err(format!("a term of type {} where its parts make one of type {}", term.ty(), made.ty())),
    }
}
