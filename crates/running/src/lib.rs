//! Runs array programs on this machine: compiled by the system's C compiler and loaded, timed, their arrays read from and
//! written to files of NumPy's.
//!
//! In come programs, inputs and sizes; out come values and times. This crate alone runs code that was compiled from a nest, and
//! nothing of the core names it.
//!
//! Five types to know: [`CCompiler`](native::CCompiler), the system's with its flags; [`CodeCache`](native::CodeCache), where
//! compiled code stays; [`Native`](native::Native), a program that was compiled; [`Runner`](bench::Runner), which runs one some
//! way; and [`BenchReport`](bench::BenchReport), what times were taken.
//!
//! * [`arrays`]: inputs and results as files of NumPy's.
//! * [`native`]: nests compiled (the compiler's flags are in `native/flags/`), loaded and called, on some threads. What stands in
//!   the C itself is `redexter_loops::export::c`.
//! * [`bench`](mod@bench): programs timed, each in several ways, as tables and charts.
#![forbid(unsafe_code)]

pub mod arrays;
pub mod bench;
pub mod native;
