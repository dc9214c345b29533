//! Handles the signals that ask the process to end (SIGTERM, and SIGHUP where the terminal goes away), and the modes of a
//! terminal. Elsewhere than on POSIX there are none.
//!
//! Work that goes on is stopped first, as by Ctrl-C, and its session is saved; then the process ends with 128 and the
//! signal's number, as a shell counts. Work that doesn't stop in time is left. The signals are blocked in every thread,
//! and one thread waits for them: it may do what a handler may not.

use std::sync::atomic::{AtomicU8, Ordering};

/// The exit code of a process that was asked to end; 0 before.
static ENDING: AtomicU8 = AtomicU8::new(0);

/// The number of SIGHUP.
const HANGUP: u8 = 1;

/// The exit code, once a signal asked the process to end.
pub fn ending() -> Option<u8> {
    Some(ENDING.load(Ordering::SeqCst)).filter(|code| *code > 0)
}

/// The terminal went away, though no signal came yet.
pub fn hung_up() {
    asked(HANGUP);
}

fn asked(signal: u8) -> u8 {
    let code = 128 + signal;
    ENDING.store(code, Ordering::SeqCst);
    code
}

#[cfg(unix)]
pub use unix::{drop_typed, keep_modes, start_anew, wait_for_signals};

#[cfg(unix)]
mod unix {
    use std::io::Write;
    use std::os::unix::process::CommandExt;
    use std::process::Command;
    use std::sync::Mutex;
    use std::time::Duration;
    use std::{fs, io, thread};

    use nix::sys::signal::{SigSet, Signal};
    use nix::sys::termios::{FlushArg, SetArg, Termios, tcflush, tcgetattr, tcsetattr};

    use crate::terminal::system::{PATIENCE, is_reading, stop};

    /// The terminal as it is while no line is typed.
    static MODES: Mutex<Option<Termios>> = Mutex::new(None);

    /// Ends bracketed paste, which marks what is pasted while a line is typed.
    const PASTE_UNMARKED: &[u8] = b"\x1b[?2004l\r\n";

    /// The longest pause between two pieces of what is pasted.
    const PASTE_PAUSE: Duration = Duration::from_millis(50);

    /// Starts this program anew in place of this process, with a variable of the environment more. Comes back where that can't be
    /// done, or was done before.
    pub fn start_anew(variable: &str, value: &str) {
        let mut words = std::env::args_os();
        let (Ok(program), None) = (std::env::current_exe(), std::env::var_os(variable)) else { return };
        let mut command = Command::new(program);
        if let Some(name) = words.next() {
            command.arg0(name);
        }
        drop(command.args(words).env(variable, value).exec());
    }

    /// Waits for signals from now on. Call it before any other thread begins.
    pub fn wait_for_signals() {
        let both = [Signal::SIGTERM, Signal::SIGHUP].into_iter();
        let signals: SigSet = both.filter(|signal| !is_ignored(*signal)).collect();
        // Where they can't be blocked they end the process at once.
        if signals.thread_block().is_ok() {
            thread::spawn(move || {
                while let Ok(signal) = signals.wait() {
                    end(super::asked(signal as u8));
                }
            });
        }
    }

    /// Whether the process was started to outlive a signal, as by `nohup`. That is asked since a signal that is waited for would
    /// come all the same.
    fn is_ignored(signal: Signal) -> bool {
        let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
        let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
        let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
        mask >> (signal as u32 - 1) & 1 == 1
    }

    fn end(code: u8) {
        if stop() {
            // Who works looks whether the process is to end, and ends it.
            thread::sleep(PATIENCE);
        }
        if is_reading() {
            restore_modes();
        }
        std::process::exit(i32::from(code));
    }

    /// Keeps the terminal's modes, for the case that the process ends while a line is typed.
    pub fn keep_modes() {
        if let Ok(mut modes) = MODES.lock() {
            *modes = tcgetattr(io::stdin()).ok();
        }
    }

    fn restore_modes() {
        if let Ok(modes) = MODES.lock()
            && let Some(modes) = modes.as_ref()
        {
            // A terminal that went away has no modes.
            let _ = tcsetattr(io::stdin(), SetArg::TCSANOW, modes);
            drop(io::stdout().write_all(PASTE_UNMARKED));
        }
    }

    /// Drops what was typed and isn't read yet, such as the rest of what is being pasted.
    pub fn drop_typed() {
        // What is pasted comes in pieces: more may come after the first flush.
        for _ in 0..2 {
            // A terminal that went away holds nothing.
            let _ = tcflush(io::stdin(), FlushArg::TCIFLUSH);
            thread::sleep(PASTE_PAUSE);
        }
        let _ = tcflush(io::stdin(), FlushArg::TCIFLUSH);
    }
}

#[cfg(not(unix))]
pub use elsewhere::{drop_typed, keep_modes, start_anew, wait_for_signals};

#[cfg(not(unix))]
mod elsewhere {
    pub fn drop_typed() {}
    pub fn keep_modes() {}
    pub fn start_anew(_: &str, _: &str) {}
    pub fn wait_for_signals() {}
}
