//! Exported Futhark: the text against golden files, legality and sizes against an independent checker, results against
//! the evaluator. `UPDATE_GOLDEN=1` writes the golden files anew.

use crate::support::{agree, build, futhark, generate};
use std::path::PathBuf;

use build::{
    add, app, array, build, closed, fin, fold, fst, fun, get, if_else, int, lam, let_in, mul, num, pair, prim, real,
    size, snd,
};
use futhark::compile;
use futhark::compiled::Executable;
use generate::Generator;
use redexter::eval::{Sizes, Value, open_sizes, random_inputs};
use redexter::export::{FutharkOptions, futhark as export};
use redexter::ground::{Name, Trouble, code};
use redexter::term::{MetaType, Prim, Program, Term, Type};

const REDUCED: FutharkOptions = FutharkOptions { sequential: false };
const LOOPS: FutharkOptions = FutharkOptions { sequential: true };

fn total() -> Program {
    closed(lam("v", array("n", real()), |v| fold("n", num(0.0), |acc, i| add(acc, get(&v, &i)))))
}

/// Steps that add under an `if`, on the right, and by subtraction, from a start that isn't 0.
fn dot() -> Program {
    closed(lam("v", array("n", real()), |v| {
        lam("w", array("n", real()), |w| {
            fold("n", num(1.0), |acc, i| {
                let more = add(mul(get(&v, &i), get(&w, &i)), acc.clone());
                let positive = prim(Prim::Gt, [get(&v, &i), num(0.0)]);
                prim(Prim::Sub, [if_else(positive, more, acc), get(&w, &i)])
            })
        })
    }))
}

fn matrix_vector() -> Program {
    closed(lam("a", array("n", array("m", real())), |a| {
        lam("x", array("m", real()), |x| {
            build("n", |i| fold("m", num(0.0), |acc, j| add(acc, mul(get(&get(&a, &i), &j), get(&x, &j)))))
        })
    }))
}

/// Every partial derivative by unit vectors, as D leaves it: loops over pairs.
fn gradient() -> Program {
    closed(lam("v", array("n", real()), |v| {
        build("n", |k| {
            let one_hot = |i: &Term| if_else(prim(Prim::Eq, [k.clone(), i.clone()]), num(1.0), num(0.0));
            snd(&fold("n", pair(num(0.0), num(0.0)), |acc, i| {
                let x = pair(get(&v, &i), one_hot(&i));
                let_in("x", x, |x| {
                    let product = add(mul(fst(&x), snd(&x)), mul(snd(&x), fst(&x)));
                    pair(add(fst(&acc), mul(fst(&x), fst(&x))), add(snd(&acc), product))
                })
            }))
        })
    }))
}

/// Sizes that are sums: in parameters, in results and inside; k is fixed by no parameter.
fn sizes() -> Program {
    let rows = array("k+1", pair_of(real(), array("n+m", real())).clone());
    closed(lam("v", array("n", real()), |_| {
        lam("w", array("m", real()), |_| {
            lam("u", array("n+m", real()), |u| {
                lam("rows", rows, |rows| {
                    let first = snd(&get(&rows, &Term::fin(0, size("k+1")).unwrap()));
                    let sums = build("n+m", |i| add(get(&u, &i), get(&first, &i)));
                    let shifted = build("n+1", |i| prim(Prim::ToReal, [prim(Prim::Offset(2), [i])]));
                    pair(sums, pair(shifted, Term::size_value(&size("k+n+2"))))
                })
            })
        })
    }))
}

fn pair_of(a: Type, b: Type) -> Type {
    Type::pair(a, b)
}

/// Sizes of results only, one under a name that Futhark reserves.
fn fill() -> Program {
    closed(lam("x", real(), |x| build("rows", |_| build("loop", |_| x.clone()))))
}

