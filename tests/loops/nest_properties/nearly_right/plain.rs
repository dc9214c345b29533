//! Loops, lanes, strips, guards and what is found in them.

use super::*;

/// Powers of `x[i]` in the row of `z`, as they are written for tables.
fn powers(in_time: bool) -> Vec<Stmt> {
    let (bit, square) = (K, S);
    let double = add(load(bit), load(bit));
    let squared = vec![set(square, [], reals(Prim::Mul, load(square), load(square))), set(bit, [], double.clone())];
    let below = get(Z, [i(), sub(j(), load(bit))]);
    let reached = if in_time { double } else { add(load(bit), int(1)) };
    let doubles = when(ints(Prim::Eq, j(), reached), squared);
    let product = set(Z, [i(), j()], reals(Prim::Mul, below, load(square)));
    vec![
        integer(bit, "bit"),
        number(square, "square"),
        set(bit, [], int(1)),
        set(square, [], x(i())),
        when(lt(int(0), m()), vec![set(Z, [i(), int(0)], real(1.0))]),
        Stmt::For(range(J, "j", int(1), m()), vec![doubles, product]),
    ]
}

/// The index of the largest element, found from 0 on.
fn largest() -> Vec<Stmt> {
    let better = ints(Prim::Lt, int(0), i());
    let better = when(better, vec![when(reals(Prim::Lt, x(load(K)), x(i())), vec![set(K, [], i())])]);
    vec![integer(K, "k"), set(K, [], int(0)), each(I, n(), vec![better])]
}

