//! The REPL in a terminal, as a person has it: completion, Ctrl-C, a window that changes, Ctrl-D.

#![cfg(unix)]

use std::io::{Read, Write};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};

/// What the terminal is told where a line begins to be typed, and where it ends.
const TYPING: &str = "\x1b[?2004h";
const TYPED: &str = "\x1b[?2004l";
const CTRL_C: &str = "\x03";
const CTRL_D: &str = "\x04";

/// After so long an answer counts as missing.
const PATIENCE: Duration = Duration::from_secs(120);

/// The REPL in a terminal.
struct Terminal {
    master: Box<dyn MasterPty + Send>,
    keys: Box<dyn Write + Send>,
    child: Box<dyn Child + Send + Sync>,
    screen: Arc<Mutex<String>>,
    /// How much of the screen was looked at.
    seen: usize,
    state: tempfile::TempDir,
}

impl Terminal {
    fn open(columns: u16) -> Terminal {
        let state = tempfile::tempdir().unwrap();
        let pair = native_pty_system().openpty(size(columns)).unwrap();
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_redexter"));
        command.arg("repl");
        command.cwd(env!("CARGO_MANIFEST_DIR"));
        command.env("XDG_STATE_HOME", state.path());
        command.env("TERM", "xterm");
        command.env("NO_COLOR", "1");
        command.env("PAGER", "cat");
        let child = pair.slave.spawn_command(command).unwrap();
        let (mut output, keys) = (pair.master.try_clone_reader().unwrap(), pair.master.take_writer().unwrap());
        let screen = Arc::new(Mutex::new(String::new()));
        let written = screen.clone();
        thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(count @ 1..) = output.read(&mut bytes) {
                written.lock().unwrap().push_str(&String::from_utf8_lossy(&bytes[..count]));
            }
        });
        let mut terminal = Terminal { master: pair.master, keys, child, screen, seen: 0, state };
        terminal.prompt();
        terminal
    }

    fn press(&mut self, keys: &str) {
        self.press_bytes(keys.as_bytes());
    }

    fn press_bytes(&mut self, keys: &[u8]) {
        self.keys.write_all(keys).unwrap();
        self.keys.flush().unwrap();
    }

    /// Waits for a text, and gives what was written up to it.
    fn wait(&mut self, wanted: &str) -> String {
        let from = self.seen;
        let comes = self.comes(wanted, PATIENCE);
        let screen = self.screen.lock().unwrap();
        assert!(comes, "no `{wanted}` in\n{}", &screen[from..]);
        screen[from..self.seen].to_owned()
    }

    /// Waits so long for a text.
    fn comes(&mut self, wanted: &str, patience: Duration) -> bool {
        let begin = Instant::now();
        while begin.elapsed() < patience {
            let found = self.screen.lock().unwrap()[self.seen..].find(wanted);
            if let Some(at) = found {
                self.seen += at + wanted.len();
                return true;
            }
            thread::sleep(Duration::from_millis(5));
        }
        false
    }

    fn prompt(&mut self) -> String {
        self.wait(TYPING)
    }

    /// Waits until lines are answered again. A Ctrl-C that arrives after the answer it was meant for throws away what was
    /// typed since, so that questions are typed, each another, until one is answered.
    fn settle(&mut self) {
        for question in 0.. {
            self.press(&format!(":help question{question}\r"));
            if self.comes(&format!("`question{question}`"), Duration::from_secs(5)) {
                break;
            }
        }
        self.prompt();
    }

    /// Types a line and gives its answer.
    fn ask(&mut self, line: &str) -> String {
        self.press(&format!("{line}\r"));
        self.wait(TYPED);
        self.prompt()
    }
}

impl Terminal {
    /// Whether a file of a session that ended irregularly is there.
    fn is_left_behind(&self) -> bool {
        let all = std::fs::read_dir(self.state.path().join("redexter/sessions")).into_iter().flatten().flatten();
        all.into_iter().any(|entry| entry.path().extension().is_some_and(|e| e == "strat"))
    }

    fn signal(&self, signal: &str) {
        let child = self.child.process_id().unwrap().to_string();
        assert!(std::process::Command::new("kill").args([signal, &child]).status().unwrap().success());
    }
}

fn size(columns: u16) -> PtySize {
    PtySize { rows: 24, cols: columns, pixel_width: 0, pixel_height: 0 }
}