/// Functions in lets, pairs, branches, arrays, a loop and partial applications.
fn functions() -> Program {
    let rr = || fun(real(), real());
    closed(lam("x", real(), |x| {
        lam("k", Type::int(), |k| {
            let twice = lam("f", rr(), |f| lam("y", real(), |y| app(&f, app(&f, y))));
            let_in("twice", twice, |twice| {
                let plus = let_in("s", prim(Prim::Sin, [x.clone()]), |s| lam("z", real(), |z| add(z, s)));
                let_in("plus", plus, |plus| {
                    let square = lam("y", real(), |y| mul(y.clone(), y));
                    let choice = if_else(prim(Prim::Lt, [k.clone(), int(3)]), plus.clone(), square.clone());
                    let all = Term::array(&rr(), vec![square.clone(), choice.clone()]).unwrap();
                    let both = pair(all.clone(), mul(x.clone(), num(2.0)));
                    let_in("both", both, |both| {
                        let second = get(&fst(&both), &Term::fin(1, size("2")).unwrap());
                        let composed = fold("3", square.clone(), |f, _| app(&twice, f));
                        let some = build("2", |i| app(&get(&fst(&both), &i), snd(&both)));
                        let sum = add(app(&app(&twice, second), x.clone()), app(&composed, num(1.01)));
                        pair(sum, some)
                    })
                })
            })
        })
    }))
}

/// The index of the largest element, which needs one.
fn argmax() -> Program {
    let mut program = closed(lam("v", array("n", real()), |v| {
        fold("n", Term::fin(0, size("n")).unwrap(), |best, i| {
            if_else(prim(Prim::Gt, [get(&v, &i), get(&v, &best)]), i, best)
        })
    }));
    program.bounds.require(&Name::new("n"), 1);
    program
}

/// Pairs in pairs: as parameters, of them a table with a size that is a sum, and as the result of a loop.
fn nested() -> Program {
    let table = pair_of(array("n+1", real()), pair_of(Type::int(), real()));
    closed(lam("p", table, |p| {
        lam("q", pair_of(real(), real()), |q| {
            let start = pair(fst(&q), pair(snd(&snd(&p)), snd(&q)));
            fold("n", start, |acc, i| {
                let x = get(&fst(&p), &prim(Prim::Offset(1), [i]));
                pair(snd(&snd(&acc)), pair(fst(&acc), add(x, fst(&snd(&acc)))))
            })
        })
    }))
}

/// Names that Futhark reserves, that it can't write, and that collide.
fn names() -> Program {
    closed(lam("n", array("n", real()), |n| {
        lam("reduce", real(), |reduce| {
            lam("Δx'", real(), |delta| {
                lam("_", real(), |unused| {
                    let_in("reduce", mul(reduce.clone(), delta), |inner| {
                        let_in("f64", add(inner.clone(), unused), |f64| {
                            fold("n", f64.clone(), |acc, i| add(acc, mul(get(&n, &i), add(inner, f64))))
                        })
                    })
                })
            })
        })
    }))
}

/// Constants and primitives.
fn scalars() -> Program {
    closed(lam("x", real(), |x| {
        lam("k", Type::int(), |k| {
            let between = prim(
                Prim::And,
                [prim(Prim::Le, [num(-1.5), x.clone()]), prim(Prim::Not, [prim(Prim::Ge, [x.clone(), num(1e-7)])])],
            );
            let either = prim(Prim::Or, [between.clone(), k.clone()]);
            let whole = add(add(either.clone(), mul(k.clone(), int(-3))), int(i64::MIN));
            let powers = add(prim(Prim::Pow, [x.clone(), int(-2)]), prim(Prim::Pow, [x.clone(), k.clone()]));
            let special = prim(Prim::Max, [prim(Prim::Lgamma, [x.clone()]), prim(Prim::Digamma, [x.clone()])]);
            let hyperbolic = prim(Prim::Tanh, [prim(Prim::Neg, [prim(Prim::Abs, [x.clone()])])]);
            let zero = prim(Prim::Div, [num(1.0), num(-0.0)]);
            let odd = if_else(either, num(f64::NAN), prim(Prim::Min, [num(f64::NEG_INFINITY), zero]));
            let rest = prim(Prim::Sub, [x.clone(), prim(Prim::Sub, [powers, prim(Prim::Neg, [hyperbolic])])]);
            pair(whole, pair(odd, add(rest, prim(Prim::Div, [special, mul(x, num(1.5e300))]))))
        })
    }))
}

/// Functions of the library, and those that it lacks, which are defined on top; names that these have, and their definitions.
fn lacking() -> Program {
    closed(lam("log1p", real(), |x| {
        lam("v", array("n", real()), |v| {
            let_in("expm1", prim(Prim::Expm1, [x.clone()]), |e| {
                let own = [Prim::Sinh, Prim::Cosh, Prim::Atan, Prim::Erf].map(|p| prim(p, [x.clone()]));
                let sum = own.into_iter().fold(e, add);
                let each = build("n", |i| prim(Prim::Log1p, [mul(get(&v, &i), get(&v, &i))]));
                let more = [Prim::Digamma, Prim::Trigamma, Prim::Sign].map(|p| prim(p, [x.clone()]));
                pair(more.into_iter().fold(sum, add), each)
            })
        })
    }))
}

