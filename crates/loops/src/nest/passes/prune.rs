//! Prunes what is computed and never read.

use rustc_hash::FxHashSet;

use crate::nest::ir::walk::read;
use crate::nest::ir::{Nest, Stmt};
use redexter_language::ground::writing::goes_on;

/// Takes out what nothing reads, until nothing more is found.
pub(in crate::nest) fn prune(nest: &mut Nest) {
    loop {
        let mut read = read(&nest.body);
        // Whoever called reads the results.
        read.extend(nest.results.iter().map(|slot| slot.cell));
        let gone = sweep(&mut nest.body, &read);
        nest.temporaries.retain(|slot| read.contains(&slot.cell));
        // What goes may have been the only reader of something else.
        if !gone || !goes_on() {
            return;
        }
    }
}

/// Whether something went.
fn sweep(body: &mut Vec<Stmt>, read: &FxHashSet<u32>) -> bool {
    let mut gone = false;
    body.retain_mut(|stmt| {
        let stays = match stmt {
            Stmt::Let(slot, _) | Stmt::Var(slot) => read.contains(&slot.cell),
            Stmt::Set(place, _) => read.contains(&place.cell),
            Stmt::For(_, inside) | Stmt::Lanes(_, inside) | Stmt::Strips(_, inside) => {
                gone |= sweep(inside, read);
                !inside.is_empty()
            }
            Stmt::Pairs(_, a, b) | Stmt::If(_, a, b) => {
                gone |= sweep(a, read) | sweep(b, read);
                !a.is_empty() || !b.is_empty()
            }
        };
        gone |= !stays;
        stays
    });
    gone
}
