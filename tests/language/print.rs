//! The printer: what terms look like, that names don't capture, that deep terms are no trouble.

use proptest::prelude::{Just, Strategy, any, prop_oneof, proptest};
use redexter::ground::{Name, with_stack};
use redexter::syntax::{PrintStyle, flatten, print_pieces, print_term, print_type};
use redexter::term::{IllTyped, Path, Prim, Size, Term, Type};

type Made = Result<Term, IllTyped>;

fn show(term: Made) -> String {
    print_term(&term.expect("a well-typed term"), &PrintStyle::default())
}

fn check(term: Made, expected: &str) {
    assert_eq!(show(term), expected);
}

fn name(text: &str) -> Name {
    Name::new(text)
}

fn n() -> Size {
    Size::var(&name("n"))
}

fn reals() -> Type {
    Type::array(n(), Type::real())
}

fn real(index: u32) -> Term {
    Term::var(index, &Type::real())
}

fn int(index: u32) -> Term {
    Term::var(index, &Type::int())
}

fn index(i: u32) -> Term {
    Term::var(i, &Type::fin(n()))
}

fn over(params: &[(&str, Type)], body: Term) -> Made {
    params.iter().rev().try_fold(body, |body, (x, ty)| Term::lam(&name(x), ty, body))
}

fn op(prim: Prim, a: Term, b: Term) -> Term {
    Term::prim(prim, vec![a, b]).expect("operands that fit")
}

fn neg(a: Term) -> Term {
    Term::prim(Prim::Neg, vec![a]).expect("a number")
}

fn build(hint: &str, body: Term) -> Term {
    let f = Term::lam(&name(hint), &Type::fin(n()), body).expect("a body");
    Term::build(n(), f).expect("a function of the index")
}

fn sum_of_v() -> Term {
    let at = Term::get(Term::var(2, &reals()), index(0)).expect("an index of v");
    let f = over(&[("acc", Type::real()), ("i", Type::fin(n()))], op(Prim::Add, real(1), at)).expect("a step");
    Term::ifold(n(), f, Term::real(0.0)).expect("a fold")
}

#[test]
fn the_examples_of_the_paper() {
    let total = "fun (v : array n real) => ifold n (fun acc i => acc + v[i]) 0";
    check(over(&[("v", reals())], sum_of_v()), total);
    check(over(&[("v", reals())], build("i", Term::real(1.0))), "fun (v : array n real) => build n (fun i => 1)");
    check(Ok(build("_", Term::real(1.0))), "build n (fun _ => 1)");
}

#[test]
fn operators_take_as_few_parentheses_as_they_need() {
    let xy = |body| over(&[("x", Type::real()), ("y", Type::real())], body);
    let is = |body, expected: &str| check(xy(body), &format!("fun (x y : real) => {expected}"));
    let (x, y) = (real(1), real(0));
    let pick = |p| op(p, x.clone(), y.clone());
    is(op(Prim::Sub, x.clone(), pick(Prim::Add)), "x - (x + y)");
    is(op(Prim::Add, pick(Prim::Sub), x.clone()), "x - y + x");
    is(op(Prim::Mul, pick(Prim::Add), x.clone()), "(x + y) * x");
    is(op(Prim::Div, x.clone(), pick(Prim::Mul)), "x / (x * y)");
    is(neg(pick(Prim::Mul)), "-(x * y)");
    is(op(Prim::Mul, neg(x.clone()), y.clone()), "-x * y");
    is(neg(neg(x.clone())), "-(-x)");
    is(op(Prim::Max, neg(x.clone()), pick(Prim::Min)), "max (-x) (min x y)");
    is(op(Prim::Eq, pick(Prim::Lt), pick(Prim::Lt)), "(x < y) = (x < y)");
    let not = |t| Term::prim(Prim::Not, vec![t]).expect("an int");
    is(op(Prim::And, not(pick(Prim::Lt)), pick(Prim::Ge)), "not x < y && x >= y");
    is(
        op(Prim::And, not(op(Prim::Or, pick(Prim::Eq), pick(Prim::Ne))), pick(Prim::Ge)),
        "not (x = y || x != y) && x >= y",
    );
    let exp = Term::prim(Prim::Exp, vec![x.clone()]).expect("a real");
    is(op(Prim::Pow, exp, Term::int(-2)), "pow (exp x) (-2)");
}