/// Division of integers, which the library means otherwise, powers of powers, and what else is written in its own way.
fn divided() -> Program {
    closed(lam("a", Type::int(), |a| {
        lam("b", Type::int(), |b| {
            lam("x", real(), |x| {
                let both = [Prim::Quot, Prim::Rem].map(|p| prim(p, [a.clone(), prim(Prim::Sub, [b.clone(), int(4)])]));
                let [quotient, rest] = both;
                let power = |x: Term, y: Term| prim(Prim::RealPow, [x, y]);
                let base = prim(Prim::Neg, [prim(Prim::Neg, [prim(Prim::Abs, [x.clone()])])]);
                let left = power(power(base.clone(), num(1.5)), prim(Prim::Neg, [base.clone()]));
                let right = power(base.clone(), power(num(0.5), base));
                let angle = prim(Prim::Atan2, [x.clone(), prim(Prim::Floor, [x.clone()])]);
                pair(pair(quotient, rest), pair(add(left, right), prim(Prim::Mul, [angle, prim(Prim::Round, [x])])))
            })
        })
    }))
}

/// Empty arrays, arrays of arrays and of pairs.
fn empties() -> Program {
    let row = array("n", pair_of(real(), fin("n")));
    closed(lam("v", row.clone(), |v| {
        let none = Term::array(&row, vec![]).unwrap();
        let two = Term::array(&row, vec![v.clone(), v.clone()]).unwrap();
        pair(pair(none, two), build("0", |_| v))
    }))
}

fn golden(file: &str, entries: &[(&str, Program)], options: FutharkOptions) {
    let named: Vec<(Name, Program)> = entries.iter().map(|(n, p)| (Name::new(n), p.clone())).collect();
    let text = export(&named, &options).unwrap();
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden/futhark").join(file);
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(&path, &text).unwrap();
    }
    assert_eq!(std::fs::read_to_string(&path).unwrap_or_default(), text, "{file}");
    assert!(text.is_ascii());
    for line in text.lines() {
        assert!(line.len() <= 100, "{line}");
    }
    let executable = futhark::compiled::executable(&text).unwrap();
    for (name, program) in entries {
        agrees_as(&text, name, program, executable.as_ref(), 1e-12);
    }
}

/// Runs an entry at several sizes against the evaluator.
fn agrees(text: &str, entry: &str, program: &Program, tolerance: f64) {
    agrees_as(text, entry, program, None, tolerance);
}

