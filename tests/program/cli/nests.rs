//! `export nests`: which loops are written for what programs ask.

use std::path::Path;

use super::{err, out, redexter};

/// The loops of a scheduled gradient in strips.
fn strips(target: &str, further: &[&str]) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let asked = ["export", "nests", target, "--apply", "fastGradient"];
    let done = redexter(root).args(asked).args(further).output().unwrap();
    assert!(done.status.success(), "{}", err(&done));
    let text = out(&done);
    let inside = text.lines().skip_while(|line| !line.starts_with("strips")).skip(1);
    inside.take_while(|line| line.starts_with(' ')).map(|line| format!("{line}\n")).collect()
}

#[test]
fn triangles_are_walked_alone() {
    for further in [&[][..], &["--fast"]] {
        let loops = strips("models/mixture.arr:gradient", further);
        // The only choices are the largest score, and whether it is finite.
        assert_eq!(loops.matches("if ").count(), 2, "{loops}");
        assert!(loops.contains("for b.") && loops.contains(" < a."), "{loops}");
        // What is divided by is divided by in one place.
        assert_eq!(loops.matches(" / ").count(), 1, "{loops}");
    }
    let exact = strips("models/mixture.arr:gradient", &[]);
    assert_eq!(exact.matches("pairs ").count(), 2, "{exact}");
}

#[test]
fn choices_by_constants_are_made_before() {
    let target = "benches/native/bundle.arr:blocks";
    let [exact, fast] = [&[][..], &["--fast"]].map(|further| strips(target, further));
    for loops in [&exact, &fast] {
        assert_eq!(loops.matches("(if (o.").count(), 0, "{loops}");
        assert_eq!(loops.matches("][14][").count(), 2, "{loops}");
    }
    let divisions = [&exact, &fast].map(|loops| loops.matches(" / ").count());
    assert!(divisions[1] * 10 < divisions[0], "{divisions:?}");
}
