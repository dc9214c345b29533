//! Scripts that import scripts.

use redexter::script::LineValue;

use super::script::{TestHost, deep, interpreter, of_host, tell};

const LIB: &str = "\
// Says s again.
strategy twice(s) = s ;; s;
strategy times(k, s) = if k == 0 { id } else { s ;; times(k - 1, s) };
rule grow(k) = `x + 0 --> x` where small(x, k) real_exact;
rule swap = `x + y <--> y + x` unchecked;
fn small(e, k) { e.size <= k }
fn pair(s) { s ;; helper(s) }
fn helper(s) { twice(s) }
fn none() { swap }
strategy helped = twice(beta);
print(\"loud\");
";

/// Runs a script among these files; what it printed, or what went wrong.
fn run_among(files: &[(&str, &str)], script: &str) -> Result<String, String> {
    let (mut interpreter, host) = interpreter();
    *host.files.borrow_mut() = files.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect();
    let done = interpreter.run_script("own/test.strat", script, &[]);
    let told = done.map_err(|trouble| tell(&trouble, &interpreter));
    told.map(|()| host.printed.borrow().join(" | "))
}

/// The same of a check.
fn check_among(files: &[(&str, &str)], script: &str) -> String {
    let (mut interpreter, host) = interpreter();
    *host.files.borrow_mut() = files.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect();
    let done = interpreter.check_script("own/test.strat", script);
    assert!(host.printed.borrow().is_empty(), "{script}");
    done.map_or_else(|trouble| tell(&trouble, &interpreter), |()| String::new())
}

#[track_caller]
fn gives(script: &str, printed: &str) {
    let files = [("own/lib.strat", LIB)];
    assert_eq!(run_among(&files, script).as_deref(), Ok(printed), "{script}");
    assert_eq!(check_among(&files, script), "", "{script}");
}

#[track_caller]
fn refuses(files: &[(&str, &str)], script: &str, what: &str) {
    assert_eq!(check_among(files, script), what, "{script}");
    assert_eq!(run_among(files, script).as_ref().map_err(String::as_str), Err(what), "{script}");
}

#[test]
fn what_a_library_defines_is_visible() {
    deep(|| {
        gives("import \"lib.strat\"; print(twice(beta)); print(times(2, beta));", "twice(beta) | times(2, beta)");
        gives(
            "print(grow(3)); print(swap); print(swap.reverse); import \"lib.strat\";",
            "grow(3) | swap | swap.reverse",
        );
        gives("import \"lib.strat\"; print(pair(beta)); print(none());", "beta ;; twice(beta) | swap");
        gives(
            "import \"lib.strat\" as lib; print(lib.twice(beta)); print(`${lib.pair(id)}`);",
            "twice(beta) | id ;; twice(id)",
        );
        gives("import \"lib.strat\" as lib; print(lib.grow(3)); print(lib.swap.reverse);", "grow(3) | swap.reverse");
        let same = "rule swap = `x * y <--> y * x` unchecked; print(lib.swap.reverse == swap.reverse);";
        gives(&format!("import \"lib.strat\" as lib; {same}"), "false");
        gives("import \"lib.strat\" as lib; let n = args.len(); print(lib.times(n, beta));", "times(0, beta)");
        gives("import \"lib.strat\" as lib; fn f(s) { lib.twice(s) } print(f(lib.helped));", "twice(helped)");
        gives(
            "import \"lib.strat\" as lib; fn pair(s) { id } print(lib.pair(beta)); print(pair(beta));",
            "beta ;; twice(beta) | id",
        );
        let used = "let t = term(\"fun (x : real) => x + 0\"); print(t.apply(body(grow(9)))); print(t.try_apply(body(grow(0))) == ());";
        gives(&format!("import \"lib.strat\"; {used}"), "fun (x : real) => x | true");
        gives("import \"lib.strat\"; strategy d = twice(beta); helped; print(d);", "d");
        gives(
            "import \"lib.strat\" as lib; strategy d = beta ; lib.helped; print(d == (beta ;; lib.helped));",
            "false",
        );
    });
}

#[test]
fn a_library_keeps_its_own_scope() {
    deep(|| {
        let mine =
            "import \"lib.strat\" as lib; strategy twice(s) = fail; fn helper(s) { fail } fn small(e, k) { false } ";
        gives(&format!("{mine} print(lib.pair(beta));"), "beta ;; twice(beta)");
        let t = "term(\"fun (x : real) => x + 0\")";
        gives(&format!("{mine} print({t}.apply(body(lib.grow(9))));"), "fun (x : real) => x");
        gives(&format!("{mine} print({t}.try_apply(lib.twice(body(id))) == ());"), "false");
    });
}

#[test]
fn exports_say_what_is_offered() {
    deep(|| {
        let lib = "export shown, other; strategy hidden = id; strategy shown = hidden; import \"third.strat\";";
        let files = [("own/lib.strat", lib), ("own/third.strat", "strategy other = fail;")];
        assert_eq!(run_among(&files, "import \"lib.strat\"; print(shown ;; other);").as_deref(), Ok("shown ;; other"));
        assert_eq!(check_among(&files, "import \"lib.strat\"; print(shown ;; other);"), "");
        let hidden =
            "E0606 1:36 `own/lib.strat` offers no `hidden` | it defines one: add it to its `export`, `export hidden;`";
        refuses(&files, "import \"lib.strat\" as lib; print(lib.hidden);", &hidden.replace("1:36", "1:38"));
        let none = "E0606 1:31 unknown rule, strategy or variable `hidden` | `redexter rules` lists the rules";
        refuses(&files, "import \"lib.strat\";     print(hidden);", none);
        let wrong = "E0606 1:8 `sown` is exported, but not defined | did you mean `shown`?";
        refuses(&[], "export sown; strategy shown = id;", wrong);
    });
}

#[test]
fn libraries_are_found_beside_the_script_then_here_then_among_what_ships() {
    deep(|| {
        let here = [("own/lib.strat", "strategy place = id;"), ("lib.strat", "strategy place = fail;")];
        let print = "import \"lib.strat\"; print(place == (place <+ place)); let t = term(\"1\"); print(t.try_apply(place) == ());";
        assert_eq!(run_among(&here, print).as_deref(), Ok("false | false"));
        assert_eq!(run_among(&here[1..], print).as_deref(), Ok("false | true"));
        assert_eq!(run_among(&[], "import \"gradient.strat\" as g; print(g.hoist);").as_deref(), Ok("hoist"));
        let up = [("lib.strat", "strategy place = id;")];
        assert_eq!(run_among(&up, "import \"../lib.strat\"; print(place);").as_deref(), Ok("place"));
    });
}

#[test]
fn a_library_runs_once() {
    deep(|| {
        let files = [
            ("own/a.strat", "import \"c.strat\"; strategy a = c;"),
            ("own/b.strat", "import \"c.strat\"; strategy b = c;"),
            ("own/c.strat", "strategy c = id;"),
        ];
        let script = "import \"a.strat\"; import \"b.strat\"; print(a ;; b);";
        assert_eq!(run_among(&files, script).as_deref(), Ok("a ;; b"));
        let (mut interpreter, host) = interpreter();
        *host.files.borrow_mut() = vec![("lib.strat".to_owned(), "strategy first = id;".to_owned())];
        let texts = |interpreter: &redexter::script::Interpreter| {
            let sources = interpreter.sources();
            let last = sources.borrow_mut().add("end", "");
            let all = sources.borrow();
            (0..last.0).filter(|k| all.get(redexter::ground::SourceId(*k)).name == "lib.strat").count()
        };
        let before = texts(&interpreter);
        for line in ["import \"lib.strat\"", "import \"lib.strat\" as lib", "import \"lib.strat\""] {
            interpreter.eval_line(line).expect(line);
        }
        assert_eq!(texts(&interpreter) - before, 1);
        host.files.borrow_mut()[0].1 = "strategy two = id;".to_owned();
        interpreter.eval_line("import \"lib.strat\"").expect("again");
        assert_eq!(texts(&interpreter) - before, 2);
        assert!(matches!(interpreter.eval_line("two"), Ok(LineValue::Strategy(_))));
        let gone = interpreter.eval_line("first").expect_err("the new text has no `first`");
        assert!(tell(&gone, &interpreter).contains("unknown"));
    });
}

/// A script that changed is run again, and so is one that imports it.
#[test]
fn a_library_that_changed_runs_again() {
    deep(|| {
        let (mut interpreter, host) = interpreter();
        let put = |place: &str| {
            let files = [
                ("lib", "import \"low.strat\"; strategy high = low;".to_owned()),
                ("low", format!("strategy low = {place};")),
            ];
            *host.files.borrow_mut() = files.map(|(name, text)| (format!("own/{name}.strat"), text)).to_vec();
        };
        let script = "import \"lib.strat\" as lib; print(term(\"1.0\").try_apply(lib.high) == ());";
        for (place, fails) in [("id", "false"), ("fail", "true"), ("id", "false")] {
            put(place);
            interpreter.run_script("own/test.strat", script, &[]).unwrap_or_else(|why| panic!("{place}: {why:?}"));
            assert_eq!(host.printed.borrow().last().map(String::as_str), Some(fails), "{place}");
        }
    });
}

#[test]
fn cycles_are_told_with_their_chain() {
    deep(|| {
        let own = "E0403 1:8 `own/test.strat` imports itself | remove this import";
        refuses(&[("own/test.strat", "")], "import \"test.strat\";", own);
        let files = [
            ("own/a.strat", "import \"b.strat\";"),
            ("own/b.strat", "strategy b = id;\nimport \"../own/a.strat\";"),
            ("own/test.strat", ""),
            ("own/back.strat", "import \"test.strat\";"),
        ];
        let chain = "E0403 2:8 scripts import each other in a cycle: own/a.strat → own/b.strat → own/a.strat";
        refuses(&files, "import \"a.strat\";", &format!("{chain} | move what both scripts need into a third one"));
        let chain = "E0403 1:8 scripts import each other in a cycle: own/test.strat → own/back.strat → own/test.strat";
        refuses(&files, "import \"back.strat\";", &format!("{chain} | move what both scripts need into a third one"));
    });
}

#[test]
fn one_name_has_one_meaning() {
    deep(|| {
        let files = [("own/lib.strat", LIB), ("own/other.strat", "strategy twice(s) = s;")];
        let two = "E0303 1:28 two imports give `twice` | write `import \"other.strat\" as lib;` and `lib.twice`";
        refuses(&files, "import \"lib.strat\"; import \"other.strat\";", two);
        let fine = "import \"lib.strat\"; import \"other.strat\" as other; print(other.twice(twice(id)));";
        assert_eq!(run_among(&files, fine).as_deref(), Ok("twice(twice(id))"));
        let own =
            "E0303 1:10 `twice` is defined here and imported | write `import \"lib.strat\" as lib;` and `lib.twice`";
        refuses(&files, "strategy twice = id; import \"lib.strat\";", own);
        let function =
            "E0303 1:4 `pair` is defined here and imported | write `import \"lib.strat\" as lib;` and `lib.pair`";
        refuses(&files, "fn pair(x) { x } import \"lib.strat\";", function);
        let alias = "E0303 1:35 two imports are called `l` | give it another name behind `as`";
        refuses(&files, "import \"lib.strat\" as l;   import \"other.strat\" as l;", alias);
        let hides =
            "E0303 1:5 `twice` is defined here and imported | write `import \"lib.strat\" as lib;` and `lib.twice`";
        refuses(&files, "let twice = 1; import \"lib.strat\";", hides);
        let variable = "E0303 1:31 `l` is the name of an import | choose another name";
        refuses(&files, "import \"lib.strat\" as l; let  l = 1;", variable);
    });
}

/// `lib.tidy` is `lib_tidy` to Rhai: no other name may be.
#[test]
fn no_name_captures_one_behind_an_alias() {
    deep(|| {
        let files = [("own/lib.strat", "strategy tidy = id; strategy b_c = id; strategy c = fail;")];
        let help = "choose another name, or give the import another one behind `as`";
        let taken = |at: &str| format!("E0303 {at} `lib_tidy` can't be told from `lib.tidy` | {help}");
        let import = "import \"lib.strat\" as lib; ";
        refuses(&files, &format!("{import}strategy f(lib_tidy) = pairFirst(lib.tidy);"), &taken("1:39"));
        refuses(&files, &format!("{import}print((|lib_tidy| lib.tidy).call(1));"), &taken("1:36"));
        assert_eq!(run_among(&files, &format!("{import}let s = \"lib_tidy\"; print(s);")).as_deref(), Ok("lib_tidy"));
        let joined = "E0303 1:35 two imports give `a_b.c` | give it another name behind `as`";
        refuses(&files, "import \"lib.strat\" as a;   import \"lib.strat\" as a_b; print(a_b.c);", joined);
        let both = "import \"lib.strat\" as a; import \"lib.strat\" as b; print(a.c ;; b.c);";
        assert_eq!(run_among(&files, both).as_deref(), Ok("c ;; c"));
    });
}

#[test]
fn places_behind_an_import_are_right() {
    deep(|| {
        let files = [("own/é😀.strat", "strategy tidy = id;")];
        let unknown = |at: &str| format!("E0606 {at} unknown rule, strategy or variable `unknown_x`");
        for (script, at) in [
            ("import \"é😀.strat\" as l; print(unknown_x);", "1:31"),
            ("import /* é */\n  \"é😀.strat\" as l ; print(unknown_x);", "2:27"),
            ("import\n\"é😀.strat\"; strategy s = unknown_x;", "2:26"),
            ("print(unknown_x); import \"é😀.strat\"", "1:7"),
        ] {
            let told = run_among(&files, script).expect_err(script);
            assert!(told.starts_with(&unknown(at)), "{script}: {told}");
        }
    });
}

#[test]
fn imports_are_statements() {
    deep(|| {
        let top =
            "E0101 1:6 `import` can't stand in brackets | write it at the top of the script, outside all brackets";
        refuses(&[], "{ {  import \"lib.strat\"; } }", top);
        let quotes = "E0101 1:1 `import` needs the path of a script in quotes | write `import \"lib.strat\";`";
        refuses(&[], "import lib;", quotes);
        let model = "E0101 1:8 only scripts are imported into a script, and this is a model | write `let m = load(\"a.arr\");`, \
                     with the path from the current folder";
        refuses(&[], "import \"a.arr\" as m;", model);
        let missing = "E0401 1:8 can't read `own/lib.strat`: No such file or directory (os error 2)";
        assert!(check_among(&[], "import \"lib.strat\";").starts_with(missing));
        let inside = [("own/lib.strat", "\nstrategy s = bta;")];
        let wrong = "E0606 2:14 unknown rule, strategy or variable `bta` | did you mean `beta`?";
        refuses(&inside, "import \"lib.strat\";", wrong);
        let library = "E0603 1:31 `lib` is a library | write `lib.name`, such as `lib.grow(k)`";
        refuses(
            &[("own/lib.strat", LIB)],
            "import \"lib.strat\" as lib; let l = lib;",
            &library.replace("1:31", "1:36"),
        );
    });
}

/// A check knows what a library defines, but only a run knows what depends on its work.
#[test]
fn a_check_runs_no_library() {
    deep(|| {
        let lib =
            "let n = term(\"1\").evaluate(#{}); strategy open = if n == 1 { id } else { fail }; strategy known = id;";
        let files = [("own/lib.strat", lib)];
        let script = "import \"lib.strat\" as lib; strategy a = lib.open ;; beta; print(a <+ lib.known);";
        assert_eq!(check_among(&files, script), "");
        assert_eq!(run_among(&files, script).as_deref(), Ok("a <+ known"));
        let wrong = "import \"lib.strat\" as lib; strategy a = normalize(lib.known);";
        assert!(check_among(&files, wrong).starts_with("E0601"), "{}", check_among(&files, wrong));
    });
}

/// What a library's functions do counts for the script that calls them.
#[test]
fn limits_hold_across_libraries() {
    deep(|| {
        let files = [("own/lib.strat", "fn work(n) { let k = 0; while k < n { k += 1; } k }")];
        let script = "import \"lib.strat\"; let all = 0; loop { all += work(1000); }";
        assert_eq!(run_among(&files, script), Err("Operations(400000)".to_owned()));
        let work = "let k = 0; while k < 20000 { k += 1; }";
        let files: Vec<(String, String)> = (0..20).map(|k| (format!("own/{k}.strat"), work.to_owned())).collect();
        let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
        assert_eq!(run_among(&files, "import \"0.strat\"; load(\"own/1.strat\");").as_deref(), Ok(""));
        let often = "for k in 0..500 { load(\"own/0.strat\"); }";
        assert_eq!(run_among(&files, often), Err("Operations(400000)".to_owned()));
        let many: String = (0..20).map(|k| format!("import \"{k}.strat\";")).collect();
        assert_eq!(run_among(&files, &format!("{many} print(1);")), Err("Operations(400000)".to_owned()));
    });
}

/// Each call into a library, back from it, or out of a run begins on an engine that counts its calls anew.
#[test]
fn calls_between_scripts_nest_no_deeper_than_others() {
    deep(|| {
        let files = [("own/lib.strat", "fn apply1(f) { f.call() } fn run(t, r) { t.apply(r) }")];
        let again = "import \"lib.strat\" as lib; fn again() { lib.apply1(|| again()) } again();";
        let told = run_among(&files, again).expect_err("it never ends");
        assert!(told.starts_with("E0701 1:41 functions call each other too deeply"), "{told}");
        let down = "import \"lib.strat\" as lib; fn down(n) { if n == 0 { lib.apply1(|| down(90)) } else { down(n - 1) } } down(90);";
        let told = run_among(&files, down).expect_err("it never ends");
        assert!(told.contains("functions call each other too deeply"), "{told}");
        let term = "term(\"fun (x : real) => x * 1\")";
        let rule = format!("fn f(t) {{ t.apply(r) }} rule r = |t| f(t) unchecked; {term}.apply(r);");
        let told = run_among(&[], &rule).expect_err("it never ends");
        assert!(told.starts_with("E0602 1:85 the strategy `r` failed"), "{told}");
        let often = "import \"lib.strat\" as lib; let n = 0; while n < 500 { n += lib.apply1(|| 1); } print(n);";
        assert_eq!(run_among(&files, often).as_deref(), Ok("500"));
    });
}

/// Scripts that reach the same ones in many ways are read once for each import in them.
#[test]
fn what_is_imported_in_many_ways_is_read_once() {
    deep(|| {
        let import = |k: usize| {
            let next = k + 1;
            format!("import \"p{next}.strat\" as a; import \"q{next}.strat\" as b; import \"p{next}.strat\" as c;")
        };
        let layers = 12;
        let text = |k: usize| if k < layers { import(k) } else { "strategy last = id;".to_owned() };
        let files = (1..=layers).flat_map(|k| ["p", "q"].map(|name| (format!("own/{name}{k}.strat"), text(k))));
        let (mut interpreter, host) = interpreter();
        *host.files.borrow_mut() = files.collect();
        let mut reads = || {
            host.read.borrow_mut().clear();
            interpreter.run_script("own/test.strat", &import(0), &[]).expect("it runs");
            host.read.borrow().len()
        };
        let imports = 3 * (2 * layers - 1);
        assert_eq!(reads(), imports);
        assert_eq!(reads(), 3 + 2 * layers);
    });
}

/// A session is written as a script that runs, though it writes imports without their aliases.
#[test]
fn what_is_saved_gives_a_name_one_meaning() {
    let folder = tempfile::tempdir().expect("a folder");
    let put = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).expect("a file");
    put("lib.strat", "strategy tidy = addZero; strategy ones = mulOne; strategy current = addZero;");
    put("other.strat", "strategy tidy = mulOne; rule addZero = `x * 1 --> x`;");
    let session = |uses: &str| {
        let begin = "import \"lib.strat\" as a\nimport \"other.strat\" as b\n";
        put("in.txt", &format!("{begin}term(\"fun (x : real) => x * 1 * 1 + 0\")\n{uses}\n:save two.strat\n"));
        let run = |arguments: &[&str]| {
            let input = std::fs::File::open(folder.path().join("in.txt")).expect("a file");
            let program = env!("CARGO_BIN_EXE_redexter");
            let mut command = std::process::Command::new(program);
            let done = command.args(arguments).stdin(input).current_dir(folder.path()).output().expect("it runs");
            String::from_utf8_lossy(&done.stdout).into_owned() + &*String::from_utf8_lossy(&done.stderr)
        };
        let said = run(&[]);
        assert!(said.ends_with("wrote two.strat\n"), "{said}");
        let text = std::fs::read_to_string(folder.path().join("two.strat")).expect("a file");
        (run(&["run", "two.strat"]), text)
    };
    let x = "fun (x : real) => x\n";
    let (ran, text) = session("body(b.tidy) <+ body(addZero)\nbody(b.tidy)\nbody(b.tidy)");
    assert!(ran == x, "{text}\n{ran}");
    let (ran, text) = session("body(addZero)\nbody(b.tidy)\nbody(b.tidy)");
    assert!(ran == x, "{text}\n{ran}");
    let own = "strategy tidy = addZero\nbody(tidy)\nbody(b.tidy)\nbody(b.tidy)";
    let (ran, text) = session(own);
    assert!(ran == x, "{text}\n{ran}");
    let (ran, text) = session("body(addZero)\nbody(a.ones)\nbody(a.ones)");
    assert!(ran == x, "{text}\n{ran}");
}