/// The same by the compiler's executable, too, where there is one.
fn agrees_as(text: &str, entry: &str, program: &Program, executable: Option<&Executable>, tolerance: f64) {
    let file = compile(text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    for (seed, length) in [0, 1, 2, 5].into_iter().enumerate() {
        let mut own = Sizes::default();
        for (k, name) in open_sizes(&program.term).iter().enumerate() {
            own.set(name, (length + k as u64 % 2).max(program.bounds.lower(name)));
        }
        let Some(inputs) = random_inputs(program, &own, seed as u64) else { continue };
        let (found, expected) =
            agree::both(&file, entry, program, &own, &inputs).unwrap_or_else(|e| panic!("{e}\n{text}"));
        assert!(found.close(&expected, tolerance), "{entry} at {length}: {found:?}, not {expected:?}\n{text}");
        if let Some(executable) = executable {
            let (found, _) =
                agree::compiled(executable, entry, program, &own, &inputs).unwrap_or_else(|e| panic!("{e}\n{text}"));
            assert!(found.close(&expected, tolerance), "{entry} at {length}: compiled it gives {found:?}\n{text}");
        }
    }
}

#[test]
fn sums() {
    let all = [("total", total()), ("dot", dot()), ("matrix_vector", matrix_vector()), ("gradient", gradient())];
    golden("sums.fut", &all, REDUCED);
    golden("sums_sequential.fut", &all, LOOPS);
}

/// Loops that carry what an associative operator takes together, of pairs and arrays, too; and one of which a half is carried.
#[test]
fn reductions() {
    let over = |start: Term, step: fn(Term, Term, Term) -> Term| {
        closed(lam("v", array("n", real()), |v| fold("n", start, |acc, i| step(v, acc, i))))
    };
    let rows = |x: Term| build("m", |_| x.clone());
    let all = [
        ("product", over(num(2.0), |v, acc, i| mul(get(&v, &i), acc))),
        ("greatest", over(num(f64::NEG_INFINITY), |v, acc, i| prim(Prim::Max, [acc, get(&v, &i)]))),
        ("least", over(num(f64::NAN), |v, acc, i| prim(Prim::Min, [acc, get(&v, &i)]))),
        ("least_from", over(num(0.25), |v, acc, i| prim(Prim::Min, [get(&v, &i), acc]))),
        (
            "chosen",
            over(pair(num(0.0), num(1.0)), |v, acc, i| {
                let_in("x", get(&v, &i), |x| {
                    let both = pair(add(fst(&acc), x.clone()), mul(snd(&acc), x.clone()));
                    if_else(prim(Prim::Gt, [x, num(0.0)]), both, acc)
                })
            }),
        ),
        (
            "rows",
            over(pair(rows(num(1.0)), int(0)), |v, acc, i| {
                let sums = build("m", |j| add(get(&fst(&acc), &j), mul(get(&v, &i), prim(Prim::ToReal, [j]))));
                pair(sums, add(snd(&acc), int(3)))
            }),
        ),
        (
            "carried",
            over(pair(num(0.0), num(1.0)), |v, acc, i| {
                pair(add(fst(&acc), mul(snd(&acc), get(&v, &i))), mul(snd(&acc), num(0.5)))
            }),
        ),
    ];
    golden("reductions.fut", &all, REDUCED);
}

/// The first of the greatest and of the least, beside infinities, NaN and zeros, wherever they stand and however threads share
/// them.
#[test]
fn the_best_element_is_the_evaluators() {
    let awkward = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 0.0, -0.0, 1.0];
    for (prim, is_first) in [(Prim::Lt, true), (Prim::Lt, false), (Prim::Gt, true), (Prim::Gt, false), (Prim::Le, true)]
    {
        let mut program = closed(lam("v", array("n", real()), |v| {
            fold("n", Term::fin(0, size("n")).unwrap(), |best, i| {
                let sides = if is_first { [get(&v, &best), get(&v, &i)] } else { [get(&v, &i), get(&v, &best)] };
                if_else(self::prim(prim, sides), i, best)
            })
        }));
        program.bounds.require(&Name::new("n"), 1);
        let text = export(&[(Name::new("f"), program.clone())], &REDUCED).unwrap();
        // Of the last ones no reduction is made.
        assert_eq!(text.contains("loop"), prim == Prim::Le, "{text}");
        let file = compile(&text).unwrap();
        for k in 0..6_usize.pow(4) {
            let all: Vec<Value> = (0..4).map(|place| Value::Real(awkward[k / 6_usize.pow(place) % 6])).collect();
            let mut own = Sizes::default();
            own.set(&Name::new("n"), 4);
            let (found, expected) = agree::both(&file, "f", &program, &own, &[Value::array(all.clone())]).unwrap();
            assert!(found.close(&expected, 0.0), "{all:?}: {found:?}, not {expected:?}\n{text}");
        }
    }
}

/// Sums of what data selects go to their places in one pass, wherever each entry would have looked at all of them.
#[test]
fn selections() {
    let with = |k: Type, body: fn(Term, Term) -> Term| {
        closed(lam("at", Type::array(size("m"), k), |at| {
            lam("v", array("m", array("n", real())), |v| body(at.clone(), v.clone()))
        }))
    };
    let all = [
        (
            "of_indices",
            with(fin("n"), |at, v| {
                build("n", |j| {
                    fold("m", num(0.0), |acc, i| {
                        let here = prim(Prim::Eq, [get(&at, &i), j.clone()]);
                        add(acc, if_else(here, get(&get(&v, &i), &j), num(0.0)))
                    })
                })
            }),
        ),
        (
            "of_numbers",
            with(Type::int(), |at, v| {
                build("n", |j| {
                    fold("m", num(0.0), |acc, i| {
                        let here = prim(Prim::Eq, [prim(Prim::ToInt, [j.clone()]), get(&at, &i)]);
                        if_else(here, prim(Prim::Sub, [acc.clone(), get(&get(&v, &i), &j)]), acc)
                    })
                })
            }),
        ),
        (
            "of_rows",
            with(fin("n"), |at, v| {
                build("n", |j| {
                    build("n", |c| {
                        let sum = fold("m", num(0.0), |acc, i| {
                            let_in("x", get(&get(&v, &i), &c), |x| {
                                let here = prim(Prim::Eq, [get(&at, &i), j.clone()]);
                                add(if_else(here, mul(x, get(&get(&v, &i), &j)), num(0.0)), acc)
                            })
                        });
                        mul(sum, num(2.0))
                    })
                })
            }),
        ),
        // What is added depends on a loop around the sum: it stays.
        (
            "in_a_loop",
            with(fin("n"), |at, v| {
                build("n", |j| {
                    fold("m", num(1.0), |last, k| {
                        fold("m", num(0.0), |acc, i| {
                            let here = prim(Prim::Eq, [get(&at, &i), j.clone()]);
                            add(acc, if_else(here, mul(last.clone(), get(&get(&v, &k), &j)), num(0.0)))
                        })
                    })
                })
            }),
        ),
    ];
    golden("selections.fut", &all, REDUCED);
    let text = |k: usize| export(&[(Name::new(all[k].0), all[k].1.clone())], &REDUCED).unwrap();
    for (k, (name, _)) in all.iter().enumerate() {
        assert_eq!(text(k).contains("hist"), *name != "in_a_loop", "{}", text(k));
    }
}