#[test]
fn numerals_read_back_as_themselves() {
    for (x, text) in [
        (1.0, "1"),
        (-2.5, "-2.5"),
        (0.1, "0.1"),
        (1e300, "1e300"),
        (1e-7, "1e-7"),
        (-0.0, "-0"),
        (f64::NAN, "0 / 0"),
        (f64::NEG_INFINITY, "-1 / 0"),
    ] {
        check(Ok(Term::real(x)), text);
    }
    check(Ok(neg(Term::real(2.0))), "-(2)");
    check(Ok(neg(Term::real(-2.0))), "-(-2)");
    check(Ok(neg(Term::int(2))), "-(2 : int)");
    check(Ok(op(Prim::Sub, Term::real(1.0), Term::real(-2.0))), "1 - -2");
    check(Ok(op(Prim::Mul, Term::real(f64::INFINITY), Term::real(2.0))), "1 / 0 * 2");
}

#[test]
fn constants_are_ascribed_where_their_type_would_be_lost() {
    let fin = |c, below: Size| Term::fin(c, below).expect("a constant in range");
    check(Ok(Term::int(3)), "(3 : int)");
    check(Ok(op(Prim::Add, Term::int(3), Term::int(4))), "(3 : int) + 4");
    check(over(&[("k", Type::int())], op(Prim::Mul, Term::int(2), int(0))), "fun (k : int) => 2 * k");
    check(Term::if_else(Term::int(1), Term::real(0.0), Term::real(1.0)), "if 1 then 0 else 1");
    check(Term::array(&Type::int(), vec![Term::int(1), Term::int(2)]), "[(1 : int), 2]");
    check(Term::array(&Type::real(), Vec::new()), "([] : array 0 real)");
    let three = || Term::array(&Type::real(), vec![Term::real(1.0), Term::real(2.0), Term::real(3.0)]);
    check(Term::get(three().expect("reals"), fin(2, Size::literal(3))), "[1, 2, 3][2]");
    check(Term::let_in(&name("k"), Term::int(0), int(0)), "let k := (0 : int); k");
    check(Term::prim(Prim::ToReal, vec![fin(1, Size::literal(3))]), "real (1 : fin 3)");
    check(Ok(Term::size_value(&n())), "n");
    let of_i = |body| over(&[("i", Type::fin(n()))], body);
    check(of_i(op(Prim::Add, index(0), fin(1, Size::literal(3)))), "fun (i : fin n) => i + (1 : fin 3)");
    check(of_i(Term::prim(Prim::Offset(2), vec![index(0)]).expect("an index")), "fun (i : fin n) => i + 2");
}

#[test]
fn constants_beside_an_index() {
    let fin = |c, below: Size| Term::fin(c, below).expect("a constant in range");
    let of_i = |body| over(&[("i", Type::fin(n()))], body);
    check(of_i(op(Prim::Eq, index(0), fin(0, Size::literal(1)))), "fun (i : fin n) => i = 0");
    check(of_i(op(Prim::Eq, index(0), fin(0, n()))), "fun (i : fin n) => i = (0 : fin n)");
    let more = n().plus(&Size::literal(2)).expect("a small size");
    let j = Term::var(0, &Type::fin(more.clone()));
    let of_j = |body| over(&[("j", Type::fin(more.clone()))], body);
    check(of_j(op(Prim::Lt, j.clone(), fin(1, more.clone()))), "fun (j : fin (n + 2)) => j < 1");
    check(of_j(op(Prim::Lt, j.clone(), fin(1, Size::literal(2)))), "fun (j : fin (n + 2)) => j < (1 : fin 2)");
}

