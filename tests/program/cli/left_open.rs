//! What is left open where lines come through a pipe is told, with the line in which it began.

use crate::support::program;

use super::folder;

/// What is said of these lines.
fn said(lines: &str) -> String {
    program::run(&[], lines, folder().path()).1
}

#[test]
fn a_line_that_is_left_open_is_told_with_where_it_begins() {
    let told = "note: what begins in line 2 of the input is left open up to the command in line";
    for (command, line) in [(":limits", 3), (":help addresses", 3), ("  :show", 3), ("1 +\n:show", 4)] {
        let all = said(&format!("print(1);\nlet x = (1\n{command}\nprint(\"behind\");\n"));
        assert!(all.contains(&format!("{told} {line}\n")) && all.ends_with("behind\n"), "{all}");
    }
    let all = said("let x = (1\nprint(2)\nprint(3)\n");
    assert!(all.contains("note: what begins in line 1 of the input is left open up to the end\n"), "{all}");
    // What is whole, and what the last line leaves open, needs no note.
    for lines in ["let x = (1\n + 2);\n:show\n", "print(1);\nlet x = (1\n", "fun (x\n :real) => x\n"] {
        assert!(!said(lines).contains("note:"), "{lines}");
    }
}
