//! Refuses a program that would hold too much, and says where storing fewer states of a loop would do.

use rustc_hash::FxHashSet;

use super::element_limits::{check_room, numbers};
use super::sizes::Sizes;
use crate::ground::Diagnostic;
use crate::term::{Kind, Program, Size, Term, TypeView};

/// Refuses a result and what is needed meanwhile if they have more numbers than `most` together. Where a loop keeps most of
/// them, the help says which schedule stores a state of each block of rounds, and what that would hold.
pub fn check_program_room(program: &Program, sizes: &Sizes, meanwhile: u64, most: u64) -> Result<(), Diagnostic> {
    let result = numbers(program.term.applied().1.ty(), sizes);
    check_room(result, meanwhile, most).map_err(|wrong| {
        let mut states = KeptStates { sizes, seen: FxHashSet::default(), most: None };
        states.visit(&program.term);
        let checkpoints = states.most.and_then(|(kept, size)| {
            let n = sizes.value(&size);
            // A block has as many rounds as there are blocks: the states of both are held.
            let root = n.isqrt();
            let blocks = root + u64::from(root * root < n);
            let rest = meanwhile.saturating_sub(kept).saturating_add(kept.div_ceil(n.max(1)).saturating_mul(2 * blocks));
            let held = result.saturating_add(rest);
            (held <= most).then(|| {
                let held = (u128::from(held) * 8).div_ceil(1_000_000);
                // A size that is one name is no product yet.
                let first = match size.as_atom() {
                    Some(n) => format!("write the loop of `{n}` rounds with `a * b`, and "),
                    None => String::new(),
                };
                format!(
                    "or store one state of each block: {first}`topDown(scanSplit)` behind the schedule; with {blocks} blocks that holds \
                     some {held} MB"
                )
            })
        });
        checkpoints.into_iter().fold(wrong, Diagnostic::help)
    })
}

/// The scan that keeps most numbers.
struct KeptStates<'a> {
    sizes: &'a Sizes,
    seen: FxHashSet<u128>,
    /// How many, and the size of the loop.
    most: Option<(u64, Size)>,
}

impl KeptStates<'_> {
    fn visit(&mut self, term: &Term) {
        if !self.seen.insert(term.fingerprint()) {
            return;
        }
        if let (Kind::Scan(n) | Kind::Scanr(n), TypeView::Pair(_, kept)) = (term.kind(), term.ty().view()) {
            let count = numbers(kept, self.sizes);
            if self.most.as_ref().is_none_or(|(most, _)| count > *most) {
                self.most = Some((count, n.clone()));
            }
        }
        (0..term.kid_count()).for_each(|k| self.visit(&term.kid(k)));
    }
}
