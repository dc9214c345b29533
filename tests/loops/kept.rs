//! What is written of programs that keep their arithmetic: sums stay in order, in Futhark and, also where sums may be
//! reordered, in C.

use crate::support::build::{add, array, closed, fold, get, lam, num, real};

use redexter::export::c::{CTarget, Caller};
use redexter::export::{FutharkOptions, c, futhark};
use redexter::ground::Name;
use redexter::nest::Freedom;
use redexter::term::Program;

fn total() -> Program {
    closed(lam("v", array("n", real()), |v| fold("n", num(0.0), |acc, i| add(acc, get(&v, &i)))))
}

fn kept() -> Program {
    let total = total();
    let term = total.term.kept().expect("a term of the same type");
    total.with(term)
}

fn written(program: &Program, freedom: Freedom) -> String {
    let target = CTarget { caller: Caller::C, freedom, vectors: 4, checked: false };
    c("it", &[(Name::new("total"), program.clone())], &target).expect("C").source
}

#[test]
fn a_kept_sum_is_a_loop_in_futhark() {
    let text = |program: Program| {
        futhark(&[(Name::new("total"), program)], &FutharkOptions { sequential: false }).expect("Futhark")
    };
    assert!(!text(total()).contains("loop"), "{}", text(total()));
    let kept = text(kept());
    assert!(kept.contains("loop") && !kept.contains('⊕'), "{kept}");
}

#[test]
fn freedom_leaves_what_is_kept() {
    assert_ne!(written(&total(), Freedom::Exact), written(&total(), Freedom::Fast));
    // But for what compilers are told about unrolling the loop.
    let lines = |freedom: Freedom| {
        let text = written(&kept(), freedom);
        text.lines().filter(|line| !line.contains("#pragma GCC unroll")).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(lines(Freedom::Exact), lines(Freedom::Fast));
    assert_eq!(written(&kept(), Freedom::Exact), written(&total(), Freedom::Exact));
}
