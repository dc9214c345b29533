//! Loops that carry a state, sums at places, and guarded neighbours.

use super::*;

/// A state that goes through `x`, stored in `t` before each of so many steps.
fn trajectory(from: i64) -> Vec<Stmt> {
    let step = vec![set(T, [i()], load(S)), set(S, [], plus(load(S), x(i())))];
    vec![number(S, "s"), set(S, [], real(0.0)), Stmt::For(range(I, "i", int(from), n()), step)]
}

/// Goes through the steps from the last one to the first.
fn backwards(at: NestValue) -> Stmt {
    each(J, n(), vec![set(Y, [j()], reals(Prim::Mul, get(T, [at]), load(S)))])
}

/// So many rounds of what is added to a place of `v`.
fn added(at: NestValue) -> Stmt {
    set(V, [at.clone()], plus(get(V, [at]), x(i())))
}

fn cleared(to: NestValue) -> Stmt {
    each(J, to, vec![set(V, [j()], real(0.0))])
}

pub(super) const CASES: &[Case] = &[
    Case {
        what: "states that are read from behind the last one",
        says: "`t.21[(n - i.42)]`",
        nest: |wrong| {
            let last = pick(wrong, n(), sub(n(), int(1)));
            asked(&[Y], [trajectory(0), vec![backwards(sub(last, j()))]].concat())
        },
    },
    Case {
        what: "a first state that isn't stored",
        says: "`t.21[",
        nest: |wrong| {
            let back = backwards(sub(sub(n(), int(1)), j()));
            asked(&[Y], [trajectory(pick(wrong, 1, 0)), vec![back]].concat())
        },
    },
    Case {
        what: "a state that begins with nothing",
        says: "`s.31`",
        nest: |wrong| {
            let mut all = trajectory(0);
            if wrong {
                all.remove(1);
            }
            asked(&[Y], [all, vec![backwards(j())]].concat())
        },
    },
    Case {
        what: "states that lanes go through",
        says: "`s.31`",
        nest: |wrong| {
            let step = vec![set(S, [], plus(load(S), x(i()))), set(Y, [i()], load(S))];
            let first = vec![number(S, "s"), set(S, [], real(0.0))];
            let steps = pick(wrong, lanes(I, n(), step.clone()), each(I, n(), step));
            asked(&[Y], [first, vec![steps]].concat())
        },
    },
    Case {
        what: "two states in turn, of which one is read before it is stored",
        says: "`u.23[",
        nest: |wrong| {
            // The state stands in `t`, then in `u`, then in `t` again.
            let over = |from: u32, to: u32| each(J, n(), vec![set(to, [j()], plus(get(from, [j()]), x(j())))]);
            let two = pick(wrong, vec![over(U, T), over(T, U)], vec![over(T, U), over(U, T)]);
            let begins = each(J2, n(), vec![set(T, [load(J2)], real(0.0))]);
            let steps = Stmt::Pairs(range(I, "i", int(0), m()), two, vec![over(T, U)]);
            let ends = each(I2, n(), vec![set(Y, [load(I2)], get(T, [load(I2)]))]);
            asked(&[Y], vec![begins, steps, ends])
        },
    },
    Case {
        what: "a step's table that is filled under a condition on the state",
        says: "`t.21[",
        nest: |wrong| {
            let fills = each(J, n(), vec![set(T, [j()], load(S))]);
            let fills = pick(wrong, when(reals(Prim::Lt, load(S), real(0.0)), vec![fills.clone()]), fills);
            let reads = each(J2, n(), vec![set(S, [], plus(load(S), get(T, [load(J2)])))]);
            let steps = each(I, m(), vec![fills, reads]);
            asked(&[R], vec![number(S, "s"), set(S, [], real(1.0)), steps, set(R, [], load(S))])
        },
    },
    Case {
        what: "sums at places that aren't cleared all",
        says: "`v.13",
        nest: |wrong| {
            let to = pick(wrong, sub(m(), int(1)), m());
            asked(&[V], vec![cleared(to), each(I, n(), vec![added(get(P, [i()]))])])
        },
    },
    Case {
        what: "the last at places of data, of lanes",
        says: "`v.13`",
        nest: |wrong| {
            let adds = vec![set(V, [get(P, [i()])], x(i()))];
            asked(&[V], vec![cleared(m()), pick(wrong, lanes(I, n(), adds.clone()), each(I, n(), adds))])
        },
    },
    Case {
        what: "sums at the place after that of data",
        says: "`v.13[(p.3[i.41] + 1)]`",
        nest: |wrong| {
            let next = || add(get(P, [i()]), int(1));
            let adds = pick(wrong, added(next()), when(lt(next(), m()), vec![added(next())]));
            asked(&[V], vec![cleared(m()), each(I, n(), vec![adds])])
        },
    },
    Case {
        what: "a neighbour whose guard is one too far",
        says: "`x.1[(i.41 + 1)]`",
        nest: |wrong| {
            let next = add(i(), int(1));
            let guard = lt(next.clone(), pick(wrong, add(n(), int(1)), n()));
            asked(&[Y], vec![each(I, n(), vec![set(Y, [i()], real(0.0)), when(guard, vec![set(Y, [i()], x(next))])])])
        },
    },
    Case {
        what: "a neighbour below that is guarded above alone",
        says: "`x.1[(i.41 - 1)]`",
        nest: |wrong| {
            let next = sub(i(), int(1));
            let guard = lt(pick(wrong, int(-2), int(-1)), next.clone());
            asked(&[Y], vec![each(I, n(), vec![set(Y, [i()], real(0.0)), when(guard, vec![set(Y, [i()], x(next))])])])
        },
    },
    Case {
        what: "a loop between its edges, whose last edge isn't done",
        says: "`y.12`",
        nest: |wrong| {
            // Below, inside without a guard, and above.
            let inside = vec![set(Y, [i()], plus(x(sub(i(), int(1))), x(add(i(), int(1)))))];
            let inside = Stmt::For(range(I, "i", int(1), sub(n(), int(1))), inside);
            let last =
                Stmt::For(range(J, "j", pick(wrong, n(), sub(n(), int(1))), n()), vec![set(Y, [j()], real(0.0))]);
            let first = set(Y, [int(0)], real(0.0));
            at_least_one(asked(&[Y], vec![first, inside, last]))
        },
    },
];