#[test]
fn applications_pairs_and_indexing() {
    let function = Type::fun(Type::real(), Type::fun(Type::real(), reals()));
    let f = Term::var(1, &function);
    let fxy = Term::app(Term::app(f, real(0)).expect("f x"), neg(real(0))).expect("f x (-x)");
    let of_f = |body| over(&[("f", function.clone()), ("x", Type::real())], body);
    check(of_f(fxy.clone()), "fun (f : real -> real -> array n real) (x : real) => f x (-x)");
    let at = Term::get(fxy, Term::fin(0, n()).expect("an index")).expect("an array");
    check(of_f(at), "fun (f : real -> real -> array n real) (x : real) => (f x (-x))[0]");
    let pair = |a, b| Term::pair(a, b).expect("a pair");
    let three = pair(Term::real(1.0), pair(Term::real(2.0), Term::real(3.0)));
    check(Ok(three.clone()), "(1, 2, 3)");
    check(Term::fst(Term::snd(three.clone()).expect("a pair")), "fst (snd (1, 2, 3))");
    check(Ok(pair(three, Term::real(4.0))), "((1, 2, 3), 4)");
    let square = over(&[("x", Type::real())], op(Prim::Mul, real(0), real(0))).expect("a function");
    check(Term::app(square.clone(), Term::real(3.0)), "(fun x => x * x) 3");
    let ints = over(&[("k", Type::int())], int(0)).expect("a function");
    check(Term::app(ints, Term::int(3)), "(fun (k : int) => k) 3");
    let inner = Term::let_in(&name("y"), real(0), real(0)).expect("a let");
    let outer = Term::let_in(&name("x"), Term::real(1.0), Term::let_in(&name("z"), inner, real(0)).expect("a let"));
    check(outer, "let x := 1; let z := (let y := x; y); z");
    check(
        Term::build(
            Size::literal(2).plus(&n()).expect("a size"),
            over(&[("i", Type::fin(n().plus(&Size::literal(2)).expect("a size")))], Term::real(0.0))
                .expect("a function"),
        ),
        "build (n + 2) (fun i => 0)",
    );
}

#[test]
fn names_change_only_where_they_would_hide_one_in_scope() {
    let two = |a: &str, b: &str, body| over(&[(a, Type::real()), (b, Type::real())], body);
    check(two("x", "x", real(0)), "fun (x x1 : real) => x1");
    check(two("x", "x", real(1)), "fun (x x1 : real) => x");
    check(two("x1", "x1", op(Prim::Add, real(0), real(1))), "fun (x1 x2 : real) => x2 + x1");
    check(two("_", "y", real(1)), "fun (x y : real) => x");
    check(two("_", "y", real(0)), "fun (_ y : real) => y");
    check(two("exp", "let", op(Prim::Add, real(0), real(1))), "fun (exp1 let1 : real) => let1 + exp1");
    check(two("n", "m", op(Prim::Add, real(0), real(1))), "fun (n m : real) => m + n");
    check(over(&[("n", Type::real())], build("i", real(1))), "fun (n : real) => build n (fun i => n)");
    let sum = op(Prim::Add, int(0), Term::size_value(&n()));
    check(over(&[("n", Type::int())], sum), "fun (n1 : int) => n1 + n");
    check(over(&[("n", reals())], Term::var(0, &reals())), "fun (n : array n real) => n");
    let sinh = |x| Term::unary(Prim::Sinh, x).expect("a real");
    check(two("sinh", "erf", op(Prim::Add, sinh(real(1)), real(0))), "fun (sinh1 erf : real) => sinh sinh1 + erf");
    check(two("sinh", "sinh", real(0)), "fun (sinh sinh1 : real) => sinh1");
    let inner = Term::let_in(&name("sinh"), sinh(real(0)), real(0)).expect("a let");
    check(over(&[("x", Type::real())], inner), "fun (x : real) => let sinh1 := sinh x; sinh1");
    let shadow = Term::let_in(&name("x"), op(Prim::Add, real(0), Term::real(1.0)), op(Prim::Mul, real(0), real(0)));
    check(over(&[("x", Type::real())], shadow.expect("a let")), "fun (x : real) => let x1 := x + 1; x1 * x1");
}