pub(super) const CASES: &[Case] = &[
    Case {
        what: "a bound one too far",
        says: "`y.12[i.41]`",
        nest: |wrong| {
            let to = pick(wrong, add(n(), int(1)), n());
            asked(&[Y], vec![each(I, to, vec![set(Y, [i()], real(1.0))])])
        },
    },
    Case {
        what: "a loop from below 0",
        says: "`y.12[i.41]`",
        nest: |wrong| {
            let from = pick(wrong, int(-1), int(0));
            asked(&[Y], vec![Stmt::For(range(I, "i", from, n()), vec![set(Y, [i()], real(1.0))])])
        },
    },
    Case {
        what: "the other dimension's size",
        says: "`a.2[i.41][i.42]`",
        nest: |wrong| {
            let to = pick(wrong, m(), n());
            let inside = vec![set(Z, [i(), j()], get(A, [i(), j()]))];
            asked(&[Z], vec![each(I, to, vec![each(J, m(), inside)])])
        },
    },
    Case {
        what: "indices that are swapped",
        says: "`a.2[i.42][i.41]`",
        nest: |wrong| {
            let indices = pick(wrong, [j(), i()], [i(), j()]);
            asked(&[Z], vec![each(I, n(), vec![each(J, m(), vec![set(Z, [i(), j()], get(A, indices))])])])
        },
    },
    Case {
        what: "a narrowed loop that ends beyond the array",
        says: "`w.4[i.41]`",
        nest: |wrong| {
            let first = each(I2, n(), vec![set(Y, [load(I2)], real(0.0))]);
            let to = pick(wrong, select(lt(n(), m()), m(), n()), least(&n(), &m()));
            asked(&[Y], vec![first, each(I, to, vec![set(Y, [i()], get(W, [i()]))])])
        },
    },
    Case {
        what: "a guard of another size",
        says: "`w.4[i.41]`",
        nest: |wrong| {
            let guard = lt(i(), pick(wrong, n(), m()));
            let taken = vec![set(Y, [i()], get(W, [i()]))];
            asked(&[Y], vec![each(I, n(), vec![Stmt::If(guard, taken, vec![set(Y, [i()], real(0.0))])])])
        },
    },
    Case {
        what: "lanes that run on beyond the padding",
        says: "`u.23[i.41]`",
        nest: |wrong| {
            let most = pick(wrong, add(n(), int(2)), add(n(), int(1)));
            let to = LoopRange { most: Some(most), ..LoopRange::to(I, "i", n()) };
            let first = Stmt::Lanes(to, vec![set(U, [i()], real(1.0))]);
            asked(&[Y], vec![first, each(I2, n(), vec![set(Y, [load(I2)], get(U, [load(I2)]))])])
        },
    },
    Case {
        what: "one element less at first",
        says: "`t.21[i.45]`",
        nest: |wrong| {
            let to = pick(wrong, sub(n(), int(1)), n());
            let first = each(I, to, vec![set(T, [i()], real(0.0))]);
            asked(&[Y], vec![first, each(I2, n(), vec![set(Y, [load(I2)], get(T, [load(I2)]))])])
        },
    },
    Case {
        what: "a strip's buffer that the first strip doesn't fill",
        says: "`b.22[l.46]`",
        nest: |wrong| {
            let fills = lanes(J, load(N), vec![set(B, [j()], x(lane()))]);
            let fills = pick(wrong, when(lt(int(0), load(O)), vec![fills.clone()]), fills);
            let uses = lanes(J2, load(N), vec![set(Y, [add(load(O), load(J2))], get(B, [load(J2)]))]);
            asked(&[Y], vec![strip(vec![fills, uses])])
        },
    },
    Case {
        what: "a strip that is filled but for its last lane",
        says: "`y.12`",
        nest: |wrong| {
            let to = pick(wrong, sub(load(N), int(1)), load(N));
            asked(&[Y], vec![strip(vec![lanes(J, to, vec![set(Y, [lane()], x(lane()))])])])
        },
    },
    Case {
        what: "a strip that is filled where it is whole",
        says: "`y.12`",
        nest: |wrong| {
            let fills = lanes(J, load(N), vec![set(Y, [lane()], x(lane()))]);
            asked(&[Y], vec![strip(vec![pick(wrong, when(lt(int(1), load(N)), vec![fills.clone()]), fills)])])
        },
    },
    Case {
        what: "a branch that writes on one side only",
        says: "`s.31`",
        nest: |wrong| {
            let other = pick(wrong, Vec::new(), vec![set(S, [], real(2.0))]);
            let sets = Stmt::If(reals(Prim::Lt, x(i()), real(0.0)), vec![set(S, [], real(1.0))], other);
            asked(&[Y], vec![each(I, n(), vec![number(S, "s"), sets, set(Y, [i()], load(S))])])
        },
    },
    Case {
        what: "lanes that write one cell",
        says: "`r.11`",
        nest: |wrong| {
            let value = pick(wrong, x(i()), real(1.0));
            asked(&[R], vec![set(R, [], real(0.0)), lanes(I, n(), vec![set(R, [], value)])])
        },
    },
    Case {
        what: "lanes that read what their neighbour writes",
        says: "`u.23`",
        nest: |wrong| {
            let first = each(I2, add(n(), int(1)), vec![set(U, [load(I2)], real(0.0))]);
            let at = pick(wrong, add(i(), int(1)), i());
            let inside = vec![set(U, [i()], plus(get(U, [at]), real(1.0))), set(Y, [i()], get(U, [i()]))];
            asked(&[Y], vec![first, lanes(I, n(), inside)])
        },
    },
    Case {
        what: "a scatter by what isn't an index",
        says: "`v.13[p.3[i.41]]`",
        nest: |wrong| {
            let mut nest = asked(
                &[V],
                vec![
                    each(J, m(), vec![set(V, [j()], real(0.0))]),
                    each(I, n(), vec![set(V, [get(P, [i()])], plus(get(V, [get(P, [i()])]), x(i())))]),
                ],
            );
            if wrong {
                nest.below[2] = None;
            }
            nest
        },
    },
    Case {
        what: "an index that is found in what may be empty",
        says: "`x.1[k.32]`",
        nest: |wrong| {
            let nest = asked(&[R], [largest(), vec![set(R, [], x(load(K)))]].concat());
            if wrong { nest } else { at_least_one(nest) }
        },
    },
    Case {
        what: "an index that begins out of its range",
        says: "`x.1[k.32]`",
        nest: |wrong| {
            let mut all = largest();
            all[1] = set(K, [], int(pick(wrong, 1, 0)));
            at_least_one(asked(&[R], [all, vec![set(R, [], x(load(K)))]].concat()))
        },
    },
    Case {
        what: "a power's bit that is doubled too soon",
        says: "`z.14[i.41][(j.42 - bit.32)]`",
        nest: |wrong| asked(&[Z], vec![each(I, n(), powers(!wrong))]),
    },
    Case {
        what: "two rounds at once of which one is forgotten",
        says: "`y.12`",
        nest: |wrong| {
            let mut two = vec![set(Y, [i()], x(i())), set(Y, [add(i(), int(1))], x(add(i(), int(1))))];
            if wrong {
                two.pop();
            }
            asked(&[Y], vec![Stmt::Pairs(range(I, "i", int(0), n()), two, vec![set(Y, [i()], x(i()))])])
        },
    },
    Case {
        what: "a result that is written in part",
        says: "`r.11`",
        nest: |wrong| {
            let first = vec![each(I, n(), vec![set(Y, [i()], real(0.0))])];
            asked(&[R, Y], if wrong { first } else { [first, vec![set(R, [], real(0.0))]].concat() })
        },
    },
    Case {
        what: "a result that is written under a condition on data",
        says: "`y.12`",
        nest: |wrong| {
            let sets = set(Y, [i()], x(i()));
            let inside = pick(wrong, when(reals(Prim::Lt, x(i()), real(0.0)), vec![sets.clone()]), sets);
            asked(&[Y], vec![each(I, n(), vec![inside])])
        },
    },
    Case {
        what: "a number that each round declares and an earlier one set",
        says: "`s.31`",
        nest: |wrong| {
            let first = lt(int(0), i());
            let inside = vec![
                number(S, "s"),
                pick(wrong, set(Y, [i()], real(0.0)), set(S, [], real(0.0))),
                Stmt::If(first, vec![set(Y, [i()], load(S))], vec![set(Y, [i()], real(1.0))]),
                set(S, [], x(i())),
            ];
            asked(&[Y], vec![each(I, n(), inside)])
        },
    },
    Case {
        what: "a shared number that a lane reads before it writes it",
        says: "`b.22[0]`",
        nest: |wrong| {
            let mut inside = vec![set(Y, [i()], get(B, [int(0)])), set(B, [int(0)], real(1.0))];
            if !wrong {
                inside.reverse();
            }
            asked(&[R, Y], vec![set(B, [int(0)], real(0.0)), set(R, [], get(B, [int(0)])), lanes(I, n(), inside)])
        },
    },
    Case {
        what: "a shared number that a loop in a lane reads before it writes it",
        says: "`b.22[0]`",
        nest: |wrong| {
            let mut inside = vec![set(Z, [i(), j()], get(B, [int(0)])), set(B, [int(0)], real(1.0))];
            if !wrong {
                inside.reverse();
            }
            asked(&[Z], vec![set(B, [int(0)], real(0.0)), lanes(I, n(), vec![each(J, m(), inside)])])
        },
    },
    Case {
        what: "lanes that differ in the branch they take",
        says: "`r.11`",
        nest: |wrong| {
            let sets = |x: f64| vec![set(R, [], real(x))];
            let inside = Stmt::If(lt(pick(wrong, i(), m()), int(1)), sets(1.0), sets(2.0));
            asked(&[R], vec![set(R, [], real(1.0)), lanes(I, n(), vec![inside])])
        },
    },
    Case {
        what: "lanes that differ in how many rounds they do",
        says: "`s.31`",
        nest: |wrong| {
            let adds = each(J, pick(wrong, i(), m()), vec![set(S, [], plus(load(S), real(1.0)))]);
            let inside = vec![set(S, [], real(0.0)), adds];
            asked(&[R], vec![number(S, "s"), set(S, [], real(0.0)), lanes(I, n(), inside), set(R, [], load(S))])
        },
    },
    Case {
        what: "lanes whose elements overlap by an inner index",
        says: "`t.21`",
        nest: |wrong| {
            let at = pick(wrong, add(i(), j()), i());
            let first = each(I2, n(), vec![set(T, [load(I2)], real(0.0))]);
            let sets = each(J, int(2), vec![when(lt(at.clone(), n()), vec![set(T, [at.clone()], x(i()))])]);
            let last = each(J2, n(), vec![set(Y, [load(J2)], get(T, [load(J2)]))]);
            asked(&[Y], vec![first, lanes(I, n(), vec![sets]), last])
        },
    },
    Case {
        what: "a variable that a loop without rounds leaves as it is",
        says: "`b.22[k.32]`",
        nest: |wrong| {
            let resets = set(K, [], int(0));
            let mut body = vec![integer(K, "k"), when(lt(n(), int(1)), vec![set(K, [], int(5))])];
            body.push(each(I, n(), vec![resets.clone()]));
            if !wrong {
                body.push(resets);
            }
            body.push(set(R, [], real(0.0)));
            body.push(when(lt(n(), int(1)), vec![set(B, [int(0)], real(0.0)), set(R, [], get(B, [load(K)]))]));
            let mut fills: Vec<Stmt> = vec![each(I2, int(2), vec![set(B, [load(I2)], real(0.0))])];
            fills.extend(body);
            asked(&[R], fills)
        },
    },
    Case {
        what: "a variable that rounds two at a time change",
        says: "`b.22[k.32]`",
        nest: |wrong| {
            let round = |at: NestValue| set(Y, [at.clone()], x(at));
            let last = vec![round(i()), set(R, [], get(B, [int(0)]))];
            let mut two = vec![round(i()), round(add(i(), int(1)))];
            two.extend([set(K, [], int(pick(wrong, 5, 0))), set(R, [], get(B, [load(K)]))]);
            if wrong {
                two.swap(2, 3);
            }
            asked(
                &[R, Y],
                vec![
                    each(I2, int(2), vec![set(B, [load(I2)], real(0.0))]),
                    integer(K, "k"),
                    set(K, [], int(0)),
                    set(R, [], real(0.0)),
                    Stmt::Pairs(range(I, "i", int(0), n()), two, last),
                ],
            )
        },
    },
    Case {
        what: "a condition on an element that is stored in between",
        says: "`s.31`",
        nest: |wrong| {
            let holds = || reals(Prim::Lt, get(B, [int(0)]), real(0.0));
            let stores = set(pick(wrong, B, U), [int(0)], real(-1.0));
            asked(
                &[Y],
                vec![each(
                    I,
                    n(),
                    vec![
                        set(B, [int(0)], x(i())),
                        number(S, "s"),
                        when(holds(), vec![set(S, [], real(1.0))]),
                        stores,
                        set(Y, [i()], real(0.0)),
                        when(holds(), vec![set(Y, [i()], load(S))]),
                    ],
                )],
            )
        },
    },
    Case {
        what: "a condition that held in another round",
        says: "`s.31`",
        nest: |wrong| {
            let holds = || reals(Prim::Lt, x(i()), real(0.0));
            let sets = when(holds(), vec![set(S, [], real(1.0))]);
            let reads = when(holds(), vec![when(lt(int(0), i()), vec![set(Y, [i()], load(S))])]);
            let mut inside = vec![set(Y, [i()], real(0.0)), reads, sets];
            if !wrong {
                inside.swap(1, 2);
            }
            asked(&[Y], vec![number(S, "s"), each(I, n(), inside)])
        },
    },
    Case {
        what: "an inner round that earlier rounds didn't write",
        says: "`l.24[i.42]`",
        nest: |wrong| {
            let sets = set(L, [j()], int(1));
            let reads = set(Z, [i(), j()], NestValue::Prim(Prim::ToReal, ScalarKind::Int, vec![get(L, [j()])]));
            let other = vec![set(Z, [i(), j()], real(0.0))];
            let inside = vec![
                Stmt::If(lt(int(0), i()), vec![reads], other),
                pick(wrong, when(lt(j(), int(1)), vec![sets.clone()]), sets),
            ];
            asked(&[Z], vec![each(I, n(), vec![each(J, m(), inside)])])
        },
    },
    Case {
        what: "a strip's length kept for the next one",
        says: "`x.1[((base.43 + k.32) - 1)]`",
        nest: |wrong| {
            let last = sub(add(load(O), load(K)), int(1));
            let reads = when(lt(int(0), load(K)), vec![set(R, [], x(last))]);
            let mut inside = vec![set(K, [], load(N)), reads];
            if wrong {
                inside.reverse();
            }
            asked(&[R], vec![set(R, [], real(0.0)), integer(K, "k"), set(K, [], int(0)), strip(inside)])
        },
    },
    Case {
        what: "a comparison whose sum wraps",
        says: "`x.1[(i.41 + 7)]`",
        nest: |wrong| {
            let guard = lt(add(i(), int(pick(wrong, i64::MAX, 7))), int(5));
            let taken = vec![set(Y, [i()], x(add(i(), int(7))))];
            asked(&[Y], vec![each(I, n(), vec![set(Y, [i()], real(0.0)), when(guard, taken)])])
        },
    },
    Case {
        what: "an element of a choice that isn't taken",
        says: "`x.1[(if (0 < n) then l.24[0] else 0)]`",
        nest: |wrong| {
            let fills = |to: i64| each(J, m(), vec![set(L, [j()], int(to))]);
            let (some, found) = (lt(int(0), n()), get(L, [int(0)]));
            let mut nest = asked(&[R], vec![set(R, [], real(0.0)), when(some.clone(), vec![fills(0)])]);
            nest.body.push(if wrong {
                set(R, [], x(select(some, found, int(0))))
            } else {
                when(some, vec![set(R, [], x(found))])
            });
            nest.bounds.require(&Name::new("m"), 1);
            nest
        },
    },
    Case {
        what: "a number that is read where it isn't declared",
        says: "`c.33`",
        nest: |wrong| {
            let own = || Stmt::Let(slot(C, "c", ScalarKind::Real, &[]), real(1.0));
            let sets = set(R, [], load(C));
            if wrong {
                asked(&[R], vec![each(I, n(), vec![own()]), sets])
            } else {
                asked(&[R], vec![set(R, [], real(0.0)), each(I, n(), vec![own(), sets])])
            }
        },
    },
    Case {
        what: "an index that is found where a condition holds, on one side of a choice",
        says: "`x.1[k.32]`",
        nest: |wrong| {
            let is_first = || lt(i(), int(1));
            let mut inside =
                vec![integer(K, "k"), set(K, [], i()), when(is_first(), vec![set(K, [], sub(n(), int(1)))])];
            inside.push(set(Y, [i()], select(is_first(), x(load(K)), real(0.0))));
            if wrong {
                inside.remove(1);
            }
            asked(&[Y], vec![each(I, n(), inside)])
        },
    },
    Case {
        what: "elements of choices within choices that aren't taken where nothing is stored",
        says: "`x.1[0]`",
        nest: |wrong| {
            let some = || lt(int(0), n());
            let found = || select(some(), get(L, [int(0)]), int(0));
            let chosen = select(reals(Prim::Lt, get(W, [int(0)]), real(0.0)), found(), found());
            let index = Stmt::Let(slot(K, "k", ScalarKind::Int, &[]), chosen);
            let fills = when(some(), vec![each(J, m(), vec![set(L, [j()], int(0))])]);
            let reads = when(some(), vec![set(R, [], x(get(L, [int(0)])))]);
            let mut nest = asked(&[R], vec![set(R, [], real(0.0)), fills, reads, index]);
            nest.body.push(pick(wrong, set(R, [], x(int(0))), set(R, [], real(1.0))));
            nest.bounds.require(&Name::new("m"), 1);
            nest
        },
    },
    Case {
        what: "two rounds at once up to the smaller of two ends, one element less at first",
        says: "`t.21[i.45]`",
        nest: |wrong| {
            let to = |most: i64| least(&int(most), &n());
            let two = vec![set(T, [i()], real(0.0)), set(T, [add(i(), int(1))], real(0.0))];
            let fills = Stmt::Pairs(range(I, "i", int(0), to(pick(wrong, 2, 3))), two, vec![set(T, [i()], real(0.0))]);
            let reads = vec![set(Y, [load(I2)], get(T, [load(I2)]))];
            let reads = Stmt::If(lt(load(I2), int(3)), reads, vec![set(Y, [load(I2)], real(1.0))]);
            asked(&[Y], vec![fills, each(I2, n(), vec![reads])])
        },
    },
    Case {
        what: "a parameter that is stored",
        says: "`x.1[i.41]` is given, or stays",
        nest: |wrong| {
            asked(&[Y], vec![each(I, n(), vec![set(Y, [i()], real(0.0)), set(pick(wrong, X, Y), [i()], real(1.0))])])
        },
    },
    Case {
        what: "a number that stays as it is, and is stored",
        says: "`c.33` is given, or stays",
        nest: |wrong| {
            let own = Stmt::Let(slot(C, "c", ScalarKind::Real, &[]), x(i()));
            let own = pick(wrong, vec![own], vec![number(C, "c"), set(C, [], x(i()))]);
            let inside = [own, vec![set(C, [], real(1.0)), set(Y, [i()], load(C))]].concat();
            asked(&[Y], vec![each(I, n(), inside)])
        },
    },
    Case {
        what: "an element that lanes store beyond their end",
        says: "lanes beyond their end may write what is read in `u.23[",
        nest: |wrong| {
            let first = each(I2, add(n(), int(1)), vec![set(U, [load(I2)], real(0.0))]);
            let to = LoopRange { most: Some(add(n(), int(1))), ..LoopRange::to(I, "i", n()) };
            let reads = set(R, [], get(U, [pick(wrong, n(), int(0))]));
            at_least_one(asked(&[R], vec![first, Stmt::Lanes(to, vec![set(U, [i()], real(1.0))]), reads]))
        },
    },
    Case {
        what: "elements that lanes store beyond the smaller of two ends",
        says: "lanes beyond their end may write what is read in `u.23[",
        nest: |wrong| {
            let first = each(I2, add(n(), int(1)), vec![set(U, [load(I2)], real(0.0))]);
            let to = LoopRange { most: Some(add(n(), int(1))), ..LoopRange::to(I, "i", least(&int(2), &n())) };
            let runs = Stmt::Lanes(to, vec![set(U, [i()], plus(get(U, [i()]), real(1.0)))]);
            let sees = lt(load(J2), int(pick(wrong, 3, 2)));
            let reads = set(Y, [load(J2)], select(sees, get(U, [load(J2)]), real(0.0)));
            asked(&[Y], vec![first, runs, each(J2, n(), vec![reads])])
        },
    },
    Case {
        what: "rows that lanes go through beyond a triangle",
        says: "lanes beyond their end may write what is read in `z.14`",
        nest: |wrong| {
            let end = || least(&add(i(), int(1)), &m());
            let to = |most| LoopRange { most, ..LoopRange::to(J, "j", end()) };
            let fills = each(J2, m(), vec![set(Z, [i(), load(J2)], real(0.0))]);
            let runs = Stmt::Lanes(to(pick(wrong, Some(m()), None)), vec![set(Z, [i(), j()], real(1.0))]);
            asked(&[Z], vec![each(I, n(), vec![fills, runs])])
        },
    },
];
