//! Looks for what a law wants behind something else: in the body of a `let`, in a branch, or at what a variable is bound to.

use redexter_language::term::{Kind, Term};

use super::super::condition::way;
use super::super::explanation::{HiddenMatch, HidingConstruct};
use super::super::focus::{Focus, Frame};

/// It isn't looked for behind more things than these, since each `if` doubles the ways to go.
const MAX_BARRIERS: usize = 12;

/// Where what is wanted stands behind `found`, which stands `within` the focus.
pub(super) fn behind(
    wanted: &dyn Fn(&Term) -> bool,
    found: &Term,
    focus: &Focus,
    within: &[u32],
) -> Option<HiddenMatch> {
    let mut above = focus.context.to_vec();
    let mut here = focus.term.clone();
    for k in within {
        let kid = *k as usize;
        let next = here.kid(kid);
        above.push(Frame { term: here, kid });
        here = next;
    }
    search(wanted, found, above, Vec::new())
}

fn search(
    wanted: &dyn Fn(&Term) -> bool,
    term: &Term,
    above: Vec<Frame>,
    through: Vec<HidingConstruct>,
) -> Option<HiddenMatch> {
    // The place itself is known not to fit, otherwise nothing would be looked for.
    if !through.is_empty() && wanted(term) {
        return Some(HiddenMatch { through, path: way(&above) });
    }
    if through.len() == MAX_BARRIERS {
        return None;
    }
    steps(term, above).into_iter().find_map(|(via, above)| {
        let last = above.last()?;
        let next = last.term.kid(last.kid);
        search(wanted, &next, above, [through.clone(), vec![via]].concat())
    })
}

/// What the term may come to be, and what stands around it there.
fn steps(term: &Term, above: Vec<Frame>) -> Vec<(HidingConstruct, Vec<Frame>)> {
    let below = |kids: &[usize]| {
        let (mut frames, mut here) = (above.clone(), term.clone());
        for kid in kids {
            let next = here.kid(*kid);
            frames.push(Frame { term: here, kid: *kid });
            here = next;
        }
        frames
    };
    let is = |kid: usize, wanted: fn(&Kind) -> bool| wanted(term.kid(kid).kind());
    match term.kind() {
        Kind::Let(_) => vec![(HidingConstruct::Let, below(&[1]))],
        Kind::If | Kind::Guard(..) => vec![(HidingConstruct::If, below(&[1])), (HidingConstruct::If, below(&[2]))],
        Kind::App if is(0, |kind| matches!(kind, Kind::Lam(..))) => {
            vec![(HidingConstruct::Application, below(&[0, 0]))]
        }
        Kind::Fst if is(0, |kind| matches!(kind, Kind::Pair)) => vec![(HidingConstruct::Projection, below(&[0, 0]))],
        Kind::Snd if is(0, |kind| matches!(kind, Kind::Pair)) => vec![(HidingConstruct::Projection, below(&[0, 1]))],
        Kind::Get if is(0, |kind| matches!(kind, Kind::Build(_))) => match term.kid(0).kid(0).kind() {
            Kind::Lam(..) => vec![(HidingConstruct::Element, below(&[0, 0, 0]))],
            _ => Vec::new(),
        },
        Kind::Var => bound(term.places()[0], &above).into_iter().collect(),
        _ => Vec::new(),
    }
}

/// What a variable is bound to, by a `let` or as an argument.
fn bound(index: u32, above: &[Frame]) -> Option<(HidingConstruct, Vec<Frame>)> {
    let mut index = index;
    for (depth, frame) in above.iter().enumerate().rev() {
        let Some(outer) = index.checked_sub(frame.term.binders(frame.kid)) else {
            let (name, binder) = (frame.term.kind().hint()?.clone(), depth);
            let (depth, term, kid) = match frame.term.kind() {
                Kind::Let(_) => (depth, &frame.term, 0),
                Kind::Guard(..) => return None,
                _ => {
                    // A function says what its variable is only if it is applied where it stands.
                    let around = above[..depth].last()?;
                    let applied = matches!(around.term.kind(), Kind::App) && around.kid == 0;
                    applied.then_some((depth - 1, &around.term, 1))?
                }
            };
            let value = Frame { term: term.clone(), kid };
            return Some((
                HidingConstruct::Variable(name, way(&above[..binder])),
                [&above[..depth], &[value]].concat(),
            ));
        };
        index = outer;
    }
    None
}