/// What is taken together of each first part, before each round and behind it, both ways.
#[test]
fn prefixes() {
    let scan = |is_reversed: bool, start: Term, step: fn(Term, Term, Term) -> Term| {
        closed(lam("v", array("n", real()), |v| {
            let f = lam("s", start.ty().clone(), |s| lam("i", fin("n"), |i| step(v.clone(), s, i)));
            Term::scan(size("n"), is_reversed, f, start).unwrap()
        }))
    };
    let behind = |v: Term, s: Term, i: Term| let_in("t", add(s, get(&v, &i)), |t| pair(t.clone(), t));
    let before = |v: Term, s: Term, i: Term| pair(mul(get(&v, &i), s.clone()), s);
    let largest = |v: Term, s: Term, i: Term| {
        let_in("x", get(&v, &i), |x| let_in("t", prim(Prim::Max, [s, mul(x.clone(), x)]), |t| pair(t.clone(), t)))
    };
    let all = [
        ("behind", scan(false, num(0.0), behind)),
        ("behind_from", scan(false, num(2.0), behind)),
        ("behind_backwards", scan(true, num(-1.0), behind)),
        ("before", scan(false, num(1.0), before)),
        ("before_from", scan(false, num(0.5), before)),
        ("before_backwards", scan(true, num(3.0), before)),
        ("largest", scan(true, num(0.25), largest)),
    ];
    golden("prefixes.fut", &all, REDUCED);
    let text =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/futhark/prefixes.fut")).unwrap();
    assert!(!text.contains("loop"), "{text}");
}

/// Sums of columns go through rows, where an array is read that has as many elements; powers with an index are a running product.
#[test]
fn rows() {
    let over = |body: &dyn Fn(Term, Term) -> Term| {
        closed(lam("a", array("n", array("m", real())), |a| lam("x", array("n", real()), |x| body(a.clone(), x))))
    };
    let column = |a: &Term, x: &Term, j: &Term| {
        fold("n", num(0.0), |acc, i| prim(Prim::Sub, [acc, mul(get(x, &i), get(&get(a, &i), j))]))
    };
    let power = |x: Term, j: &Term| prim(Prim::Pow, [x, prim(Prim::ToInt, [j.clone()])]);
    let all = [
        ("columns", over(&|a, x| build("m", |j| mul(column(&a, &x, &j), num(0.5))))),
        ("twice", over(&|a, x| build("m", |j| add(column(&a, &x, &j), column(&a, &x, &j))))),
        (
            "products",
            over(&|a, _| {
                build("m", |j| {
                    build("m", |k| {
                        fold("n", num(0.0), |acc, i| add(acc, mul(get(&get(&a, &i), &j), get(&get(&a, &i), &k))))
                    })
                })
            }),
        ),
        ("powers", over(&|_, x| build("n", |i| build("m", |j| power(get(&x, &i), &j))))),
        (
            "polynomials",
            over(&|a, x| {
                build("n", |i| {
                    fold("m", num(1.0), |acc, j| add(acc, mul(get(&get(&a, &i), &j), power(get(&x, &i), &j))))
                })
            }),
        ),
    ];
    golden("rows.fut", &all, REDUCED);
}