#[test]
fn long_terms_break() {
    let narrow = |term: Made, expected: &str| {
        assert_eq!(print_term(&term.expect("a term"), &PrintStyle { width: 30 }), expected);
    };
    narrow(
        over(&[("v", reals())], sum_of_v()),
        "fun (v : array n real) =>\n  ifold n (fun acc i =>\n    acc + v[i]) 0",
    );
    let x = || real(0);
    let long = (0..5).fold(Term::real(1.0), |sum, _| op(Prim::Add, op(Prim::Mul, sum, x()), x()));
    let cond = op(Prim::Lt, x(), Term::real(0.0));
    let body = Term::if_else(cond.clone(), x(), Term::if_else(cond, neg(x()), long).expect("an if")).expect("an if");
    narrow(
        over(&[("velocity", Type::real())], Term::let_in(&name("y"), x(), body).expect("a let")),
        "fun (velocity : real) =>\n  let y := velocity;\n  if y < 0\n  then y\n  else if y < 0\n  then -y\n  else ((((1 * y + y) * y\n          + y)\n         * y\n         + y)\n        * y\n        + y)\n       * y\n       + y",
    );
    let names = ["alpha", "beta", "gamma", "delta"].map(|x| (x, reals()));
    narrow(over(&names, Term::real(0.0)), "fun (alpha beta gamma delta : array n real) =>\n  0");
}

#[test]
fn a_subterm_can_be_marked() {
    let term = over(&[("v", reals())], sum_of_v()).expect("a term");
    let marked = |path: &[u32]| -> String {
        let pieces = print_pieces(&term, &[], Some(&Path(path.to_vec())), &PrintStyle::default());
        assert_eq!(flatten(&pieces), show(Ok(term.clone())));
        pieces.iter().filter(|p| p.marked).map(|p| &*p.text).collect()
    };
    assert_eq!(marked(&[0, 0, 0, 0, 1]), "v[i]");
    assert_eq!(marked(&[0, 1]), "0");
    assert_eq!(marked(&[0]), "ifold n (fun acc i => acc + v[i]) 0");
    assert_eq!(marked(&[7]), "");
    let twice = over(&[("x", Type::real()), ("x", Type::real())], real(1)).expect("a term");
    let pieces = print_pieces(&twice, &[], Some(&Path(vec![0])), &PrintStyle::default());
    assert_eq!(flatten(&pieces), "fun (x : real) => fun (x1 : real) => x");
}

#[test]
fn open_terms_take_names_from_their_scope() {
    let pieces = print_pieces(&op(Prim::Add, real(1), real(0)), &[name("a"), name("b")], None, &PrintStyle::default());
    assert_eq!(flatten(&pieces), "a + b");
    assert_eq!(print_term(&real(3), &PrintStyle::default()), "#3");
}

#[test]
fn types_are_printed_in_full() {
    let deep = (0..60).fold(Type::real(), |ty, _| Type::array(Size::literal(2), ty));
    assert!(!print_type(&deep).contains('…'));
    let ty = Type::fun(Type::fun(Type::real(), Type::int()), Type::pair(Type::pair(Type::int(), Type::int()), reals()));
    assert_eq!(print_type(&ty), "(real -> int) -> (int * int) * array n real");
}

