//! Code that is prepared for certain sizes gives of numbers that others hold what it gives of its own, and refuses numbers that
//! don't fit.

use crate::support::bits;
use std::sync::atomic::AtomicI32;

use crate::has_compiler;
use crate::native::{made, read};
use bits::{deep, each, shipped_programs};
use redexter::arrays::{ElementKind, parts};
use redexter::blocks::{packed, unpacked};
use redexter::eval::{Sizes, Value};
use redexter::ground::{Budget, Diagnostic, Name, Trouble, code};
use redexter::native::{CCompiler, CallFailure, LentNumbers, LentRoom, Native, ThreadLimits};
use redexter::term::{Program, Type};

/// The numbers of an array, which are of one kind.
enum Numbers {
    Reals(Vec<f64>),
    Ints(Vec<i64>),
}

impl Numbers {
    fn of(holds: &ElementKind, words: &[u64]) -> Numbers {
        match holds {
            ElementKind::Reals => Numbers::Reals(words.iter().map(|word| f64::from_bits(*word)).collect()),
            _ => Numbers::Ints(words.iter().map(|word| *word as i64).collect()),
        }
    }

    fn lent(&self) -> LentNumbers<'_> {
        match self {
            Numbers::Reals(all) => LentNumbers::Reals(all),
            Numbers::Ints(all) => LentNumbers::Ints(all),
        }
    }

    fn room(&mut self) -> LentRoom<'_> {
        match self {
            Numbers::Reals(all) => LentRoom::Reals(all),
            Numbers::Ints(all) => LentRoom::Ints(all),
        }
    }

    fn words(self) -> Vec<u64> {
        match self {
            Numbers::Reals(all) => all.into_iter().map(f64::to_bits).collect(),
            Numbers::Ints(all) => all.into_iter().map(|k| k as u64).collect(),
        }
    }
}

fn numbers(ty: &Type, words: &[Vec<u64>]) -> Vec<Numbers> {
    let all = parts(ty).expect("data");
    all.iter().zip(words).map(|(part, words)| Numbers::of(&part.holds, words)).collect()
}

/// Room for a result: as many numbers as there will be, of which none is what it will be.
fn room(ty: &Type, sizes: &Sizes) -> Vec<Numbers> {
    let all = parts(ty).expect("data");
    all.iter().map(|part| Numbers::of(&part.holds, &vec![7; sizes.elements(&part.dims) as usize])).collect()
}

/// The result of a call twice over in the same room, as a value.
fn called(native: &Native, program: &Program, inputs: &[Value], sizes: &Sizes) -> Result<Value, Trouble> {
    let (budget, (parameters, body)) = (Budget::default(), program.term.applied());
    let given: Vec<Numbers> = parameters
        .iter()
        .zip(inputs)
        .map(|((_, ty), value)| Ok(numbers(ty, &packed([(ty, value)], &budget)?)))
        .collect::<Result<Vec<_>, Trouble>>()?
        .into_iter()
        .flatten()
        .collect();
    let code = native.prepare(sizes)?;
    let (mut scratch, stop, mut last) = (code.room(), AtomicI32::new(0), Vec::new());
    for _ in 0..2 {
        let mut asked = room(body.ty(), sizes);
        let given: Vec<LentNumbers> = given.iter().map(Numbers::lent).collect();
        let mut lent: Vec<LentRoom> = asked.iter_mut().map(Numbers::room).collect();
        let done = code.run(&given, &mut lent, &mut scratch, &stop);
        done.map_err(|wrong| Diagnostic::error(code::NOT_EXPORTABLE, format!("{wrong:?}")))?;
        last = asked.into_iter().map(Numbers::words).collect();
    }
    unpacked(body.ty(), &last, sizes, &budget)
}

#[test]
fn numbers_that_others_hold_give_the_same() {
    if !has_compiler() {
        return;
    }
    deep(|| {
        let folder = tempfile::tempdir().expect("a folder");
        let mut runs = 0;
        for count in [1, 2] {
            let compiler = CCompiler::named("cc").on(ThreadLimits { count, least: 0.0 });
            for (name, program) in each(9, shipped_programs()) {
                let Some(native) = made(&name, &program, &compiler, folder.path()) else { continue };
                runs += bits::compared_at(&[0, 1, 2, 33], &name, &program, |inputs, sizes| {
                    called(&native, &program, inputs, sizes)
                });
            }
        }
        assert!(runs > 60, "{runs}");
    });
}

#[test]
fn numbers_that_do_not_fit_are_refused() {
    if !has_compiler() {
        return;
    }
    deep(|| {
        let folder = tempfile::tempdir().expect("a folder");
        let text =
            "def pick {n k} (v : array n real) (at : array k (fin n)) : array k real := build k (fun i => v[at[i]])\n";
        let (name, program) = read(text).swap_remove(0);
        let native = made(&name, &program, &CCompiler::named("cc"), folder.path()).expect("it is exported");
        let sizes: Sizes = [("n", 3), ("k", 2)].map(|(name, n)| (Name::new(name), n)).into_iter().collect();
        let code = native.prepare(&sizes).unwrap_or_else(|wrong| panic!("{wrong:?}"));
        let (mut scratch, stop) = (code.room(), AtomicI32::new(0));
        let mut run = |given: &[LentNumbers], out: usize| {
            let mut out = vec![0.0; out];
            let done = code.run(given, &mut [LentRoom::Reals(&mut out)], &mut scratch, &stop);
            done.map(|()| out)
        };
        let v = [1.0, 2.0, 3.0];
        assert_eq!(run(&[LentNumbers::Reals(&v), LentNumbers::Ints(&[2, 0])], 2), Ok(vec![3.0, 1.0]));
        for (at, place) in [([0, 3], 1), ([-1, 0], 0), ([0, i64::MAX], 1)] {
            assert_eq!(run(&[LentNumbers::Reals(&v), LentNumbers::Ints(&at)], 2), Err(CallFailure::Index(1, place)));
        }
        for (given, out) in [
            (vec![LentNumbers::Reals(&v), LentNumbers::Ints(&[0])], 2),
            (vec![LentNumbers::Reals(&v[1..]), LentNumbers::Ints(&[0, 0])], 2),
            (vec![LentNumbers::Reals(&v), LentNumbers::Reals(&v[1..])], 2),
            (vec![LentNumbers::Ints(&[0, 0, 0]), LentNumbers::Ints(&[0, 0])], 2),
            (vec![LentNumbers::Reals(&v)], 2),
            (vec![LentNumbers::Reals(&v), LentNumbers::Ints(&[0, 0])], 1),
        ] {
            assert_eq!(run(&given, out), Err(CallFailure::Unfit), "{given:?}");
        }
        assert!(native.prepare(&Sizes::default()).is_err(), "sizes are asked for");
    });
}