/// A loop over some of an array reads no more of it.
#[test]
fn a_sum_of_the_first_elements_takes_no_others() {
    let first = |v: &Term, i: Term| get(v, &Term::within(size("n+1"), prim(Prim::ToInt, [i])).unwrap());
    let sum = closed(lam("v", array("n+1", real()), |v| fold("n", num(0.0), |acc, i| add(acc, first(&v, i)))));
    let part = closed(lam("v", array("n+1", real()), |v| build("n", |i| first(&v, i))));
    for program in [sum, part] {
        let text = export(&[(Name::new("f"), program.clone())], &REDUCED).unwrap();
        agrees(&text, "f", &program, 1e-12);
    }
}

/// Inside no index is checked, so that what is given is, before anything is read.
#[test]
fn indices_that_are_none_are_refused_at_the_entry() {
    let program = closed(lam("at", array("m", fin("n")), |at| {
        lam("v", array("n", real()), |v| {
            lam("k", fin("n"), |k| fold("m", get(&v, &k), |acc, i| add(acc, get(&v, &get(&at, &i)))))
        })
    }));
    let text = export(&[(Name::new("f"), program.clone())], &REDUCED).unwrap();
    assert!(text.contains("#[unsafe]"), "{text}");
    let file = compile(&text).unwrap();
    let arguments = |at: i64, k: i64| {
        let row = |all: &[i64]| futhark::Datum::Array(all.iter().map(|k| futhark::Datum::I64(*k)).collect());
        let v = futhark::Datum::Array(vec![futhark::Datum::F64(1.0), futhark::Datum::F64(2.0)]);
        vec![row(&[0, at]), v, futhark::Datum::I64(k)]
    };
    let run = |at, k| futhark::run(&file, "f", arguments(at, k), &Default::default());
    let executable = futhark::compiled::executable(&text).unwrap();
    let compiled = |at, k| {
        let shape = |lengths: &[u64], element| futhark::compiled::Shape { lengths: lengths.to_vec(), element };
        let shapes = [shape(&[2], "i64"), shape(&[2], "f64"), shape(&[], "i64")];
        let all: Vec<_> = arguments(at, k).into_iter().zip(shapes).collect();
        executable.as_ref().map(|executable| executable.run("f", &all))
    };
    assert_eq!(run(1, 1), Ok(futhark::Datum::F64(5.0)));
    assert!(compiled(1, 1).is_none_or(|found| found == run(1, 1)));
    for (at, k) in [(2, 0), (-1, 0), (0, 2), (0, -1)] {
        assert_eq!(run(at, k), Err("an assertion failed".to_owned()));
        assert!(compiled(at, k).is_none_or(|found| found.is_err_and(|said| said.contains("Assertion"))), "{at} {k}");
    }
}

/// Both ways, of states and elements of each kind.
#[test]
fn scans() {
    let scan = |is_reversed: bool, start: Term, step: fn(Term, Term, Term) -> Term| {
        closed(lam("v", array("n", real()), |v| {
            let index = Type::fin(size("n"));
            let f = lam("s", start.ty().clone(), |s| lam("i", index, |i| step(v.clone(), s, i)));
            Term::scan(size("n"), is_reversed, f, start).unwrap()
        }))
    };
    let all = [
        ("sums", scan(false, num(0.0), |v, s, i| let_in("t", add(s, get(&v, &i)), |t| pair(t.clone(), t)))),
        ("backwards", scan(true, num(1.0), |v, s, i| pair(mul(s.clone(), get(&v, &i)), s))),
        (
            "pairs",
            scan(true, pair(num(0.0), int(2)), |v, s, i| pair(pair(get(&v, &i), snd(&s)), pair(snd(&s), fst(&s)))),
        ),
        (
            "chosen",
            scan(false, num(0.5), |v, s, i| {
                let test = prim(Prim::Gt, [get(&v, &i), s.clone()]);
                if_else(test, pair(get(&v, &i), s.clone()), pair(s.clone(), num(0.0)))
            }),
        ),
    ];
    golden("scans.fut", &all, REDUCED);
}