#[test]
fn bare_leaves_out_what_is_derived() {
    deep(|| {
        let bare = || of_host(TestHost { bare: true, ..TestHost::default() }).0;
        let told = |line: &str| match bare().eval_line(line) {
            Ok(LineValue::Strategy(strategy)) => strategy.to_string(),
            Ok(other) => format!("{other:?}"),
            Err(trouble) => tell(&trouble, &bare()),
        };
        assert_eq!(told("one(all(some(not(beta)))) ;; body(id)"), "one(all(some(not(beta)))) ;; body(id)");
        for name in ["topDown(beta)", "try(beta)", "alltd(beta)", "repeatN(2, beta)"] {
            let bare = name.split('(').next().unwrap_or("");
            let help =
                "the prelude has it, which `--bare` leaves out: `import \"strategies/prelude.strat\";` brings it in";
            assert_eq!(told(name), format!("E0606 1:1 unknown rule, strategy or variable `{bare}` | {help}"));
        }
        assert!(told("fastGradient").starts_with("E0606 1:1 unknown rule, strategy or variable `fastGradient`"));
        let (mut bare, _) = of_host(TestHost { bare: true, ..TestHost::default() });
        bare.eval_line("import \"prelude.strat\"").expect("it ships");
        let Ok(LineValue::Strategy(found)) = bare.eval_line("try(topDown(alltd(beta)))") else { panic!("a strategy") };
        assert_eq!(found.to_string(), "try(topDown(alltd(beta)))");
    });
}