#[test]
fn a_session_at_a_terminal() {
    let mut terminal = Terminal::open(100);
    terminal.press(":lo\t\t");
    let offered = terminal.wait("log");
    assert!(offered.contains("load"), "{offered}");
    terminal.press(CTRL_C);
    terminal.prompt();

    terminal.ask(":load models/bundle_adjustment.arr");
    terminal.ask("let t = term(\"fun (x : array n real) => build n (fun i => x[i] * 2)\"); t");
    let work = terminal.wait("> ");
    assert!(work.contains("redexter 3n> "), "{work}");
    terminal.ask(":at .body");
    let focus = terminal.wait("> ");
    assert!(focus.contains("redexter 3n .body> "), "{focus}");
    terminal.ask("jacobianBlock");
    let other = terminal.wait("> ");
    assert!(other.contains("redexter 5565> "), "{other}");
    terminal.ask(":set max-steps 1000000000000000");
    terminal.ask("rule turn = `a + b --> b + a` unchecked");
    terminal.press("force(normalize(turn))\r");
    terminal.wait("Ctrl-C stops; goes round: turn; each round leaves as many");
    terminal.press(CTRL_C);
    terminal.press(CTRL_C);
    terminal.wait("interrupted");
    terminal.settle();
    let log = terminal.ask(":log");
    assert!(log.contains("jacobianBlock"), "{log}");

    terminal.press(":profile force(normalize(turn))\r");
    terminal.wait("Ctrl-C stops");
    terminal.press(CTRL_C);
    terminal.wait("interrupted");
    terminal.settle();

    terminal.press(":trace\r");
    terminal.press(CTRL_C);
    terminal.settle();
    terminal.press(":tag kept\r");
    terminal.wait("the current term is `@kept`");
    terminal.prompt();
    let log = terminal.ask(":log");
    assert!(log.contains("jacobianBlock"), "{log}");

    let wide = terminal.ask(":show");
    terminal.master.resize(size(50)).unwrap();
    let narrow = terminal.ask(":show");
    let lines = |text: &str| text.lines().map(|line| line.chars().count()).collect::<Vec<_>>();
    assert!(lines(&wide).into_iter().any(|columns| columns > 50), "{wide}");
    assert!(narrow.lines().count() > wide.lines().count(), "{narrow}");

    terminal.press(CTRL_D);
    assert_eq!(terminal.child.wait().unwrap().exit_code(), 0);
}

/// A byte that no line has ends that line: neither what was typed before it nor what is pasted behind it runs.
#[test]
fn what_one_is_told_to_type_first_works() {
    let mut terminal = Terminal::open(100);
    let greeting = terminal.screen.lock().unwrap().clone();
    let told: Vec<&str> = greeting.lines().filter_map(|line| line.strip_prefix("  ")).collect();
    assert_eq!(told.len(), 3, "{greeting}");
    for line in told {
        let typed = line.trim_end().split("   ").next().unwrap();
        let answer = terminal.ask(typed);
        assert!(!answer.contains("error"), "{typed}: {answer}");
        if typed.starts_with(":lesson") {
            terminal.ask(":lesson stop");
        }
    }
    let fast = terminal.ask("fastGradient");
    assert!(fast.contains("n² → n"), "{fast}");
}

#[test]
fn a_byte_that_is_not_utf_8_ends_its_line_only() {
    let mut terminal = Terminal::open(100);
    terminal.ask("let kept = 3");
    terminal.press_bytes(b"let b = 1\xff; let kept = 4\r");
    let said = terminal.wait("byte 10");
    assert!(said.contains("the input isn't UTF-8"), "{said}");
    terminal.prompt();
    let kept = terminal.ask("kept");
    assert!(kept.contains("\n3\r\n"), "{kept}");
    assert!(terminal.ask("b").contains("E0606"), "nothing of the line was taken");
    terminal.press(CTRL_D);
    assert_eq!(terminal.child.wait().unwrap().exit_code(), 0);
}

#[test]
fn what_is_answered_is_seen_and_not_obeyed() {
    let mut terminal = Terminal::open(100);
    let said = terminal.ask(r#"print("a\x1b]0;title\x07b")"#);
    assert!(said.contains(r"a\u{1b}]0;title\u{7}b"), "{said}");
    terminal.press(CTRL_D);
    terminal.child.wait().unwrap();
}

/// At the prompt and in the middle of work; what was typed last is in the history.
#[test]
fn a_signal_ends_it_and_the_session_is_left_behind() {
    for (line, signal) in [("", "-TERM"), ("", "-HUP"), ("loop { }", "-TERM"), ("loop { }", "-HUP")] {
        let mut terminal = Terminal::open(100);
        terminal.ask(":load models/vector_sum.arr");
        terminal.ask("gradient");
        terminal.ask(":set max-steps 1000000000000000");
        if !line.is_empty() {
            terminal.press(&format!("{line}\r"));
            terminal.wait("Ctrl-C stops");
        }
        terminal.signal(signal);
        let code = terminal.child.wait().unwrap();
        assert_eq!(code.exit_code(), if signal == "-TERM" { 143 } else { 129 }, "{line} {signal}");
        assert!(terminal.is_left_behind(), "{line} {signal}");
        let history = std::fs::read_to_string(terminal.state.path().join("redexter/history")).unwrap();
        assert!(history.contains("gradient") && history.contains(line), "{history}");
        if line.is_empty() {
            terminal.wait(TYPED);
        }
    }
}