/// Of reals by a reduction, of other values by a loop; both ways where it is to be sequential.
#[test]
fn scatters() {
    let scatter = |element: Type, entry: fn(&Term, &Term, &Term) -> Term| {
        closed(lam("at", Type::array(size("m"), Type::int()), |at| {
            lam("v", Type::array(size("m"), element), |v| {
                let f = lam("e", Type::fin(size("m")), |e| entry(&at, &v, &e));
                Term::scatter(redexter::term::Size::literal(3), size("m"), f).unwrap()
            })
        }))
    };
    let real = Type::real();
    let all = [
        ("sums", scatter(real.clone(), |at, v, e| pair(get(at, e), get(v, e)))),
        (
            "pairs",
            scatter(Type::pair(real.clone(), real.clone()), |at, v, e| {
                let_in("k", get(at, e), |k| pair(k, pair(snd(&get(v, e)), fst(&get(v, e)))))
            }),
        ),
        ("rows", scatter(Type::array(size("r"), real.clone()), |at, v, e| pair(get(at, e), get(v, e)))),
        (
            "chosen",
            scatter(real, |at, v, e| {
                let test = prim(Prim::Gt, [get(v, e), num(0.0)]);
                if_else(test, pair(get(at, e), get(v, e)), pair(int(2), num(1.0)))
            }),
        ),
    ];
    golden("scatters.fut", &all, REDUCED);
    golden("scatters_sequential.fut", &all, LOOPS);
}

#[test]
fn sizes_in_types() {
    golden("sizes.fut", &[("sizes", sizes()), ("fill", fill()), ("argmax", argmax()), ("empties", empties())], REDUCED);
}

#[test]
fn higher_order() {
    golden("functions.fut", &[("functions", functions())], REDUCED);
}

#[test]
fn pairs_cross_an_entry_in_parts() {
    let taken = lam("p", pair_of(real(), pair_of(real(), real())), |p| pair(num(1.0), p));
    golden("pairs.fut", &[("nested", nested()), ("taken", closed(taken))], REDUCED);
}

#[test]
fn names_and_scalars() {
    golden("names.fut", &[("names", names()), ("scalars", scalars())], REDUCED);
}

#[test]
fn what_futhark_lacks_stands_on_top() {
    golden("lacking.fut", &[("lacking", lacking()), ("divided", divided())], REDUCED);
}

#[test]
fn what_stands_on_top_is_good_to_the_last_bits() {
    let (inf, nan) = (f64::INFINITY, f64::NAN);
    for prim in [Prim::Log1p, Prim::Expm1, Prim::Trigamma, Prim::Digamma, Prim::Sign] {
        let program = closed(lam("x", real(), |x| self::prim(prim, [x])));
        let text = export(&[(Name::new("f"), program.clone())], &REDUCED).unwrap();
        let file = compile(&text).unwrap();
        let far =
            [0.0, -0.0, 1e-20, -1e-20, 1e-9, -3e-6, 0.001, -0.3, 0.7, -0.999, -1.0, -2.0, 38.0, -38.0, 709.5, 1e300];
        let steps = (-400..400).map(|k| f64::from(k) * 0.0043);
        for x in far.into_iter().chain([inf, -inf, nan]).chain(steps) {
            let (found, expected) = agree::both(&file, "f", &program, &Sizes::default(), &[Value::Real(x)]).unwrap();
            let (Value::Real(found), Value::Real(expected)) = (found, expected) else { panic!("no reals") };
            // The evaluator's own are good to 1e-14 there.
            let units = if matches!(prim, Prim::Trigamma | Prim::Digamma) { 64.0 } else { 4.0 };
            let near = (found - expected).abs() <= units * (expected.abs().next_up() - expected.abs());
            let same = found == expected || found.is_nan() && expected.is_nan();
            assert!(near || same, "{prim:?} of {x} is {found}, not {expected}");
        }
    }
}

#[test]
fn entries_have_distinct_legal_names() {
    let all = ["f", "f", "loop", "f'", "σ", "expm1", "f64_expm1"].map(|n| (Name::new(n), total()));
    let text = export(&all, &REDUCED).unwrap();
    for entry in ["f", "f1", "loop_", "f_", "sigma", "expm1", "f64_expm1_"] {
        agrees(&text, entry, &total(), 1e-12);
    }
}

/// A name that gets a number isn't one that a user gave.
#[test]
fn names_with_numbers_are_told_apart() {
    let program = closed(lam("x1", real(), |first| {
        lam("x", real(), |x| {
            let_in("x", add(x.clone(), num(1.0)), |second| {
                let_in("x2", mul(second.clone(), x.clone()), |third| {
                    let_in("x", mul(third.clone(), num(3.0)), |last| add(mul(first, x), add(mul(second, third), last)))
                })
            })
        })
    }));
    for options in [REDUCED, LOOPS] {
        agrees(&export(&[(Name::new("main"), program.clone())], &options).unwrap(), "main", &program, 1e-12);
    }
}

