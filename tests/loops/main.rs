//! Programs as loops: nests, their checker, blocks of lanes, Futhark.

mod blocks;
mod fusion;
mod futhark;
mod jax;
mod kept;
mod nest_properties;
mod nests;
mod verify;

#[allow(dead_code, reason = "other programs of tests need more of it")]
#[path = "../support"]
mod support {
    pub mod agree;
    pub mod bits;
    pub mod build;
    pub mod futhark;
    pub mod generate;
    pub mod mixed;
    pub mod shipped;
}
