//! Findings show what they point at: at its line and column, above the mark, and not more of a long line than can be read.

use redexter::ground::{Diagnostic, Random, Sources, Span, code};
use redexter::render;

/// Lines of letters, two of them of two bytes, some lines longer than is shown.
fn lines(random: &mut Random) -> Vec<String> {
    let letters = ['a', 'b', 'c', 'é', 'λ', ' '];
    let lengths = [0, 1, 40, 319, 321, 700, 5000];
    let line = |random: &mut Random| {
        let length = lengths[random.below(lengths.len())];
        (0..length).map(|_| letters[random.below(letters.len())]).collect()
    };
    (0..1 + random.below(4)).map(|_| line(random)).collect()
}

#[test]
fn what_a_finding_points_at_stands_above_its_mark() {
    let mut random = Random::new(7);
    for round in 0..400 {
        let lines = lines(&mut random);
        let number = random.below(lines.len());
        let Some(column) = lines[number].chars().count().checked_sub(1).map(|last| random.below(last + 1)) else {
            continue;
        };
        let before: usize = lines[..number].iter().map(|line| line.len() + 1).sum();
        let (within, letter) = lines[number].char_indices().nth(column).unwrap();
        let start = before + within;
        let mut sources = Sources::default();
        let source = sources.add("t.arr", lines.join("\n"));
        let span = Span::new(source, start, start + letter.len_utf8());
        let finding = Diagnostic::error(code::UNREADABLE, "it is so").at(span, "here");
        let told = render::diagnostics(&[finding], &sources).into_text();
        let shown: Vec<&str> = told.lines().collect();
        assert!(shown[1].ends_with(&format!("t.arr:{}:{}", number + 1, column + 1)), "round {round}: {told}");
        let mark = shown.iter().position(|line| line.ends_with("^ here")).unwrap();
        let at = shown[mark].chars().position(|letter| letter == '^').unwrap();
        // Blanks at the end of a line aren't printed.
        assert_eq!(shown[mark - 1].chars().nth(at).unwrap_or(' '), letter, "round {round}: {told}");
        assert!(shown.iter().all(|line| line.chars().count() < 340), "round {round}: {told}");
    }
}

#[test]
fn findings_that_reach_over_long_lines_show_both_ends() {
    let text = format!("first {}\nsecond {}\n", "x ".repeat(4000), "y ".repeat(4000));
    let second = text.find("second").unwrap();
    for (start, end, ends) in [(0, second + 6, ["first", "second"]), (4000, second + 4000, ["x x", "y y"])] {
        let mut sources = Sources::default();
        let source = sources.add("t.arr", text.clone());
        let finding = Diagnostic::error(code::UNREADABLE, "it is so").at(Span::new(source, start, end), "here");
        let told = render::diagnostics(&[finding], &sources).into_text();
        assert!(ends.iter().all(|end| told.contains(end)), "{told}");
        assert!(told.contains("…\n") && told.len() < 2000, "{told}");
    }
}

/// A file of one line with a hundred faults was printed a hundred times.
#[test]
fn findings_of_one_line_dont_print_it_again_and_again() {
    let told = |faults: usize| {
        let mut sources = Sources::default();
        let source = sources.add("t.strat", "rule r = `f(1)`; ".repeat(faults));
        let findings: Vec<Diagnostic> = (0..100)
            .map(|k| Diagnostic::error(code::UNREADABLE, "it is so").at(Span::new(source, 17 * k, 17 * k + 4), "here"))
            .collect();
        render::diagnostics(&findings, &sources).into_text().len()
    };
    assert!(told(8000) < told(1000) + told(1000) / 10);
}