#[test]
fn a_function_that_is_no_lambda_gets_its_parameters() {
    let picked = let_in("f", lam("x", real(), |x| lam("y", real(), |y| mul(x, y))), |f| app(&f, num(3.0)));
    let text = export(&[(Name::new("triple"), closed(picked))], &REDUCED).unwrap();
    compile(&text).unwrap();
    assert!(text.contains("entry triple (x: f64) : f64 =\n  3f64 * x"), "{text}");
}

#[test]
fn what_cannot_be_exported_is_refused() {
    let rr = || fun(real(), real());
    let a = Type::var(&Name::new("a"));
    let cases = [
        (lam("f", rr(), |f| app(&f, num(1.0))), "its parameter `f` has the function type"),
        (pair(num(1.0), lam("x", real(), |x| x)), "holds a function"),
        (lam("x", a, |x| x), "polymorphic in the type `a`"),
        (
            lam("x", real(), |x| {
                app(&fold("n", lam("y", real(), |y| y), |f, _| lam("y", real(), |y| app(&f, app(&f, y)))), x)
            }),
            "a loop of n steps computes a function",
        ),
    ];
    let mut parts = num(1.0);
    let twice = |t: Term| let_in("a", t, |a| pair(a.clone(), a));
    (0..39).for_each(|_| parts = twice(parts.clone()));
    let cases = [&cases[..], &[(parts, "its result has more than 10000 parts")]].concat();
    let all: Vec<(Name, Program)> = cases.iter().map(|(t, _)| (Name::new("bad"), closed(t.clone()))).collect();
    let Err(Trouble::Wrong(wrong)) = export(&all, &REDUCED) else { panic!("they are refused") };
    assert_eq!(wrong.len(), cases.len());
    for (diagnostic, (_, reason)) in wrong.iter().zip(&cases) {
        assert_eq!(diagnostic.code, code::NOT_EXPORTABLE);
        assert!(diagnostic.headline.contains(reason), "{}", diagnostic.headline);
    }
}

#[test]
fn random_programs_agree_with_the_evaluator() {
    for seed in 0..600 {
        let program = Generator::new(seed, seed % 2 == 0).program(7);
        for (options, tolerance) in [(LOOPS, 1e-9), (REDUCED, 1e-6)] {
            let text = export(&[(Name::new("main"), program.clone())], &options).unwrap();
            agrees(&text, "main", &program, tolerance);
        }
    }
}

/// Each primitive of the table is exported, is legal, and has the evaluator's values, on numbers that are awkward for some.
#[test]
fn each_primitive_is_exported() {
    let reals = [0.0, -0.0, 1.0, -0.5, 2.5, -2.5, 3.5, 0.75, 17.25, -3.25, 1e-9, f64::INFINITY, f64::NAN];
    let ints = [i64::MIN, -7, -2, -1, 0, 1, 2, 7, i64::MAX];
    for prim in Prim::ALL {
        let prim = if let Prim::Offset(_) = prim { Prim::Offset(3) } else { *prim };
        for overload in prim.overloads() {
            let values = |ty: &MetaType| -> (Type, Vec<Value>) {
                match ty {
                    MetaType::Real => (real(), reals.iter().map(|x| Value::Real(*x)).collect()),
                    MetaType::Int => (Type::int(), ints.iter().map(|k| Value::Int(*k)).collect()),
                    _ => (fin("5"), (0..5).map(Value::Index).collect()),
                }
            };
            let all: Vec<(Type, Vec<Value>)> = overload.operands().iter().map(values).collect();
            let count = all.len() as u32;
            let operands = (0..all.len()).map(|k| Term::var(count - 1 - k as u32, &all[k].0)).collect();
            let body = Term::prim(prim, operands).unwrap();
            let names = ["a", "b"];
            let term =
                (0..all.len()).rev().fold(body, |body, k| Term::lam(&Name::new(names[k]), &all[k].0, body).unwrap());
            let program = closed(term);
            let text = export(&[(Name::new("f"), program.clone())], &REDUCED).unwrap();
            let file = compile(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
            for first in &all[0].1 {
                let others = all.get(1).map_or(vec![None], |(_, values)| values.iter().map(Some).collect());
                for second in others {
                    let inputs: Vec<Value> = [Some(first), second].into_iter().flatten().cloned().collect();
                    let (found, expected) = agree::both(&file, "f", &program, &Sizes::default(), &inputs).unwrap();
                    assert!(found.close(&expected, 1e-12), "{prim:?} of {inputs:?}: {found:?}, not {expected:?}");
                }
            }
        }
    }
}
