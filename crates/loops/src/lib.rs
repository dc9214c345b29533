//! Lowers array programs to loop nests, which are run in blocks or written as C, and to Futhark and JAX.
//!
//! In comes a typed program; out come loops over numbers in dense arrays, what running them gives, or text for another compiler.
//! Nothing here rewrites a term or knows a machine.
//!
//! Five types to know: [`FirstOrder`](first::FirstOrder), a program without functions; [`Nest`](nest::Nest), its loops as
//! statements; [`NestForm`](nest::NestForm), how they are made; [`Blocks`](blocks::Blocks), a nest that runs without a compiler;
//! and [`CTarget`](export::c::CTarget), for whom C is written.
//!
//! In reading order; each module names some of those before it, and none behind it:
//!
//! * [`first`]: programs with their functions evaluated away.
//! * [`nest`]: these as equations over indices, and as loops, of which a checker shows that they stay in their arrays.
//! * [`blocks`]: nests run without a compiler, an instruction for each operation on a block of lanes.
//! * [`export`]: Futhark, JAX and C.
#![forbid(unsafe_code)]

pub mod blocks;
pub mod export;
pub mod first;
pub mod nest;
