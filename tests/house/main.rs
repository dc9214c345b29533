//! The sources themselves: who names whom, what is built in, and that planted mistakes can be planted.

mod links;
mod modules;
mod planted;
mod supply;

#[allow(dead_code, reason = "other programs of tests need more of it")]
#[path = "../support"]
mod support {
    pub mod floors;
    pub mod house;
    pub mod planted;
}