#[test]
fn deep_terms_are_no_trouble() {
    let lengths = with_stack(30_000, || {
        let depth = 20_000;
        let x = || real(0);
        let grow = |f: &dyn Fn(Term) -> Term| (0..depth).fold(x(), |t, _| f(t));
        let terms = [
            grow(&neg),
            grow(&|t| op(Prim::Add, t, x())),
            grow(&|t| op(Prim::Add, x(), t)),
            grow(&|t| Term::let_in(&name("y"), t, real(0)).expect("a let")),
            grow(&|t| Term::let_in(&name("y"), x(), t.shift(1)).expect("a let")),
            grow(&|t| Term::if_else(Term::int(1), x(), t).expect("an if")),
            grow(&|t| Term::if_else(Term::int(1), t, x()).expect("an if")),
            grow(&|t| Term::fst(Term::pair(t, x()).expect("a pair")).expect("a pair")),
        ];
        terms.map(|t| print_term(&t, &PrintStyle::default()).len())
    });
    assert!(lengths.expect("a thread").iter().all(|l| *l > 20_000 && *l < 10_000_000));
}

/// Terms of type real in the scope of two reals, under binders with hints that clash.
fn real_terms() -> impl Strategy<Value = Term> {
    let leaf = prop_oneof![any::<f64>().prop_map(Term::real), Just(real(0)), Just(real(1))];
    let hint = || prop_oneof![Just("x"), Just("n"), Just("_"), Just("x1"), Just("fun")];
    leaf.prop_recursive(8, 64, 2, move |inner| {
        prop_oneof![
            inner.clone().prop_map(neg),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| op(Prim::Sub, a, b)),
            (hint(), inner.clone(), inner.clone()).prop_map(|(x, a, b)| Term::let_in(&name(x), a, b).expect("reals")),
            (hint(), inner.clone(), inner.clone()).prop_map(|(x, a, b)| Term::app(
                over(&[(x, Type::real())], b).expect("reals"),
                a
            )
            .expect("reals")),
            (hint(), inner.clone()).prop_map(|(x, a)| {
                let array = build(x, a.shift(1));
                Term::get(array, Term::fin(0, n()).expect("an index")).expect("an array")
            }),
        ]
    })
}

proptest! {
    #[test]
    fn printing_never_panics(term in real_terms(), width in 0usize..60) {
        let scope = [name("x"), name("y")];
        let plain = flatten(&print_pieces(&term, &scope, None, &PrintStyle { width: 1_000_000 }));
        let broken = flatten(&print_pieces(&term, &scope, None, &PrintStyle { width }));
        let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(words(&plain), words(&broken));
        assert!(!plain.contains('\n'));
    }
}

#[test]
fn the_short_form_of_a_path_reads_as_that_path() {
    // A spine that goes down by runs of one name of all lengths up to 6.
    let x = Term::var(0, &Type::real());
    let mut term = x.clone();
    let mut path = Path::default();
    for (k, length) in [1, 6, 2, 4, 1, 3, 5].into_iter().enumerate() {
        for _ in 0..length {
            let (inside, beside) = (term.clone(), x.clone());
            term = if k % 2 == 0 { op(Prim::Add, beside, inside) } else { op(Prim::Mul, inside, beside) };
            path.0.insert(0, u32::from(k % 2 == 0));
        }
    }
    for end in 0..=path.0.len() {
        let path = Path(path.0[..end].to_vec());
        let long = path.display(&term);
        let short = Path::shortened(&long);
        assert_eq!(Path::parse(&short, &term), Ok(path.clone()), "{short}");
        assert_eq!(Path::parse(&short.replace('×', "*"), &term), Ok(path), "{short}");
    }
    assert_eq!(Path::shortened(&path.address(&term)), ".1×5.0.0.0.1.0×4.1.1.0×6.1");
    let stop = Path::parse("1×7", &term).expect_err("it has no such depth");
    assert_eq!(stop.missing, "1×7");
    assert_eq!((Path::shortened(""), Path::shortened(".")), (String::new(), ".".to_owned()));
}
