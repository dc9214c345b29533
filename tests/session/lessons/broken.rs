//! Files that are no lessons yet: the place and what is missing.

use std::path::Path;

use redexter::document::check;
use redexter::render;

use crate::lessons::{deep, empty};

const WHOLE: &str = "# Title

```arr m.arr
def twice (x : real) : real := x * 1 + x * 1
```

```lesson
term: twice
form: `fun (x : real) => x + x`
rules: mulOne
```

```solution
normalize(mulOne)
```

```wrong stuck
// Once isn't enough.
topDown(mulOne)
```
";

/// What `redexter check` says of this page.
fn said(page: &str) -> String {
    let session = empty();
    let checked = check(&session, Path::new("l.md"), page).expect("no limit is met");
    checked.findings.iter().map(|found| render::finding(found, &session.sources_handle()).into_text()).collect()
}

#[test]
fn a_lesson_says_where_it_is_broken() {
    deep(|| {
        assert_eq!(said(WHOLE), "");
        for (old, new, place, message) in [
            ("# Title\n", "", "l.md:1:1", "begins with its title"),
            ("term: twice\n", "", "l.md:8:1", "lacks a line `term: NAME`"),
            ("term: twice", "term: thrice", "l.md:8:1", "thrice"),
            ("term: twice", "term: shared", "l.md:8:1", "shared"),
            ("form: `fun (x : real) => x + x`\n", "", "l.md:8:1", "has no goal"),
            ("x + x`", "x + `", "l.md:9:1", ""),
            ("x + x`", "x + x`\nwork: n^", "l.md:10:1", "is no work"),
            ("rules: mulOne", "rules: mulOn", "l.md:10:1", "there is no rule `mulOn`"),
            ("rules: mulOne", "rules: addZero", "l.md:14:1", "which may not be used"),
            ("rules: mulOne", "rules: mulOne\nrules: mulOne", "l.md:11:1", "`rules` is there twice"),
            ("rules: mulOne", "rule: mulOne", "l.md:10:1", "a task has no `rule`"),
            ("```solution", "```soluton", "l.md:14:1", "did you mean `solution`?"),
            ("normalize(mulOne)", "topDown(mulOne)", "l.md:14:1", "a solution doesn't reach the goal"),
            ("normalize(mulOne)", "normalize(mulOne", "l.md:14:1", ""),
            ("normalize(mulOne)", "normalise(mulOne)", "l.md:14:1", "normalise"),
            ("wrong stuck", "wrong", "l.md:18:1", "doesn't say what is wrong"),
            ("wrong stuck", "wrong stuck always", "l.md:18:1", "may stand `like this`, and not `always`"),
            ("wrong stuck", "wrong costly", "l.md:18:1", "said to be `costly`, but it is `stuck`"),
            ("topDown(mulOne)\n", "topDown(\n", "l.md:18:1", ""),
        ] {
            let page = WHOLE.replacen(old, new, 1);
            assert_ne!(page, WHOLE, "{old}");
            let said = said(&page);
            assert!(
                said.contains(place) && said.contains(message),
                "{new:?} in place of {old:?}: {place}: {message}\n{said}"
            );
        }
    });
}
