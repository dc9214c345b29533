//! What is computed and never read goes.

use rustc_hash::FxHashSet;

use super::code::{Nest, Place, Stmt, Value};
use crate::ground::writing::goes_on;

/// Takes out what nothing reads, until nothing more is found.
pub(super) fn prune(nest: &mut Nest) {
    loop {
        let mut read: FxHashSet<u32> = nest.results.iter().map(|slot| slot.cell).collect();
        reads(&nest.body, &mut read);
        let gone = sweep(&mut nest.body, &read);
        nest.temporaries.retain(|slot| read.contains(&slot.cell));
        if !gone || !goes_on() {
            return;
        }
    }
}

fn reads(body: &[Stmt], read: &mut FxHashSet<u32>) {
    for stmt in body {
        match stmt {
            Stmt::Let(_, value) => read_by(value, read),
            Stmt::Var(_) => {}
            Stmt::Set(place, value) => {
                read_at(place, read);
                read_by(value, read);
            }
            Stmt::For(range, inside) | Stmt::Lanes(range, inside) => {
                read_by(&range.from, read);
                read_by(&range.to, read);
                reads(inside, read);
            }
            Stmt::Strips(_, inside) => reads(inside, read),
            Stmt::If(condition, a, b) => {
                read_by(condition, read);
                reads(a, read);
                reads(b, read);
            }
        }
    }
}

fn read_at(place: &Place, read: &mut FxHashSet<u32>) {
    place.indices.iter().for_each(|index| read_by(index, read));
}

fn read_by(value: &Value, read: &mut FxHashSet<u32>) {
    match value {
        Value::Real(_) | Value::Int(_) | Value::Size(_) => {}
        Value::Load(place) => {
            read.insert(place.cell);
            read_at(place, read);
        }
        Value::Prim(_, _, operands) => operands.iter().for_each(|operand| read_by(operand, read)),
        Value::Truth(a) => read_by(a, read),
        Value::Select(p) => [&p.0, &p.1, &p.2].into_iter().for_each(|value| read_by(value, read)),
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
            Stmt::If(_, a, b) => {
                gone |= sweep(a, read) | sweep(b, read);
                !a.is_empty() || !b.is_empty()
            }
        };
        gone |= !stays;
        stays
    });
    gone
}