/// A function that is handed to a library means there what it means here.
#[test]
fn functions_go_into_libraries() {
    deep(|| {
        let files = [("own/lib.strat", "fn each(f, s) { f.call(s) } strategy own(s) = fail;")];
        let script = "import \"lib.strat\" as lib; strategy own(s) = s ;; s; fn f(s) { own(s) } let k = beta;\n";
        let gives = |used: &str| run_among(&files, &format!("{script} print({used});"));
        assert_eq!(gives("lib.each(|s| s ;; k, id)").as_deref(), Ok("id ;; beta"));
        assert_eq!(gives("lib.each(|s| own(s), id)").as_deref(), Ok("own(id)"));
        assert_eq!(gives("lib.each(Fn(\"f\"), id)").as_deref(), Ok("own(id)"));
        assert_eq!(gives("lib.each(|s| f(s), id) == own(id)").as_deref(), Ok("true"));
    });
}

#[test]
fn commands_follow_imports_and_obey_bare() {
    let folder = tempfile::tempdir().expect("a folder");
    let put = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).expect("a file");
    std::fs::create_dir(folder.path().join("own")).expect("a folder");
    put(
        "own/main.strat",
        "import \"lib.strat\" as lib;\nexport main;\nstrategy main = lib.twice(body(mulOne));\nprint(main);\n",
    );
    put("own/lib.strat", "strategy twice(s) = s ;; s;\nprint(\"loud\");\n");
    put("m.arr", "def f (x : real) := x * 1 * 1\n");
    let run = |arguments: &[&str]| {
        let program = env!("CARGO_BIN_EXE_redexter");
        let done =
            std::process::Command::new(program).args(arguments).current_dir(folder.path()).output().expect("it runs");
        let said = String::from_utf8_lossy(&done.stdout).into_owned() + &*String::from_utf8_lossy(&done.stderr);
        (done.status.code(), said)
    };
    assert_eq!(run(&["run", "own/main.strat"]), (Some(0), "main\n".to_owned()));
    assert_eq!(run(&["check", "own/main.strat"]), (Some(0), String::new()));
    assert_eq!(run(&["fmt", "--check", "own/main.strat", "own/lib.strat"]), (Some(0), String::new()));
    put("own/gone.strat", "import \"nowhere.strat\" as gone;\nstrategy a = gone.b ;; id;\n");
    assert_eq!(run(&["fmt", "--check", "own/gone.strat"]), (Some(0), String::new()));
    let (code, said) = run(&["apply", "main", "m.arr:f", "--use", "own/main.strat"]);
    assert!(code == Some(0) && said == "fun (x : real) => x\nmain\n2 rewrites: 1 → 0\n", "{said}");
    assert_eq!(
        run(&["apply", "body(mulOne)", "m.arr:f", "--bare"]),
        (Some(0), "fun (x : real) => x * 1\n1 rewrite: 2 → 1\n".to_owned())
    );
    for derived in ["normalize(mulOne)", "fastGradient", "try(mulOne)"] {
        let (code, said) = run(&["apply", derived, "m.arr:f", "--bare"]);
        assert!(code == Some(1) && said.starts_with("error[E0606]"), "{derived}: {said}");
    }
}
